package smtpmail

import (
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

func TestParseServer_ReturnsHostPortAndCredentials(t *testing.T) {
	tests := map[string]server{
		"smtp://mail.example.com":                     {host: "mail.example.com", port: 587},
		"smtp://mail.example.com:2525/":               {host: "mail.example.com", port: 2525},
		"smtps://mail.example.com":                    {host: "mail.example.com", port: 465, implicitTLS: true},
		"smtp://ann%40example.com:p%40ss:w@[::1]:587": {host: "::1", port: 587, user: "ann@example.com", password: "p@ss:w"},
		"SMTPS://user:pass@mail.example.com:587":      {host: "mail.example.com", port: 587, implicitTLS: true, user: "user", password: "pass"},
	}
	for raw, want := range tests {
		srv, err := parseServer(raw)
		require.NoError(t, err, raw)
		assert.Equal(t, want, srv, raw)
	}
}

func TestParseServer_RejectsInvalidURLsWithoutQuotingThem(t *testing.T) {
	for _, raw := range []string{
		"", "mail.example.com:587", "http://user:hunter2@mail.example.com", "smtp://",
		"smtp://user:hunter2", "smtp://user:hunter2@", "smtp://user:hunter2@host:0", "smtp://user:hunter2@host:99999",
		"smtp://user:hunter2@host:25/path", "smtp://user:hunter2@host?x=1", "smtp://user:hunter2@ho st", "smtp://user:%zzhunter2@host",
	} {
		_, err := parseServer(raw)
		require.Error(t, err, raw)
		assert.NotContains(t, err.Error(), "hunter2")
	}
}

func TestIsLocal_AcceptsLoopbackOnly(t *testing.T) {
	for host, want := range map[string]bool{
		"localhost": true, "127.0.0.1": true, "127.1.2.3": true, "::1": true,
		"mail.example.com": false, "10.0.0.1": false, "localhost.example.com": false, "0.0.0.0": false,
	} {
		assert.Equal(t, want, server{host: host}.isLocal(), host)
	}
}

func TestNew_ReportsAllProblems(t *testing.T) {
	_, err := New(Options{URL: "smtp://user:hunter2", From: "Vision", BounceAddress: "bounces"}, fixedClock{})
	require.ErrorContains(t, err, "SMTP URL")
	require.ErrorContains(t, err, `"Vision" is not an email address`)
	require.ErrorContains(t, err, `"bounces" is not an email address`)
	assert.NotContains(t, err.Error(), "hunter2")
}
