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
func parseServer(raw string) (server, error) {
	u, err := url.Parse(raw)
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

func portOf(u *url.URL) (int, error) {
	port, ok := defaultPorts[u.Scheme]
	if !ok {
		return 0, errURL
	}
	if u.Port() == "" {
		return port, nil
	}
	parsed, err := strconv.ParseUint(u.Port(), 10, 16)
	if err != nil || parsed == 0 {
		return 0, errURL
	}
	return int(parsed), nil
}

// isLocal reports whether the server is on this host, so that emails to it cross no network.
func (s server) isLocal() bool {
	ip := net.ParseIP(s.host)
	return s.host == "localhost" || ip != nil && ip.IsLoopback()
}
