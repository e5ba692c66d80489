package stripepayment_test

import (
	"encoding/json"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/vc-admin/diy/adapters/stripepayment"
	"github.com/vc-admin/diy/domain/fault"
)

func paid(t *testing.T) []byte {
	t.Helper()
	payload, err := json.Marshal(event("invoice.paid", object{"id": "in_1", "object": "invoice"}))
	require.NoError(t, err)
	return payload
}

func TestEitherSecretSigns(t *testing.T) {
	payload, p := paid(t), newScript(t).provider()
	for secret, want := range map[string]fault.Code{
		"whsec_new": "", "whsec_old": "", "whsec_older": fault.Forbidden, "": fault.Forbidden,
	} {
		_, err := p.ParseEvent(payload, sign(payload, noon, secret))
		assert.Equal(t, want, fault.CodeOf(err), "%q", secret)
	}
	both := sign(payload, noon, "whsec_other") + "," + sign(payload, noon, "whsec_new")
	_, err := p.ParseEvent(payload, both)
	assert.NoError(t, err, "Stripe sends one for each secret while one replaces the other")
}

func TestTheAgeOfASignatureIsToldByOurClock(t *testing.T) {
	payload, p := paid(t), newScript(t).provider()
	for age, want := range map[time.Duration]fault.Code{
		0: "", 300 * time.Second: "", 301 * time.Second: fault.Forbidden, 365 * 24 * time.Hour: fault.Forbidden,
		-time.Minute: "", // our clock may be behind
	} {
		_, err := p.ParseEvent(payload, sign(payload, noon.Add(-age), "whsec_new"))
		assert.Equal(t, want, fault.CodeOf(err), "%s old", age)
	}
}

func TestATimeThatWasNotSignedDoesNotCount(t *testing.T) {
	payload, p := paid(t), newScript(t).provider()
	old := sign(payload, noon.Add(-time.Hour), "whsec_new")
	fresh := "t=" + "1772366400"
	for _, forged := range []string{fresh + "," + old, old + "," + fresh, old[len("t=1772362800,"):]} {
		_, err := p.ParseEvent(payload, forged)
		assert.Equal(t, fault.Forbidden, fault.CodeOf(err), forged)
	}
}

func TestWithoutASecretNothingIsTaken(t *testing.T) {
	payload := paid(t)
	p := newScript(t).provider(func(c *stripepayment.Config) { c.WebhookSecrets = nil })
	_, err := p.ParseEvent(payload, sign(payload, noon, ""))
	assert.Equal(t, fault.Forbidden, fault.CodeOf(err))
}
