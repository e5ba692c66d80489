package smtpmail

import (
	"context"
	"sync"
	"time"

	gomail "github.com/wneessen/go-mail"
	"github.com/wneessen/go-mail/smtp"

	"github.com/vc-admin/diy/domain/fault"
)

const (
	// idleTimeout closes a connection that was not used for this long. Servers wait for five minutes (RFC 5321,
	// section 4.5.3.2).
	idleTimeout = 30 * time.Second
	// emailsPerConnection is below the limits of common servers.
	emailsPerConnection = 100
)

// keptConnection sends emails one after another and keeps the connection for the next one. A single connection is
// enough: the outbox is delivered in order, so that urgent emails are not behind others.
type keptConnection struct {
	open func(context.Context) (*connection, error)
	turn chan struct{} // full while an email is sent

	mu     sync.Mutex
	idle   *connection // nil for none
	closed bool
}

func newKeptConnection(open func(context.Context) (*connection, error)) *keptConnection {
	return &keptConnection{open: open, turn: make(chan struct{}, 1)}
}

// send sends the email on the kept connection if it still works, or on a new one. It waits while another email is
// sent. A connection on which sending failed is closed.
func (k *keptConnection) send(ctx context.Context, msg *gomail.Msg) error {
	select {
	case <-ctx.Done():
		return unavailable(ctx.Err())
	case k.turn <- struct{}{}:
		defer func() { <-k.turn }()
	}
	c, err := k.connect(ctx)
	if err != nil {
		return err
	}
	if err := c.send(ctx, msg); err != nil {
		c.conn.close()
		return err
	}
	k.keep(c)
	return nil
}

// connect returns a connection that has responded just now.
func (k *keptConnection) connect(ctx context.Context) (*connection, error) {
	c := k.take()
	if c != nil && c.responds(ctx) {
		return c, nil
	}
	if c != nil {
		c.conn.close()
	}
	return k.open(ctx)
}

// take returns the idle connection; nil when there is none.
func (k *keptConnection) take() *connection {
	k.mu.Lock()
	defer k.mu.Unlock()
	c := k.idle
	k.idle = nil
	return c
}

// keep keeps the connection for the next email.
func (k *keptConnection) keep(c *connection) {
	k.mu.Lock()
	defer k.mu.Unlock()
	if k.closed || c.sent >= emailsPerConnection {
		go c.quit()
		return
	}
	c.usedAt = now()
	k.idle = c
	time.AfterFunc(idleTimeout, k.closeIdle)
}

// closeIdle closes the connection if it was not used for idleTimeout.
func (k *keptConnection) closeIdle() {
	k.mu.Lock()
	defer k.mu.Unlock()
	if k.idle != nil && (k.closed || now().Sub(k.idle.usedAt) >= idleTimeout) {
		go k.idle.quit()
		k.idle = nil
	}
}

// close closes the idle connection, or the one in use when its email is sent.
func (k *keptConnection) close() {
	k.mu.Lock()
	k.closed = true
	k.mu.Unlock()
	k.closeIdle()
}

func now() time.Time { return time.Now() } //nolint:forbidigo // network timeouts use the real clock

// connection is a connection to the server on which emails are sent, one after another.
type connection struct {
	conn    *netConn
	client  *gomail.Client
	session *smtp.Client
	sent    int
	usedAt  time.Time
}

// open connects and authenticates.
func (s *Sender) open(ctx context.Context) (*connection, error) {
	conn := &netConn{}
	client, err := gomail.NewClient(s.server.host, s.options(ctx, conn)...)
	if err != nil {
		return nil, fault.Wrap(err, fault.Internal, "the mail client can't be set up")
	}
	stop := conn.closeWhenDone(ctx)
	defer stop()
	session, err := client.DialToSMTPClientWithContext(ctx)
	if err != nil {
		conn.close() // the library leaves it open after some failures
		return nil, unavailable(connectError(ctx, err))
	}
	return &connection{conn: conn, client: client, session: session}, nil
}

// responds reports whether the server still responds to NOOP.
func (c *connection) responds(ctx context.Context) bool {
	stop := c.conn.closeWhenDone(ctx)
	defer stop()
	c.conn.setTimeout(quitTimeout)
	return c.session.Noop() == nil
}

func (c *connection) send(ctx context.Context, msg *gomail.Msg) error {
	stop := c.conn.closeWhenDone(ctx)
	defer stop()
	if err := c.client.SendWithSMTPClient(c.session, msg); err != nil && !msg.IsDelivered() {
		return sendError(ctx, err)
	}
	c.sent++
	return nil
}

// quit ends the session; the server has accepted all emails, whatever it returns.
func (c *connection) quit() {
	c.conn.setTimeout(quitTimeout)
	_ = c.client.CloseWithSMTPClient(c.session)
	c.conn.close()
}
