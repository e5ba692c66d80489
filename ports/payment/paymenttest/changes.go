package paymenttest

import (
	"slices"
	"strings"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/vc-admin/diy/domain/billing"
	"github.com/vc-admin/diy/domain/fault"
	"github.com/vc-admin/diy/ports/payment"
)

// change prepares and sends one request that changes something.
type change struct {
	name    string
	needs   payment.Capability          // "" for none; prepare checks the capabilities that it needs
	prepare func(t *env) preparedChange // creates what the request needs
}

// preparedChange sends a request of a customer.
type preparedChange struct {
	customerID string
	// send sends the request with the key. If isOther is set, it sends a request with other parameters.
	send func(key string, isOther bool) (any, error)
}

// changes contains the requests that act once for a key, and not at all with a retired one.
var changes = []change{
	{"UpdateCustomer", "", func(t *env) preparedChange {
		c := t.createCustomer()
		return preparedChange{c.ID, func(key string, isOther bool) (any, error) {
			details := billingDetails()
			if isOther {
				details.LegalName = "Southside Clinic Pty Ltd"
			}
			return t.Provider.UpdateCustomer(t.Context(), payment.CustomerUpdate{Key: key, CustomerID: c.ID, Details: details})
		}}
	}},
	{"AddCard", payment.SavedMethods, func(t *env) preparedChange {
		c, card, otherCard := t.customerWithMethod(Pays), t.createCard(Pays), t.createCard(Pays)
		return preparedChange{c.ID, func(key string, isOther bool) (any, error) {
			return t.Provider.AddCard(t.Context(), payment.NewCard{
				Key: key, CustomerID: c.ID, MethodID: choose(isOther, otherCard, card),
			})
		}}
	}},
	{"SetDefaultCard", payment.SavedMethods, func(t *env) preparedChange {
		c := t.createCustomer()
		card, otherCard := t.saveMethod(c.ID, Pays), t.saveMethod(c.ID, Pays)
		return preparedChange{c.ID, func(key string, isOther bool) (any, error) {
			return t.Provider.SetDefaultCard(t.Context(), payment.SavedCardRequest{
				Key: key, CustomerID: c.ID, MethodID: choose(isOther, otherCard, card).ID,
			})
		}}
	}},
	{"DeleteCard", payment.SavedMethods, func(t *env) preparedChange {
		c := t.createCustomer()
		card, otherCard := t.saveMethod(c.ID, Pays), t.saveMethod(c.ID, Pays)
		return preparedChange{c.ID, func(key string, isOther bool) (any, error) {
			return nil, t.Provider.DeleteCard(t.Context(), payment.SavedCardRequest{
				Key: key, CustomerID: c.ID, MethodID: choose(isOther, otherCard, card).ID,
			})
		}}
	}},
	{"SetUpMethod", methodPage, func(t *env) preparedChange {
		c := t.createCustomer()
		return preparedChange{c.ID, func(key string, isOther bool) (any, error) {
			return t.Provider.SetUpMethod(t.Context(), payment.MethodSetup{
				Key: key, CustomerID: c.ID, ReturnTo: choose(isOther, returnTo+"/other", returnTo),
			})
		}}
	}},
	newSubscribeChange("Subscribe", "", payment.NewSubscription{}),
	newSubscribeChange("Subscribe with Sole and First", "", payment.NewSubscription{Sole: true, First: true}),
	newSubscribeChange("Subscribe with trial days", payment.Trials, payment.NewSubscription{TrialDays: trialDays}),
	{"Subscribe with a new card", payment.SavedMethods, func(t *env) preparedChange {
		c := t.createCustomer()
		card, otherCard := t.createCard(Pays), t.createCard(Pays)
		return preparedChange{c.ID, func(key string, isOther bool) (any, error) {
			return t.Provider.Subscribe(t.Context(), payment.NewSubscription{
				Key: key, CustomerID: c.ID, MethodID: choose(isOther, otherCard, card), Price: standard, TrialDays: t.availableTrialDays(),
				Sole: true, First: true,
			})
		}}
	}},
	{"PayInvoice", onlinePayment, func(t *env) preparedChange {
		s, otherSub := t.unpaidSubscription(), t.unpaidSubscription()
		t.saveMethodIfSupported(s.CustomerID)
		return preparedChange{s.CustomerID, func(key string, isOther bool) (any, error) {
			req := invoicePayment(choose(isOther, otherSub, s))
			req.Key = key
			return t.Provider.PayInvoice(t.Context(), req)
		}}
	}},
	newPlanChange("ChangePlan", payment.ChangeNow, payment.PriceChange{}, func(t *env) billing.Subscription {
		return t.subscribe(t.payingCustomer().ID, t.availableTrialDays())
	}),
	newPlanChange("ChangePlan with a declined card", payment.ChangeNow, payment.PriceChange{}, (*env).subscriptionWithFailingCard),
	newPlanChange("ChangePlan at renewal", payment.AtPeriodEnd, payment.PriceChange{When: billing.ChangeAtRenewal},
		func(t *env) billing.Subscription { return t.subscribe(t.payingCustomer().ID, 0) }),
	{"CancelPendingChange", payment.ChangeNow, func(t *env) preparedChange {
		s, otherSub := t.subscriptionWithPendingChange(), t.subscriptionWithPendingChange()
		return preparedChange{s.CustomerID, func(key string, isOther bool) (any, error) {
			sub := choose(isOther, otherSub, s)
			return t.Provider.CancelPendingChange(t.Context(), payment.PendingChangeCancellation{
				Key: key, SubscriptionID: sub.ID, InvoiceID: sub.Pending.InvoiceID,
			})
		}}
	}},
	{"CancelScheduledChange", payment.AtPeriodEnd, func(t *env) preparedChange {
		s := t.scheduleMonthlyChange(t.subscribe(t.payingCustomer().ID, 0))
		otherSub := t.scheduleMonthlyChange(t.subscribe(s.CustomerID, 0))
		return preparedChange{s.CustomerID, func(key string, isOther bool) (any, error) {
			return t.Provider.CancelScheduledChange(t.Context(), payment.ScheduledChangeCancellation{
				Key: key, SubscriptionID: choose(isOther, otherSub, s).ID,
			})
		}}
	}},
	{"SetEndAtPeriodEnd", payment.AtPeriodEnd, func(t *env) preparedChange {
		s := t.subscribe(t.payingCustomer().ID, 0)
		return preparedChange{s.CustomerID, func(key string, isOther bool) (any, error) {
			return t.Provider.SetEndAtPeriodEnd(t.Context(), payment.EndRequest{Key: key, SubscriptionID: s.ID, End: !isOther})
		}}
	}},
	newCancellation("CancelSubscription", "", payment.Cancellation{}, func(t *env) billing.Subscription {
		return t.subscribe(t.payingCustomer().ID, 0)
	}),
	newCancellation("CancelSubscription of an unpaid one", "", payment.Cancellation{}, (*env).unpaidSubscription),
	newCancellation("CancelSubscription with VoidInvoices", ClockControl, payment.Cancellation{VoidInvoices: true},
		(*env).overdueSubscription),
	{"AddCredit", payment.CustomerCredit, func(t *env) preparedChange {
		c := t.customerWithCurrency()
		return preparedChange{c.ID, func(key string, isOther bool) (any, error) {
			return t.Provider.AddCredit(t.Context(), payment.CreditGrant{
				Key: key, CustomerID: c.ID, Amount: choose(isOther, aud(200), aud(100)),
			})
		}}
	}},
	{"ExtendTrial", payment.Trials, func(t *env) preparedChange {
		s := t.subscribe(t.payingCustomer().ID, trialDays)
		return preparedChange{s.CustomerID, func(key string, isOther bool) (any, error) {
			return t.Provider.ExtendTrial(t.Context(), payment.TrialExtension{
				Key: key, SubscriptionID: s.ID, Until: s.TrialEnd.Add(choose(isOther, 2*day, day)),
			})
		}}
	}},
	{"Refund", payment.Refunds, func(t *env) preparedChange {
		s := t.subscribe(t.payingCustomer().ID, 0)
		return preparedChange{s.CustomerID, func(key string, isOther bool) (any, error) {
			return t.Provider.Refund(t.Context(), payment.RefundRequest{
				Key: key, InvoiceID: s.LatestInvoice.ID, Amount: choose(isOther, aud(1), s.LatestInvoice.AmountDue),
			})
		}}
	}},
}

