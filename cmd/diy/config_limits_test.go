package main

import (
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

func TestRateLimitsAreOnUnlessDevelopmentSaysOtherwise(t *testing.T) {
	c, err := loadConfig(nil)
	require.NoError(t, err)
	assert.Equal(t, "on", c.RateLimits)

	_, err = loadConfig(map[string]string{"DIY_RATE_LIMITS": "off"})
	require.NoError(t, err)
	_, err = loadConfig(map[string]string{"DIY_RATE_LIMITS": "sometimes"})
	require.ErrorContains(t, err, `DIY_RATE_LIMITS must be on or off, not "sometimes"`)
	_, err = loadConfig(map[string]string{"DIY_RATE_LIMITS": "off", "DIY_ENV": "production"})
	require.ErrorContains(t, err, "DIY_RATE_LIMITS=off is for development only")
}

func TestTrustedProxiesAreAddressesAndNetworks(t *testing.T) {
	c, err := loadConfig(map[string]string{
		"DIY_TRUSTED_PROXIES": "10.0.0.7, 172.16.5.0/12,2001:db8::/32 ,fd00::1,::ffff:192.0.2.1,::ffff:198.51.100.0/120,",
	})
	require.NoError(t, err)
	var got []string
	for _, network := range c.proxies {
		got = append(got, network.String())
	}
	assert.Equal(t, []string{
		"10.0.0.7/32", "172.16.0.0/12", "2001:db8::/32", "fd00::1/128", "192.0.2.1/32", "198.51.100.0/24",
	}, got)

	c, err = loadConfig(nil)
	require.NoError(t, err)
	assert.Empty(t, c.proxies)
}

func TestEveryProxyThatIsNoneIsReported(t *testing.T) {
	wrong := []string{
		"proxy.example", "10.0.0", "10.0.0.1:80", "10.0.0.0/33", "10.0.0.0/", "[::1]", "fe80::1%eth0", "0.0.0.0/0", "::/0",
		"::ffff:0.0.0.0/96",
	}
	for _, text := range wrong {
		_, err := loadConfig(map[string]string{"DIY_TRUSTED_PROXIES": "10.0.0.1," + text + ",nobody"})
		assert.ErrorContains(t, err, `DIY_TRUSTED_PROXIES: "`+text+`" is`)
		assert.ErrorContains(t, err, `DIY_TRUSTED_PROXIES: "nobody" is`, "all at once")
	}
}
