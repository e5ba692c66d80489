package smtpmail

import (
	"context"
	"crypto/tls"
	"net"
	"time"
)

// line is the connection of one delivery.
type line struct{ conn net.Conn }

// dial connects, and encrypts from the first byte where the URL says so. The line breaks when ctx,
// which is the whole delivery's, ends: the library itself would only notice between two steps.
func (l *line) dial(ctx context.Context, s *Sender, network, address string) (net.Conn, error) {
	conn, err := s.connect(ctx, network, address)
	if err != nil {
		return nil, err
	}
	l.conn = conn
	context.AfterFunc(ctx, l.hangUp)
	if !s.server.implicitTLS {
		return conn, nil
	}
	encrypted := tls.Client(conn, s.tls)
	return encrypted, encrypted.HandshakeContext(ctx)
}

// limit gives what follows this long.
func (l *line) limit(d time.Duration) {
	_ = l.conn.SetDeadline(time.Now().Add(d)) //nolint:forbidigo // the network knows no other clock
}

func (l *line) hangUp() {
	if l.conn != nil {
		_ = l.conn.Close()
	}
}
