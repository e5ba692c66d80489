package paymenttest

import (
	"context"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/vc-admin/diy/domain/billing"
	"github.com/vc-admin/diy/domain/catalogue"
	"github.com/vc-admin/diy/domain/fault"
	"github.com/vc-admin/diy/ports/payment"
)

var quoteBehaviours = []behaviour{
	{name: "a first subscription is charged as quoted", needs: payment.Quoting, check: func(t *env) {
		c := t.payingCustomer()
		req := payment.NewSubscription{CustomerID: c.ID, Price: standard}
		q, err := t.Provider.QuoteSubscription(t.Context(), req)
		require.NoError(t, err)
		assert.WithinDuration(t, t.Now(), q.At, time.Minute)

		req.Key = newKey()
		s, err := t.Provider.Subscribe(t.Context(), req)

		require.NoError(t, err)
		s = t.completePayment(s)
		t.assertChargedAsQuoted(q, s)
		assert.Positive(t, q.DueNow.Minor())
		assert.Equal(t, q.DueNow, q.Next.Amount, "the renewal costs the same")
		assert.WithinDuration(t, s.CurrentPeriodEnd, q.Next.At, time.Minute)
		assert.False(t, q.EndsTrial)
	}},
	{name: "a trial is quoted with the charge at its end", needs: payment.Quoting, check: func(t *env) {
		t.skipWithout(payment.Trials, payment.SavedMethods)
		c := t.payingCustomer()
		req := payment.NewSubscription{CustomerID: c.ID, Price: standard, TrialDays: trialDays}
		q, err := t.Provider.QuoteSubscription(t.Context(), req)
		require.NoError(t, err)
		s := t.subscribe(c.ID, trialDays)
		assert.Zero(t, q.DueNow.Minor())
		assert.Zero(t, q.Total.Minor())
		assert.Equal(t, t.priceOf(standard), q.Next.Amount)
		assert.WithinDuration(t, s.TrialEnd, q.Next.At, time.Minute)
	}},
	{name: "a first subscription can be quoted before a card is saved", needs: payment.Quoting, check: func(t *env) {
		req := payment.NewSubscription{CustomerID: t.createCustomer().ID, Price: standard}
		q, err := t.Provider.QuoteSubscription(t.Context(), req)
		require.NoError(t, err)
		assert.Equal(t, t.priceOf(standard), q.DueNow)
	}},
	quoteBehaviour("an upgrade", payment.ChangeNow, professional, func(t *env) billing.Subscription {
		return t.subscribe(t.payingCustomer().ID, 0)
	}),
	quoteBehaviour("a downgrade", payment.CheaperChangeNow, standard, func(t *env) billing.Subscription {
		return t.completePayment(t.startSubscription(t.payingCustomer().ID, professional, 0))
	}),
	quoteBehaviour("a change to a longer interval", payment.ChangeNow, professional, (*env).subscribeMonthly),
	quoteBehaviour("a change to a shorter interval", payment.CheaperChangeNow, standardMonthly,
		func(t *env) billing.Subscription { return t.subscribe(t.payingCustomer().ID, 0) }),
	quoteBehaviour("a change that ends a trial", payment.ChangeNow, professional, func(t *env) billing.Subscription {
		return t.subscribe(t.payingCustomer().ID, trialDays)
	}),
	quoteBehaviour("an upgrade in the middle of a period", ClockControl, professional, func(t *env) billing.Subscription {
		s := t.subscribe(t.payingCustomer().ID, 0)
		t.advance(100*day + 5*time.Hour)
		return s
	}),
	quoteBehaviour("an upgrade with credit", payment.CustomerCredit, professional, func(t *env) billing.Subscription {
		s := t.subscribe(t.payingCustomer().ID, 0)
		t.addCredit(s.CustomerID, 1234)
		return s
	}),
	quoteBehaviour("an upgrade that credit pays", payment.CustomerCredit, professional, func(t *env) billing.Subscription {
		s := t.subscribe(t.payingCustomer().ID, 0)
		t.addCredit(s.CustomerID, t.priceOf(professional).Minor())
		return s
	}),
	quoteBehaviour("a change too small to charge", payment.CustomerCredit, professional, func(t *env) billing.Subscription {
		s := t.subscribe(t.payingCustomer().ID, trialDays)
		t.addCredit(s.CustomerID, t.priceOf(professional).Minor()-7)
		return s
	}),
	{name: "a change is charged as quoted even if time passes before it is sent", needs: payment.Quoting, check: func(t *env) {
		s := t.subscribeMonthly()
		q, req := t.quoteChange(s, professionalMonthly)
		t.advance(3 * time.Hour)
		laterQuote, _ := t.quoteChange(s, professionalMonthly)
		assert.Less(t, laterQuote.DueNow.Minor(), q.DueNow.Minor())
		req.At = q.At
		repeatedQuote, err := t.Provider.QuoteChange(t.Context(), req)
		require.NoError(t, err)
		assert.Equal(t, q, repeatedQuote)

		t.assertChargedAsQuoted(q, t.mustSendChange(req))
	}},
	{name: "a change at renewal is charged as quoted", needs: payment.Quoting, check: func(t *env) {
		s := t.subscribeMonthly()
		req := changeAtRenewal(s, professional)

		q, err := t.Provider.QuoteChange(t.Context(), req)

		require.NoError(t, err)
		assert.Equal(t, s.CurrentPeriodEnd, q.At)
		assert.Zero(t, q.DueNow.Minor())
		assert.Equal(t, t.priceOf(professional), q.Total)
		assert.Equal(t, q.Total, q.Next.Amount)
		assert.Equal(t, s.CurrentPeriodEnd, q.Next.At)
		assert.Equal(t, q.CreditBefore, q.CreditAfter)
		assert.False(t, q.EndsTrial)
		t.mustScheduleChange(s, professional)
		renewedSub := t.renew(s)
		assert.Equal(t, q.Next.Amount, renewedSub.LatestInvoice.AmountDue)
		assert.Equal(t, q.Lines, t.listInvoices(s.CustomerID)[0].Lines)
	}},
	{name: "a subscription is refused if its cost has changed since the quote", needs: payment.CustomerCredit, check: func(t *env) {
		t.skipWithout(payment.Quoting)
		c := t.payingCustomer()
		req := payment.NewSubscription{CustomerID: c.ID, Price: standard, MethodID: t.methodIDForRequest(c.ID)}
		q, err := t.Provider.QuoteSubscription(t.Context(), req)
		require.NoError(t, err)
		req.Quoted = billing.QuotedAmounts{DueNow: q.DueNow, CreditAfter: q.CreditAfter}
		req.Key = newKey()
		_, err = t.beforeCall("Subscribe", func() { t.addCredit(c.ID, 1000) }).Subscribe(t.Context(), req)
		t.assertFault(err, fault.Conflict)
		assert.Empty(t, t.subscriptionIDs(c.ID))
		assert.Equal(t, int64(1000), t.readCustomer(c.ID).Credit.Minor())

		req.Key, req.Quoted.DueNow = newKey(), aud(q.DueNow.Minor()-1000)
		s, err := t.Provider.Subscribe(t.Context(), req)
		require.NoError(t, err)
		assert.Equal(t, req.Quoted.DueNow.Minor(), s.LatestInvoice.AmountDue.Minor())
	}},
	{name: "a change is refused if a refund has changed its cost since the quote", needs: payment.Refunds, check: func(t *env) {
		t.skipWithout(payment.Quoting, payment.ChangeNow, payment.CustomerCredit)
		s := t.subscribe(t.payingCustomer().ID, 0)
		t.addCredit(s.CustomerID, t.priceOf(professional).Minor()-t.priceOf(standard).Minor())
		q, req := t.quoteChange(s, professional)
		require.Zero(t, q.DueNow.Minor())
		req.At, req.Quoted = q.At, billing.QuotedAmounts{DueNow: q.DueNow, CreditAfter: q.CreditAfter}

		_, err := t.beforeCall("ChangePlan", func() {
			_, err := t.refund(s, s.LatestInvoice.AmountPaid.Minor())
			require.NoError(t, err)
		}).ChangePlan(t.Context(), req)

		t.assertFault(err, fault.Conflict)
		unchangedSub := t.readSubscription(s.ID, billing.Active)
		assert.Equal(t, standard, unchangedSub.Price)
		assert.Nil(t, unchangedSub.Pending)
		assert.Equal(t, s.LatestInvoice.ID, unchangedSub.LatestInvoice.ID, "nothing is charged")

		q, req = t.quoteChange(unchangedSub, professional)
		require.Positive(t, q.DueNow.Minor())
		req.At, req.Quoted = q.At, billing.QuotedAmounts{DueNow: q.DueNow, CreditAfter: q.CreditAfter}
		t.assertChargedAsQuoted(q, t.mustSendChange(req))
	}},
	{name: "a quote changes nothing", needs: payment.Quoting, check: func(t *env) {
		c := t.payingCustomer()
		_, err := t.Provider.QuoteSubscription(t.Context(), payment.NewSubscription{CustomerID: c.ID, Price: standard})
		require.NoError(t, err)
		assert.Equal(t, c, t.readCustomer(c.ID))
		assert.Empty(t, t.subscriptionIDs(c.ID))
		s := t.subscribe(c.ID, 0)
		c, invoices := t.readCustomer(c.ID), t.listInvoices(c.ID)

		t.quoteChange(s, professional)

		assert.Equal(t, s, t.readSubscription(s.ID, billing.Active))
		assert.Equal(t, c, t.readCustomer(c.ID))
		assert.Equal(t, invoices, t.listInvoices(c.ID))
	}},
}

