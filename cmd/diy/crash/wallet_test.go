package crash

import (
	"context"
	"net/http"
	"net/url"
)

// wallet makes a card at the provider, as the card field in the browser does.
func (w *world) wallet(ctx context.Context, p *person, number string) (string, error) {
	if w.stripe != nil {
		return w.stripe.card(ctx, number)
	}
	a, err := p.post(ctx, "/dev/payments/payment_methods", map[string]any{
		"card": map[string]any{"number": number, "exp_month": 12, "exp_year": 2034, "cvc": "123"},
	})
	if err != nil {
		return "", err
	}
	var made struct{ ID string }
	if a.status != http.StatusOK || a.into(&made) != nil {
		return "", p.refused("card field", a)
	}
	return made.ID, nil
}

func cardForm(number string) url.Values {
	return url.Values{
		"type": {"card"}, "card[number]": {number}, "card[exp_month]": {"12"}, "card[exp_year]": {"2034"}, "card[cvc]": {"123"},
	}
}
