package smtpmail

import (
	"errors"
	"net"
	"net/url"
	"strconv"
	"strings"
)

// server is a mail server and how to sign in to it.
type server struct {
	host           string
	port           int
	implicitTLS    bool
	user, password string
}

// errURL never quotes what it refuses: there may be a password in it.
var errURL = errors.New("the SMTP URL must look like smtp://user:password@host:587 or smtps://user:password@host:465")

var defaultPorts = map[string]int{"smtp": 587, "smtps": 465}

// parseServer reads smtp:// (port 587 unless it says otherwise) and smtps:// (465).
func parseServer(raw string) (server, error) {
	u, err := url.Parse(raw)
	if err != nil || u.Hostname() == "" || !bare(u) {
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

// bare reports whether nothing follows the host and the port.
func bare(u *url.URL) bool {
	return strings.Trim(u.Path, "/") == "" && u.RawQuery == "" && u.Fragment == ""
}

func portOf(u *url.URL) (int, error) {
	port, known := defaultPorts[u.Scheme]
	if !known {
		return 0, errURL
	}
	if u.Port() == "" {
		return port, nil
	}
	named, err := strconv.ParseUint(u.Port(), 10, 16)
	if err != nil || named == 0 {
		return 0, errURL
	}
	return int(named), nil
}

// local reports whether the server is on this computer, where nobody stands in between.
func (s server) local() bool {
	ip := net.ParseIP(s.host)
	return s.host == "localhost" || ip != nil && ip.IsLoopback()
}
