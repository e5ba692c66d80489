package fakepayment_test

import (
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/vc-admin/diy/adapters/fakepayment"
	"github.com/vc-admin/diy/domain/fault"
)

func TestSign_ReturnsStripesFormat(t *testing.T) {
	// printf '1700000000.{"id":"evt_1"}' | openssl dgst -sha256 -hmac whsec_test
	const want = "t=1700000000,v1=c89214b5b5da833daed6f0b8c5bb6bd58cea9022bd80ccc78230f3942d632925"
	assert.Equal(t, want, fakepayment.Sign([]byte(`{"id":"evt_1"}`), time.Unix(1700000000, 0), "whsec_test"))
}

func TestParseEvents_AcceptsOldAndNewSecretDuringRotation(t *testing.T) {
	payload := []byte(`{"id":"evt_1","object":"event","type":"customer.updated","created":1,"data":{"object":{"id":"cus_1","object":"customer"}}}`)
	envWithBothSecrets := newEnv(t, func(c *fakepayment.Config) { c.Secrets = []string{"whsec_new", "whsec_old"} })
	for name, signature := range map[string]string{
		"new": fakepayment.Sign(payload, noon, "whsec_new"), "old": fakepayment.Sign(payload, noon, "whsec_old"),
		"both": fakepayment.Sign(payload, noon, "whsec_old", "whsec_new"), "one unknown": fakepayment.Sign(payload, noon, "whsec_x", "whsec_new"),
	} {
		_, err := parseEvent(t, envWithBothSecrets, payload, signature)
		assert.NoError(t, err, name)
	}

	envWithNewSecret := newEnv(t, func(c *fakepayment.Config) { c.Secrets = []string{"whsec_new"} })
	_, err := parseEvent(t, envWithNewSecret, payload, fakepayment.Sign(payload, noon, "whsec_old"))
	assert.Equal(t, fault.Forbidden, fault.CodeOf(err))
	_, err = parseEvent(t, envWithNewSecret, payload, fakepayment.Sign(payload, noon, "whsec_old", "whsec_new"))
	assert.NoError(t, err)
}

func TestParseEvents_RejectsUnsignedEventsWithoutConfiguredSecrets(t *testing.T) {
	e := newEnv(t, func(c *fakepayment.Config) { c.Secrets = nil })
	payload := []byte(`{}`)
	_, err := parseEvent(t, e, payload, fakepayment.Sign(payload, noon))
	assert.Equal(t, fault.Forbidden, fault.CodeOf(err))
	_, err = parseEvent(t, e, payload, fakepayment.Sign(payload, noon, ""))
	assert.Equal(t, fault.Forbidden, fault.CodeOf(err))
}

// newEventProvider returns a provider for parsing events.
func newEventProvider(f *testing.F) *fakepayment.Provider {
	f.Helper()
	provider, err := fakepayment.Open(fakepayment.Config{Clock: fixedClock{noon}, Prices: testPrices{}, Secrets: []string{testSecret}})
	require.NoError(f, err)
	return provider
}

// FuzzSignature checks that generated signatures are refused.
func FuzzSignature(f *testing.F) {
	provider := newEventProvider(f)
	for _, seed := range []string{"", "t=", "t=1,v1=", "t=9223372036854775808,v1=00", ",,=,", "v1=00,t=1,t=2"} {
		f.Add([]byte(`{"id": "evt_1"}`), seed)
	}
	f.Fuzz(func(t *testing.T, payload []byte, signature string) {
		_, err := parseEvent(t, provider, payload, signature)
		assert.Equal(t, fault.Forbidden, fault.CodeOf(err))
	})
}