var refusedQuoteBehaviours = []behaviour{
	{name: "QuoteSubscription refuses the same requests as Subscribe", needs: payment.Quoting, check: func(t *env) {
		c := t.payingCustomer()
		s := t.subscribe(c.ID, 0)
		for name, req := range map[string]payment.NewSubscription{
			"another currency":                      {CustomerID: c.ID, Price: standardUSD},
			"with Sole after another subscription":  {CustomerID: c.ID, Price: standard, Sole: true},
			"with First after another subscription": {CustomerID: c.ID, Price: standard, First: true},
			"unknown price":                         {CustomerID: c.ID, Price: price("no-such-plan", catalogue.Yearly)},
		} {
			_, quoteErr := t.Provider.QuoteSubscription(t.Context(), req)
			req.Key = newKey()
			_, err := t.Provider.Subscribe(t.Context(), req)
			assert.Error(t, err, name)
			assert.Equal(t, fault.CodeOf(err), fault.CodeOf(quoteErr), name)
		}
		assert.Equal(t, []string{s.ID}, t.subscriptionIDs(c.ID))
	}},
	{name: "QuoteChange refuses the same requests as ChangePlan", needs: payment.Quoting, check: func(t *env) {
		s := t.subscribe(t.payingCustomer().ID, 0)
		for _, change := range []func(*payment.PriceChange){
			func(req *payment.PriceChange) { req.To = standardUSD },
			func(req *payment.PriceChange) { req.To = price("no-such-plan", catalogue.Yearly) },
			func(req *payment.PriceChange) { req.From, req.To = professional, standard },
			func(req *payment.PriceChange) { req.EndTrial = true },
		} {
			req := planChange(s, professional)
			change(&req)
			t.assertSameRefusal(req)
		}
	}},
}

