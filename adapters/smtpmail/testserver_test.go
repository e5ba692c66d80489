package smtpmail

import (
	"context"
	"crypto/ecdsa"
	"crypto/elliptic"
	"crypto/rand"
	"crypto/tls"
	"crypto/x509"
	"io"
	"math/big"
	"net"
	"sync"
	"testing"
	"time"

	"github.com/emersion/go-sasl"
	"github.com/emersion/go-smtp"
	"github.com/stretchr/testify/require"
)

const host = "mail.example.com"

// refusedAddress is a recipient that every test server refuses.
const refusedAddress = "refused@example.com"

var noon = time.Date(2026, 3, 1, 22, 0, 0, 0, time.FixedZone("AEST", 10*3600))

// fixedClock always returns noon.
type fixedClock struct{}

func (fixedClock) Now() time.Time { return noon }

// testServer is an SMTP server that records what it receives and can refuse each step.
type testServer struct {
	address     string
	certificate tls.Certificate
	rootCAs     *x509.CertPool

	onMail, onRcpt, onData, onAuth func() error // return the response to an SMTP step; nil accepts the step

	mu                sync.Mutex
	emails            []string // as received
	unencryptedEmails int
	logins            []string // user:password
	envelopeSenders   []string
	helloName         string // of the last session
}

func newTestServer(t *testing.T) *testServer {
	t.Helper()
	srv := &testServer{}
	srv.certificate, srv.rootCAs = newCertificate(t)
	return srv
}

// startSTARTTLS starts the server, which offers STARTTLS.
func (srv *testServer) startSTARTTLS(t *testing.T) *testServer {
	return srv.start(t, listen(t), srv.tlsConfig())
}

// startImplicitTLS starts the server with implicit TLS.
func (srv *testServer) startImplicitTLS(t *testing.T) *testServer {
	return srv.start(t, tls.NewListener(listen(t), srv.tlsConfig()), nil)
}

// startUnencrypted starts the server without TLS.
func (srv *testServer) startUnencrypted(t *testing.T) *testServer {
	return srv.start(t, listen(t), nil)
}

func (srv *testServer) tlsConfig() *tls.Config {
	return &tls.Config{Certificates: []tls.Certificate{srv.certificate}, MinVersion: tls.VersionTLS12}
}

func (srv *testServer) start(t *testing.T, l net.Listener, starttls *tls.Config) *testServer {
	s := smtp.NewServer(smtp.BackendFunc(func(c *smtp.Conn) (smtp.Session, error) {
		srv.mu.Lock()
		defer srv.mu.Unlock()
		srv.helloName = c.Hostname()
		_, encrypted := c.TLSConnectionState()
		return &session{server: srv, isEncrypted: encrypted}, nil
	}))
	s.Domain, s.TLSConfig, s.AllowInsecureAuth = host, starttls, true
	s.ErrorLog = discardLog{}
	srv.address = l.Addr().String()
	go func() { _ = s.Serve(l) }()
	t.Cleanup(func() { _ = s.Close() })
	return srv
}

func listen(t *testing.T) net.Listener {
	t.Helper()
	l, err := new(net.ListenConfig).Listen(t.Context(), "tcp", "127.0.0.1:0")
	require.NoError(t, err)
	t.Cleanup(func() { _ = l.Close() })
	return l
}

// newSender returns a Sender that connects to the test server instead of the host in the URL.
func (srv *testServer) newSender(t *testing.T, url string) *Sender {
	t.Helper()
	options := Options{URL: url, From: "Vision <no-reply@vision.example>", BounceAddress: "bounces@vision.example"}
	s, err := New(options, fixedClock{})
	require.NoError(t, err)
	t.Cleanup(s.Close)
	s.tlsConfig.RootCAs = srv.rootCAs
	s.dialContext = func(ctx context.Context, network, _ string) (net.Conn, error) {
		return new(net.Dialer).DialContext(ctx, network, srv.address)
	}
	return s
}

func (srv *testServer) receivedEmails() []string {
	srv.mu.Lock()
	defer srv.mu.Unlock()
	return append([]string(nil), srv.emails...)
}

// helo returns the name that the client used in EHLO.
func (srv *testServer) helo() string {
	srv.mu.Lock()
	defer srv.mu.Unlock()
	return srv.helloName
}

// discardLog discards errors about connections that tests break on purpose.
type discardLog struct{}

func (discardLog) Printf(string, ...any) {}
func (discardLog) Println(...any)        {}

// session is one SMTP session.
type session struct {
	server      *testServer
	isEncrypted bool
}

func (s *session) AuthMechanisms() []string { return []string{sasl.Plain} }

func (s *session) Auth(string) (sasl.Server, error) {
	return sasl.NewPlainServer(func(_, user, password string) error {
		s.server.mu.Lock()
		s.server.logins = append(s.server.logins, user+":"+password)
		s.server.mu.Unlock()
		return callStep(s.server.onAuth)
	}), nil
}

func (s *session) Mail(from string, _ *smtp.MailOptions) error {
	s.server.mu.Lock()
	s.server.envelopeSenders = append(s.server.envelopeSenders, from)
	s.server.mu.Unlock()
	return callStep(s.server.onMail)
}

func (s *session) Rcpt(to string, _ *smtp.RcptOptions) error {
	if to == refusedAddress {
		return newRefusal(550, smtp.EnhancedCode{5, 1, 1})()
	}
	return callStep(s.server.onRcpt)
}

func (s *session) Reset()        {}
func (s *session) Logout() error { return nil }

func (s *session) Data(r io.Reader) error {
	email, err := io.ReadAll(r)
	if err != nil {
		return err
	}
	if err := callStep(s.server.onData); err != nil {
		return err
	}
	s.server.mu.Lock()
	defer s.server.mu.Unlock()
	s.server.emails = append(s.server.emails, string(email))
	if !s.isEncrypted {
		s.server.unencryptedEmails++
	}
	return nil
}

// callStep calls the function of a step, or returns nil if there is none.
func callStep(step func() error) error {
	if step == nil {
		return nil
	}
	return step()
}

// newCertificate returns a certificate for host, and a pool of root certificates that trusts it.
func newCertificate(t *testing.T) (tls.Certificate, *x509.CertPool) {
	t.Helper()
	key, err := ecdsa.GenerateKey(elliptic.P256(), rand.Reader)
	require.NoError(t, err)
	template := &x509.Certificate{
		SerialNumber: big.NewInt(1), DNSNames: []string{host}, IsCA: true, BasicConstraintsValid: true,
		NotBefore: time.Now().Add(-time.Hour), NotAfter: time.Now().Add(time.Hour),
	}
	der, err := x509.CreateCertificate(rand.Reader, template, template, &key.PublicKey, key)
	require.NoError(t, err)
	certificate, err := x509.ParseCertificate(der)
	require.NoError(t, err)
	pool := x509.NewCertPool()
	pool.AddCert(certificate)
	return tls.Certificate{Certificate: [][]byte{der}, PrivateKey: key}, pool
}
