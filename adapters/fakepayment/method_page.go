package fakepayment

import (
	"context"

	"github.com/vc-admin/diy/domain/billing"
	"github.com/vc-admin/diy/ports/payment"
)

// SetUpMethod opens a setup intent with which a page saves a payment method, see Confirm. It is for a test provider
// that has such a page and returns a redirect to it instead; Unsupported without Config.PayLater.
func (p *Provider) SetUpMethod(ctx context.Context, req payment.MethodSetup) (billing.NextAction, error) {
	if !p.PayLater {
		return billing.NextAction{}, payment.Unsupported(payment.MethodPage)
	}
	return runOnce(ctx, p, "set up method", req.Key, req, func(t *tx) (billing.NextAction, error) {
		c, err := t.customer(req.CustomerID)
		if err != nil {
			return billing.NextAction{}, err
		}
		id := newID(setupPrefix)
		pi := intent{
			ID: id, Kind: kindSetup, Secret: newID(id + secretInfix), Customer: c.ID, Status: billing.RequiresPaymentMethod,
		}
		t.intents.put(pi)
		return billing.NextAction{Kind: billing.ConfirmSetup, Secret: pi.Secret}, nil
	})
}

// Intent returns the payment or setup of a client secret, NotFound for an unknown secret.
func (p *Provider) Intent(ctx context.Context, clientSecret string) (billing.Intent, error) {
	found, _, err := p.intentBySecret(ctx, clientSecret)
	return billing.Intent{ID: found.ID, Status: found.Status, ClientSecret: found.Secret}, err
}
