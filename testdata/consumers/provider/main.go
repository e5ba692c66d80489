// Command provider is the diy command with another payment provider, added without a change to the
// repository. Its provider is the fake one, without a browser part.
package main

import (
	"github.com/vc-admin/diy/adapters/fakepayment"
	"github.com/vc-admin/diy/cmd/diycmd"
	"github.com/vc-admin/diy/ports/payment"
	"github.com/vc-admin/diy/ports/payment/plugin"
)

type adapter struct{}

func (adapter) SettingNames() []string { return []string{"WEBHOOK_SECRET"} }

func (adapter) Check(s plugin.Settings) []string {
	if s.Values["WEBHOOK_SECRET"] == "" {
		return []string{"WEBHOOK_SECRET must be set"}
	}
	return nil
}

func (adapter) Open(s plugin.Settings, d plugin.Dependencies) (payment.Provider, error) {
	return fakepayment.Open(fakepayment.Config{
		Clock: d.Clock, Prices: d.Catalogue, Log: d.Log, Secrets: []string{s.Values["WEBHOOK_SECRET"]},
	})
}

func (adapter) Web(plugin.Settings) plugin.Web {
	return plugin.Web{
		PublishableKey: "pk_acme", ScriptOrigins: []string{"https://js.acme.example"},
		WebhookPath: "acme",
	}
}

func main() { diycmd.Main(diycmd.WithPayment("acme", adapter{})) }
