package paymenttest

import (
	"context"
	"sync"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/vc-admin/diy/domain/billing"
	"github.com/vc-admin/diy/domain/fault"
	"github.com/vc-admin/diy/ports/payment"
)

var idempotencyBehaviours = []behaviour{
	{name: "a customer is created once", check: func(t *env) {
		req := customerRequest()
		otherReq := req
		otherReq.OrganisationID = "org-other"
		assertIdempotent(t, t.Provider.CreateCustomer, req, otherReq)
	}},
	{name: "a card is saved once", check: func(t *env) {
		c := t.createCustomer()
		req := payment.NewCard{Key: newKey(), CustomerID: c.ID, MethodID: t.createCard(Pays)}
		otherReq := req
		otherReq.MethodID = t.createCard(Pays)
		assertIdempotent(t, t.Provider.AddCard, req, otherReq)
		assert.Len(t, t.listCards(c.ID), 1)
	}},
	{name: "a default card is set once", check: func(t *env) {
		c := t.createCustomer()
		card, otherCard := t.saveCard(c.ID, Pays), t.saveCard(c.ID, Pays)
		key := newKey()
		assertIdempotent(t, t.Provider.SetDefaultCard,
			payment.SavedCardRequest{Key: key, CustomerID: c.ID, MethodID: card.ID},
			payment.SavedCardRequest{Key: key, CustomerID: c.ID, MethodID: otherCard.ID})
		assert.Equal(t, &card, t.readCustomer(c.ID).Default)
	}},
	{name: "a card is deleted once", check: func(t *env) {
		c := t.createCustomer()
		card, otherCard := t.saveCard(c.ID, Pays), t.saveCard(c.ID, Pays)
		key := newKey()
		deleteCard := func(ctx context.Context, req payment.SavedCardRequest) (struct{}, error) {
			return struct{}{}, t.Provider.DeleteCard(ctx, req)
		}
		assertIdempotent(t, deleteCard,
			payment.SavedCardRequest{Key: key, CustomerID: c.ID, MethodID: card.ID},
			payment.SavedCardRequest{Key: key, CustomerID: c.ID, MethodID: otherCard.ID})
		assert.Equal(t, []billing.PaymentMethod{otherCard}, t.listCards(c.ID))
	}},
	{name: "a sole, first subscription with a new card is started once", needs: payment.Trials, check: func(t *env) {
		c := t.createCustomer()
		req := payment.NewSubscription{
			Key: newKey(), CustomerID: c.ID, MethodID: t.createCard(Pays), Price: standard, TrialDays: trialDays, Sole: true,
			First: true,
		}
		otherReq := req
		otherReq.MethodID = t.createCard(Pays)
		assertIdempotent(t, t.Provider.Subscribe, req, otherReq)
		assert.Len(t, t.subscriptionIDs(c.ID), 1)
		assert.Len(t, t.listCards(c.ID), 1)
	}},
	{name: "a first subscription with the default card is started once", check: func(t *env) {
		c := t.payingCustomer()
		req := payment.NewSubscription{Key: newKey(), CustomerID: c.ID, Price: standard, Sole: true, First: true}
		otherReq := req
		otherReq.Price = professional
		assertIdempotent(t, t.Provider.Subscribe, req, otherReq)
		assert.Len(t, t.subscriptionIDs(c.ID), 1)
	}},
	{name: "a subscription is started once", check: func(t *env) {
		c := t.payingCustomer()
		req := payment.NewSubscription{Key: newKey(), CustomerID: c.ID, Price: standard}
		otherReq := req
		otherReq.Price = professional
		assertIdempotent(t, t.Provider.Subscribe, req, otherReq)
		assert.Len(t, t.subscriptionIDs(c.ID), 1)
	}},
	{name: "Subscribe with the key of a trial returns Conflict without the trial", needs: payment.Trials,
		check: func(t *env) {
			c := t.payingCustomer()
			req := payment.NewSubscription{Key: newKey(), CustomerID: c.ID, Price: standard, TrialDays: trialDays}
			otherReq := req
			otherReq.TrialDays = 0
			assertIdempotent(t, t.Provider.Subscribe, req, otherReq)
			assert.Len(t, t.subscriptionIDs(c.ID), 1)
		}},
	{name: "an invoice is paid once", needs: onlinePayment, check: func(t *env) {
		s, otherSub := t.unpaidSubscription(), t.unpaidSubscription()
		t.saveCardIfSupported(s.CustomerID)
		key := newKey()
		req, otherReq := invoicePayment(s), invoicePayment(otherSub)
		req.Key, otherReq.Key = key, key
		assertIdempotent(t, t.Provider.PayInvoice, req, otherReq)
	}},
	{name: "a plan is changed once", needs: payment.ChangeNow, check: func(t *env) {
		s := t.subscribe(t.payingCustomer().ID, t.availableTrialDays())
		req := planChange(s, professional)
		otherReq := req
		otherReq.To = professionalMonthly
		assertIdempotent(t, t.Provider.ChangePlan, req, otherReq)
		changedSub := t.refresh(s)
		assert.Equal(t, professional, t.completePayment(changedSub).Price)
	}},
	{name: "a repeated key returns the declined plan change", needs: payment.ChangeNow, check: func(t *env) {
		s := t.subscriptionWithFailingCard()
		req := planChange(s, professional)
		pendingSub, err := t.Provider.ChangePlan(t.Context(), req)
		require.NoError(t, err)
		repeatedSub, err := t.Provider.ChangePlan(t.Context(), req)
		require.NoError(t, err)
		assert.Equal(t, pendingSub, repeatedSub)
	}},
	{name: "a pending change is canceled once", needs: payment.ChangeNow, check: func(t *env) {
		s, otherSub := t.subscriptionWithPendingChange(), t.subscriptionWithPendingChange()
		req := payment.PendingChangeCancellation{Key: newKey(), SubscriptionID: s.ID, InvoiceID: s.Pending.InvoiceID}
		otherReq := req
		otherReq.SubscriptionID, otherReq.InvoiceID = otherSub.ID, otherSub.Pending.InvoiceID
		assertIdempotent(t, t.Provider.CancelPendingChange, req, otherReq)
		assert.NotNil(t, t.readSubscription(otherSub.ID, billing.Active).Pending)
	}},
	{name: "a subscription is canceled once", check: func(t *env) {
		s, otherSub := t.subscribe(t.payingCustomer().ID, 0), t.subscribe(t.payingCustomer().ID, 0)
		key := newKey()
		assertIdempotent(t, t.Provider.CancelSubscription,
			payment.Cancellation{Key: key, SubscriptionID: s.ID}, payment.Cancellation{Key: key, SubscriptionID: otherSub.ID})
		t.readSubscription(otherSub.ID, otherSub.Status)
	}},
	{name: "a change at renewal is scheduled once", needs: payment.AtPeriodEnd, check: func(t *env) {
		s := t.subscribe(t.payingCustomer().ID, 0)
		req := changeAtRenewal(s, professional)
		otherReq := req
		otherReq.To = professionalMonthly
		assertIdempotent(t, t.Provider.ChangePlan, req, otherReq)
		assert.Equal(t, professional, t.readSubscription(s.ID, billing.Active).Scheduled.To)
	}},
	{name: "a scheduled change is canceled once", needs: payment.AtPeriodEnd, check: func(t *env) {
		s := t.scheduleMonthlyChange(t.subscribe(t.payingCustomer().ID, 0))
		otherSub := t.scheduleMonthlyChange(t.subscribe(t.payingCustomer().ID, 0))
		key := newKey()
		assertIdempotent(t, t.Provider.CancelScheduledChange,
			payment.ScheduledChangeCancellation{Key: key, SubscriptionID: s.ID},
			payment.ScheduledChangeCancellation{Key: key, SubscriptionID: otherSub.ID})
		assert.Equal(t, otherSub, t.readSubscription(otherSub.ID, billing.Active))
	}},
	{name: "the end of a subscription is set once", needs: payment.AtPeriodEnd, check: func(t *env) {
		s := t.subscribe(t.payingCustomer().ID, 0)
		req := payment.EndRequest{Key: newKey(), SubscriptionID: s.ID, End: true}
		otherReq := req
		otherReq.End = false
		assertIdempotent(t, t.Provider.SetEndAtPeriodEnd, req, otherReq)
		assert.False(t, t.readSubscription(s.ID, billing.Active).EndsAt.IsZero())
	}},
	{name: "an overdue subscription is canceled and voided once", needs: ClockControl, check: func(t *env) {
		s := t.overdueSubscription()
		req := payment.Cancellation{Key: newKey(), SubscriptionID: s.ID, VoidInvoices: true}
		otherReq := req
		otherReq.SubscriptionID = t.subscribe(t.payingCustomer().ID, 0).ID
		assertIdempotent(t, t.Provider.CancelSubscription, req, otherReq)
		t.readSubscription(otherReq.SubscriptionID, billing.Active)
	}},
	{name: "a customer is updated once", check: func(t *env) {
		req := payment.CustomerUpdate{Key: newKey(), CustomerID: t.createCustomer().ID, Details: billingDetails()}
		otherReq := req
		otherReq.Details.LegalName = "Southside Clinic Pty Ltd"
		assertIdempotent(t, t.Provider.UpdateCustomer, req, otherReq)
	}},
	{name: "credit is added once", needs: payment.CustomerCredit, check: func(t *env) {
		req := payment.CreditGrant{Key: newKey(), CustomerID: t.customerWithCurrency().ID, Amount: aud(100)}
		otherReq := req
		otherReq.Amount = aud(200)
		assertIdempotent(t, t.Provider.AddCredit, req, otherReq)
		assert.Equal(t, aud(100), t.readCustomer(req.CustomerID).Credit)
	}},
	{name: "a trial is extended once", needs: payment.Trials, check: func(t *env) {
		s := t.subscribe(t.payingCustomer().ID, trialDays)
		req := payment.TrialExtension{Key: newKey(), SubscriptionID: s.ID, Until: s.TrialEnd.Add(day)}
		otherReq := req
		otherReq.Until = s.TrialEnd.Add(2 * day)
		assertIdempotent(t, t.Provider.ExtendTrial, req, otherReq)
		assert.Equal(t, req.Until, t.readSubscription(s.ID, billing.Trialing).TrialEnd)
	}},
	{name: "a refund is made once", needs: payment.Refunds, check: func(t *env) {
		s := t.subscribe(t.payingCustomer().ID, 0)
		req := payment.RefundRequest{Key: newKey(), InvoiceID: s.LatestInvoice.ID, Amount: s.LatestInvoice.AmountDue}
		otherReq := req
		otherReq.Amount = aud(1)
		assertIdempotent(t, t.Provider.Refund, req, otherReq)
	}},
	{name: "the same request with another key acts again", check: func(t *env) {
		c := t.payingCustomer()
		sub, otherSub := t.subscribe(c.ID, trialDays), t.subscribe(c.ID, trialDays)
		assert.NotEqual(t, sub.ID, otherSub.ID)
	}},
}

