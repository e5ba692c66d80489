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
	if c.AdminAddr == "" {
		return l, nil
	}
	if l.admin.Listener, err = (&net.ListenConfig{}).Listen(ctx, "tcp", c.AdminAddr); err != nil {
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

// sameAddress reports whether two listeners would conflict. Port 0 stands for any free port.
func sameAddress(a, b string) bool {
	aHost, aPort, _ := net.SplitHostPort(a)
	bHost, bPort, _ := net.SplitHostPort(b)
	if aPort != bPort || aPort == "0" {
		return false
	}
	return aHost == bHost || anyHost(aHost) || anyHost(bHost)
}

// anyHost reports whether the host stands for every address of this machine.
func anyHost(host string) bool {
	ip := net.ParseIP(host)
	return host == "" || ip != nil && ip.IsUnspecified()
}

// nearby reports whether only this machine or a private network can reach the address.
func nearby(addr net.Addr) bool {
	tcp, ok := addr.(*net.TCPAddr)
	return ok && (tcp.IP.IsLoopback() || tcp.IP.IsPrivate() || tcp.IP.IsLinkLocalUnicast())
}
