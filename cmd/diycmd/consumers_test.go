package diycmd

import (
	"os/exec"
	"path/filepath"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// The modules in testdata/consumers use the packages of this repository as other projects do.

func TestConsumers_CommandLineFrontEndSellsAPlan(t *testing.T) {
	t.Parallel()
	binary := buildConsumer(t, "cli")
	run := func(args ...string) string {
		output, err := exec.CommandContext(t.Context(), binary, args...).CombinedOutput()
		require.NoError(t, err, "%s", output)
		return string(output)
	}
	dir := t.TempDir()

	assert.Contains(t, run("plans", "AUD"), "standard_monthly       $39")
	assert.Regexp(t, `^Harbour Clinic is trialing until \d{4}-\d{2}-\d{2}\n$`, run("subscribe",
		"sqlite:"+filepath.Join(dir, "diy.db"), filepath.Join(dir, "payments.db"),
		"Harbour Clinic", "ann@clinic.example", "standard_monthly", "4242424242424242"))

	packages, err := consumerCommand(t, "cli", "list", "-deps", ".").Output()
	require.NoError(t, err)
	assert.Contains(t, string(packages), "github.com/vc-admin/diy/app")
	for _, unwantedPackage := range []string{"stripe", "go.uber.org/fx", "diy/webapp", "adapters/httpapi"} {
		assert.NotContains(t, string(packages), unwantedPackage)
	}
}

func TestConsumers_TestSuiteOfAnotherModulePasses(t *testing.T) {
	t.Parallel()
	output, err := consumerCommand(t, "testsuite", "test", "-vet=off", "-count=1", "./...").CombinedOutput()
	require.NoError(t, err, "%s", output)
	assert.Contains(t, string(output), "ok")
}

// The browser tests run the command of this module.
func TestConsumers_HostedCheckoutConforms(t *testing.T) {
	t.Parallel()
	output, err := consumerCommand(t, "hostedcheckout", "test", "-vet=off", "-count=1", "-v", "./...").CombinedOutput()
	require.NoError(t, err, "%s", output)
	assert.Regexp(t, `conformance: \d{3} passed, 0 failed`, string(output))
}

func TestConsumers_CardGatewayConforms(t *testing.T) {
	t.Parallel()
	output, err := consumerCommand(t, "cardgateway", "test", "-vet=off", "-count=1", "-v", "./...").CombinedOutput()
	require.NoError(t, err, "%s", output)
	assert.Regexp(t, `gateway conformance: \d{2} passed, 0 failed`, string(output))
	assert.Regexp(t, `: conformance: \d{3} passed, 0 failed`, string(output))
}

func TestConsumers_BankDebitConforms(t *testing.T) {
	t.Parallel()
	output, err := consumerCommand(t, "bankdebit", "test", "-vet=off", "-count=1", "-v", "./...").CombinedOutput()
	require.NoError(t, err, "%s", output)
	assert.Regexp(t, `gateway conformance: \d{2} passed, 0 failed`, string(output))
	assert.Regexp(t, `: conformance: \d{3} passed, 0 failed`, string(output))
}
