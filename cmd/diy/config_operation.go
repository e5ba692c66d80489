package main

import (
	"net"
	"time"
)

const (
	// usualDrain is how long a server in production goes on as before after it has said that it
	// stops: two rounds of the usual questions of a load balancer.
	usualDrain   = 5 * time.Second
	longestDrain = time.Minute
)

// operation is the part of the configuration that only operators care about.
type operation struct {
	AdminAddr string         `env:"ADMIN_ADDR"` // "" serves nothing for operators
	Drain     *time.Duration `env:"DRAIN"`
}

func (o operation) check(public string, problems *configError) {
	if o.Drain != nil && (*o.Drain < 0 || *o.Drain > longestDrain) {
		problems.add("DIY_DRAIN must be between 0s and %s, not %s", longestDrain, *o.Drain)
	}
	if o.AdminAddr == "" {
		return
	}
	if _, _, err := net.SplitHostPort(o.AdminAddr); err != nil {
		problems.add("DIY_ADMIN_ADDR must be HOST:PORT, not %q", o.AdminAddr)
		return
	}
	if sameAddress(o.AdminAddr, public) {
		problems.add("DIY_ADMIN_ADDR must not be the address of DIY_ADDR, where everybody comes")
	}
}

// drain is how long the server lets load balancers notice that it stops.
func (c config) drain() time.Duration {
	switch {
	case c.Operation.Drain != nil:
		return *c.Operation.Drain
	case c.production():
		return usualDrain
	}
	return 0
}

// sameAddress reports whether two servers would get in each other's way. Port 0 is a free one.
func sameAddress(one, other string) bool {
	oneHost, onePort, _ := net.SplitHostPort(one)
	otherHost, otherPort, _ := net.SplitHostPort(other)
	if onePort != otherPort || onePort == "0" {
		return false
	}
	return oneHost == otherHost || anyHost(oneHost) || anyHost(otherHost)
}

// anyHost reports whether the host stands for every address of this machine.
func anyHost(host string) bool {
	ip := net.ParseIP(host)
	return host == "" || ip != nil && ip.IsUnspecified()
}

// nearby reports whether only this machine, or a private network, can reach the address.
func nearby(addr net.Addr) bool {
	tcp, ok := addr.(*net.TCPAddr)
	return ok && (tcp.IP.IsLoopback() || tcp.IP.IsPrivate() || tcp.IP.IsLinkLocalUnicast())
}
