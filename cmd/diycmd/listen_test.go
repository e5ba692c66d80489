package diycmd

import (
	"net"
	"testing"

	"github.com/stretchr/testify/assert"
)

func TestNearbyAddressesAreThoseOfThisMachineAndPrivateNetworks(t *testing.T) {
	for host, want := range map[string]bool{
		"127.0.0.1": true, "::1": true, "10.1.2.3": true, "192.168.0.1": true, "fd00::1": true, "169.254.1.1": true,
		"0.0.0.0": false, "::": false, "203.0.113.1": false, "2001:db8::1": false,
	} {
		assert.Equal(t, want, privateAddress(&net.TCPAddr{IP: net.ParseIP(host), Port: 9090}), host)
	}
	assert.False(t, privateAddress(&net.UnixAddr{Name: "x"}), "what is not known is not trusted")
}
