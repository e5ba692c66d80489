package diycmd

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
)

func TestConfig_RefusesUnknownVariables(t *testing.T) {
	var stderr strings.Builder
	env := map[string]string{
		"DIY_TRUSTED_PROXYS": "10.0.0.0/8", "DIY_PUBLICURL": "https://diy.example", "DIY_STIPE_SECRET_KEY": "sk_test_secret",
		"DIY_PORT": "8080", "DIY_ENV": "staging",
	}

	code := run(t.Context(), env, &stderr)

	assert.Equal(t, 2, code)
	for _, problem := range []string{
		"DIY_TRUSTED_PROXYS is not a variable of diy",
		"DIY_PUBLICURL is not a variable of diy",
		"DIY_STIPE_SECRET_KEY is not a variable of diy",
		"DIY_PORT is not a variable of diy",
		"DIY_ENV must be development or production",
	} {
		assert.Contains(t, stderr.String(), problem)
	}
	assert.NotContains(t, stderr.String(), "sk_test_secret")
}

func TestConfig_AcceptsUnrelatedVariables(t *testing.T) {
	for name, value := range map[string]string{
		"DIY_STRIPE_TIMEOUT": "5s", // the provider is not Stripe
		"DIY_CHROMIUM":       "/usr/bin/chromium",
		"NOT_DIY_X":          "1",
		// Kubernetes sets the following for a service called diy.
		"DIY_SERVICE_HOST": "10.0.0.1", "DIY_SERVICE_PORT": "8080", "DIY_SERVICE_PORT_HTTP": "8080",
		"DIY_PORT":          "tcp://10.0.0.1:8080",
		"DIY_PORT_8080_TCP": "tcp://10.0.0.1:8080", "DIY_PORT_8080_TCP_ADDR": "10.0.0.1", "DIY_STAGING_SERVICE_HOST": "10.0.0.2",
	} {
		_, err := loadConfig(map[string]string{name: value})
		assert.NoError(t, err, name)
	}
}
