package diycmd

import (
	"log/slog"
	"net/http"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/vc-admin/diy/adapters/fakepayment"
	"github.com/vc-admin/diy/adapters/invoicepayment"
	"github.com/vc-admin/diy/adapters/stripepayment"
	"github.com/vc-admin/diy/adapters/systemclock"
	"github.com/vc-admin/diy/ports/payment/plugin"
)

// The webhook path is configured at Stripe, so it must not depend on a setting. The fake provider sends events as Stripe
// does.
func TestPaymentIntegrations_HaveFixedWebhookPaths(t *testing.T) {
	paths := map[string]string{"fake": "stripe", "fakegateway": "fakegateway", "stripe": "stripe", "invoice": ""}
	for name, integration := range paymentIntegrations {
		web := integration.webConfig(config{Payments: name})
		assert.Equal(t, name, web.Name)
		assert.Equal(t, paths[name], web.WebhookPath, name)
	}
}

func TestWithPayment_PanicsForInvalidOrTakenName(t *testing.T) {
	for _, name := range []string{"", "Acme", "acme-pay", "1st", "stripe"} {
		assert.Panics(t, func() { newProgram(nil, nil, nil, WithPayment(name, stripepayment.Adapter{})) }, name)
	}
}

// adapterWithoutTables has the methods of plugin.Adapter only, so it lacks the method Migrations of the embedded adapter.
type adapterWithoutTables struct{ plugin.Adapter }

func TestPluginIntegration_RefusesAdapterWithoutTheTablesOfItsProvider(t *testing.T) {
	c, err := loadConfig(devSettings(t))
	require.NoError(t, err)
	c.Payments = "invoice"
	_, _, err = pluginIntegration{invoicepayment.Adapter{}}.open(c, systemclock.New(), slog.New(slog.DiscardHandler), nil)
	require.NoError(t, err)

	_, _, err = pluginIntegration{adapterWithoutTables{invoicepayment.Adapter{}}}.
		open(c, systemclock.New(), slog.New(slog.DiscardHandler), nil)

	require.EqualError(t, err, `the payment provider "invoice" stores its records in tables, `+
		"but its adapter has no method Migrations, see plugin.Tables")
}

// The module in testdata/consumers/provider adds a payment provider with a main package of its own.
func TestWithPayment_AddsAProviderFromAnotherModule(t *testing.T) {
	binary := buildConsumer(t, "provider")
	command := exec.CommandContext(t.Context(), binary)
	command.Env = []string{"DIY_PAYMENTS=acme", "DIY_ACME_KEY=1"}
	output, err := command.CombinedOutput()
	require.Error(t, err)
	assert.Contains(t, string(output), "DIY_ACME_KEY is not a variable of diy")
	assert.Contains(t, string(output), "DIY_ACME_WEBHOOK_SECRET must be set")

	server := startServerBinary(t, binary, newSQLiteURL(t), "DIY_PAYMENTS=acme", "DIY_ACME_WEBHOOK_SECRET=whsec_acme")
	ada := newBrowser(t)
	assert.Contains(t, ada.get(server.url+"/vc-admin/diy/config.json"), `"provider":{"kind":"acme","publishableKey":"pk_acme",`)
	assert.Equal(t, http.StatusCreated, ada.post(server.url+"/vc-admin/signup", registration),
		"the sign-up creates a customer at the provider")

	event := `{"id": "evt_1", "object": "event", "type": "invoice.paid", ` +
		`"data": {"object": {"id": "in_1", "customer": "cus_unknown"}}}`
	for secret, want := range map[string]int{"whsec_acme": http.StatusOK, "whsec_other": http.StatusForbidden} {
		r, err := http.NewRequestWithContext(t.Context(), http.MethodPost, server.url+"/vc-admin/webhooks/acme",
			strings.NewReader(event))
		require.NoError(t, err)
		r.Header.Set(fakepayment.SignatureHeader, fakepayment.Sign([]byte(event), systemclock.New().Now(), secret))
		response, err := httpClient.Do(r)
		require.NoError(t, err)
		require.NoError(t, response.Body.Close())
		assert.Equal(t, want, response.StatusCode, secret)
	}
}

// buildConsumer builds a module of testdata/consumers and returns the path of the binary.
func buildConsumer(t *testing.T, name string) (binary string) {
	t.Helper()
	binary = filepath.Join(t.TempDir(), name)
	output, err := consumerCommand(t, name, "build", "-ldflags=-s -w", "-o", binary, ".").CombinedOutput()
	require.NoError(t, err, "%s", output)
	return binary
}

// consumerCommand returns a go command in a module of testdata/consumers.
func consumerCommand(t *testing.T, name, verb string, args ...string) *exec.Cmd {
	t.Helper()
	command := exec.CommandContext(t.Context(), "go", append([]string{verb}, args...)...)
	command.Dir = filepath.Join("..", "..", "testdata", "consumers", name)
	command.Env = append(os.Environ(), "CGO_ENABLED=0", "GOFLAGS=-trimpath") // as in the Makefile, to share its build cache
	return command
}
