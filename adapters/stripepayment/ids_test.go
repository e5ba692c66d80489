package stripepayment_test

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"

	"github.com/vc-admin/diy/domain/catalogue"
	"github.com/vc-admin/diy/domain/fault"
	"github.com/vc-admin/diy/ports/payment"
)

// TestIdsOfNothingNeverReachStripe sends ids that would be read as a path, a query or a list.
func TestIdsOfNothingNeverReachStripe(t *testing.T) {
	price := catalogue.PriceRef{Product: "standard", Interval: "yearly", Currency: "AUD"}
	for _, id := range []string{"", "../customers/cus_2", "cus_1?expand[]=sources", "cus_1/sources", "cus 1", "cus_1\n", "é", strings.Repeat("x", 3000)} {
		s := newScript(t)
		p := s.provider()
		ctx := t.Context()
		_, read := p.Customer(ctx, id)
		_, cards := p.Cards(ctx, id)
		_, addTo := p.AddCard(ctx, payment.NewCard{Key: "k", CustomerID: id, CardID: "pm_1"})
		_, add := p.AddCard(ctx, payment.NewCard{Key: "k", CustomerID: "cus_1", CardID: id})
		_, setOf := p.SetDefaultCard(ctx, payment.SavedCard{Key: "key-1", CustomerID: id, CardID: "pm_1"})
		_, set := p.SetDefaultCard(ctx, payment.SavedCard{Key: "key-1", CustomerID: "cus_1", CardID: id})
		_, list := p.ListSubscriptions(ctx, id)
		_, subscribe := p.Subscribe(ctx, payment.NewSubscription{Key: "k", CustomerID: id, Price: price})
		_, look := p.Subscription(ctx, id)
		_, pay := p.PayInvoice(ctx, payment.InvoicePayment{Key: "k", InvoiceID: id})
		_, drop := p.CancelPendingChange(ctx, payment.PendingCancellation{Key: "k", SubscriptionID: id, InvoiceID: "in_1"})
		_, change := p.ChangePlan(ctx, payment.PlanChange{Key: "k", SubscriptionID: id, From: price, To: price})
		_, cancel := p.CancelSubscription(ctx, payment.Cancellation{Key: "k", SubscriptionID: id})
		for i, err := range []error{
			read, cards, addTo, add, setOf, set, p.DeleteCard(ctx, payment.SavedCard{Key: "key-1", CustomerID: id, CardID: "pm_1"}), p.DeleteCard(ctx, payment.SavedCard{Key: "key-1", CustomerID: "cus_1", CardID: id}),
			list, subscribe, look, pay, drop, change, cancel,
		} {
			assert.Equal(t, fault.NotFound, fault.CodeOf(err), "call %d with %.20q", i+1, id)
		}
		assert.Empty(t, s.requests())
	}
}
