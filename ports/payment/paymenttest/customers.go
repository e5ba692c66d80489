package paymenttest

import (
	"context"
	"strings"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/vc-admin/diy/domain/billing"
	"github.com/vc-admin/diy/domain/fault"
	"github.com/vc-admin/diy/ports/payment"
)

var customerBehaviours = []behaviour{
	{name: "a created customer can be read", check: func(t *env) {
		req := customerRequest()
		c, err := t.Provider.CreateCustomer(t.Context(), req)
		require.NoError(t, err)

		assert.NotEmpty(t, c.ID)
		assert.Equal(t, req.OrganisationID, c.OrganisationID)
		assert.Equal(t, "AUD", c.PreferredCurrency)
		assert.Empty(t, c.Currency, "nothing has been charged yet")
		assert.Nil(t, c.Default)
		assert.Equal(t, c, t.readCustomer(c.ID))
	}},
	{name: "a customer can be created without a preferred currency", check: func(t *env) {
		req := customerRequest()
		req.Currency = ""
		c, err := t.Provider.CreateCustomer(t.Context(), req)
		require.NoError(t, err)
		assert.Empty(t, c.PreferredCurrency)
	}},
	{name: "two organisations have different customers", check: func(t *env) {
		customer, otherCustomer := t.createCustomer(), t.createCustomer()
		assert.NotEqual(t, customer.ID, otherCustomer.ID)
	}},
	{name: "a deleted customer is reported as deleted", check: func(t *env) {
		c := t.createCustomer()
		t.DeleteCustomer(t.T, c.ID)
		_, err := t.Provider.Customer(t.Context(), c.ID)
		t.assertFault(err, fault.NotFound)
		assert.ErrorIs(t, err, payment.ErrCustomerDeleted)
	}},
	{name: "an unknown customer is not reported as deleted", check: func(t *env) {
		_, err := t.Provider.Customer(t.Context(), "cus_unknown123")
		t.assertFault(err, fault.NotFound)
		assert.NotErrorIs(t, err, payment.ErrCustomerDeleted)
	}},
	{name: "a customer is found by its organisation", check: func(t *env) {
		req := customerRequest()
		c, err := t.Provider.CreateCustomer(t.Context(), req)
		require.NoError(t, err)
		t.createCustomer() // another organisation's, with the same email address
		t.saveCardIfSupported(c.ID)

		foundCustomer, err := t.Provider.CustomerOf(t.Context(), ownerOf(req))

		require.NoError(t, err)
		assert.Equal(t, t.readCustomer(c.ID), foundCustomer)
	}},
	{name: "an organisation without a customer, or with a deleted one, is NotFound", check: func(t *env) {
		req := customerRequest()
		_, err := t.Provider.CustomerOf(t.Context(), ownerOf(req))
		t.assertFault(err, fault.NotFound)
		c, err := t.Provider.CreateCustomer(t.Context(), req)
		require.NoError(t, err)
		t.DeleteCustomer(t.T, c.ID)
		for _, owner := range []payment.Owner{ownerOf(req), {Email: req.Email}, {}} {
			_, err := t.Provider.CustomerOf(t.Context(), owner)
			t.assertFault(err, fault.NotFound)
		}
	}},
}

// ownerOf returns the owner of the customer that the request creates.
func ownerOf(req payment.NewCustomer) payment.Owner {
	return payment.Owner{OrganisationID: req.OrganisationID, Email: req.Email}
}

// unknownIDs contains ids without an object, by their description.
var unknownIDs = map[string]string{
	"empty":         "",
	"plausible":     "unknown_123",
	"path":          "../customers/unknown",
	"query":         "unknown?expand[]=data",
	"SQL injection": "Robert'); DROP TABLE cards;--",
	"long":          strings.Repeat("x", 3000),
}

