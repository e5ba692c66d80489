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
	// emailsPerConnection is the number of emails after which a connection is replaced. Common servers allow more.
	emailsPerConnection = 100
)

// connectionCache sends emails one at a time and keeps the connection open for the next email. A single connection is
// enough, because the outbox is delivered in order, urgent emails first.
type connectionCache struct {
	openConnection func(context.Context) (*connection, error)
	sendLock       chan struct{} // holds a value while an email is sent

	mu       sync.Mutex
	idleConn *connection // nil for none
	isClosed bool
}

func newConnectionCache(open func(context.Context) (*connection, error)) *connectionCache {
	return &connectionCache{openConnection: open, sendLock: make(chan struct{}, 1)}
}

// send sends the email on the idle connection if the server still responds, otherwise on a new one. It waits while
// another email is sent. If sending fails, the connection is closed.
func (cache *connectionCache) send(ctx context.Context, msg *gomail.Msg) error {
	select {
	case <-ctx.Done():
		return unavailableError(ctx.Err())
	case cache.sendLock <- struct{}{}:
		defer func() { <-cache.sendLock }()
	}
	c, err := cache.connect(ctx)
	if err != nil {
		return err
	}
	if err := c.send(ctx, msg); err != nil {
		c.conn.close()
		return err
	}
	cache.release(c)
	return nil
}

// connect returns the idle connection if the server still responds on it, otherwise a new connection.
func (cache *connectionCache) connect(ctx context.Context) (*connection, error) {
	c := cache.takeIdleConn()
	if c != nil && c.responds(ctx) {
		return c, nil
	}
	if c != nil {
		c.conn.close()
	}
	return cache.openConnection(ctx)
}

// takeIdleConn removes the idle connection from the cache and returns it, or nil if there is none.
func (cache *connectionCache) takeIdleConn() *connection {
	cache.mu.Lock()
	defer cache.mu.Unlock()
	c := cache.idleConn
	cache.idleConn = nil
	return c
}

// release stores the connection as idleConn for the next email. It closes the connection instead if emailsPerConnection
// emails were sent on it or the cache is closed.
func (cache *connectionCache) release(c *connection) {
	cache.mu.Lock()
	defer cache.mu.Unlock()
	if cache.isClosed || c.emailsSent >= emailsPerConnection {
		go c.quit()
		return
	}
	c.lastUsedAt = now()
	cache.idleConn = c
	time.AfterFunc(idleTimeout, cache.closeIdleConn)
}

// closeIdleConn closes the idle connection if it was not used for idleTimeout or the cache is closed.
func (cache *connectionCache) closeIdleConn() {
	cache.mu.Lock()
	defer cache.mu.Unlock()
	if cache.idleConn != nil && (cache.isClosed || now().Sub(cache.idleConn.lastUsedAt) >= idleTimeout) {
		go cache.idleConn.quit()
		cache.idleConn = nil
	}
}

// close closes the idle connection. A connection in use is closed after its email.
func (cache *connectionCache) close() {
	cache.mu.Lock()
	cache.isClosed = true
	cache.mu.Unlock()
	cache.closeIdleConn()
}

func now() time.Time { return time.Now() } //nolint:forbidigo // network timeouts use the real clock

// connection is an SMTP session and its network connection.
type connection struct {
	conn       *netConn
	client     *gomail.Client
	session    *smtp.Client
	emailsSent int
	lastUsedAt time.Time // when the last email was sent
}

// openConnection connects to the server and authenticates.
func (s *Sender) openConnection(ctx context.Context) (*connection, error) {
	conn := &netConn{}
	client, err := gomail.NewClient(s.server.host, s.clientOptions(ctx, conn)...)
	if err != nil {
		return nil, fault.Wrap(err, fault.Internal, "the mail client can't be set up")
	}
	stop := conn.closeWhenDone(ctx)
	defer stop()
	session, err := client.DialToSMTPClientWithContext(ctx)
	if err != nil {
		conn.close() // the library leaves the connection open after some failures
		return nil, unavailableError(connectError(ctx, err))
	}
	return &connection{conn: conn, client: client, session: session}, nil
}

// responds reports whether the server responds to NOOP.
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
	c.emailsSent++
	return nil
}

// quit ends the session. It ignores errors, because the server has accepted all emails.
func (c *connection) quit() {
	c.conn.setTimeout(quitTimeout)
	_ = c.client.CloseWithSMTPClient(c.session)
	c.conn.close()
}
