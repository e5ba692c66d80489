package smtpmail

import (
	"bytes"
	"cmp"
	"context"
	"crypto/sha256"
	"crypto/tls"
	"encoding/hex"
	"errors"
	"fmt"
	"net"
	netmail "net/mail"
	"strings"
	"sync"
	"time"

	gomail "github.com/wneessen/go-mail"
	"golang.org/x/time/rate"

	"github.com/vc-admin/diy/domain/fault"
	"github.com/vc-admin/diy/ports/clock"
	"github.com/vc-admin/diy/ports/mail"
)

const (
	// Timeout limits the time of a delivery.
	Timeout = 30 * time.Second
	// quitTimeout limits the time of NOOP and QUIT between emails.
	quitTimeout = time.Second
)

// Sender is a mail.Sender that uses SMTP. It is safe for concurrent use.
type Sender struct {
	server        server
	from          netmail.Address
	bounceAddress string // the envelope sender
	helo          string // the name of this host in EHLO
	limiter       *rate.Limiter
	connections   *connectionCache
	clock         clock.Clock
	tlsConfig     *tls.Config
	timeout       time.Duration
	dialContext   func(ctx context.Context, network, address string) (net.Conn, error)
}

// Options configure New.
type Options struct {
	URL           string // smtp://user:password@host:587 or smtps://
	From          string // the sender's address, with or without a display name
	BounceAddress string // the address that receives bounces (the envelope sender); "" for the address in From
	// Helo is the name of this host in EHLO, such as app.example.com or [192.0.2.1]. If it is empty, New uses PublicHost
	// if that is a full host name, and the domain of From otherwise. Many mail servers refuse a name without a domain.
	Helo       string
	PublicHost string // the host of the application's URL; "" for none
	Rate       int    // emails per second; 0 for no limit
}

// New returns a sender. It does not connect. The error contains all problems and never quotes the URL, which may
// contain a password.
func New(o Options, c clock.Clock) (*Sender, error) {
	server, err := parseServer(o.URL)
	from, fromErr := parseAddress(o.From)
	if fromErr != nil {
		err = errors.Join(err, fmt.Errorf("the sender %q is not an email address", o.From))
	}
	bounces, bouncesErr := parseAddress(cmp.Or(o.BounceAddress, o.From))
	if o.BounceAddress != "" && bouncesErr != nil {
		err = errors.Join(err, fmt.Errorf("the address for bounces %q is not an email address", o.BounceAddress))
	}
	if o.Helo != "" && !isHelo(o.Helo) {
		err = errors.Join(err, fmt.Errorf("%q is not a host name such as app.example.com", o.Helo))
	}
	if err != nil {
		return nil, err
	}
	limit := rate.Inf
	if o.Rate > 0 {
		limit = rate.Limit(o.Rate)
	}
	s := &Sender{
		server: server, from: *from, bounceAddress: bounces.Address, helo: heloName(o, from.Address),
		limiter: rate.NewLimiter(limit, 1), clock: c, timeout: Timeout,
		tlsConfig:   &tls.Config{ServerName: server.host, MinVersion: tls.VersionTLS12},
		dialContext: new(net.Dialer).DialContext,
	}
	s.connections = newConnectionCache(s.openConnection)
	return s, nil
}

// Close closes the idle connection. Send can still be called after Close.
func (s *Sender) Close() { s.connections.close() }

// Send waits until the rate allows another email and then sends the email to the server. It returns nil when the server
// has accepted the email. If the connection breaks before the server's response, the email may be delivered although Send
// returns an error. The next attempt has the same Message-ID.
func (s *Sender) Send(ctx context.Context, m mail.Message) error {
	if err := m.Check(); err != nil {
		return err
	}
	msg, err := s.compose(m)
	if err != nil {
		return err
	}
	if err := s.limiter.Wait(ctx); err != nil {
		return unavailableError(err)
	}
	ctx, cancel := context.WithTimeout(ctx, s.timeout)
	defer cancel()
	return s.connections.send(ctx, msg)
}

