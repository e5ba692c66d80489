package gatewaytest

import (
	"sync"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/vc-admin/diy/domain/billing"
	"github.com/vc-admin/diy/domain/fault"
	"github.com/vc-admin/diy/ports/gateway"
	"github.com/vc-admin/diy/ports/payment"
)

var declineBehaviours = []behaviour{
	declineBehaviour(Declines, gateway.SoftDecline),
	declineBehaviour(DeclinesHard, gateway.HardDecline),
	declineBehaviour(Revoked, gateway.MethodGone),
	declineBehaviour(Authenticates, gateway.CustomerNeeded),
	{name: "a declined account is not charged when it is saved, and the payment has a reason", needs: gateway.SaveOnly, check: func(t *env) {
		customerRef := t.saveCustomer()
		p := t.pay(customerRef, DeclinesSaving, aud(0))
		assert.Contains(t, []gateway.State{gateway.Open, gateway.Failed}, p.State, "a page may stay open for another account")
		assert.NotEmpty(t, p.Reason)
		t.assertCharged(customerRef)
	}},
}

// declineBehaviour returns the behaviour that a renewal fails with the wanted decline if it charges a saved method of the
// scenario.
func declineBehaviour(s Scenario, want gateway.Decline) behaviour {
	return behaviour{name: "a renewal in the scenario " + string(s) + " fails with the decline of the scenario", needs: gateway.OffSession, check: func(t *env) {
		customerRef := t.saveCustomer()
		p := t.settle(t.renew(customerRef, t.saveMethod(customerRef, s)))
		assert.Equal(t, gateway.Failed, p.State)
		assert.Equal(t, want, p.Decline)
		assert.NotEmpty(t, p.Reason)
		t.assertCharged(customerRef, t.savingCharges()...)
	}}
}