// choose returns other or value.
func choose[T any](isOther bool, other, value T) T {
	if isOther {
		return other
	}
	return value
}

// newSubscribeChange returns a change that starts a subscription of a paying customer.
func newSubscribeChange(name string, needs payment.Capability, req payment.NewSubscription) change {
	return change{name, needs, func(t *env) preparedChange {
		c := t.payingCustomer()
		return preparedChange{c.ID, func(key string, isOther bool) (any, error) {
			req := req
			req.Key, req.CustomerID, req.Price = key, c.ID, choose(isOther, professional, standard)
			return t.Provider.Subscribe(t.Context(), req)
		}}
	}}
}

// newPlanChange returns a change to the professional plan.
func newPlanChange(
	name string, needs payment.Capability, req payment.PriceChange, subscribe func(*env) billing.Subscription,
) change {
	return change{name, needs, func(t *env) preparedChange {
		s := subscribe(t)
		return preparedChange{s.CustomerID, func(key string, isOther bool) (any, error) {
			req := req
			req.Key, req.SubscriptionID, req.From, req.To = key, s.ID, s.Price, choose(isOther, professionalMonthly, professional)
			req.EndTrial = s.Status == billing.Trialing
			return t.Provider.ChangePlan(t.Context(), req)
		}}
	}}
}

