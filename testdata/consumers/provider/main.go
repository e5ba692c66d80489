// Command provider is the diy command with another payment provider, added without a change to the repository. Its
// adapter opens the fake provider. The provider has no code in the browser.
package main

import (
	"github.com/vc-admin/diy/adapters/fakepayment"
	"github.com/vc-admin/diy/cmd/diycmd"
	"github.com/vc-admin/diy/ports/payment"
	"github.com/vc-admin/diy/ports/payment/plugin"
)

func main() { diycmd.Main(diycmd.WithPayment("acme", adapter{})) }

// adapter implements plugin.Adapter.
type adapter struct{}

// SettingNames returns the name of the environment variable DIY_ACME_WEBHOOK_SECRET without its prefix.
func (adapter) SettingNames() []string { return []string{"WEBHOOK_SECRET"} }

func (adapter) Check(settings plugin.Settings) (problems []string) {
	if settings.Values["WEBHOOK_SECRET"] == "" {
		problems = append(problems, "WEBHOOK_SECRET must be set")
	}
	return problems
}

func (adapter) Open(settings plugin.Settings, deps plugin.Dependencies) (payment.Provider, error) {
	return fakepayment.Open(fakepayment.Config{
		Clock: deps.Clock, Prices: deps.Catalogue, Log: deps.Log, Secrets: []string{settings.Values["WEBHOOK_SECRET"]},
	})
}

func (adapter) WebConfig(plugin.Settings) plugin.WebConfig {
	return plugin.WebConfig{
		PublishableKey: "pk_acme", ScriptOrigins: []string{"https://js.acme.example"}, WebhookPath: "acme",
	}
}