var pageBehaviours = []behaviour{
	{name: "a payment is open until the customer pays on the page", check: func(t *env) {
		customerRef, p := t.startPagePayment()
		assert.NotEmpty(t, p.URL)
		assert.Equal(t, p.State, t.find(p.Ref).State)
		if !p.ExpiresAt.IsZero() {
			assert.True(t, p.ExpiresAt.After(t.Now()))
			assert.Equal(t, time.UTC, p.ExpiresAt.Location())
		}
		t.assertCharged(customerRef)
	}},
	{name: "a completed page charges and saves the method", check: func(t *env) {
		customerRef, p := t.startPagePayment()
		assert.Contains(t, t.CompletePage(t.T, p.URL, Pays), returnTo)
		p = t.find(p.Ref)
		t.assertAccepted(p)
		require.NotNil(t, p.Method)
		assert.NotEmpty(t, p.Method.Ref)
		t.assertCharged(customerRef, price)
	}},
	{name: "a declined account is not charged, and the customer can pay on the page or by another order", check: func(t *env) {
		customerRef, p := t.startPagePayment()
		t.skipWithoutScenario(DeclinesSaving)
		t.CompletePage(t.T, p.URL, DeclinesSaving)
		p = t.find(p.Ref)
		assert.NotEmpty(t, p.Reason)
		t.assertCharged(customerRef)
		if p.State == gateway.Failed {
			p = t.start(t.newOrder(customerRef, Pays, price))
		}
		t.assertAccepted(t.completeIfOpen(p, Pays))
		t.assertCharged(customerRef, price)
	}},
	{name: "a page that is completed several times charges once", check: func(t *env) {
		customerRef, p := t.startPagePayment()
		t.CompletePage(t.T, p.URL, Pays)
		t.CompletePage(t.T, p.URL, Pays)
		t.settle(t.find(p.Ref)) // if the page only creates a mandate, Find charges it
		t.CompletePage(t.T, p.URL, Pays)
		assert.Equal(t, gateway.Paid, t.find(p.Ref).State)
		t.assertCharged(customerRef, price)
	}},
	{name: "a completed page that is looked up several times at once charges once", check: func(t *env) {
		t.skipUnlessEntry(payment.EntryRedirect)
		customerRef := t.saveCustomer()
		o := t.newOrder(customerRef, Pays, price)
		p := t.start(o)
		t.CompletePage(t.T, p.URL, Pays)
		var wg sync.WaitGroup
		for _, ref := range []gateway.Reference{{Ref: p.Ref}, {Ref: p.Ref}, {Key: o.Key, CustomerRef: customerRef}} {
			wg.Go(func() {
				if _, err := t.Gateway.Find(t.Context(), ref); err != nil {
					t.assertCode(err, fault.Unavailable)
				}
			})
		}
		if t.Gateway.Capabilities().KeyRetention > 0 {
			wg.Go(func() {
				if _, err := t.Gateway.Start(t.Context(), o); err != nil {
					t.assertCode(err, fault.Unavailable)
				}
			})
		}
		wg.Wait()
		t.assertAccepted(t.find(p.Ref))
		t.assertCharged(customerRef, price)
	}},
	{name: "a payment of a page that is looked up after KeyRetention is not charged again", check: func(t *env) {
		customerRef, p := t.startPagePayment()
		t.CompletePage(t.T, p.URL, Pays)
		t.assertAccepted(t.find(p.Ref))
		t.Advance(t.T, t.Gateway.Capabilities().KeyRetention+time.Hour)
		for _, ref := range []gateway.Reference{{Ref: p.Ref}, {Key: p.Key, CustomerRef: customerRef}} {
			found, err := t.Gateway.Find(t.Context(), ref)
			require.NoError(t, err)
			assert.Contains(t, []gateway.State{gateway.Processing, gateway.Paid}, found.State)
		}
		t.assertCharged(customerRef, price)
	}},
	{name: "a page that is completed after the payment was canceled charges nothing", check: func(t *env) {
		t.skipWithoutFunction("Cancel")
		customerRef, p := t.startPagePayment()
		_, err := t.Gateway.Cancel(t.Context(), p.Reference)
		require.NoError(t, err)
		t.CompletePage(t.T, p.URL, Pays)
		assert.Equal(t, gateway.Canceled, t.find(p.Ref).State)
		t.assertCharged(customerRef)
	}},
	{name: "a page that is completed after the payment has expired charges nothing", check: func(t *env) {
		customerRef, p := t.startPagePayment()
		if p.ExpiresAt.IsZero() {
			t.Skip("payments do not expire")
		}
		t.Advance(t.T, p.ExpiresAt.Sub(t.Now()))
		t.CompletePage(t.T, p.URL, Pays)
		assert.Contains(t, []gateway.State{gateway.Canceled, gateway.Failed}, t.find(p.Ref).State)
		t.assertCharged(customerRef)
	}},
}

// startPagePayment starts a payment that the customer has to complete on a page. It skips the test if the gateway has no
// pages.
func (t *env) startPagePayment() (customerRef string, p gateway.Payment) {
	t.Helper()
	t.skipUnlessEntry(payment.EntryRedirect)
	customerRef = t.saveCustomer()
	p = t.start(t.newOrder(customerRef, Pays, price))
	require.Equal(t, gateway.Open, p.State)
	return customerRef, p
}