// newCancellation returns a change that cancels the first of two subscriptions.
func newCancellation(
	name string, needs payment.Capability, req payment.Cancellation, subscribe func(*env) billing.Subscription,
) change {
	return change{name, needs, func(t *env) preparedChange {
		s, otherSub := subscribe(t), t.subscribe(t.payingCustomer().ID, 0)
		return preparedChange{s.CustomerID, func(key string, isOther bool) (any, error) {
			req := req
			req.Key, req.SubscriptionID = key, choose(isOther, otherSub, s).ID
			return t.Provider.CancelSubscription(t.Context(), req)
		}}
	}}
}

var idempotencyBehaviours = slices.Concat(
	behavioursOf(changes, func(c change) behaviour {
		return behaviour{name: c.name + " with a repeated key acts once", needs: c.needs, check: func(t *env) {
			prepared, key := c.prepare(t), newKey()
			resp, err := prepared.send(key, false)
			require.NoError(t, err)
			state := t.customerState(prepared.customerID)

			repeatedResp, err := prepared.send(key, false)

			require.NoError(t, err)
			assert.Equal(t, resp, repeatedResp)
			_, err = prepared.send(key, true)
			t.assertFault(err, fault.Conflict)
			assert.NotErrorIs(t, err, payment.ErrKeyRetired)
			assert.Equal(t, state, t.customerState(prepared.customerID))
		}}
	}),
	[]behaviour{
		{name: "CreateCustomer with a repeated key acts once", check: func(t *env) {
			req := customerRequest()
			c, err := t.Provider.CreateCustomer(t.Context(), req)
			require.NoError(t, err)
			repeatedCustomer, err := t.Provider.CreateCustomer(t.Context(), req)
			require.NoError(t, err)
			assert.Equal(t, c, repeatedCustomer)
			req.OrganisationID = "org-other"
			_, err = t.Provider.CreateCustomer(t.Context(), req)
			t.assertFault(err, fault.Conflict)
		}},
		{name: "the same request with another key acts again", check: func(t *env) {
			c := t.payingCustomer()
			sub, otherSub := t.subscribe(c.ID, trialDays), t.subscribe(c.ID, trialDays)
			assert.NotEqual(t, sub.ID, otherSub.ID)
		}},
	},
)

var retiredKeyBehaviours = behavioursOf(changes, func(c change) behaviour {
	return behaviour{name: c.name + " with a retired key is refused", needs: c.needs, check: func(t *env) {
		t.skipWithout(payment.Fencing)
		prepared, key := c.prepare(t), newKey()
		state := t.customerState(prepared.customerID)
		require.NoError(t, t.retire(prepared.customerID, key))

		for range 2 {
			_, err := prepared.send(key, false)
			t.assertKeyRetired(err)
		}

		stateAfter := t.customerState(prepared.customerID)
		if strings.HasPrefix(c.name, "Subscribe") {
			state.methods = stateAfter.methods // the request may have saved its card, see payment.Fence
		}
		assert.Equal(t, state, stateAfter)
		require.NoError(t, t.retire(prepared.customerID, key), "the key stays retired")
	}}
})

// customerState contains everything that the provider reports about a customer.
type customerState struct {
	customer      billing.Customer
	methods       []billing.PaymentMethod
	subscriptions []billing.Subscription
	invoices      []billing.Invoice
}

func (t *env) customerState(customerID string) (state customerState) {
	t.Helper()
	state.customer, state.invoices = t.readCustomer(customerID), t.listInvoices(customerID)
	if t.Provider.Capabilities().Has(payment.SavedMethods) {
		state.methods = t.listMethods(customerID)
	}
	var err error
	state.subscriptions, err = t.Provider.ListSubscriptions(t.Context(), customerID)
	require.NoError(t, err)
	return state
}
