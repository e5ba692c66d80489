package smtpmail

import (
	"errors"
	"net"
	"net/url"
	"strconv"
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

// parseServer reads smtp:// (port 587 unless it says otherwise) and smtps:// (465).
func parseServer(raw string) (server, error) {
	u, err := url.Parse(raw)
	if err != nil || u.Hostname() == "" || u.Path != "" && u.Path != "/" || u.RawQuery != "" || u.Fragment != "" {
		return server{}, errURL
	}
	s := server{host: u.Hostname(), user: u.User.Username()}
	s.password, _ = u.User.Password()
	switch u.Scheme {
	case "smtp":
		s.port = 587
	case "smtps":
		s.port, s.implicitTLS = 465, true
	default:
		return server{}, errURL
	}
	if u.Port() == "" {
		return s, nil
	}
	if s.port, err = strconv.Atoi(u.Port()); err != nil || s.port < 1 || s.port > 65535 {
		return server{}, errURL
	}
	return s, nil
}

// local reports whether the server is on this computer, where nobody stands in between.
func (s server) local() bool {
	ip := net.ParseIP(s.host)
	return s.host == "localhost" || ip != nil && ip.IsLoopback()
}