var tokenBehaviours = []behaviour{
	{name: "a token is charged and saved", check: func(t *env) {
		t.skipUnlessEntry(payment.EntryCardField)
		customerRef := t.saveCustomer()
		p := t.start(t.newOrder(customerRef, Pays, price))
		t.assertAccepted(p)
		require.NotNil(t, p.Method)
		assert.NotEmpty(t, p.Method.Ref)
		t.assertCharged(customerRef, price)
	}},
	{name: "an unknown token is NotFound", check: func(t *env) {
		t.skipUnlessEntry(payment.EntryCardField)
		o := t.newOrder(t.saveCustomer(), Pays, price)
		o.Token = "unknown"
		_, err := t.Gateway.Start(t.Context(), o)
		t.assertFault(err, fault.NotFound)
	}},
	{name: "another customer's method is NotFound as a token", check: func(t *env) {
		t.skipUnlessEntry(payment.EntryCardField)
		o := t.newOrder(t.saveCustomer(), Pays, price)
		o.Token = t.payAndSettle(t.saveCustomer(), Pays).Method.Ref
		_, err := t.Gateway.Start(t.Context(), o)
		t.assertFault(err, fault.NotFound)
	}},
	{name: "a token is saved without an authentication if possible, while the customer is absent", needs: gateway.SaveOnly,
		check: func(t *env) {
			t.skipUnlessEntry(payment.EntryCardField)
			o := t.newOrder(t.saveCustomer(), Authenticates, aud(0))
			o.CustomerPresent = false
			switch p := t.start(o); p.State {
			case gateway.Paid:
			case gateway.Open:
				t.assertAccepted(t.completeIfOpen(p, Authenticates))
			default:
				assert.Equal(t, []any{gateway.Failed, gateway.CustomerNeeded}, []any{p.State, p.Decline})
				assert.NotEmpty(t, p.Reason)
			}
		}},
	{name: "an order of 0 with a saved method is accepted", needs: gateway.SaveOnly, check: func(t *env) {
		t.checkAuthenticationOfMethod(Pays)
	}},
	{name: "an order of 0 with a saved method authenticates the method", needs: gateway.SaveOnly, check: func(t *env) {
		t.skipWithoutOpenPayments()
		t.checkAuthenticationOfMethod(Authenticates)
	}},
	{name: "an order of 0 with a forgotten method is refused", needs: gateway.SaveOnly, check: func(t *env) {
		t.skipUnlessEntry(payment.EntryCardField)
		customerRef := t.saveCustomer()
		o := newAuthentication(customerRef, t.saveMethod(customerRef, Pays))
		require.NoError(t, t.Gateway.Forget(t.Context(), o.MethodRef))
		p, err := t.Gateway.Start(t.Context(), o)
		if err != nil {
			t.assertFault(err, fault.NotFound)
			return
		}
		assert.Equal(t, []any{gateway.Failed, gateway.MethodGone}, []any{p.State, p.Decline})
	}},
	{name: "a payment is open until the customer authenticates it", check: func(t *env) {
		customerRef, p := t.startUnauthenticated()
		found := t.find(p.Ref)
		assert.Equal(t, []string{p.Secret, p.URL}, []string{found.Secret, found.URL})
		t.assertCharged(customerRef)
		t.authenticate(p, true)
		t.assertAccepted(t.find(p.Ref))
		t.assertCharged(customerRef, price)
	}},
	{name: "a failed authentication charges nothing", check: func(t *env) {
		customerRef, p := t.startUnauthenticated()
		t.authenticate(p, false)
		assert.Contains(t, []gateway.State{gateway.Open, gateway.Failed}, t.find(p.Ref).State)
		t.assertCharged(customerRef)
	}},
}

// newAuthentication returns an order of 0 with a saved method, while the customer is present.
func newAuthentication(customerRef, methodRef string) gateway.Order {
	return gateway.Order{
		Key: newKey(), CustomerRef: customerRef, Amount: aud(0), MethodRef: methodRef, ReturnTo: returnTo, CustomerPresent: true,
	}
}

// checkAuthenticationOfMethod authenticates a saved method of the scenario with an order of 0.
func (t *env) checkAuthenticationOfMethod(s Scenario) {
	t.Helper()
	t.skipUnlessEntry(payment.EntryCardField)
	customerRef := t.saveCustomer()
	o := newAuthentication(customerRef, t.saveMethod(customerRef, s))
	p := t.completeIfOpen(t.start(o), s)
	t.assertAccepted(p)
	require.NotNil(t, p.Method)
	assert.Equal(t, o.MethodRef, p.Method.Ref)
	t.assertCharged(customerRef)
}

// startUnauthenticated charges a token and returns the open payment, which the customer has to authenticate.
func (t *env) startUnauthenticated() (customerRef string, p gateway.Payment) {
	t.Helper()
	t.skipUnlessEntry(payment.EntryCardField)
	t.skipWithoutOpenPayments()
	customerRef = t.saveCustomer()
	p = t.start(t.newOrder(customerRef, Authenticates, price))
	require.Equal(t, gateway.Open, p.State)
	require.NotEmpty(t, p.Secret+p.URL)
	return customerRef, p
}

