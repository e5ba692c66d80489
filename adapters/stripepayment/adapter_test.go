package stripepayment_test

import (
	"maps"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/vc-admin/diy/adapters/stripepayment"
	"github.com/vc-admin/diy/domain/catalogue"
	"github.com/vc-admin/diy/domain/fault"
	"github.com/vc-admin/diy/ports/payment/plugin"
)

var testSettings = plugin.Settings{Values: map[string]string{
	"SECRET_KEY": testAPIKey, "PUBLISHABLE_KEY": "pk_test_1", "WEBHOOK_SECRET": " whsec_new, whsec_old,", "TIMEOUT": "5s",
	"DUNNING_DAYS": "15",
}}

func TestAdapter_OpenUsesTheSettings(t *testing.T) {
	a := stripepayment.Adapter{}
	require.Empty(t, a.Check(testSettings))
	p, err := a.Open(testSettings, plugin.Dependencies{Catalogue: catalogue.Default(), Clock: fixedClock{}})
	require.NoError(t, err)
	for secret, want := range map[string]fault.Code{"whsec_new": "", "whsec_old": "", "": fault.Forbidden} {
		_, err := parseEvent(t, p, paidInvoicePayload(t), sign(paidInvoicePayload(t), noon, secret))
		assert.Equal(t, want, fault.CodeOf(err), "%q", secret)
	}
	assert.Implements(t, (*plugin.PriceSync)(nil), p)
	assert.Equal(t, "pk_test_1", a.WebConfig(testSettings).PublishableKey)
}

func TestAdapter_CheckReportsEachInvalidSetting(t *testing.T) {
	for setting, values := range map[string][]string{
		"SECRET_KEY": {"", "sk_live_1"}, "PUBLISHABLE_KEY": {"", "pk_live_1", "sk_test_1"}, "WEBHOOK_SECRET": {"", " , "},
		"TIMEOUT": {"soon", "0s", "-1s", "21s"}, "DUNNING_DAYS": {"many", "0", "-1", "121"},
		"API_URL": {"stripe", "http://stripe.example"},
	} {
		assert.Contains(t, stripepayment.Adapter{}.SettingNames(), setting)
		for _, value := range values {
			settings := plugin.Settings{Values: maps.Clone(testSettings.Values)}
			settings.Values[setting] = value
			problems := stripepayment.Adapter{}.Check(settings)
			require.Len(t, problems, 1, "%s=%s", setting, value)
			assert.Regexp(t, "^"+setting+"\\b", problems[0])
		}
	}
	productionSettings := plugin.Settings{Production: true, Values: maps.Clone(testSettings.Values)}
	assert.Len(t, stripepayment.Adapter{}.Check(productionSettings), 2, "both keys are test keys")
	productionSettings.Values["SECRET_KEY"], productionSettings.Values["PUBLISHABLE_KEY"] = "sk_live_1", "pk_live_1"
	assert.Empty(t, stripepayment.Adapter{}.Check(productionSettings))
}

func TestCheckSecretKey_RequiresTheModeOfTheEnvironment(t *testing.T) {
	for key, isProduction := range map[string]bool{
		"sk_test_abc123": false, "rk_test_abc123": false, "sk_live_abc123": true, "rk_live_abc123": true,
	} {
		assert.NoError(t, stripepayment.CheckSecretKey(key, isProduction), key)
		assert.Error(t, stripepayment.CheckSecretKey(key, !isProduction), "%s in the wrong mode", key)
	}
	for _, key := range []string{"", "sk_", "pk_test_abc123", "whsec_abc", " sk_test_abc", "sk_test_abc\n", "sk_test_a b"} {
		err := stripepayment.CheckSecretKey(key, false)
		require.Error(t, err, "%q", key)
		if key != "" {
			assert.NotContains(t, err.Error(), "abc", "the error must not quote the key")
		}
	}
}
