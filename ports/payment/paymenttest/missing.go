package paymenttest

import (
	"strings"

	"github.com/vc-admin/diy/domain/billing"
	"github.com/vc-admin/diy/domain/fault"
	"github.com/vc-admin/diy/ports/payment"
)

// strangers are ids of nothing: none, one that looks right, and some that break an address.
var strangers = map[string]string{
	"no id":           "",
	"an unknown id":   "unknown_123",
	"a path":          "../customers/unknown",
	"a query":         "unknown?expand[]=data",
	"somebody's text": "Robert'); DROP TABLE cards;--",
	"a long id":       strings.Repeat("x", 3000),
}

var missingProofs = []proof{
	{name: "customers", prove: eachStranger(func(b *bench, id string) []error {
		_, read := b.Provider.Customer(b.Context(), id)
		_, cards := b.Provider.Cards(b.Context(), id)
		_, subs := b.Provider.ListSubscriptions(b.Context(), id)
		_, subscribe := b.buy(id, standard)
		_, subscribeWith := b.buyWith(id, b.made(Pays))
		return []error{read, cards, subs, subscribe, subscribeWith}
	})},
	{name: "the customers of a card", prove: func(b *bench) {
		c := b.payer(Pays)
		eachStranger(func(b *bench, id string) []error {
			_, add := b.add(id, c.Default.ID)
			_, set := b.setDefault(id, c.Default.ID)
			return []error{add, set, b.remove(id, c.Default.ID)}
		})(b)
	}},
	{name: "cards", prove: func(b *bench) {
		c := b.payer(Pays)
		eachStranger(func(b *bench, id string) []error {
			_, add := b.add(c.ID, id)
			_, set := b.setDefault(c.ID, id)
			if id == "" {
				return []error{add, set, b.remove(c.ID, id)} // to subscribe with no card is to subscribe with the default one
			}
			_, subscribe := b.buyWith(c.ID, id)
			return []error{add, set, b.remove(c.ID, id), subscribe}
		})(b)
	}},
	{name: "subscriptions", prove: eachStranger(func(b *bench, id string) []error {
		_, read := b.Provider.Subscription(b.Context(), id)
		_, pay := b.Provider.PayInvoice(b.Context(), payment.InvoicePayment{Key: newKey(), InvoiceID: id, Amount: amount(1)})
		_, change := b.change(billing.Subscription{ID: id, Price: standard}, professional)
		_, drop := b.Provider.CancelPendingChange(b.Context(), payment.PendingCancellation{Key: newKey(), SubscriptionID: id, InvoiceID: "in_1"})
		_, cancel := b.Provider.CancelSubscription(b.Context(), payment.Cancellation{Key: newKey(), SubscriptionID: id})
		return []error{read, pay, change, drop, cancel}
	})},
}

// eachStranger proves that every error is NotFound, whatever the id of nothing looks like.
func eachStranger(ask func(b *bench, id string) []error) func(*bench) {
	return func(b *bench) {
		for name, id := range strangers {
			for i, err := range ask(b, id) {
				b.Logf("%s, call %d: %v", name, i+1, err)
				b.refused(err, fault.NotFound)
			}
		}
	}
}
