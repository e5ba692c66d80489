package main

import (
	"strings"
	"time"

	"github.com/caarlos0/env/v11"

	"github.com/vc-admin/diy/adapters/stripepayment"
)

// longestTry is the most that one try of a request may take: a request of ours waits for several
// of them, and has an end of its own.
const longestTry = 20 * time.Second

// stripeOptions is what an operator can set of Stripe.
type stripeOptions struct {
	SecretKey      string        `env:"SECRET_KEY"`
	PublishableKey string        `env:"PUBLISHABLE_KEY"`
	WebhookSecret  string        `env:"WEBHOOK_SECRET"` // two, with a comma between, while one replaces the other
	APIURL         string        `env:"API_URL"`
	Timeout        time.Duration `env:"TIMEOUT" envDefault:"20s"`
}

func readStripe(c config) (stripeOptions, error) {
	return env.ParseAsWithOptions[stripeOptions](env.Options{Prefix: "DIY_STRIPE_", Environment: c.environment})
}

// check refuses keys that can't be right. No message quotes a key.
func (stripePayments) check(c config, problems *configError) {
	s, err := readStripe(c)
	for _, problem := range aggregated(err) {
		problems.add("DIY_STRIPE_TIMEOUT: %v", problem) // the others are texts, which can be read
	}
	if err == nil && (s.Timeout <= 0 || s.Timeout > longestTry) {
		problems.add("DIY_STRIPE_TIMEOUT must be more than nothing and %s at most", longestTry)
	}
	if err := stripepayment.CheckKey(s.SecretKey, c.production()); err != nil {
		problems.add("DIY_STRIPE_SECRET_KEY: %v", err)
	}
	mode := "pk_test_"
	if c.production() {
		mode = "pk_live_"
	}
	if !strings.HasPrefix(s.PublishableKey, mode) {
		problems.add("DIY_STRIPE_PUBLISHABLE_KEY must begin with %s when DIY_ENV is %s", mode, c.Env)
	}
	if len(s.webhookSecrets()) == 0 {
		problems.add("DIY_STRIPE_WEBHOOK_SECRET must be set: without it anybody could send events")
	}
}

// webhookSecrets are the secrets that sign Stripe's events.
func (s stripeOptions) webhookSecrets() []string {
	var secrets []string
	for secret := range strings.SplitSeq(s.WebhookSecret, ",") {
		if secret = strings.TrimSpace(secret); secret != "" {
			secrets = append(secrets, secret)
		}
	}
	return secrets
}
