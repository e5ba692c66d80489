package stripepayment

import (
	"cmp"
	"fmt"
	"strings"
	"time"

	"github.com/vc-admin/diy/ports/payment/plugin"
)

// The settings are SECRET_KEY, PUBLISHABLE_KEY, WEBHOOK_SECRET (two, with a comma between, while one
// replaces the other), API_URL (Stripe's own when empty) and TIMEOUT (20s when empty).

// timeoutOf is how long one try of a request may take. A request of ours waits for several of them,
// and has an end of its own, so it can't be longer than usual.
func timeoutOf(s plugin.Settings) (time.Duration, error) {
	timeout, err := time.ParseDuration(cmp.Or(s.Values["TIMEOUT"], defaultTimeout.String()))
	if err != nil || timeout <= 0 || timeout > defaultTimeout {
		return 0, fmt.Errorf("must be a duration such as 10s, more than nothing and %s at most", defaultTimeout)
	}
	return timeout, nil
}

// publishable is how the public key begins.
func publishable(production bool) string {
	if production {
		return "pk_live_"
	}
	return "pk_test_"
}

// webhookSecrets are the secrets that sign Stripe's events.
func webhookSecrets(s plugin.Settings) []string {
	var secrets []string
	for secret := range strings.SplitSeq(s.Values["WEBHOOK_SECRET"], ",") {
		if secret = strings.TrimSpace(secret); secret != "" {
			secrets = append(secrets, secret)
		}
	}
	return secrets
}