// quoteBehaviour returns the behaviour that a plan change is charged as quoted. prepare returns the subscription
// to change.
func quoteBehaviour(
	name string, needs payment.Capability, to catalogue.PriceRef, prepare func(*env) billing.Subscription,
) behaviour {
	return behaviour{name: name + " is charged as quoted", needs: needs, check: func(t *env) {
		t.skipWithout(payment.Quoting, payment.ChangeNow)
		s := prepare(t)
		q, req := t.quoteChange(s, to)
		req.At = q.At
		assert.WithinDuration(t, t.Now(), q.At, time.Minute)
		changedSub := t.mustSendChange(req)
		t.assertChargedAsQuoted(q, changedSub)
		assert.Equal(t, s.Status == billing.Trialing, q.EndsTrial)
		assert.Equal(t, changedSub.CurrentPeriodEnd, q.Next.At)
		assert.Equal(t, max(0, t.priceOf(to).Minor()-q.CreditAfter.Minor()), q.Next.Amount.Minor())
	}}
}

// beforeCall returns the provider with an interceptor that calls fn immediately before the first call of the method.
func (t *env) beforeCall(method string, fn func()) payment.Provider {
	wasCalled := false
	return payment.Intercept(t.Provider, func(ctx context.Context, c payment.Call, next func(context.Context) error) error {
		if c.Method == method && !wasCalled {
			wasCalled = true
			fn()
		}
		return next(ctx)
	})
}