var unknownIDBehaviours = []behaviour{
	{name: "an unknown customer is NotFound", check: notFoundForUnknownIDs(func(t *env, id string) []error {
		_, readErr := t.Provider.Customer(t.Context(), id)
		_, subsErr := t.Provider.ListSubscriptions(t.Context(), id)
		_, subscribeErr := t.trySubscribe(id, standard)
		return []error{readErr, subsErr, subscribeErr}
	})},
	{name: "a card request for an unknown customer is NotFound", needs: payment.SavedMethods, check: func(t *env) {
		c := t.customerWithCard(Pays)
		notFoundForUnknownIDs(func(t *env, id string) []error {
			_, cardsErr := t.Provider.Cards(t.Context(), id)
			_, addErr := t.addCard(id, c.Default.ID)
			_, setErr := t.setDefaultCard(id, c.Default.ID)
			_, subscribeErr := t.subscribeWithCard(id, t.createCard(Pays))
			return []error{cardsErr, addErr, setErr, t.deleteCard(id, c.Default.ID), subscribeErr}
		})(t)
	}},
	{name: "an unknown card is NotFound", needs: payment.SavedMethods, check: func(t *env) {
		c := t.customerWithCard(Pays)
		notFoundForUnknownIDs(func(t *env, id string) []error {
			_, addErr := t.addCard(c.ID, id)
			_, setErr := t.setDefaultCard(c.ID, id)
			if id == "" {
				return []error{addErr, setErr, t.deleteCard(c.ID, id)} // no Subscribe: without a card it charges the default one
			}
			_, subscribeErr := t.subscribeWithCard(c.ID, id)
			return []error{addErr, setErr, t.deleteCard(c.ID, id), subscribeErr}
		})(t)
	}},
	{name: "an unknown subscription is NotFound", check: notFoundForUnknownIDs(func(t *env, id string) []error {
		_, readErr := t.Provider.Subscription(t.Context(), id)
		_, cancelErr := t.Provider.CancelSubscription(t.Context(), payment.Cancellation{Key: newKey(), SubscriptionID: id})
		return []error{readErr, cancelErr}
	})},
	{name: "an unknown invoice is NotFound", needs: onlinePayment,
		check: notFoundForUnknownIDs(func(t *env, id string) []error {
			_, payErr := t.Provider.PayInvoice(t.Context(), payment.InvoicePayment{Key: newKey(), InvoiceID: id, Amount: aud(1)})
			return []error{payErr}
		})},
	{name: "invoices and billing details of an unknown customer are NotFound",
		check: notFoundForUnknownIDs(func(t *env, id string) []error {
			_, listErr := t.Provider.ListInvoices(t.Context(), payment.InvoiceQuery{CustomerID: id, Limit: 10})
			_, updateErr := t.updateCustomer(id, billingDetails())
			return []error{listErr, updateErr}
		})},
	{name: "an unknown invoice document is NotFound", needs: payment.InvoicePDF, check: func(t *env) {
		c := t.createCustomer()
		notFoundForUnknownIDs(func(t *env, id string) []error {
			_, documentErr := t.Provider.InvoicePDF(t.Context(), c.ID, id)
			_, customerErr := t.Provider.InvoicePDF(t.Context(), id, "in_1")
			return []error{documentErr, customerErr}
		})(t)
	}},
	{name: "the quote of an unknown customer or subscription is NotFound", needs: payment.Quoting,
		check: notFoundForUnknownIDs(func(t *env, id string) []error {
			_, subscribeErr := t.Provider.QuoteSubscription(t.Context(), payment.NewSubscription{CustomerID: id, Price: standard})
			_, changeErr := t.Provider.QuoteChange(t.Context(),
				payment.PriceChange{SubscriptionID: id, From: standard, To: professional})
			return []error{subscribeErr, changeErr}
		})},
	{name: "a scheduled change of an unknown subscription is NotFound", needs: payment.AtPeriodEnd,
		check: notFoundForUnknownIDs(func(t *env, id string) []error {
			s := billing.Subscription{ID: id, Price: standard}
			_, changeErr := t.Provider.ChangePlan(t.Context(), changeAtRenewal(s, professional))
			_, cancelErr := t.Provider.CancelScheduledChange(t.Context(),
				payment.ScheduledChangeCancellation{Key: newKey(), SubscriptionID: id})
			return []error{changeErr, cancelErr}
		})},
	{name: "ending an unknown subscription is NotFound", needs: payment.AtPeriodEnd,
		check: notFoundForUnknownIDs(func(t *env, id string) []error {
			_, endErr := t.setEnd(billing.Subscription{ID: id}, true)
			return []error{endErr}
		})},
	{name: "credit for an unknown customer is NotFound", needs: payment.CustomerCredit,
		check: notFoundForUnknownIDs(func(t *env, id string) []error {
			_, creditErr := t.Provider.AddCredit(t.Context(), payment.CreditGrant{Key: newKey(), CustomerID: id, Amount: aud(1)})
			return []error{creditErr}
		})},
	{name: "the extension of an unknown trial is NotFound", needs: payment.Trials,
		check: notFoundForUnknownIDs(func(t *env, id string) []error {
			_, extendErr := t.extendTrial(billing.Subscription{ID: id}, t.Now().Add(day))
			return []error{extendErr}
		})},
	{name: "the refund of an unknown invoice is NotFound", needs: payment.Refunds,
		check: notFoundForUnknownIDs(func(t *env, id string) []error {
			_, refundErr := t.Provider.Refund(t.Context(), payment.RefundRequest{Key: newKey(), InvoiceID: id, Amount: aud(1)})
			return []error{refundErr}
		})},
	{name: "a plan change of an unknown subscription is NotFound", needs: payment.ChangeNow,
		check: notFoundForUnknownIDs(func(t *env, id string) []error {
			_, changeErr := t.changePlan(billing.Subscription{ID: id, Price: standard}, professional)
			return []error{changeErr}
		})},
	{name: "a pending change of an unknown subscription is NotFound", needs: payment.ChangeNow,
		check: notFoundForUnknownIDs(func(t *env, id string) []error {
			_, cancelErr := t.Provider.CancelPendingChange(t.Context(), payment.PendingChangeCancellation{
				Key: newKey(), SubscriptionID: id, InvoiceID: "in_1",
			})
			return []error{cancelErr}
		})},
}

