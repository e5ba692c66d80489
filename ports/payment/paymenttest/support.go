package paymenttest

import (
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/vc-admin/diy/domain/billing"
	"github.com/vc-admin/diy/domain/fault"
	"github.com/vc-admin/diy/domain/money"
	"github.com/vc-admin/diy/ports/payment"
)

var creditBehaviours = []behaviour{
	{name: "credit is added to the credit that the customer has", needs: payment.CustomerCredit, check: func(t *env) {
		c := t.customerWithCurrency()
		assert.Equal(t, int64(300), t.addCredit(c.ID, 300).Credit.Minor())
		updatedCustomer := t.addCredit(c.ID, 200)
		assert.Equal(t, aud(500), updatedCustomer.Credit)
		assert.Equal(t, updatedCustomer, t.readCustomer(c.ID))
	}},
	{name: "credit that is not positive is Invalid", needs: payment.CustomerCredit, check: func(t *env) {
		c := t.customerWithCurrency()
		for _, minor := range []int64{0, -100} {
			_, err := t.Provider.AddCredit(t.Context(), payment.CreditGrant{Key: newKey(), CustomerID: c.ID, Amount: aud(minor)})
			t.assertFault(err, fault.Invalid)
		}
		assert.Equal(t, c, t.readCustomer(c.ID))
	}},
	{name: "credit in another currency is Invalid", needs: payment.CustomerCredit, check: func(t *env) {
		c := t.customerWithCurrency()
		usd, err := money.New(100, "USD")
		require.NoError(t, err)
		_, err = t.Provider.AddCredit(t.Context(), payment.CreditGrant{Key: newKey(), CustomerID: c.ID, Amount: usd})
		t.assertFault(err, fault.Invalid)
		assert.Equal(t, c, t.readCustomer(c.ID))
	}},
	{name: "credit pays a renewal", needs: payment.CustomerCredit, check: func(t *env) {
		s := t.subscribeMonthly()
		amount := s.LatestInvoice.AmountDue.Minor()
		t.addCredit(s.CustomerID, amount+100)
		renewedSub := t.renew(s)
		assert.Zero(t, renewedSub.LatestInvoice.AmountDue.Minor())
		assert.Equal(t, billing.InvoicePaid, renewedSub.LatestInvoice.Status)
		assert.Equal(t, int64(100), t.readCustomer(s.CustomerID).Credit.Minor())
		assert.Equal(t, amount-100, t.renew(renewedSub).LatestInvoice.AmountDue.Minor())
	}},
}

var trialExtensionBehaviours = []behaviour{
	{name: "a trial is extended", needs: payment.Trials, check: func(t *env) {
		s := t.subscribe(t.payingCustomer().ID, trialDays)
		until := s.TrialEnd.Add(10 * day)

		extendedSub, err := t.extendTrial(s, until)

		require.NoError(t, err)
		assert.Equal(t, billing.Trialing, extendedSub.Status)
		assert.Equal(t, until, extendedSub.TrialEnd)
		assert.Equal(t, until, extendedSub.CurrentPeriodEnd)
		assert.Equal(t, s.Price, extendedSub.Price)
		assert.Equal(t, extendedSub, t.readSubscription(s.ID, billing.Trialing))
	}},
	{name: "an extension to an earlier time is Invalid", needs: payment.Trials, check: func(t *env) {
		s := t.subscribe(t.payingCustomer().ID, trialDays)
		for _, until := range []time.Time{s.TrialEnd, s.TrialEnd.Add(-day), t.Now().Add(-day)} {
			_, err := t.extendTrial(s, until)
			t.assertFault(err, fault.Invalid)
		}
		assert.Equal(t, s, t.readSubscription(s.ID, billing.Trialing))
	}},
	{name: "an extended trial is charged at its new end", needs: payment.Trials, check: func(t *env) {
		s := t.subscribe(t.customerWithMethod(Pays).ID, trialDays)
		s, err := t.extendTrial(s, s.TrialEnd.Add(10*day))
		require.NoError(t, err)
		t.advance((trialDays + 1) * day)
		t.readSubscription(s.ID, billing.Trialing)
		t.assertPaid(t.renew(s))
	}},
}

// customerWithCurrency returns a customer with a subscription, which fixes the customer's currency.
func (t *env) customerWithCurrency() billing.Customer {
	t.Helper()
	return t.readCustomer(t.subscribe(t.payingCustomer().ID, 0).CustomerID)
}

// addCredit adds credit and returns the customer.
func (t *env) addCredit(customerID string, minor int64) billing.Customer {
	t.Helper()
	t.skipWithout(payment.CustomerCredit)
	c, err := t.Provider.AddCredit(t.Context(), payment.CreditGrant{
		Key: newKey(), CustomerID: customerID, Amount: aud(minor), Reason: "for the test",
	})
	require.NoError(t, err)
	return c
}

func (t *env) extendTrial(s billing.Subscription, until time.Time) (billing.Subscription, error) {
	t.Helper()
	t.skipWithout(payment.Trials)
	return t.Provider.ExtendTrial(t.Context(), payment.TrialExtension{Key: newKey(), SubscriptionID: s.ID, Until: until})
}