// quoteChange returns the quote of an immediate plan change, and the request.
func (t *env) quoteChange(s billing.Subscription, to catalogue.PriceRef) (billing.Quote, payment.PriceChange) {
	t.Helper()
	t.skipWithout(payment.Quoting)
	req := planChange(s, to)
	q, err := t.Provider.QuoteChange(t.Context(), req)
	require.NoError(t, err)
	return q, req
}

// mustSendChange sends a plan change, completes its payment, and fails the test unless the change takes
// effect.
func (t *env) mustSendChange(req payment.PriceChange) billing.Subscription {
	t.Helper()
	t.skipWithout(payment.ChangeNow)
	changedSub, err := t.Provider.ChangePlan(t.Context(), req)
	require.NoError(t, err)
	changedSub = t.completePayment(changedSub)
	require.Nil(t, changedSub.Pending)
	require.Equal(t, req.To, changedSub.Price)
	return changedSub
}

// assertChargedAsQuoted asserts that the latest invoice has exactly the lines and amounts of the quote.
func (t *env) assertChargedAsQuoted(q billing.Quote, s billing.Subscription) {
	t.Helper()
	inv := t.invoice(s.CustomerID, s.LatestInvoice.ID)
	assert.Equal(t, q.DueNow.Minor(), s.LatestInvoice.AmountDue.Minor())
	assert.Equal(t, q.DueNow.Minor(), inv.AmountPaid.Minor())
	assert.Equal(t, q.Total.Minor(), inv.Total.Minor())
	assert.Equal(t, q.Tax.Minor(), inv.Tax.Minor())
	assert.ElementsMatch(t, q.Lines, inv.Lines)
	assert.Equal(t, q.Total.Minor(), sumLines(q.Lines))
	assert.Equal(t, q.CreditBefore.Minor()-q.CreditAfter.Minor(), q.Total.Minor()-q.DueNow.Minor())
	assert.Equal(t, q.CreditAfter.Minor(), t.readCustomer(s.CustomerID).Credit.Minor())
}

// assertSameRefusal asserts that both the change and its quote are refused, with the same code.
func (t *env) assertSameRefusal(req payment.PriceChange) {
	t.Helper()
	t.skipWithout(payment.ChangeNow)
	_, quoteErr := t.Provider.QuoteChange(t.Context(), req)
	_, err := t.Provider.ChangePlan(t.Context(), req)
	assert.Error(t, err)
	assert.Equal(t, fault.CodeOf(err), fault.CodeOf(quoteErr))
}
