package paymenttest

import (
	"context"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/vc-admin/diy/domain/billing"
	"github.com/vc-admin/diy/domain/fault"
	"github.com/vc-admin/diy/ports/payment"
)

var idempotencyProofs = []proof{
	{name: "creating a customer", prove: func(b *bench) {
		in := newCustomer()
		other := in
		other.OrganisationID = "org-other"
		once(b, b.Provider.CreateCustomer, in, other)
	}},
	{name: "adding a card", prove: func(b *bench) {
		c := b.customer()
		in := payment.NewCard{Key: newKey(), CustomerID: c.ID, CardID: b.made(Pays)}
		other := in
		other.CardID = b.made(Pays)
		once(b, b.Provider.AddCard, in, other)
		assert.Len(b, b.cards(c.ID), 1)
	}},
	{name: "making a card the default one", prove: func(b *bench) {
		c := b.customer()
		one, other := b.save(c.ID, Pays), b.save(c.ID, Pays)
		key := newKey()
		once(b, b.Provider.SetDefaultCard,
			payment.SavedCard{Key: key, CustomerID: c.ID, CardID: one.ID}, payment.SavedCard{Key: key, CustomerID: c.ID, CardID: other.ID})
		assert.Equal(b, &one, b.look(c.ID).Default)
	}},
	{name: "deleting a card", prove: func(b *bench) {
		c := b.customer()
		one, other := b.save(c.ID, Pays), b.save(c.ID, Pays)
		key := newKey()
		once(b, func(ctx context.Context, in payment.SavedCard) (struct{}, error) {
			return struct{}{}, b.Provider.DeleteCard(ctx, in)
		}, payment.SavedCard{Key: key, CustomerID: c.ID, CardID: one.ID}, payment.SavedCard{Key: key, CustomerID: c.ID, CardID: other.ID})
		assert.Equal(b, []billing.PaymentMethod{other}, b.cards(c.ID))
	}},
	{name: "subscribing with a new card, and no other one", prove: func(b *bench) {
		c := b.customer()
		in := payment.NewSubscription{Key: newKey(), CustomerID: c.ID, CardID: b.made(Pays), Price: standard, TrialDays: trialDays, Sole: true, First: true}
		other := in
		other.CardID = b.made(Pays)
		once(b, b.Provider.Subscribe, in, other)
		assert.Len(b, b.list(c.ID), 1)
		assert.Len(b, b.cards(c.ID), 1)
	}},
	{name: "subscribing for the first time with the default card", prove: func(b *bench) {
		c := b.payer(Pays)
		in := payment.NewSubscription{Key: newKey(), CustomerID: c.ID, Price: standard, Sole: true, First: true}
		other := in
		other.Price = professional
		once(b, b.Provider.Subscribe, in, other)
		assert.Len(b, b.list(c.ID), 1)
	}},
	{name: "subscribing", prove: func(b *bench) {
		c := b.payer(Pays)
		in := payment.NewSubscription{Key: newKey(), CustomerID: c.ID, Price: standard}
		other := in
		other.Price = professional
		once(b, b.Provider.Subscribe, in, other)
		assert.Len(b, b.list(c.ID), 1)
	}},
	{name: "subscribing with and without a trial", prove: func(b *bench) {
		c := b.payer(Pays)
		in := payment.NewSubscription{Key: newKey(), CustomerID: c.ID, Price: standard, TrialDays: trialDays}
		other := in
		other.TrialDays = 0
		once(b, b.Provider.Subscribe, in, other)
		assert.Len(b, b.list(c.ID), 1)
	}},
	{name: "paying an invoice", prove: func(b *bench) {
		s, other := b.declined(), b.declined()
		b.save(s.CustomerID, Pays)
		key := newKey()
		in, elsewhere := paymentFor(s), paymentFor(other)
		in.Key, elsewhere.Key = key, key
		once(b, b.Provider.PayInvoice, in, elsewhere)
	}},
	{name: "changing plan", prove: func(b *bench) {
		s := b.subscribe(b.payer(Pays).ID, trialDays)
		in := changeOf(s, professional)
		other := in
		other.To = price("professional", "monthly")
		once(b, b.Provider.ChangePlan, in, other)
		assert.Equal(b, professional, b.read(s.ID, "active").Price)
	}},
	{name: "changing plan without the money", prove: func(b *bench) {
		s := b.payingNoMore()
		in := changeOf(s, professional)
		first, err := b.Provider.ChangePlan(b.Context(), in)
		require.NoError(b, err)
		again, err := b.Provider.ChangePlan(b.Context(), in)
		require.NoError(b, err)
		assert.Equal(b, first, again)
	}},
	{name: "dropping a pending change", prove: func(b *bench) {
		s, other := b.pending(), b.pending()
		in := payment.PendingCancellation{Key: newKey(), SubscriptionID: s.ID, InvoiceID: s.Pending.InvoiceID}
		wrong := payment.PendingCancellation{Key: in.Key, SubscriptionID: other.ID, InvoiceID: other.Pending.InvoiceID}
		once(b, b.Provider.CancelPendingChange, in, wrong)
		assert.NotNil(b, b.read(other.ID, billing.Active).Pending)
	}},
	{name: "canceling", prove: func(b *bench) {
		s, other := b.subscribe(b.payer(Pays).ID, 0), b.subscribe(b.payer(Pays).ID, 0)
		key := newKey()
		once(b, b.Provider.CancelSubscription,
			payment.Cancellation{Key: key, SubscriptionID: s.ID}, payment.Cancellation{Key: key, SubscriptionID: other.ID})
		b.read(other.ID, other.Status)
	}},
	{name: "another key acts again", prove: func(b *bench) {
		c := b.payer(Pays)
		first, second := b.subscribe(c.ID, trialDays), b.subscribe(c.ID, trialDays)
		assert.NotEqual(b, first.ID, second.ID)
	}},
}

// once proves that the request acts once and is answered alike, and that its key is good for no
// other request.
func once[In, Out any](b *bench, do func(context.Context, In) (Out, error), in, other In) {
	b.Helper()
	first, err := do(b.Context(), in)
	require.NoError(b, err)
	again, err := do(b.Context(), in)
	require.NoError(b, err)
	assert.Equal(b, first, again)
	_, err = do(b.Context(), other)
	b.refused(err, fault.Conflict)
}
