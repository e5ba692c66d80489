package sqlstorage

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
	"net/url"
	"os"
	"path/filepath"
	"sync"
	"testing"
	"time"

	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgconn"
	"github.com/jackc/pgx/v5/pgproto3"
	"github.com/stretchr/testify/require"

	"github.com/vc-admin/diy/domain/fault"
)

func TestPostgresTLS_FollowsTheSSLMode(t *testing.T) {
	databaseURL := postgresDatabase.newMigratedURL(t)
	cert, otherCACert := newCertificate(t, "127.0.0.1"), newCertificate(t, "127.0.0.1")
	otherHostCert := newCertificate(t, "elsewhere.test")
	for name, tt := range map[string]struct {
		cert    certificate
		options url.Values
		wantErr string // "" if the connection succeeds
	}{
		"require":                                 {cert, url.Values{"sslmode": {"require"}}, ""},
		"verify-ca ignores the host name":         {otherHostCert, url.Values{"sslmode": {"verify-ca"}, "sslrootcert": {otherHostCert.file}}, ""},
		"verify-full":                             {cert, url.Values{"sslmode": {"verify-full"}, "sslrootcert": {cert.file}}, ""},
		"verify-ca with another CA":               {cert, url.Values{"sslmode": {"verify-ca"}, "sslrootcert": {otherCACert.file}}, "unknown authority"},
		"verify-full with an unknown CA":          {cert, url.Values{"sslmode": {"verify-full"}}, "unknown authority"},
		"verify-full with another host":           {otherHostCert, url.Values{"sslmode": {"verify-full"}, "sslrootcert": {otherHostCert.file}}, "certificate for 127.0.0.1"},
		"disable with a server that requires TLS": {cert, url.Values{"sslmode": {"disable"}}, "no encryption"},
	} {
		t.Run(name, func(t *testing.T) {
			address, _ := newTLSProxy(t, databaseURL, tt.cert)
			s, err := Open(t.Context(), address+"?"+tt.options.Encode())
			if tt.wantErr == "" {
				require.NoError(t, err)
				require.NoError(t, s.Ready(t.Context()))
				require.NoError(t, s.Close())
				return
			}
			require.Equal(t, fault.Unavailable, fault.CodeOf(err))
			require.ErrorContains(t, err, tt.wantErr)
			require.NotContains(t, err.Error(), "s3cr3t")
		})
	}
}

func TestPostgresTLS_CloseSucceedsAfterConnectionsBroke(t *testing.T) {
	databaseURL := postgresDatabase.newMigratedURL(t)
	address, connections := newTLSProxy(t, databaseURL, newCertificate(t, "127.0.0.1"))
	s, err := Open(t.Context(), address+"?sslmode=require")
	require.NoError(t, err)
	terminateConnections(t, openStore(t, databaseURL+terminatorOption))
	connections.Wait()
	require.NoError(t, s.Close())
}

// certificate is a self-signed certificate.
type certificate struct {
	tls.Certificate
	file string // PEM
}

func newCertificate(t *testing.T, host string) certificate {
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
	file := filepath.Join(t.TempDir(), "ca.crt")
	require.NoError(t, os.WriteFile(file, pem.EncodeToMemory(&pem.Block{Type: "CERTIFICATE", Bytes: der}), 0o600))
	return certificate{tls.Certificate{Certificate: [][]byte{der}, PrivateKey: key}, file}
}

// newTLSProxy starts a server that accepts only TLS connections and forwards them to the database, because
// the test cluster listens only on a Unix socket, without TLS. It returns the URL of the proxy, and a group that waits for
// the proxy's connections to end.
func newTLSProxy(t *testing.T, databaseURL string, cert certificate) (string, *sync.WaitGroup) {
	t.Helper()
	config, err := pgx.ParseConfig(databaseURL)
	require.NoError(t, err)
	listener, err := new(net.ListenConfig).Listen(t.Context(), "tcp", "127.0.0.1:0")
	require.NoError(t, err)
	t.Cleanup(func() { require.NoError(t, listener.Close()) })
	var connections sync.WaitGroup
	go func() {
		for client, err := listener.Accept(); err == nil; client, err = listener.Accept() {
			connections.Go(func() { forwardTLS(t.Context(), client, config, cert) })
		}
	}()
	return "postgres://diy:s3cr3t@" + listener.Addr().String() + "/" + config.Database, &connections
}

// forwardTLS forwards one connection. It ignores errors, because the client gets them too.
func forwardTLS(ctx context.Context, client net.Conn, config *pgx.ConnConfig, cert certificate) {
	defer func() { _ = client.Close() }()
	backend := pgproto3.NewBackend(client, client)
	message, err := backend.ReceiveStartupMessage()
	if err != nil {
		return
	}
	if _, ok := message.(*pgproto3.SSLRequest); !ok {
		backend.Send(&pgproto3.ErrorResponse{Severity: "FATAL", Code: "28000", Message: "no pg_hba.conf entry, no encryption"})
		_ = backend.Flush()
		return
	}
	if _, err := client.Write([]byte{'S'}); err != nil {
		return
	}
	tlsConn := tls.Server(client, &tls.Config{Certificates: []tls.Certificate{cert.Certificate}, MinVersion: tls.VersionTLS12})
	network, address := pgconn.NetworkAddress(config.Host, config.Port)
	databaseConn, err := new(net.Dialer).DialContext(ctx, network, address)
	if err != nil {
		return
	}
	go func() {
		_, _ = io.Copy(databaseConn, tlsConn)
		_ = databaseConn.Close()
	}()
	_, _ = io.Copy(tlsConn, databaseConn)
}
