// Command cardgateway is the diy command with a provider that only charges cards. Package adapters/enginepayment does the
// billing. The web app encrypts cards with the module webapp/src/modules/payments/card-provider/cardgateway.
//
// With DIY_CARDGATEWAY_SANDBOX_ADDR, the command also serves a fake of the provider, which follows the development clock.
package main

import (
	"context"
	"encoding/hex"
	"io/fs"
	"log/slog"
	"net"
	"net/http"
	"net/url"
	"time"

	"example.test/cardgateway/cardgateway"
	"example.test/cardgateway/fakeapi"

	"github.com/vc-admin/diy/adapters/enginepayment"
	"github.com/vc-admin/diy/adapters/invoicepdf"
	"github.com/vc-admin/diy/cmd/diycmd"
	"github.com/vc-admin/diy/ports/payment"
	"github.com/vc-admin/diy/ports/payment/plugin"
)

func main() { diycmd.Main(diycmd.WithPayment("cardgateway", adapter{})) }

type adapter struct{}

// SettingNames implements plugin.Adapter. URL is the URL of the API, HMAC_KEY the hexadecimal key of notifications, and
// SANDBOX_ADDR the listen address of the fake.
func (adapter) SettingNames() []string {
	return []string{"URL", "MERCHANT_ACCOUNT", "API_KEY", "CLIENT_KEY", "HMAC_KEY", "SANDBOX_ADDR"}
}

// Check implements plugin.Adapter.
func (adapter) Check(s plugin.Settings) (problems []string) {
	if u, err := url.Parse(s.Values["URL"]); err != nil || u.Host == "" {
		problems = append(problems, "URL must be the address of the API")
	}
	if key, err := hex.DecodeString(s.Values["HMAC_KEY"]); err != nil || len(key) == 0 {
		problems = append(problems, "HMAC_KEY must be hexadecimal")
	}
	for _, name := range []string{"MERCHANT_ACCOUNT", "API_KEY", "CLIENT_KEY"} {
		if s.Values[name] == "" {
			problems = append(problems, name+" must be set")
		}
	}
	return problems
}

// Open implements plugin.Adapter.
func (adapter) Open(s plugin.Settings, d plugin.Dependencies) (payment.Provider, error) {
	hmacKey, err := hex.DecodeString(s.Values["HMAC_KEY"])
	if err != nil {
		return nil, err
	}
	if addr := s.Values["SANDBOX_ADDR"]; addr != "" && d.Database != nil {
		if err := serveSandbox(addr, hmacKey, s, d); err != nil {
			return nil, err
		}
	}
	return enginepayment.New(enginepayment.Config{
		Gateway: cardgateway.New(cardgateway.Config{
			URL: s.Values["URL"], MerchantAccount: s.Values["MERCHANT_ACCOUNT"], APIKey: s.Values["API_KEY"], HMACKey: hmacKey,
		}, nil),
		Database: d.Database, Clock: d.Clock, Catalogue: d.Catalogue, Log: d.Log,
		Seller: invoicepdf.Party{
			Brand: d.Brand, Name: "Example Pty Ltd", Lines: []string{"1 Example Street", "Sydney NSW 2000"},
		},
		NumberPrefix: "CG-", ReturnTo: d.PublicURL + "/vc-admin/dash",
	})
}

// WebConfig implements plugin.Adapter. The publishable key is the URL of the client key, at which the browser finds the key to
// encrypt cards.
func (adapter) WebConfig(s plugin.Settings) plugin.WebConfig {
	return plugin.WebConfig{
		WebhookPath: "cardgateway", PublishableKey: s.Values["URL"] + "/checkoutshopper/v1/clientKeys/" + url.PathEscape(s.Values["CLIENT_KEY"]),
		ConnectOrigins: []string{s.Values["URL"]},
	}
}

// Migrations implements plugin.Tables.
func (adapter) Migrations() fs.FS { return enginepayment.Migrations() }

// serveSandbox serves a fake of the provider and delivers its notifications to the webhook, until the process ends.
func serveSandbox(addr string, hmacKey []byte, s plugin.Settings, d plugin.Dependencies) error {
	provider, err := fakeapi.New(fakeapi.Config{
		Clock: d.Clock, URL: s.Values["URL"], MerchantAccount: s.Values["MERCHANT_ACCOUNT"], APIKey: s.Values["API_KEY"],
		ClientKey: s.Values["CLIENT_KEY"], HMACKey: hmacKey,
	})
	if err != nil {
		return err
	}
	listener, err := (&net.ListenConfig{}).Listen(context.Background(), "tcp", addr)
	if err != nil {
		return err
	}
	server := &http.Server{Handler: provider.Handler(), ReadHeaderTimeout: 10 * time.Second}
	go func() { d.Log.Error("the sandbox has stopped", "error", server.Serve(listener)) }()
	go deliverNotifications(provider, d.PublicURL+"/vc-admin/webhooks/cardgateway", d.Log)
	return nil
}

// deliverNotifications delivers the provider's notifications to the webhook every 200 ms. It does not return.
func deliverNotifications(provider *fakeapi.Server, webhook string, log *slog.Logger) {
	client := &http.Client{Timeout: 10 * time.Second}
	for range time.Tick(200 * time.Millisecond) {
		if err := provider.Deliver(context.Background(), client, webhook); err != nil {
			log.Info("the webhook does not accept notifications", "error", err)
		}
	}
}
