// Command bankdebit is the diy command with a provider of direct debits. The provider only moves money, and
// adapters/enginepayment does the billing. The command needs no change to the repository and no code in the browser.
//
// With DIY_BANKDEBIT_SANDBOX_ADDR, the command also serves a fake of the provider, which follows the development clock.
package main

import (
	"context"
	"io/fs"
	"log/slog"
	"net"
	"net/http"
	"net/url"
	"time"

	"example.test/bankdebit/bankdebit"
	"example.test/bankdebit/fakeapi"

	"github.com/vc-admin/diy/adapters/enginepayment"
	"github.com/vc-admin/diy/adapters/invoicepdf"
	"github.com/vc-admin/diy/cmd/diycmd"
	"github.com/vc-admin/diy/ports/payment"
	"github.com/vc-admin/diy/ports/payment/plugin"
)

func main() { diycmd.Main(diycmd.WithPayment("bankdebit", adapter{})) }

type adapter struct{}

// SettingNames implements plugin.Adapter. URL is the URL of the API, and SANDBOX_ADDR the listen address of the fake.
func (adapter) SettingNames() []string {
	return []string{"URL", "ACCESS_TOKEN", "WEBHOOK_SECRET", "SANDBOX_ADDR"}
}

// Check implements plugin.Adapter.
func (adapter) Check(s plugin.Settings) (problems []string) {
	if u, err := url.Parse(s.Values["URL"]); err != nil || u.Host == "" {
		problems = append(problems, "URL must be the address of the API")
	}
	for _, name := range []string{"ACCESS_TOKEN", "WEBHOOK_SECRET"} {
		if s.Values[name] == "" {
			problems = append(problems, name+" must be set")
		}
	}
	return problems
}

// Open implements plugin.Adapter.
func (adapter) Open(s plugin.Settings, d plugin.Dependencies) (payment.Provider, error) {
	if addr := s.Values["SANDBOX_ADDR"]; addr != "" && d.Database != nil {
		if err := serveSandbox(addr, s, d); err != nil {
			return nil, err
		}
	}
	return enginepayment.New(enginepayment.Config{
		Gateway:  bankdebit.New(s.Values["URL"], s.Values["ACCESS_TOKEN"], s.Values["WEBHOOK_SECRET"], nil),
		Database: d.Database, Clock: d.Clock, Catalogue: d.Catalogue, Log: d.Log,
		Seller: invoicepdf.Party{
			Brand: d.Brand, Name: "Example Pty Ltd", Lines: []string{"1 Example Street", "Sydney NSW 2000"},
		},
		NumberPrefix: "DD-", ReturnTo: d.PublicURL + "/vc-admin/dash",
	})
}

// WebConfig implements plugin.Adapter.
func (adapter) WebConfig(plugin.Settings) plugin.WebConfig {
	return plugin.WebConfig{WebhookPath: "bankdebit"}
}

// Migrations implements plugin.Tables.
func (adapter) Migrations() fs.FS { return enginepayment.Migrations() }

var _ plugin.Tables = adapter{} // without Migrations the server starts, and fails to bill

// serveSandbox serves a fake of the provider and delivers its events to the webhook, until the process ends.
func serveSandbox(addr string, s plugin.Settings, d plugin.Dependencies) error {
	listener, err := (&net.ListenConfig{}).Listen(context.Background(), "tcp", addr)
	if err != nil {
		return err
	}
	provider := fakeapi.New(fakeapi.Config{
		Clock: d.Clock, URL: s.Values["URL"], AccessToken: s.Values["ACCESS_TOKEN"], WebhookSecret: s.Values["WEBHOOK_SECRET"],
	})
	server := &http.Server{Handler: provider.Handler(), ReadHeaderTimeout: 10 * time.Second}
	go func() { d.Log.Error("the sandbox has stopped", "error", server.Serve(listener)) }()
	go deliverEvents(provider, d.PublicURL+"/vc-admin/webhooks/bankdebit", d.Log)
	return nil
}

// deliverEvents delivers the provider's events to the webhook every 200 ms. It does not return.
func deliverEvents(provider *fakeapi.Server, webhook string, log *slog.Logger) {
	client := &http.Client{Timeout: 10 * time.Second}
	for range time.Tick(200 * time.Millisecond) {
		if err := provider.Deliver(context.Background(), client, webhook); err != nil {
			log.Info("the webhook does not accept events", "error", err)
		}
	}
}
