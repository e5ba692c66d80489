package smtpmail

import (
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

func TestSend_UsesConfiguredHeloOrFirstQualifiedHostName(t *testing.T) {
	for _, tt := range []struct{ helo, publicHost, from, want string }{
		{"mail.example.net", "app.example.com", "billing@example.org", "mail.example.net"},
		{"[192.0.2.1]", "app.example.com", "billing@example.org", "[192.0.2.1]"},
		{"", "app.example.com", "billing@example.org", "app.example.com"},
		{"", "127.0.0.1", "billing@example.org", "example.org"},
		{"", "::1", "billing@example.org", "example.org"},
		{"", "localhost", "billing@example.org", "example.org"},
		{"", "intranet", "billing@clinic.example.org", "clinic.example.org"},
		{"", "münchen.de", "billing@xn--mnchen-3ya.de", "xn--mnchen-3ya.de"},
		{"", "", "billing@localhost", "localhost"},
	} {
		srv := newTestServer(t).startUnencrypted(t)
		s, err := New(Options{URL: "smtp://" + srv.address, From: tt.from, Helo: tt.helo, PublicHost: tt.publicHost}, fixedClock{})
		require.NoError(t, err)
		t.Cleanup(s.Close)

		require.NoError(t, s.Send(t.Context(), message))

		assert.Equal(t, tt.want, srv.helo(), "%+v", tt)
	}
}

func TestNew_RefusesAnInvalidHelo(t *testing.T) {
	for helo, isValid := range map[string]bool{
		"app.example.com": true, "xn--mnchen-3ya.de": true, "[192.0.2.1]": true, "[IPv6:2001:db8::1]": true,
		"app": false, "192.0.2.1": false, "[2001:db8::1]": false, "[IPv6:192.0.2.1]": false, "[app]": false, "münchen.de": false,
		"app.example.com.": false, "-a.example.com": false, "a b.example.com": false, "a.example.com\r\nQUIT": false,
	} {
		_, err := New(Options{URL: "smtp://127.0.0.1", From: "a@example.org", Helo: helo}, fixedClock{})
		assert.Equal(t, isValid, err == nil, "%s: %v", helo, err)
	}
}
