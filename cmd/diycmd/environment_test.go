package diycmd

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
)

func TestConfig_SuggestsTheNearestVariable(t *testing.T) {
	var stderr strings.Builder
	env := map[string]string{
		"DIY_TRUSTED_PROXYS": "10.0.0.0/8", "DIY_PUBLICURL": "https://diy.example", "DIY_STIPE_SECRET_KEY": "sk_test_secret",
		"DIY_PORT": "8080", "DIY_ENV": "staging",
	}

	code := run(t.Context(), env, &stderr)

	assert.Equal(t, 2, code)
	for _, problem := range []string{
		"DIY_TRUSTED_PROXYS is not a variable of diy: did you mean DIY_TRUSTED_PROXIES?",
		"DIY_PUBLICURL is not a variable of diy: did you mean DIY_PUBLIC_URL?",
		"DIY_STIPE_SECRET_KEY is not a variable of diy: did you mean DIY_STRIPE_SECRET_KEY?",
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

func TestEditDistance_CountsChangedCharacters(t *testing.T) {
	for _, c := range []struct {
		a, b string
		want int
	}{{"", "", 0}, {"abc", "abc", 0}, {"", "abc", 3}, {"abc", "", 3}, {"PROXYS", "PROXIES", 2}, {"STIPE", "STRIPE", 1},
		{"abc", "xyz", 3}} {
		assert.Equal(t, c.want, editDistance(c.a, c.b), "%s → %s", c.a, c.b)
	}
}
