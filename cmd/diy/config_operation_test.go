package main

import (
	"net"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

func TestTheAdminAddressIsCheckedWithEverythingElse(t *testing.T) {
	for _, c := range []struct{ public, admin, problem string }{
		{"127.0.0.1:8080", "9090", "DIY_ADMIN_ADDR must be HOST:PORT"},
		{"127.0.0.1:8080", "127.0.0.1:8080", "DIY_ADMIN_ADDR must not be"},
		{":8080", "127.0.0.1:8080", "DIY_ADMIN_ADDR must not be"},
		{"127.0.0.1:8080", "[::]:8080", "DIY_ADMIN_ADDR must not be"},
	} {
		_, err := loadConfig(map[string]string{"DIY_ADDR": c.public, "DIY_ADMIN_ADDR": c.admin, "DIY_ENV": "staging", "DIY_DRAIN": "-1s"})
		assert.ErrorContains(t, err, c.problem)
		assert.ErrorContains(t, err, "DIY_ENV")
		assert.ErrorContains(t, err, "DIY_DRAIN must be between 0s and 1m0s")
	}
	for _, admin := range []string{"", "127.0.0.1:9090", ":9090", "10.0.0.1:8080"} {
		_, err := loadConfig(map[string]string{"DIY_ADDR": "127.0.0.1:8080", "DIY_ADMIN_ADDR": admin})
		assert.NoError(t, err, admin)
	}
	_, err := loadConfig(map[string]string{"DIY_ADDR": "127.0.0.1:0", "DIY_ADMIN_ADDR": "127.0.0.1:0"})
	assert.NoError(t, err, "two free ports")
}

func TestOnlyProductionDrainsUnasked(t *testing.T) {
	asked := 2 * time.Second
	none := time.Duration(0)
	for _, c := range []struct {
		config config
		want   time.Duration
	}{
		{config{Env: "development"}, 0},
		{config{Env: "production"}, 5 * time.Second},
		{config{Env: "development", Operation: operation{Drain: &asked}}, asked},
		{config{Env: "production", Operation: operation{Drain: &none}}, 0},
	} {
		assert.Equal(t, c.want, c.config.drain())
	}
	c, err := loadConfig(map[string]string{"DIY_DRAIN": "1500ms"})
	require.NoError(t, err)
	assert.Equal(t, 1500*time.Millisecond, c.drain())
}

func TestADrainThatIsNoTimeIsNamed(t *testing.T) {
	_, err := loadConfig(map[string]string{"DIY_DRAIN": "soon"})
	assert.ErrorContains(t, err, `DIY_DRAIN must be a time such as 5s, not "soon"`)
}

func TestNearbyAddressesAreThoseOfThisMachineAndPrivateNetworks(t *testing.T) {
	for host, want := range map[string]bool{
		"127.0.0.1": true, "::1": true, "10.1.2.3": true, "192.168.0.1": true, "fd00::1": true, "169.254.1.1": true,
		"0.0.0.0": false, "::": false, "203.0.113.1": false, "2001:db8::1": false,
	} {
		assert.Equal(t, want, nearby(&net.TCPAddr{IP: net.ParseIP(host), Port: 9090}), host)
	}
	assert.False(t, nearby(&net.UnixAddr{Name: "x"}), "what is not known is not trusted")
}
