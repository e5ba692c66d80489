package fakepayment_test

import (
	"testing"
	"time"

	"github.com/stretchr/testify/assert"

	"github.com/vc-admin/diy/adapters/fakepayment"
	"github.com/vc-admin/diy/domain/fault"
)

func TestSignaturesAreStripes(t *testing.T) {
	// printf '1700000000.{"id":"evt_1"}' | openssl dgst -sha256 -hmac whsec_test
	const want = "t=1700000000,v1=c89214b5b5da833daed6f0b8c5bb6bd58cea9022bd80ccc78230f3942d632925"
	assert.Equal(t, want, fakepayment.Sign([]byte(`{"id":"evt_1"}`), time.Unix(1700000000, 0), "whsec_test"))
}

func TestASecretIsReplacedWithoutLosingAnEvent(t *testing.T) {
	payload := []byte(`{"id":"evt_1","object":"event","type":"customer.updated","created":1,"data":{"object":{"id":"cus_1","object":"customer"}}}`)
	both := newWorld(t, func(c *fakepayment.Config) { c.Secrets = []string{"whsec_new", "whsec_old"} })
	for name, signature := range map[string]string{
		"new": fakepayment.Sign(payload, noon, "whsec_new"), "old": fakepayment.Sign(payload, noon, "whsec_old"),
		"both": fakepayment.Sign(payload, noon, "whsec_old", "whsec_new"), "one unknown": fakepayment.Sign(payload, noon, "whsec_x", "whsec_new"),
	} {
		_, err := both.ParseEvent(payload, signature)
		assert.NoError(t, err, name)
	}

	afterwards := newWorld(t, func(c *fakepayment.Config) { c.Secrets = []string{"whsec_new"} })
	_, err := afterwards.ParseEvent(payload, fakepayment.Sign(payload, noon, "whsec_old"))
	assert.Equal(t, fault.Forbidden, fault.CodeOf(err))
	_, err = afterwards.ParseEvent(payload, fakepayment.Sign(payload, noon, "whsec_old", "whsec_new"))
	assert.NoError(t, err)
}

func TestASecretIsMadeUpWhenNoneIsGiven(t *testing.T) {
	w := newWorld(t, func(c *fakepayment.Config) { c.Secrets = nil })
	payload := []byte(`{}`)
	_, err := w.ParseEvent(payload, fakepayment.Sign(payload, noon))
	assert.Equal(t, fault.Forbidden, fault.CodeOf(err))
	_, err = w.ParseEvent(payload, fakepayment.Sign(payload, noon, ""))
	assert.Equal(t, fault.Forbidden, fault.CodeOf(err))
}
