package main

import (
	"net"
	"net/url"
	"strings"
)

func (c *config) checkAddresses(problems *configError) {
	if _, _, err := net.SplitHostPort(c.Addr); err != nil {
		problems.add("DIY_ADDR must be HOST:PORT, not %q", c.Addr)
	}
	if c.PublicURL != "" {
		origin, ok := webOrigin(strings.TrimRight(c.PublicURL, "/"))
		if !ok {
			problems.add("DIY_PUBLIC_URL must be an http or https address without a path, query or fragment")
		}
		c.PublicURL = origin
	}
	if c.MeetingURL != "" && !webAddress(c.MeetingURL) {
		problems.add("DIY_MEETING_URL must be an http or https address")
	}
}

func webAddress(text string) bool {
	u, err := url.Parse(text)
	return err == nil && (u.Scheme == "http" || u.Scheme == "https") && u.Host != ""
}

// webOrigin reads a web address of nothing but scheme, host and port, and writes the scheme as it is
// compared: an HTTPS:// is an https one.
func webOrigin(text string) (origin string, ok bool) {
	u, err := url.Parse(text)
	if err != nil || !webAddress(text) || *u != (url.URL{Scheme: u.Scheme, Host: u.Host}) {
		return "", false
	}
	return u.String(), true
}
