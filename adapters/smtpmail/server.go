package smtpmail

import (
	"errors"
	"net"
	"net/url"
	"strconv"
	"strings"
)

// server is a mail server with its credentials.
type server struct {
	host           string
	port           int
	implicitTLS    bool
	user, password string
}

// errURL does not quote the URL, which may contain a password.
var errURL = errors.New("the SMTP URL must look like smtp://user:password@host:587 or smtps://user:password@host:465")

var defaultPorts = map[string]int{"smtp": 587, "smtps": 465}

// parseServer parses an smtp:// URL (default port 587) or an smtps:// URL (465).
func parseServer(rawURL string) (server, error) {
	u, err := url.Parse(rawURL)
	if err != nil || u.Hostname() == "" || !endsAfterPort(u) {
		return server{}, errURL
	}
	port, err := portOf(u)
	if err != nil {
		return server{}, errURL
	}
	password, _ := u.User.Password()
	return server{
		host: u.Hostname(), port: port, implicitTLS: u.Scheme == "smtps",
		user: u.User.Username(), password: password,
	}, nil
}

// endsAfterPort reports whether the URL has no path, query or fragment.
func endsAfterPort(u *url.URL) bool {
	return strings.Trim(u.Path, "/") == "" && u.RawQuery == "" && u.Fragment == ""
}

// portOf returns the port in the URL or the default port of its scheme.
func portOf(u *url.URL) (int, error) {
	defaultPort, ok := defaultPorts[u.Scheme]
	if !ok {
		return 0, errURL
	}
	if u.Port() == "" {
		return defaultPort, nil
	}
	number, err := strconv.ParseUint(u.Port(), 10, 16)
	if err != nil || number == 0 {
		return 0, errURL
	}
	return int(number), nil
}

// isLocal reports whether the server is on this host, so that emails cross no network.
func (s server) isLocal() bool {
	ip := net.ParseIP(s.host)
	return s.host == "localhost" || ip != nil && ip.IsLoopback()
}