// clientOptions returns the options of a mail client that dials with c until ctx ends.
func (s *Sender) clientOptions(ctx context.Context, c *netConn) []gomail.Option {
	options := []gomail.Option{
		gomail.WithHELO(s.helo), gomail.WithPort(s.server.port), gomail.WithTimeout(s.timeout),
		gomail.WithTLSConfig(s.tlsConfig), gomail.WithTLSPolicy(s.startTLSPolicy()),
		gomail.WithoutNoop(), gomail.WithoutRset(),
		gomail.WithDialContextFunc(func(_ context.Context, network, address string) (net.Conn, error) {
			return c.dial(ctx, s, network, address)
		}),
	}
	if s.server.user == "" {
		return options
	}
	return append(options, gomail.WithUsername(s.server.user), gomail.WithPassword(s.server.password),
		gomail.WithOpportunisticSMTPAuth(gomail.SMTPAuthSCRAMSHA256, gomail.SMTPAuthPlain, gomail.SMTPAuthLogin))
}

// startTLSPolicy requires STARTTLS unless the connection is local or already encrypted.
func (s *Sender) startTLSPolicy() gomail.TLSPolicy {
	if s.server.implicitTLS || s.server.isLocal() {
		return gomail.NoTLS
	}
	return gomail.TLSMandatory
}

// compose returns a multipart/alternative message with the plain text first. With an attachment it is the first part of a
// multipart/mixed message.
func (s *Sender) compose(m mail.Message) (*gomail.Msg, error) {
	msg := gomail.NewMsg(gomail.WithNoDefaultUserAgent())
	msg.FromMailAddress(&s.from)
	if err := msg.EnvelopeFrom(s.bounceAddress); err != nil {
		return nil, fault.Wrap(err, fault.Internal, "the address for bounces is invalid")
	}
	if err := msg.To(m.To); err != nil {
		return nil, fault.New(fault.Invalid, "The email address is invalid.")
	}
	msg.Subject(m.Subject)
	msg.SetDateWithValue(s.clock.Now().UTC())
	msg.SetMessageIDWithValue(s.messageID(m))
	msg.SetGenHeader("Auto-Submitted", "auto-generated") // suppresses automatic replies (RFC 3834)
	if m.Unsubscribe != "" {
		msg.SetGenHeaderPreformatted("List-Unsubscribe", "<"+m.Unsubscribe+">") // not folded or encoded (RFC 8058)
		msg.SetGenHeader("List-Unsubscribe-Post", "List-Unsubscribe=One-Click")
	}
	msg.SetBodyString(gomail.TypeTextPlain, m.Text)
	msg.AddAlternativeString(gomail.TypeTextHTML, m.HTML)
	if a := m.Attachment; a != nil {
		// AttachReadSeeker can't fail before the email is written.
		msg.AttachReadSeeker(a.Name, bytes.NewReader(a.Data), gomail.WithFileContentType(gomail.ContentType(a.ContentType)))
	}
	return msg, nil
}

// messageID returns the same ID for each attempt to send an email, so that mail programs recognise duplicates. It contains
// the email's ID, so that different emails with the same content differ, and a hash of the content, because a database
// that was restored from a backup assigns IDs again.
func (s *Sender) messageID(m mail.Message) string {
	sum := sha256.Sum256([]byte(strings.Join([]string{m.To, m.Subject, m.Text, m.HTML}, "\x00")))
	_, domain, _ := strings.Cut(s.from.Address, "@")
	return strings.TrimPrefix(m.ID+".", ".") + hex.EncodeToString(sum[:16]) + "@" + domain
}

// netConn holds a network connection. It can be closed at any time, even before dial.
type netConn struct {
	mu   sync.Mutex
	conn net.Conn // nil until dial
}

// dial connects to the address, with implicit TLS for an smtps:// URL.
func (c *netConn) dial(ctx context.Context, s *Sender, network, address string) (net.Conn, error) {
	conn, err := s.dialContext(ctx, network, address)
	if err != nil {
		return nil, err
	}
	c.mu.Lock()
	c.conn = conn
	c.mu.Unlock()
	if !s.server.implicitTLS {
		return conn, nil
	}
	tlsConn := tls.Client(conn, s.tlsConfig)
	return tlsConn, tlsConn.HandshakeContext(ctx)
}

// closeWhenDone closes the connection when ctx ends, because the library checks the context only between two
// steps. The caller must call stop after the step.
func (c *netConn) closeWhenDone(ctx context.Context) (stop func() bool) {
	return context.AfterFunc(ctx, c.close)
}

// setTimeout limits the time of all further reads and writes.
func (c *netConn) setTimeout(d time.Duration) {
	_ = c.conn.SetDeadline(now().Add(d))
}

func (c *netConn) close() {
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.conn != nil {
		_ = c.conn.Close()
	}
}
