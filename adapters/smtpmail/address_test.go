package smtpmail

import (
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

func TestSend_UsesTheASCIIFormOfAnInternationalDomain(t *testing.T) {
	srv := newTestServer(t).startUnencrypted(t)
	s, err := New(Options{URL: "smtp://" + srv.address, From: "Vision <no-reply@münchen.de>"}, fixedClock{})
	require.NoError(t, err)
	t.Cleanup(s.Close)
	m := message
	m.To = "ada@xn--e1afmkfd.xn--p1ai"

	require.NoError(t, s.Send(t.Context(), m))

	assert.Equal(t, "no-reply@xn--mnchen-3ya.de", s.bounceAddress)
	require.Len(t, srv.receivedEmails(), 1)
	assert.Contains(t, srv.receivedEmails()[0], "<no-reply@xn--mnchen-3ya.de>")
	assert.Contains(t, srv.receivedEmails()[0], "<ada@xn--e1afmkfd.xn--p1ai>")
}

func TestNew_RefusesInternationalLocalPart(t *testing.T) {
	_, err := New(Options{URL: "smtp://localhost", From: "büro@vision.example"}, fixedClock{})
	require.ErrorContains(t, err, "is not an email address")
	_, err = New(Options{URL: "smtp://localhost", From: "no-reply@vision.example", BounceAddress: "büro@vision.example"}, fixedClock{})
	require.ErrorContains(t, err, "is not an email address")
}
