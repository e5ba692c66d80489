package stripepayment

import (
	"net/http"

	"github.com/stripe/stripe-go/v85"

	"github.com/vc-admin/diy/ports/payment"
)

var _ payment.Provider = (*Provider)(nil)

// Provider is Stripe behind the payment port. All its methods may be called at once.
type Provider struct {
	Config
	stripe *stripe.Client
	prices priceList
}

// New makes a provider. It asks nobody: Check does.
func New(c Config) (*Provider, error) {
	c = c.normalised()
	if err := c.check(); err != nil {
		return nil, err
	}
	return &Provider{Config: c, stripe: newClient(c), prices: newPriceList()}, nil
}

// newClient is Stripe's library without its own habits: no tries of its own, because ours know
// more; no log of its own, which quotes answers; and nothing told about how long requests took.
func newClient(c Config) *stripe.Client {
	return stripe.NewClient(c.SecretKey, stripe.WithBackends(stripe.NewBackendsWithConfig(&stripe.BackendConfig{
		URL:               stripe.String(c.APIURL),
		HTTPClient:        &http.Client{Transport: newCourier(c)},
		MaxNetworkRetries: new(int64(0)),
		EnableTelemetry:   new(false),
		LeveledLogger:     &stripe.LeveledLogger{Level: stripe.LevelNull},
	})))
}
