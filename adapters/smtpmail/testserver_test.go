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

var noon = time.Date(2026, 3, 1, 22, 0, 0, 0, time.FixedZone("AEST", 10*3600))

// stopped is a clock that shows noon, in UTC.
type stopped struct{}

func (stopped) Now() time.Time { return noon }

// office is a mail server: what it got, and what it says to whom.
type office struct {
	address     string
	certificate tls.Certificate
	trusted     *x509.CertPool

	mail, rcpt, data, auth func() error // answers; nil accepts

	mu      sync.Mutex
	letters []string // as they came over the line
	signIns []string // user:password
	plain   int      // letters that came over an open line
}

func newOffice(t *testing.T) *office {
	t.Helper()
	o := &office{}
	o.certificate, o.trusted = certify(t)
	return o
}

// starttls opens the office with an open line that can be encrypted.
func (o *office) starttls(t *testing.T) *office { return o.open(t, listen(t), o.encryption()) }

// implicit opens it with a line encrypted from the first byte.
func (o *office) implicit(t *testing.T) *office {
	return o.open(t, tls.NewListener(listen(t), o.encryption()), nil)
}

// unencrypted opens it with an open line only.
func (o *office) unencrypted(t *testing.T) *office { return o.open(t, listen(t), nil) }

func (o *office) encryption() *tls.Config {
	return &tls.Config{Certificates: []tls.Certificate{o.certificate}, MinVersion: tls.VersionTLS12}
}

func (o *office) open(t *testing.T, l net.Listener, starttls *tls.Config) *office {
	s := smtp.NewServer(smtp.BackendFunc(func(c *smtp.Conn) (smtp.Session, error) {
		_, encrypted := c.TLSConnectionState()
		return &session{office: o, encrypted: encrypted}, nil
	}))
	s.Domain, s.TLSConfig, s.AllowInsecureAuth = host, starttls, true
	s.ErrorLog = quiet{}
	o.address = l.Addr().String()
	go func() { _ = s.Serve(l) }()
	t.Cleanup(func() { _ = s.Close() })
	return o
}

func listen(t *testing.T) net.Listener {
	t.Helper()
	l, err := new(net.ListenConfig).Listen(t.Context(), "tcp", "127.0.0.1:0")
	require.NoError(t, err)
	t.Cleanup(func() { _ = l.Close() })
	return l
}

// sender makes a Sender that finds the office under any name.
func (o *office) sender(t *testing.T, url string) *Sender {
	t.Helper()
	s, err := New(url, "Vision <no-reply@vision.example>", stopped{})
	require.NoError(t, err)
	s.tls.RootCAs = o.trusted
	s.connect = func(ctx context.Context, network, _ string) (net.Conn, error) {
		return new(net.Dialer).DialContext(ctx, network, o.address)
	}
	return s
}

func (o *office) received() []string {
	o.mu.Lock()
	defer o.mu.Unlock()
	return append([]string(nil), o.letters...)
}

// quiet keeps the server's complaints about broken lines, which tests break on purpose.
type quiet struct{}

func (quiet) Printf(string, ...any) {}
func (quiet) Println(...any)        {}

// session is one conversation with the office.
type session struct {
	office    *office
	encrypted bool
}

func (s *session) AuthMechanisms() []string { return []string{sasl.Plain} }

func (s *session) Auth(string) (sasl.Server, error) {
	return sasl.NewPlainServer(func(_, user, password string) error {
		s.office.mu.Lock()
		s.office.signIns = append(s.office.signIns, user+":"+password)
		s.office.mu.Unlock()
		return say(s.office.auth)
	}), nil
}

func (s *session) Mail(string, *smtp.MailOptions) error { return say(s.office.mail) }
func (s *session) Rcpt(string, *smtp.RcptOptions) error { return say(s.office.rcpt) }
func (s *session) Reset()                               {}
func (s *session) Logout() error                        { return nil }

func (s *session) Data(r io.Reader) error {
	letter, err := io.ReadAll(r)
	if err != nil {
		return err
	}
	if err := say(s.office.data); err != nil {
		return err
	}
	s.office.mu.Lock()
	defer s.office.mu.Unlock()
	s.office.letters = append(s.office.letters, string(letter))
	if !s.encrypted {
		s.office.plain++
	}
	return nil
}

func say(answer func() error) error {
	if answer == nil {
		return nil
	}
	return answer()
}

// certify makes a certificate for the host and the pool that trusts it.
func certify(t *testing.T) (tls.Certificate, *x509.CertPool) {
	t.Helper()
	key, err := ecdsa.GenerateKey(elliptic.P256(), rand.Reader)
	require.NoError(t, err)
	template := &x509.Certificate{
		SerialNumber: big.NewInt(1), DNSNames: []string{host}, IsCA: true, BasicConstraintsValid: true,
		NotBefore: time.Now().Add(-time.Hour), NotAfter: time.Now().Add(time.Hour),
	}
	der, err := x509.CreateCertificate(rand.Reader, template, template, &key.PublicKey, key)
	require.NoError(t, err)
	parsed, err := x509.ParseCertificate(der)
	require.NoError(t, err)
	pool := x509.NewCertPool()
	pool.AddCert(parsed)
	return tls.Certificate{Certificate: [][]byte{der}, PrivateKey: key}, pool
}
