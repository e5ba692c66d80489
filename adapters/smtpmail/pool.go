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
	// Connections is the largest number of connections to the server.
	Connections = 4
	// idleTimeout closes a connection that was not used for this long. Servers wait for five minutes (RFC 5321,
	// section 4.5.3.2).
	idleTimeout = 30 * time.Second
	// emailsPerConnection is below the limits of common servers.
	emailsPerConnection = 100
)

// pool keeps connections for the next emails.
type pool struct {
	open func(context.Context) (*connection, error)
	free chan struct{} // a token for each connection that may be open

	mu     sync.Mutex
	idle   []*connection // the last one was used last
	closed bool
}

func newPool(open func(context.Context) (*connection, error)) *pool {
	p := &pool{open: open, free: make(chan struct{}, Connections)}
	for range Connections {
		p.free <- struct{}{}
	}
	return p
}

// send sends the email on an idle connection that still works, or on a new one. It waits while all are in use. A
// connection on which sending failed is closed.
func (p *pool) send(ctx context.Context, msg *gomail.Msg) error {
	select {
	case <-ctx.Done():
		return unavailable(ctx.Err())
	case <-p.free:
		defer func() { p.free <- struct{}{} }()
	}
	c, err := p.take(ctx)
	if err != nil {
		return err
	}
	if err := c.send(ctx, msg); err != nil {
		c.conn.close()
		return err
	}
	p.put(c)
	return nil
}

// take returns a connection that has responded just now.
func (p *pool) take(ctx context.Context) (*connection, error) {
	for c := p.pop(); c != nil; c = p.pop() {
		if c.responds(ctx) {
			return c, nil
		}
		c.conn.close()
	}
	return p.open(ctx)
}

// pop removes the connection that was used last; nil when there is none.
func (p *pool) pop() *connection {
	p.mu.Lock()
	defer p.mu.Unlock()
	if len(p.idle) == 0 {
		return nil
	}
	c := p.idle[len(p.idle)-1]
	p.idle = p.idle[:len(p.idle)-1]
	return c
}

// put keeps the connection for the next email.
func (p *pool) put(c *connection) {
	p.mu.Lock()
	defer p.mu.Unlock()
	if p.closed || c.sent >= emailsPerConnection {
		go c.quit()
		return
	}
	c.usedAt = now()
	p.idle = append(p.idle, c)
	time.AfterFunc(idleTimeout, p.closeIdle)
}

// closeIdle closes the connections that were not used for idleTimeout.
func (p *pool) closeIdle() {
	p.mu.Lock()
	defer p.mu.Unlock()
	for len(p.idle) > 0 && (p.closed || now().Sub(p.idle[0].usedAt) >= idleTimeout) {
		go p.idle[0].quit()
		p.idle = p.idle[1:]
	}
}

// close closes the idle connections, and others when their email is sent.
func (p *pool) close() {
	p.mu.Lock()
	p.closed = true
	p.mu.Unlock()
	p.closeIdle()
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
