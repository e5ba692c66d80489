package smtpmail

import (
	"context"
	"crypto/tls"
	"errors"
	"fmt"
	"net"
	netmail "net/mail"
	"time"

	gomail "github.com/wneessen/go-mail"

	"github.com/vc-admin/diy/domain/fault"
	"github.com/vc-admin/diy/ports/clock"
	"github.com/vc-admin/diy/ports/mail"
)

const (
	// Patience is how long a delivery may take in all.
	Patience = 30 * time.Second
	// farewell is how long the server may take to say goodbye to a letter it has accepted.
	farewell = time.Second
)

// Sender is a mail.Sender that speaks SMTP. It is safe for use by many at once.
type Sender struct {
	server   server
	from     netmail.Address
	clock    clock.Clock
	tls      *tls.Config
	patience time.Duration
	connect  func(ctx context.Context, network, address string) (net.Conn, error)
}

// New makes a sender from the server's URL, smtp://user:password@host:587 or smtps://, and the
// address letters come from, with or without a name. It does not connect. Its error holds every
// problem at once and never quotes the URL.
func New(serverURL, from string, c clock.Clock) (*Sender, error) {
	server, err := parseServer(serverURL)
	address, fromErr := netmail.ParseAddress(from)
	if fromErr != nil {
		err = errors.Join(err, fmt.Errorf("the sender %q is not an e-mail address", from))
	}
	if err != nil {
		return nil, err
	}
	return &Sender{
		server: server, from: *address, clock: c, patience: Patience,
		tls:     &tls.Config{ServerName: server.host, MinVersion: tls.VersionTLS12},
		connect: new(net.Dialer).DialContext,
	}, nil
}

// Send hands the letter to the server. When it returns nil the server has accepted the letter.
// When the line breaks before the server could say so, the letter may arrive and come again; both
// have the same Message-ID.
func (s *Sender) Send(ctx context.Context, m mail.Message) error {
	if err := m.Check(); err != nil {
		return err
	}
	letter, err := s.compose(m)
	if err != nil {
		return err
	}
	ctx, cancel := context.WithTimeout(ctx, s.patience)
	defer cancel()
	if err := ctx.Err(); err != nil {
		return unavailable(err)
	}
	return s.deliver(ctx, letter)
}

// deliver connects and hangs up, whatever happens in between: the library leaves connections open
// when it fails half-way.
func (s *Sender) deliver(ctx context.Context, letter *gomail.Msg) error {
	var l line
	defer l.hangUp()
	client, err := gomail.NewClient(s.server.host, s.options(ctx, &l)...)
	if err != nil {
		return fault.Wrap(err, fault.Internal, "the mail client can't be set up")
	}
	session, err := client.DialToSMTPClientWithContext(ctx)
	if err != nil {
		return unavailable(connecting(ctx, err))
	}
	if err := client.SendWithSMTPClient(session, letter); err != nil && !letter.IsDelivered() {
		return refused(ctx, err)
	}
	l.limit(farewell)
	_ = client.CloseWithSMTPClient(session) // accepted is accepted
	return nil
}

func (s *Sender) options(ctx context.Context, l *line) []gomail.Option {
	options := []gomail.Option{
		gomail.WithPort(s.server.port), gomail.WithTimeout(s.patience),
		gomail.WithTLSConfig(s.tls), gomail.WithTLSPolicy(s.policy()),
		gomail.WithoutNoop(), gomail.WithoutRset(),
		gomail.WithDialContextFunc(func(_ context.Context, network, address string) (net.Conn, error) {
			return l.dial(ctx, s, network, address)
		}),
	}
	if s.server.user == "" {
		return options
	}
	return append(options, gomail.WithUsername(s.server.user), gomail.WithPassword(s.server.password),
		gomail.WithOpportunisticSMTPAuth(gomail.SMTPAuthSCRAMSHA256, gomail.SMTPAuthPlain, gomail.SMTPAuthLogin))
}

// policy says what happens after a plain connection was made.
func (s *Sender) policy() gomail.TLSPolicy {
	if s.server.implicitTLS || s.server.local() {
		return gomail.NoTLS
	}
	return gomail.TLSMandatory
}
