package stripepayment_test

import (
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/vc-admin/diy/adapters/stripepayment"
	"github.com/vc-admin/diy/domain/catalogue"
)

func TestNew_RefusesInvalidConfigurations(t *testing.T) {
	validConfig := stripepayment.Config{SecretKey: testAPIKey, Catalogue: catalogue.Default(), Clock: fixedClock{},
		WebhookSecrets: []string{"whsec_1"}}
	_, err := stripepayment.New(validConfig)
	require.NoError(t, err)

	for name, tt := range map[string]struct {
		modify func(*stripepayment.Config)
		want   string
	}{
		"no key":                {func(c *stripepayment.Config) { c.SecretKey = "" }, "must begin with sk_live_"},
		"key of the wrong mode": {func(c *stripepayment.Config) { c.Production = true }, "production needs a live key"},
		"no catalogue":          {func(c *stripepayment.Config) { c.Catalogue = nil }, "needs a catalogue and a clock"},
		"no clock":              {func(c *stripepayment.Config) { c.Clock = nil }, "needs a catalogue and a clock"},
		"empty webhook secret": {func(c *stripepayment.Config) { c.WebhookSecrets = []string{"whsec_1", ""} },
			"a webhook secret is empty"},
		"API URL without TLS": {func(c *stripepayment.Config) { c.APIURL = "http://stripe.example" },
			"must be https, unless it is on this machine"},
		"API URL without a host": {func(c *stripepayment.Config) { c.APIURL = "stripe" }, "must be an https address"},
		"API URL with a password": {func(c *stripepayment.Config) { c.APIURL = "https://me:too@stripe.example" },
			"must be an https address"},
	} {
		t.Run(name, func(t *testing.T) {
			config := validConfig
			tt.modify(&config)
			_, err := stripepayment.New(config)
			assert.ErrorContains(t, err, tt.want)
		})
	}
}

func TestNew_ReportsEveryProblem(t *testing.T) {
	_, err := stripepayment.New(stripepayment.Config{APIURL: "ftp://x", WebhookSecrets: []string{""}})
	require.Error(t, err)
	for _, problem := range []string{"catalogue", "webhook secret", "secret key", "https"} {
		assert.ErrorContains(t, err, problem)
	}
}
