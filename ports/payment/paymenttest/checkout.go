package paymenttest

import (
	"context"
	"net/url"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/vc-admin/diy/domain/billing"
	"github.com/vc-admin/diy/domain/fault"
	"github.com/vc-admin/diy/ports/payment"
)

const returnTo = "https://app.example/confirm?plan=standard"

var checkoutBehaviours = []behaviour{
	{name: "a first payment is made on the provider's page", needs: hostedCheckout, check: func(t *env) {
		s := t.subscriptionToCheckOut()
		assert.Equal(t, billing.OutcomeRedirect, billing.DecideOutcome(s, false))
		t.assertRedirect(s)
		require.NotNil(t, s.LatestInvoice)
		assert.Equal(t, billing.InvoiceOpen, s.LatestInvoice.Status)
		t.assertReadsAs(s, t.readSubscription(s.ID, billing.Incomplete))
		assert.Zero(t, t.onlyInvoice(s.CustomerID).AmountPaid.Minor())
	}},
	{name: "a completed checkout pays the first invoice", needs: hostedCheckout, check: func(t *env) {
		s := t.subscriptionToCheckOut()
		t.checkout(s.Next.URL, Pays)
		paidSub := t.readSubscription(s.ID, billing.Active)
		t.assertPaid(paidSub)
		assert.Equal(t, s.LatestInvoice.ID, paidSub.LatestInvoice.ID)
		assert.Equal(t, billing.NoAction, paidSub.Next.Kind)
	}},
	{name: "a checkout can be completed after a failed attempt", needs: hostedCheckout, check: func(t *env) {
		s := t.subscriptionToCheckOut()
		t.checkout(s.Next.URL, DeclinedWhenCharged)
		failedSub := t.readSubscription(s.ID, billing.Incomplete)
		assert.NotEmpty(t, failedSub.Next.Reason)
		failedSub = t.openPage(failedSub)
		t.assertRedirect(failedSub)
		t.checkout(failedSub.Next.URL, Pays)
		t.assertPaid(t.readSubscription(s.ID, billing.Active))
	}},
	{name: "a checkout that the customer has left can be completed", needs: hostedCheckout, check: func(t *env) {
		s := t.subscriptionToCheckOut()
		t.checkout(s.Next.URL, Leaves)
		openSub := t.openPage(t.readSubscription(s.ID, billing.Incomplete))
		t.assertRedirect(openSub)
		t.checkout(openSub.Next.URL, Pays)
		t.assertPaid(t.readSubscription(s.ID, billing.Active))
	}},
	{name: "paying an open invoice leads to the provider's page", needs: hostedCheckout, check: func(t *env) {
		s := t.subscriptionToCheckOut()
		redirectedSub, err := t.payInvoice(s)
		require.NoError(t, err)
		assert.Equal(t, s.LatestInvoice.ID, redirectedSub.Next.InvoiceID)
		t.assertRedirect(redirectedSub)
		t.checkout(redirectedSub.Next.URL, Pays)
		paidSub := t.readSubscription(s.ID, billing.Active)
		repeatedSub, err := t.payInvoice(s)
		require.NoError(t, err)
		assert.Equal(t, paidSub, repeatedSub, "the invoice is not charged again")
	}},
	{name: "a second visit to a completed checkout charges nothing", needs: hostedCheckout, check: func(t *env) {
		s := t.subscriptionToCheckOut()
		t.checkout(s.Next.URL, Pays)
		paidSub := t.readSubscription(s.ID, billing.Active)
		t.checkout(s.Next.URL, Pays)
		assert.Equal(t, paidSub, t.readSubscription(s.ID, billing.Active))
		t.assertChargedSum(s.CustomerID, s.LatestInvoice.AmountDue.Minor())
	}},
	{name: "a checkout of a canceled subscription charges nothing", needs: hostedCheckout, check: func(t *env) {
		s := t.subscriptionToCheckOut()
		endedSub, err := t.cancelIfUnpaid(s.ID)
		require.NoError(t, err)
		assert.Equal(t, billing.NoAction, endedSub.Next.Kind)
		t.checkout(s.Next.URL, Pays)
		assert.Equal(t, endedSub, t.readSubscription(s.ID, endedSub.Status))
		assert.Zero(t, t.onlyInvoice(s.CustomerID).AmountPaid.Minor())
		_, err = t.payInvoice(s)
		t.assertFault(err, fault.Conflict)
	}},
	{name: "a checkout expires after 23 hours", needs: hostedCheckout, check: func(t *env) {
		s := t.subscriptionToCheckOut()
		t.advance(25 * time.Hour)
		t.checkout(s.Next.URL, Pays)
		t.readSubscription(s.ID, billing.IncompleteExpired)
		assert.Zero(t, t.onlyInvoice(s.CustomerID).AmountPaid.Minor())
	}},
	{name: "a pending change takes effect when its checkout is completed", needs: hostedCheckout, check: func(t *env) {
		s := t.subscriptionWithChangeToCheckOut()
		assert.Equal(t, billing.OutcomeRedirect, billing.DecideOutcome(s, false))
		t.assertRedirect(s)
		assert.Equal(t, standard, s.Price)
		t.checkout(s.Next.URL, Pays)
		changedSub := t.readSubscription(s.ID, billing.Active)
		assert.Nil(t, changedSub.Pending)
		assert.Equal(t, professional, changedSub.Price)
		assert.Equal(t, s.Pending.InvoiceID, changedSub.LatestInvoice.ID)
		t.assertPaid(changedSub)
	}},
	{name: "a failed checkout keeps the change pending", needs: hostedCheckout, check: func(t *env) {
		s := t.subscriptionWithChangeToCheckOut()
		t.checkout(s.Next.URL, DeclinedWhenCharged)
		failedSub := t.readSubscription(s.ID, billing.Active)
		t.assertUnchanged(s, failedSub)
		assert.Equal(t, s.Pending, failedSub.Pending)
	}},
	{name: "a checkout of a canceled change charges nothing", needs: hostedCheckout, check: func(t *env) {
		s := t.subscriptionWithChangeToCheckOut()
		unchangedSub, err := t.cancelPendingChange(s)
		require.NoError(t, err)
		t.checkout(s.Next.URL, Pays)
		assert.Equal(t, unchangedSub, t.readSubscription(s.ID, billing.Active))
		assert.Equal(t, billing.InvoiceVoid, t.invoice(s.CustomerID, s.Pending.InvoiceID).Status)
	}},
	{name: "a completed checkout causes an event", needs: hostedCheckout, check: func(t *env) {
		t.skipWithout(pushedEvents)
		s := t.subscriptionToCheckOut()
		eventIDs := t.waitForEvent(payment.SubscriptionChanged, s.CustomerID, s.ID)
		t.checkout(s.Next.URL, Pays)
		t.waitForNewEvent(eventIDs, payment.SubscriptionChanged, s.CustomerID, s.ID)
	}},
}

