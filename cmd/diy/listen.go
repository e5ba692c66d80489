package main

import (
	"context"
	"errors"
	"net"
)

// listeners are the addresses the server has taken.
type listeners struct {
	public net.Listener
	admin  adminListener
}

// listen takes the addresses before anything else is done, so that a second server by mistake
// leaves the first one's data alone.
func listen(ctx context.Context, c config) (listeners, error) {
	var l listeners
	var err error
	if l.public, err = (&net.ListenConfig{}).Listen(ctx, "tcp", c.Addr); err != nil {
		return listeners{}, err
	}
	if c.Operation.AdminAddr == "" {
		return l, nil
	}
	if l.admin.Listener, err = (&net.ListenConfig{}).Listen(ctx, "tcp", c.Operation.AdminAddr); err != nil {
		return listeners{}, errors.Join(err, l.public.Close())
	}
	return l, nil
}

// close gives the addresses back. The servers have done so, unless they never started.
func (l listeners) close() {
	_ = l.public.Close() // an error says that it is closed
	if l.admin.Listener != nil {
		_ = l.admin.Close() // as above
	}
}
