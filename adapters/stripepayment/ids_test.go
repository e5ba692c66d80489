package stripepayment_test

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"

	"github.com/vc-admin/diy/domain/catalogue"
	"github.com/vc-admin/diy/domain/fault"
	"github.com/vc-admin/diy/ports/payment"
)

// TestIDs_InvalidOnesAreNotSent uses ids that would change the path or the query.
func TestIDs_InvalidOnesAreNotSent(t *testing.T) {
	price := catalogue.PriceRef{Product: "standard", Interval: "yearly", Currency: "AUD"}
	for _, id := range []string{"", "../customers/cus_2", "cus_1?expand[]=sources", "cus_1/sources", "cus 1", "cus_1\n", "é", strings.Repeat("x", 3000)} {
		s := newStub(t)
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
		_, payInvoice := p.PayInvoice(ctx, payment.InvoicePayment{Key: "k", InvoiceID: id})
		_, pendingCancellation := p.CancelPendingChange(ctx, payment.PendingCancellation{Key: "k", SubscriptionID: id, InvoiceID: "in_1"})
		_, updateSubscription := p.ChangePlan(ctx, payment.PlanChange{Key: "k", SubscriptionID: id, From: price, To: price})
		_, deleteSubscription := p.CancelSubscription(ctx, payment.Cancellation{Key: "k", SubscriptionID: id})
		for i, err := range []error{
			read, cards, addTo, add, setOf, set, p.DeleteCard(ctx, payment.SavedCard{Key: "key-1", CustomerID: id, CardID: "pm_1"}), p.DeleteCard(ctx, payment.SavedCard{Key: "key-1", CustomerID: "cus_1", CardID: id}),
			list, subscribe, look, payInvoice, pendingCancellation, updateSubscription, deleteSubscription,
		} {
			assert.Equal(t, fault.NotFound, fault.CodeOf(err), "call %d with %.20q", i+1, id)
		}
		assert.Empty(t, s.requests())
	}
}

func TestKeys_AreRequired(t *testing.T) {
	s := newStub(t)
	p := s.provider()
	_, create := p.CreateCustomer(t.Context(), payment.NewCustomer{})
	_, add := p.AddCard(t.Context(), payment.NewCard{CustomerID: "cus_1", CardID: "pm_1"})
	_, subscribe := p.Subscribe(t.Context(), payment.NewSubscription{CustomerID: "cus_1"})
	_, payInvoice := p.PayInvoice(t.Context(), payment.InvoicePayment{InvoiceID: "in_1"})
	_, pendingCancellation := p.CancelPendingChange(t.Context(), payment.PendingCancellation{SubscriptionID: "sub_1", InvoiceID: "in_1"})
	_, updateSubscription := p.ChangePlan(t.Context(), payment.PlanChange{SubscriptionID: "sub_1"})
	_, deleteSubscription := p.CancelSubscription(t.Context(), payment.Cancellation{SubscriptionID: "sub_1"})
	for _, err := range []error{create, add, subscribe, payInvoice, pendingCancellation, updateSubscription, deleteSubscription} {
		assert.Equal(t, fault.Invalid, fault.CodeOf(err))
	}
	assert.Empty(t, s.requests())
}
