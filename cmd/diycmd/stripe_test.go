package diycmd

import (
	"net/http"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
)

// stripeSettings are settings with which the server takes the local Stripe for the real one. It
// sells nothing yet.
func stripeSettings(t *testing.T) map[string]string {
	t.Helper()
	return newGate(t, nil).settings(t)
}

func TestTheCatalogueIsPushedOnceAndThenTheSame(t *testing.T) {
	env := stripeSettings(t)
	steps := []struct {
		command string
		code    int
		says    string
	}{
		{"diff", 1, "standard_yearly is missing"},
		{"push", 0, "mended: standard_yearly is missing"},
		{"diff", 0, "sells what the catalogue says"},
		{"push", 0, "sells what the catalogue says"},
	}
	for _, step := range steps {
		var out strings.Builder
		code := run(t.Context(), stdio{env: env, stdout: &out, stderr: &out}, []string{"catalogue", step.command})
		assert.Equal(t, step.code, code, out.String())
		assert.Contains(t, out.String(), step.says)
		assert.NotContains(t, out.String(), "sk_test_local")
	}
}

func TestServeTakesStripe(t *testing.T) {
	p := startProcess(t, stripeSettings(t))

	assert.Equal(t, http.StatusOK, getStatus(t, "http://"+p.addr+"/readyz"))
	assert.Equal(t, http.StatusNotFound, getStatus(t, "http://"+p.addr+"/dev/payments/payment_methods"), "the fake is not there")
	assert.Zero(t, p.stop())
}