// assertIdempotent asserts that a repeat of req returns the same response, and that otherReq, which has the same key,
// returns Conflict.
func assertIdempotent[Req, Resp any](t *env, send func(context.Context, Req) (Resp, error), req, otherReq Req) {
	t.Helper()
	resp, err := send(t.Context(), req)
	require.NoError(t, err)
	repeatedResp, err := send(t.Context(), req)
	require.NoError(t, err)
	assert.Equal(t, resp, repeatedResp)
	_, err = send(t.Context(), otherReq)
	t.assertFault(err, fault.Conflict)
}

var concurrencyBehaviours = []behaviour{
	{name: "concurrent requests with one key create one customer", check: func(t *env) {
		req := customerRequest()
		sendConcurrently(t, func() (string, error) {
			c, err := t.Provider.CreateCustomer(t.Context(), req)
			return c.ID, err
		})
	}},
	{name: "concurrent requests with one key save one card", check: func(t *env) {
		c := t.createCustomer()
		req := payment.NewCard{Key: newKey(), CustomerID: c.ID, MethodID: t.createCard(Pays)}
		sendConcurrently(t, func() (string, error) {
			card, err := t.Provider.AddCard(t.Context(), req)
			return card.ID, err
		})
		assert.Len(t, t.listCards(c.ID), 1)
	}},
	{name: "concurrent requests with one key create one subscription", check: func(t *env) {
		c := t.payingCustomer()
		req := payment.NewSubscription{Key: newKey(), CustomerID: c.ID, Price: standard}
		sendConcurrently(t, func() (string, error) {
			s, err := t.Provider.Subscribe(t.Context(), req)
			return s.ID, err
		})
		assert.Len(t, t.subscriptionIDs(c.ID), 1)
	}},
	{name: "requests of several customers succeed concurrently", check: func(t *env) {
		var wg sync.WaitGroup
		for range 8 {
			c, card := t.createCustomer(), t.createCard(Pays)
			wg.Go(func() {
				_, err := t.addCard(c.ID, card)
				assert.NoError(t, err)
				s, err := t.trySubscribe(c.ID, standard)
				assert.NoError(t, err)
				assert.Equal(t, billing.Active, s.Status)
				assert.Equal(t, c.ID, s.CustomerID)
			})
		}
		wg.Wait()
	}},
}

// sendConcurrently sends the same request eight times concurrently and asserts that all responses have the same id.
func sendConcurrently(t *env, send func() (string, error)) {
	t.Helper()
	const callers = 8
	ids := make([]string, callers)
	var wg sync.WaitGroup
	for i := range callers {
		wg.Go(func() {
			var err error
			ids[i], err = send()
			assert.NoError(t, err)
		})
	}
	wg.Wait()
	for _, id := range ids {
		assert.NotEmpty(t, id)
		assert.Equal(t, ids[0], id)
	}
}
