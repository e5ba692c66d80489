package smtpmail

import (
	"context"
	"crypto/sha256"
	"crypto/tls"
	"encoding/hex"
	"errors"
	"fmt"
	"net"
	netmail "net/mail"
	"strings"
	"time"

	gomail "github.com/wneessen/go-mail"

	"github.com/vc-admin/diy/domain/fault"
	"github.com/vc-admin/diy/ports/clock"
	"github.com/vc-admin/diy/ports/mail"
)

const (
	// Timeout is the time limit of a delivery.
	Timeout = 30 * time.Second
	// quitTimeout is the time limit of QUIT after the server has accepted the email.
	quitTimeout = time.Second
)

// Sender is a mail.Sender that uses SMTP. It is safe for concurrent use.
type Sender struct {
	server  server
	from    netmail.Address
	clock   clock.Clock
	tls     *tls.Config
	timeout time.Duration
	connect func(ctx context.Context, network, address string) (net.Conn, error)
}

// New returns a sender for the server's URL, smtp://user:password@host:587 or smtps://, and the sender's
// address with or without a display name. It does not connect. The error contains all problems and
// never quotes the URL, which may contain a password.
func New(serverURL, from string, c clock.Clock) (*Sender, error) {
	server, err := parseServer(serverURL)
	address, fromErr := netmail.ParseAddress(from)
	if fromErr != nil {
		err = errors.Join(err, fmt.Errorf("the sender %q is not an email address", from))
	}
	if err != nil {
		return nil, err
	}
	return &Sender{
		server: server, from: *address, clock: c, timeout: Timeout,
		tls:     &tls.Config{ServerName: server.host, MinVersion: tls.VersionTLS12},
		connect: new(net.Dialer).DialContext,
	}, nil
}

// Send hands the email to the server; nil means that the server has accepted it. If the connection
// breaks before the server's response, the email may be delivered and sent again with the same Message-ID.
func (s *Sender) Send(ctx context.Context, m mail.Message) error {
	if err := m.Check(); err != nil {
		return err
	}
	msg, err := s.compose(m)
	if err != nil {
		return err
	}
	ctx, cancel := context.WithTimeout(ctx, s.timeout)
	defer cancel()
	if err := ctx.Err(); err != nil {
		return unavailable(err)
	}
	return s.deliver(ctx, msg)
}

// deliver connects, sends the email and always closes the connection: the library leaves it open after
// some failures.
func (s *Sender) deliver(ctx context.Context, msg *gomail.Msg) error {
	var c connection
	defer c.close()
	client, err := gomail.NewClient(s.server.host, s.options(ctx, &c)...)
	if err != nil {
		return fault.Wrap(err, fault.Internal, "the mail client can't be set up")
	}
	session, err := client.DialToSMTPClientWithContext(ctx)
	if err != nil {
		return unavailable(connectError(ctx, err))
	}
	if err := client.SendWithSMTPClient(session, msg); err != nil && !msg.IsDelivered() {
		return sendError(ctx, err)
	}
	c.setTimeout(quitTimeout)
	_ = client.CloseWithSMTPClient(session) // the email is accepted, whatever QUIT returns
	return nil
}

func (s *Sender) options(ctx context.Context, c *connection) []gomail.Option {
	options := []gomail.Option{
		gomail.WithPort(s.server.port), gomail.WithTimeout(s.timeout),
		gomail.WithTLSConfig(s.tls), gomail.WithTLSPolicy(s.startTLSPolicy()),
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

// startTLSPolicy requires STARTTLS unless the connection is encrypted already or local.
func (s *Sender) startTLSPolicy() gomail.TLSPolicy {
	if s.server.implicitTLS || s.server.isLocal() {
		return gomail.NoTLS
	}
	return gomail.TLSMandatory
}

// compose returns a multipart/alternative message with the plain text first.
func (s *Sender) compose(m mail.Message) (*gomail.Msg, error) {
	msg := gomail.NewMsg(gomail.WithNoDefaultUserAgent())
	msg.FromMailAddress(&s.from)
	if err := msg.To(m.To); err != nil {
		return nil, fault.New(fault.Invalid, "The email address is invalid.")
	}
	msg.Subject(m.Subject)
	msg.SetDateWithValue(s.clock.Now().UTC())
	msg.SetMessageIDWithValue(s.messageID(m))
	msg.SetGenHeader("Auto-Submitted", "auto-generated") // suppresses automatic replies (RFC 3834)
	msg.SetBodyString(gomail.TypeTextPlain, m.Text)
	msg.AddAlternativeString(gomail.TypeTextHTML, m.HTML)
	return msg, nil
}

// messageID returns the same id for each attempt at an email, so that mail programs recognise
// duplicates. Different emails differ at least in the token they contain.
func (s *Sender) messageID(m mail.Message) string {
	sum := sha256.Sum256([]byte(strings.Join([]string{m.To, m.Subject, m.Text, m.HTML}, "\x00")))
	_, domain, _ := strings.Cut(s.from.Address, "@")
	return hex.EncodeToString(sum[:16]) + "@" + domain
}

// connection is the connection of one delivery.
type connection struct{ conn net.Conn }

// dial connects, with implicit TLS if the URL demands it. The connection is closed when ctx, the
// context of the delivery, ends, because the library checks the context only between two steps.
func (c *connection) dial(ctx context.Context, s *Sender, network, address string) (net.Conn, error) {
	conn, err := s.connect(ctx, network, address)
	if err != nil {
		return nil, err
	}
	c.conn = conn
	context.AfterFunc(ctx, c.close)
	if !s.server.implicitTLS {
		return conn, nil
	}
	encrypted := tls.Client(conn, s.tls)
	return encrypted, encrypted.HandshakeContext(ctx)
}

// setTimeout limits the time of all further reads and writes.
func (c *connection) setTimeout(d time.Duration) {
	_ = c.conn.SetDeadline(time.Now().Add(d)) //nolint:forbidigo // network deadlines use the real clock
}

func (c *connection) close() {
	if c.conn != nil {
		_ = c.conn.Close()
	}
}
