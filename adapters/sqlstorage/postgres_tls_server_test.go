package sqlstorage_test

import (
	"context"
	"crypto/ecdsa"
	"crypto/elliptic"
	"crypto/rand"
	"crypto/tls"
	"crypto/x509"
	"encoding/pem"
	"io"
	"math/big"
	"net"
	"os"
	"path/filepath"
	"sync"
	"testing"
	"time"

	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgconn"
	"github.com/jackc/pgx/v5/pgproto3"
	"github.com/stretchr/testify/require"
)

// certificate is its own authority, whose file it is.
type certificate struct {
	tls.Certificate
	file string
}

func certify(t *testing.T, host string) certificate {
	t.Helper()
	key, err := ecdsa.GenerateKey(elliptic.P256(), rand.Reader)
	require.NoError(t, err)
	template := &x509.Certificate{
		SerialNumber: big.NewInt(1), IsCA: true, BasicConstraintsValid: true,
		NotBefore: time.Now().Add(-time.Hour), NotAfter: time.Now().Add(time.Hour),
	}
	if ip := net.ParseIP(host); ip != nil {
		template.IPAddresses = []net.IP{ip}
	} else {
		template.DNSNames = []string{host}
	}
	der, err := x509.CreateCertificate(rand.Reader, template, template, &key.PublicKey, key)
	require.NoError(t, err)
	file := filepath.Join(t.TempDir(), "authority.crt")
	require.NoError(t, os.WriteFile(file, pem.EncodeToMemory(&pem.Block{Type: "CERTIFICATE", Bytes: der}), 0o600))
	return certificate{tls.Certificate{Certificate: [][]byte{der}, PrivateKey: key}, file}
}

// behindTLS is the database of the URL, on a server that takes encrypted connections only, and what
// it is at. The throwaway one has a socket and nothing else, where PostgreSQL does not encrypt.
func behindTLS(t *testing.T, database string, own certificate) (url string, serving *sync.WaitGroup) {
	t.Helper()
	config, err := pgx.ParseConfig(database)
	require.NoError(t, err)
	listener, err := new(net.ListenConfig).Listen(t.Context(), "tcp", "127.0.0.1:0")
	require.NoError(t, err)
	t.Cleanup(func() { require.NoError(t, listener.Close()) })
	var connections sync.WaitGroup
	go func() {
		for client, err := listener.Accept(); err == nil; client, err = listener.Accept() {
			connections.Go(func() { serveEncrypted(t.Context(), client, config, own) })
		}
	}()
	return "postgres://diy:s3cr3t@" + listener.Addr().String() + "/" + config.Database, &connections
}

// serveEncrypted hands a connection on, unless it is in the clear. What goes wrong, the client tells.
func serveEncrypted(ctx context.Context, client net.Conn, to *pgx.ConnConfig, own certificate) {
	defer func() { _ = client.Close() }()
	backend := pgproto3.NewBackend(client, client)
	first, err := backend.ReceiveStartupMessage()
	if err != nil {
		return
	}
	if _, wanted := first.(*pgproto3.SSLRequest); !wanted {
		backend.Send(&pgproto3.ErrorResponse{Severity: "FATAL", Code: "28000", Message: "no pg_hba.conf entry, no encryption"})
		_ = backend.Flush()
		return
	}
	if _, err := client.Write([]byte{'S'}); err == nil {
		encrypted := tls.Server(client, &tls.Config{Certificates: []tls.Certificate{own.Certificate}, MinVersion: tls.VersionTLS12})
		join(ctx, encrypted, to)
	}
}

// join passes on what the client and the server say, until either goes.
func join(ctx context.Context, client net.Conn, to *pgx.ConnConfig) {
	network, address := pgconn.NetworkAddress(to.Host, to.Port)
	server, err := new(net.Dialer).DialContext(ctx, network, address)
	if err != nil {
		return
	}
	go func() {
		_, _ = io.Copy(server, client)
		_ = server.Close()
	}()
	_, _ = io.Copy(client, server)
}
