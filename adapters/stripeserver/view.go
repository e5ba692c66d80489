package stripeserver

import (
	"strings"
	"time"

	"github.com/vc-admin/diy/adapters/fakepayment"
)

// view is everything as it is at one moment: the provider's books, and what is kept here.
type view struct {
	fakepayment.Snapshot
	*Face
}

// find is the object of the kind and id, or nil.
func (v view) find(kind, id string) object {
	shape, known := map[string]func(view, string) object{
		"customer": view.customer, "payment_method": view.paymentMethod, "payment_intent": view.paymentIntent,
		"setup_intent": view.setupIntent, "subscription": view.subscription, "invoice": view.invoice,
		"product": view.product, "price": view.price,
	}[kind]
	if !known {
		return nil
	}
	return shape(v, id)
}

// one shows an object that is named in the path.
func one(kind, id, param string) show {
	return func(v view) (object, error) {
		if found := v.find(kind, id); found != nil {
			return found, nil
		}
		return nil, missing(spoken(kind), id, param)
	}
}

// spoken is how Stripe's messages call a kind.
func spoken(kind string) string {
	if kind == "payment_method" {
		return "PaymentMethod"
	}
	return kind
}

// orNull is null in the place of an empty text.
func orNull(text string) any {
	if text == "" {
		return nil
	}
	return text
}

// unix is null in the place of no time.
func unix(at time.Time) any {
	if at.IsZero() {
		return nil
	}
	return at.Unix()
}

// small is a currency as Stripe writes it.
func small(currency string) string { return strings.ToLower(currency) }
