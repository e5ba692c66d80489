// Command hostedcheckout is the diy command with a payment provider whose customers pay on the provider's
// own page and whose later charges use a mandate for their bank account. It needs no change to the
// repository and no code in the browser.
//
// The provider and its page run in this process. The fake provider computes and stores what a real provider would, and
// page.go is the provider's web site.
package main

import (
	"context"
	"net"
	"net/http"
	"time"

	"github.com/vc-admin/diy/adapters/fakepayment"
	"github.com/vc-admin/diy/cmd/diycmd"
	"github.com/vc-admin/diy/ports/payment"
	"github.com/vc-admin/diy/ports/payment/plugin"
)

func main() { diycmd.Main(diycmd.WithPayment("hosted", adapter{})) }

// adapter implements plugin.Adapter.
type adapter struct{}

// SettingNames returns the name of DIY_HOSTED_ADDR, the address at which the page listens.
func (adapter) SettingNames() []string { return []string{"ADDR"} }

func (adapter) Check(settings plugin.Settings) (problems []string) {
	if _, _, err := net.SplitHostPort(settings.Values["ADDR"]); err != nil {
		problems = append(problems, "ADDR must be HOST:PORT")
	}
	return problems
}

func (adapter) Open(settings plugin.Settings, deps plugin.Dependencies) (payment.Provider, error) {
	addr := settings.Values["ADDR"]
	p, err := openProvider(
		fakepayment.Config{Clock: deps.Clock, Prices: deps.Catalogue, Log: deps.Log},
		"http://"+addr, deps.PublicURL+"/vc-admin/webhooks/hosted",
	)
	if err != nil {
		return nil, err
	}
	listener, err := (&net.ListenConfig{}).Listen(context.Background(), "tcp", addr)
	if err != nil {
		return nil, err
	}
	site := &http.Server{Handler: p.site(), ReadHeaderTimeout: 10 * time.Second}
	go func() { deps.Log.Error("the payment page has stopped", "error", site.Serve(listener)) }()
	return p, nil
}

func (adapter) WebConfig(plugin.Settings) plugin.WebConfig {
	return plugin.WebConfig{WebhookPath: "hosted"}
}