// notFoundForUnknownIDs returns the check of a behaviour. The check asserts that all requests of send return
// NotFound for every unknown id.
func notFoundForUnknownIDs(send func(t *env, id string) []error) func(*env) {
	return func(t *env) {
		for name, id := range unknownIDs {
			for i, err := range send(t, id) {
				assert.Equal(t, fault.NotFound, fault.CodeOf(err), "%s id, request %d: %v", name, i+1, err)
			}
		}
	}
}

var canceledContextBehaviours = []behaviour{
	{name: "a request with a canceled context returns Unavailable", check: func(t *env) {
		c := t.createCustomer()
		canceledCtx, cancel := context.WithCancel(t.Context())
		cancel()

		_, err := t.Provider.Customer(canceledCtx, c.ID)
		t.assertFault(err, fault.Unavailable)
		_, err = t.Provider.ListSubscriptions(canceledCtx, c.ID)
		t.assertFault(err, fault.Unavailable)
		_, err = t.Provider.CreateCustomer(canceledCtx, customerRequest())
		t.assertFault(err, fault.Unavailable)
		if t.Provider.Capabilities().Has(payment.SavedMethods) {
			_, err = t.Provider.Cards(canceledCtx, c.ID)
			t.assertFault(err, fault.Unavailable)
		}
	}},
	{name: "a request can be repeated with its key after its context was canceled", check: func(t *env) {
		c := t.payingCustomer()
		req := payment.NewSubscription{Key: newKey(), CustomerID: c.ID, Price: standard}
		canceledCtx, cancel := context.WithCancel(t.Context())
		cancel()
		_, err := t.Provider.Subscribe(canceledCtx, req)
		t.assertFault(err, fault.Unavailable)

		s, err := t.Provider.Subscribe(t.Context(), req)

		require.NoError(t, err)
		assert.Equal(t, billing.Active, t.completePayment(s).Status)
		assert.Equal(t, []string{s.ID}, t.subscriptionIDs(c.ID))
	}},
}
