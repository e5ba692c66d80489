package stripepayment

import (
	"cmp"
	"errors"
	"fmt"
	"regexp"
	"strconv"
	"strings"
	"time"

	"github.com/vc-admin/diy/ports/payment"
	"github.com/vc-admin/diy/ports/payment/plugin"
)

var (
	_ plugin.Adapter   = Adapter{}
	_ plugin.PriceSync = (*Provider)(nil)
)

// Adapter configures the Stripe provider for a server. Its settings are SECRET_KEY, PUBLISHABLE_KEY, WEBHOOK_SECRET,
// API_URL (default: Stripe's), TIMEOUT (default: 20s) and DUNNING_DAYS (default: unknown). While a new webhook secret
// replaces the old one, WEBHOOK_SECRET contains both, separated by a comma. DUNNING_DAYS is the number of days after
// which Stripe ends a subscription with an unpaid invoice, as set in the account.
type Adapter struct{}

// SettingNames returns the names of the settings.
func (Adapter) SettingNames() []string {
	return []string{"SECRET_KEY", "PUBLISHABLE_KEY", "WEBHOOK_SECRET", "API_URL", "TIMEOUT", "DUNNING_DAYS"}
}

// Check returns a message about each invalid setting. The messages never quote a key.
func (Adapter) Check(s plugin.Settings) []string {
	var problems []string
	if _, err := parseTimeout(s); err != nil {
		problems = append(problems, "TIMEOUT "+err.Error())
	}
	if _, err := parseDunningPeriod(s); err != nil {
		problems = append(problems, "DUNNING_DAYS "+err.Error())
	}
	if err := CheckSecretKey(s.Values["SECRET_KEY"], s.Production); err != nil {
		problems = append(problems, "SECRET_KEY: "+err.Error())
	}
	if err := checkAPIURL(cmp.Or(s.Values["API_URL"], defaultAPIURL)); err != nil {
		problems = append(problems, "API_URL: "+err.Error())
	}
	if prefix, environment := publishableKeyPrefix(s.Production); !strings.HasPrefix(s.Values["PUBLISHABLE_KEY"], prefix) {
		problems = append(problems, "PUBLISHABLE_KEY must begin with "+prefix+" in "+environment)
	}
	if len(webhookSecrets(s)) == 0 {
		problems = append(problems, "WEBHOOK_SECRET must be set, to verify events")
	}
	return problems
}

// Open returns the provider without contacting Stripe.
func (Adapter) Open(s plugin.Settings, d plugin.Dependencies) (payment.Provider, error) {
	timeout, err := parseTimeout(s)
	if err != nil {
		return nil, err
	}
	dunningPeriod, err := parseDunningPeriod(s)
	if err != nil {
		return nil, err
	}
	return New(Config{
		SecretKey: s.Values["SECRET_KEY"], Production: s.Production, APIURL: s.Values["API_URL"], Timeout: timeout,
		DunningPeriod: dunningPeriod, WebhookSecrets: webhookSecrets(s),
		Catalogue: d.Catalogue, Clock: d.Clock, Log: d.Log,
	})
}

// WebConfig returns the publishable key, the path of the webhook, the origins from which the browser loads Stripe.js and its
// frames, and the origins that Stripe.js calls.
func (Adapter) WebConfig(s plugin.Settings) plugin.WebConfig {
	const scriptOrigin, subdomains = "https://js.stripe.com", "https://*.js.stripe.com"
	return plugin.WebConfig{
		PublishableKey:      s.Values["PUBLISHABLE_KEY"],
		ScriptOrigins:       []string{scriptOrigin, subdomains},
		FrameOrigins:        []string{scriptOrigin, subdomains, "https://hooks.stripe.com"},
		ConnectOrigins:      []string{"https://api.stripe.com"},
		PaymentSheetOrigins: []string{scriptOrigin},
		WebhookPath:         "stripe",
	}
}

// parseTimeout returns the time limit of one attempt. It is at most the default, because a request to the server has a
// deadline and may wait for several attempts.
func parseTimeout(s plugin.Settings) (time.Duration, error) {
	timeout, err := time.ParseDuration(cmp.Or(s.Values["TIMEOUT"], defaultTimeout.String()))
	if err != nil || timeout <= 0 || timeout > defaultTimeout {
		return 0, fmt.Errorf("must be a duration such as 10s, greater than 0 and at most %s", defaultTimeout)
	}
	return timeout, nil
}

// parseDunningPeriod returns how long Stripe tries to collect an overdue invoice, or 0 if that is unknown.
func parseDunningPeriod(s plugin.Settings) (time.Duration, error) {
	text := s.Values["DUNNING_DAYS"]
	if text == "" {
		return 0, nil
	}
	const maxDays = 120
	days, err := strconv.Atoi(text)
	if err != nil || days < 1 || days > maxDays {
		return 0, fmt.Errorf("must be a number of days from 1 to %d", maxDays)
	}
	return time.Duration(days) * 24 * time.Hour, nil
}

// publishableKeyPrefix returns the prefix that publishable keys have in the environment, and the name of the environment.
func publishableKeyPrefix(production bool) (prefix, environment string) {
	if production {
		return "pk_live_", "production"
	}
	return "pk_test_", "development"
}

// webhookSecrets returns the secrets that sign events.
func webhookSecrets(s plugin.Settings) []string {
	var secrets []string
	for secret := range strings.SplitSeq(s.Values["WEBHOOK_SECRET"], ",") {
		if secret = strings.TrimSpace(secret); secret != "" {
			secrets = append(secrets, secret)
		}
	}
	return secrets
}

// secretKeyPattern matches Stripe's secret and restricted keys; its group is the mode.
var secretKeyPattern = regexp.MustCompile(`^(?:sk|rk)_(live|test)_[A-Za-z0-9_]+$`)

// CheckSecretKey returns an error if the key is neither a secret nor a restricted key, or if it has the wrong mode.
// Production requires a live key, and development requires a test key. The message never quotes the key.
func CheckSecretKey(key string, production bool) error {
	match := secretKeyPattern.FindStringSubmatch(key)
	switch {
	case match == nil:
		return errors.New("the secret key of Stripe's API must begin with sk_live_, sk_test_, rk_live_ or rk_test_")
	case production && match[1] != "live":
		return errors.New("production needs a live key, but this is a test key")
	case !production && match[1] != "test":
		return errors.New("development needs a test key, but this is a live key, which charges real cards")
	}
	return nil
}
