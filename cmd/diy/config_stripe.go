package main

import (
	"strings"

	"github.com/vc-admin/diy/adapters/stripepayment"
)

// checkStripe refuses keys that can't be right. No message quotes a key.
func (c config) checkStripe(problems *configError) {
	if c.Payments != "stripe" {
		return
	}
	if err := stripepayment.CheckKey(c.StripeSecretKey, c.production()); err != nil {
		problems.add("DIY_STRIPE_SECRET_KEY: %v", err)
	}
	mode := "pk_test_"
	if c.production() {
		mode = "pk_live_"
	}
	if !strings.HasPrefix(c.StripePublishableKey, mode) {
		problems.add("DIY_STRIPE_PUBLISHABLE_KEY must begin with %s when DIY_ENV is %s", mode, c.Env)
	}
	if len(c.webhookSecrets()) == 0 {
		problems.add("DIY_STRIPE_WEBHOOK_SECRET must be set: without it anybody could send events")
	}
}

// webhookSecrets are the secrets that sign Stripe's events.
func (c config) webhookSecrets() []string {
	var secrets []string
	for secret := range strings.SplitSeq(c.StripeWebhookSecret, ",") {
		if secret = strings.TrimSpace(secret); secret != "" {
			secrets = append(secrets, secret)
		}
	}
	return secrets
}
