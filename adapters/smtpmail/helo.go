package smtpmail

import (
	"net"
	"regexp"
	"strings"
)

// hostNamePattern matches a host name that has a domain and is written in ASCII (RFC 5321, section 2.3.5). Its last label
// has a letter, so it matches no IPv4 address.
var hostNamePattern = regexp.MustCompile(`^(?i:[a-z0-9]([a-z0-9-]*[a-z0-9])?\.)+[a-zA-Z][a-zA-Z0-9-]*[a-zA-Z0-9]$`)

// maxHostNameLength is the largest length of a host name (RFC 1035, section 2.3.4).
const maxHostNameLength = 253

// heloName returns the name in EHLO; see Options.Helo. from is the address of the sender. If there is no full host name, it
// returns localhost, which a mail server on this host accepts.
func heloName(o Options, from string) string {
	if o.Helo != "" {
		return o.Helo
	}
	_, domain, _ := strings.Cut(from, "@")
	for _, name := range []string{o.PublicHost, domain} {
		if isHostName(name) {
			return name
		}
	}
	return "localhost"
}

func isHostName(name string) bool {
	return len(name) <= maxHostNameLength && hostNamePattern.MatchString(name)
}

// isHelo reports whether name is a full host name or an address literal such as [192.0.2.1] (RFC 5321, section 4.1.3).
func isHelo(name string) bool {
	literal, ok := strings.CutPrefix(name, "[")
	if literal, isClosed := strings.CutSuffix(literal, "]"); ok && isClosed {
		ipv6, isIPv6 := strings.CutPrefix(literal, "IPv6:")
		ip := net.ParseIP(ipv6)
		return ip != nil && isIPv6 == (ip.To4() == nil)
	}
	return isHostName(name)
}
