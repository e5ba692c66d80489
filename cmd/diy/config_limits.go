package main

import (
	"net/netip"
	"strings"
)

// checkRateLimits refuses to leave people's passwords to be guessed.
func (c config) checkRateLimits(problems *configError) {
	switch {
	case c.RateLimits != "on" && c.RateLimits != "off":
		problems.add("DIY_RATE_LIMITS must be on or off, not %q", c.RateLimits)
	case c.RateLimits == "off" && c.production():
		problems.add("DIY_RATE_LIMITS=off is for development only")
	}
}

// readProxies reads the proxies whose word on where a request comes from is believed.
func (c *config) readProxies(problems *configError) {
	for text := range strings.SplitSeq(c.TrustedProxies, ",") {
		text = strings.TrimSpace(text)
		if text == "" {
			continue
		}
		network, ok := parseNetwork(text)
		switch {
		case !ok:
			problems.add("DIY_TRUSTED_PROXIES: %q is neither an address nor a network such as 10.0.0.0/8", text)
		case network.Bits() == 0:
			problems.add("DIY_TRUSTED_PROXIES: %q is everybody, and everybody can make up where they are", text)
		default:
			c.proxies = append(c.proxies, network)
		}
	}
}

// parseNetwork reads a network or a single address. An IPv4 one written as IPv6 is the IPv4 one.
func parseNetwork(text string) (netip.Prefix, bool) {
	if address, err := netip.ParseAddr(text); err == nil {
		address = address.Unmap()
		return netip.PrefixFrom(address, address.BitLen()), address.Zone() == ""
	}
	network, err := netip.ParsePrefix(text)
	if err != nil {
		return netip.Prefix{}, false
	}
	if network.Addr().Is4In6() {
		network = netip.PrefixFrom(network.Addr().Unmap(), max(0, network.Bits()-96))
	}
	return network.Masked(), true
}