// slowCheckoutBehaviours are about payments that are made on the provider's page and take days. Like
// processingBehaviours, they run without newSettlingHarness.
var slowCheckoutBehaviours = []behaviour{
	{name: "a payment that fails late can be made again on the page of the next action", needs: slowPayments,
		check: func(t *env) {
			s := t.subscriptionToCheckOut()
			t.checkout(s.Next.URL, FailsLate)
			t.settle()
			failedSub := t.refresh(s)
			assert.NotEmpty(t, failedSub.Next.Reason)
			failedSub = t.openPage(failedSub)
			t.assertRedirect(failedSub)

			t.checkout(failedSub.Next.URL, Pays)
			t.settle()

			t.assertPaid(t.readSubscription(s.ID, billing.Active))
			t.assertChargedSum(s.CustomerID, s.LatestInvoice.AmountDue.Minor())
		}},
	{name: "completing a page again charges nothing while its payment is processing", needs: slowPayments, check: func(t *env) {
		s := t.subscriptionToCheckOut()
		t.checkout(s.Next.URL, Settles)
		t.checkout(s.Next.URL, Pays)
		t.settle()
		t.assertPaid(t.readSubscription(s.ID, billing.Active))
		t.assertChargedSum(s.CustomerID, s.LatestInvoice.AmountDue.Minor())
	}},
}

// subscriptionToCheckOut returns a subscription with a first payment that is open on the provider's page.
func (t *env) subscriptionToCheckOut() billing.Subscription {
	t.Helper()
	t.skipWithout(hostedCheckout)
	s, err := t.Provider.Subscribe(t.Context(), payment.NewSubscription{
		Key: newKey(), CustomerID: t.payingCustomer().ID, Price: standard, ReturnTo: returnTo,
	})
	require.NoError(t, err)
	require.Equal(t, billing.Incomplete, s.Status)
	return s
}

// subscriptionWithChangeToCheckOut returns a subscription with a pending change that the customer pays on the provider's
// page, because no payment method is saved.
func (t *env) subscriptionWithChangeToCheckOut() billing.Subscription {
	t.Helper()
	t.skipWithout(hostedCheckout, payment.ChangeNow)
	var currentSub billing.Subscription
	if t.Provider.Capabilities().Has(payment.SavedMethods) {
		currentSub = t.subscriptionWithoutMandate()
	} else {
		currentSub = t.subscribe(t.payingCustomer().ID, 0)
	}
	req := planChange(currentSub, professional)
	req.ReturnTo = returnTo
	s, err := t.Provider.ChangePlan(t.Context(), req)
	require.NoError(t, err)
	if s.Pending == nil {
		t.Skip("the provider charged the change immediately")
	}
	return s
}

// openPage returns the subscription with the URL of the page where its latest invoice is paid. A read may lack the URL.
func openPage(ctx context.Context, p payment.Provider, s billing.Subscription) (billing.Subscription, error) {
	if s.Next.Kind != billing.Redirect || s.Next.URL != "" {
		return s, nil
	}
	req := invoicePayment(s)
	req.Ended = s.Status == billing.Canceled
	return p.PayInvoice(ctx, req)
}

func (t *env) openPage(s billing.Subscription) billing.Subscription {
	t.Helper()
	s, err := openPage(t.Context(), t.Provider, s)
	require.NoError(t, err)
	return s
}

// assertReadsAs asserts that a read of the subscription equals the response to a request. The read may lack the URL of a
// page.
func (t *env) assertReadsAs(response, read billing.Subscription) {
	t.Helper()
	if read.Next.URL == "" {
		response.Next.URL = ""
	}
	assert.Equal(t, response, read)
}

// assertRedirect asserts that the customer must visit the provider's page to pay the latest invoice.
func (t *env) assertRedirect(s billing.Subscription) {
	t.Helper()
	require.Equal(t, billing.Redirect, s.Next.Kind)
	assert.Equal(t, s.LatestInvoice.ID, s.Next.InvoiceID)
	u, err := url.Parse(s.Next.URL)
	require.NoError(t, err)
	assert.True(t, u.IsAbs() && u.Host != "", "the URL is absolute")
}
