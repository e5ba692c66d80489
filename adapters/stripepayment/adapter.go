package stripepayment

import (
	"strings"

	"github.com/vc-admin/diy/ports/payment"
	"github.com/vc-admin/diy/ports/payment/plugin"
)

var (
	_ plugin.Adapter   = Adapter{}
	_ plugin.PriceSync = (*Provider)(nil)
)

// Adapter makes the provider of an operator's settings; see settings.go for which there are.
type Adapter struct{}

// SettingNames lists the settings that settings.go describes.
func (Adapter) SettingNames() []string {
	return []string{"SECRET_KEY", "PUBLISHABLE_KEY", "WEBHOOK_SECRET", "API_URL", "TIMEOUT"}
}

// Check refuses keys that can't be right. No sentence quotes one.
func (Adapter) Check(s plugin.Settings) []string {
	var problems []string
	if _, err := timeoutOf(s); err != nil {
		problems = append(problems, "TIMEOUT "+err.Error())
	}
	if err := CheckKey(s.Values["SECRET_KEY"], s.Production); err != nil {
		problems = append(problems, "SECRET_KEY: "+err.Error())
	}
	if url := s.Values["API_URL"]; url != "" && checkAPIURL(url) != nil {
		problems = append(problems, "API_URL: "+checkAPIURL(url).Error())
	}
	if mode := publishable(s.Production); !strings.HasPrefix(s.Values["PUBLISHABLE_KEY"], mode) {
		problems = append(problems, "PUBLISHABLE_KEY must begin with "+mode+" here")
	}
	if len(webhookSecrets(s)) == 0 {
		problems = append(problems, "WEBHOOK_SECRET must be set: without it anybody could send events")
	}
	return problems
}

// Open makes the provider.
func (Adapter) Open(s plugin.Settings, d plugin.Dependencies) (payment.Provider, error) {
	timeout, err := timeoutOf(s)
	if err != nil {
		return nil, err
	}
	return New(Config{
		SecretKey: s.Values["SECRET_KEY"], Production: s.Production, APIURL: s.Values["API_URL"], Timeout: timeout,
		WebhookSecrets: webhookSecrets(s), Catalogue: d.Catalogue, Clock: d.Clock, Log: d.Log,
	})
}

// Web allows what Stripe.js loads and calls.
func (Adapter) Web(s plugin.Settings) plugin.Web {
	const script, parts = "https://js.stripe.com", "https://*.js.stripe.com"
	return plugin.Web{
		PublishableKey: s.Values["PUBLISHABLE_KEY"],
		ScriptOrigins:  []string{script, parts}, FrameOrigins: []string{script, parts, "https://hooks.stripe.com"},
		ConnectOrigins: []string{"https://api.stripe.com"}, PaymentSheetOrigins: []string{script},
		SignatureHeader: "Stripe-Signature", WebhookPath: "stripe",
	}
}