var methodBehaviours = []behaviour{
	{name: "a renewal charges the method of an earlier payment", needs: gateway.OffSession, check: func(t *env) {
		customerRef := t.saveCustomer()
		method := t.payAndSettle(customerRef, Pays).Method
		require.NotNil(t, method)
		p := t.renew(customerRef, method.Ref)
		t.assertAccepted(p)
		require.NotNil(t, p.Method)
		assert.Equal(t, method.Ref, p.Method.Ref)
		t.assertCharged(customerRef, price, price)
	}},
	{name: "a renewal charges a method that was saved without a payment", needs: gateway.SaveOnly, check: func(t *env) {
		customerRef := t.saveCustomer()
		methodRef := t.saveMethod(customerRef, Pays)
		t.assertCharged(customerRef)
		t.assertAccepted(t.renew(customerRef, methodRef))
		t.assertCharged(customerRef, price)
	}},
	{name: "a method has details, and equal accounts have equal fingerprints", check: func(t *env) {
		customerRef := t.saveCustomer()
		first, second := t.payAndSettle(customerRef, Pays).Method.Details, t.payAndSettle(customerRef, Pays).Method.Details
		assert.Empty(t, first.ID)
		if first.Kind == billing.CardMethod {
			assert.Len(t, first.Card.Last4, 4)
		} else {
			assert.NotEmpty(t, first.Label)
		}
		assert.Equal(t, first.Fingerprint, second.Fingerprint)
		assert.Equal(t, first.Card, second.Card)
	}},
	{name: "a payment with a saved method is open until it is authenticated", needs: gateway.Authentication, check: func(t *env) {
		customerRef := t.saveCustomer()
		o := gateway.Order{
			Key: newKey(), CustomerRef: customerRef, Amount: price, MethodRef: t.saveMethod(customerRef, Authenticates),
			ReturnTo: returnTo, CustomerPresent: true,
		}
		p := t.start(o)
		assert.Equal(t, gateway.Open, p.State)
		assert.NotEmpty(t, p.Secret+p.URL)
		t.assertCharged(customerRef, t.savingCharges()...)
		t.assertAccepted(t.completeIfOpen(p, Authenticates))
		t.assertCharged(customerRef, append(t.savingCharges(), price)...)
	}},
	{name: "an order charges the method that it names, also if the customer or others have newer ones", needs: gateway.OffSession,
		check: func(t *env) {
			customerRef, otherRef := t.saveCustomer(), t.saveCustomer()
			methodRef := t.payAndSettle(customerRef, Pays).Method.Ref
			t.payAndSettle(customerRef, Pays)
			t.payAndSettle(otherRef, Pays)
			p := t.renew(customerRef, methodRef)
			t.assertAccepted(p)
			require.NotNil(t, p.Method)
			assert.Equal(t, methodRef, p.Method.Ref)
			t.assertCharged(customerRef, price, price, price)
			t.assertCharged(otherRef, price)
		}},
	{name: "an unknown method is NotFound", needs: gateway.OffSession, check: func(t *env) {
		_, err := t.Gateway.Start(t.Context(), newRenewal(t.saveCustomer(), "unknown"))
		t.assertFault(err, fault.NotFound)
	}},
	{name: "a forgotten method can't be charged", check: func(t *env) {
		customerRef := t.saveCustomer()
		methodRef := t.payAndSettle(customerRef, Pays).Method.Ref
		for range 2 {
			require.NoError(t, t.Gateway.Forget(t.Context(), methodRef))
		}
		require.NoError(t, t.Gateway.Forget(t.Context(), "unknown"))
		t.skipWithout(gateway.OffSession)
		p, err := t.Gateway.Start(t.Context(), newRenewal(customerRef, methodRef))
		if err != nil {
			t.assertFault(err, fault.NotFound)
		} else {
			p = t.settle(p)
			assert.Equal(t, []any{gateway.Failed, gateway.MethodGone}, []any{p.State, p.Decline})
		}
		t.assertCharged(customerRef, price)
	}},
}
