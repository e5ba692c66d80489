package stripepayment_test

import (
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/vc-admin/diy/adapters/stripepayment"
	"github.com/vc-admin/diy/domain/catalogue"
)

func TestNew_InvalidConfigurations(t *testing.T) {
	valid := stripepayment.Config{SecretKey: testKey, Catalogue: catalogue.Default(), Clock: fixedClock{}, WebhookSecrets: []string{"whsec_1"}}
	_, err := stripepayment.New(valid)
	require.NoError(t, err)

	for name, modify := range map[string]func(*stripepayment.Config){
		"no key":                  func(c *stripepayment.Config) { c.SecretKey = "" },
		"a key of the wrong mode": func(c *stripepayment.Config) { c.Production = true },
		"no catalogue":            func(c *stripepayment.Config) { c.Catalogue = nil },
		"no clock":                func(c *stripepayment.Config) { c.Clock = nil },
		"an empty secret":         func(c *stripepayment.Config) { c.WebhookSecrets = []string{"whsec_1", ""} },
		"API URL without TLS":     func(c *stripepayment.Config) { c.APIURL = "http://stripe.example" },
		"API URL without a host":  func(c *stripepayment.Config) { c.APIURL = "stripe" },
		"API URL with a password": func(c *stripepayment.Config) { c.APIURL = "https://me:too@stripe.example" },
	} {
		t.Run(name, func(t *testing.T) {
			invalid := valid
			modify(&invalid)
			_, err := stripepayment.New(invalid)
			assert.Error(t, err)
		})
	}
}

func TestNew_ReportsEveryProblem(t *testing.T) {
	_, err := stripepayment.New(stripepayment.Config{APIURL: "ftp://x", WebhookSecrets: []string{""}})
	require.Error(t, err)
	for _, part := range []string{"catalogue", "webhook secret", "secret key", "https"} {
		assert.ErrorContains(t, err, part)
	}
}
