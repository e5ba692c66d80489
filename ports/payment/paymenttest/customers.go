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

func ownerOf(req payment.NewCustomer) payment.Owner {
	return payment.Owner{OrganisationID: req.OrganisationID, Email: req.Email}
}

var customerBehaviours = []behaviour{
	{name: "a created customer can be read", check: func(t *env) {
		req := customerRequest()
		made, err := t.Provider.CreateCustomer(t.Context(), req)
		require.NoError(t, err)

		assert.NotEmpty(t, made.ID)
		assert.Equal(t, req.OrganisationID, made.OrganisationID)
		assert.Equal(t, "AUD", made.Preferred)
		assert.Empty(t, made.Currency, "nothing has been charged yet")
		assert.Nil(t, made.Default)
		assert.Equal(t, made, t.readCustomer(made.ID))
	}},
	{name: "a customer needs no preferred currency", check: func(t *env) {
		req := customerRequest()
		req.Currency = ""
		made, err := t.Provider.CreateCustomer(t.Context(), req)
		require.NoError(t, err)
		assert.Empty(t, made.Preferred)
	}},
	{name: "two organisations have different customers", check: func(t *env) {
		one, other := t.createCustomer(), t.createCustomer()
		assert.NotEqual(t, one.ID, other.ID)
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
		made, err := t.Provider.CreateCustomer(t.Context(), req)
		require.NoError(t, err)
		t.createCustomer() // another organisation's, with the same email address
		t.enablePayment(made.ID)

		found, err := t.Provider.CustomerOf(t.Context(), ownerOf(req))

		require.NoError(t, err)
		assert.Equal(t, t.readCustomer(made.ID), found)
	}},
	{name: "a lookup without a match is NotFound", check: func(t *env) {
		req := customerRequest()
		_, err := t.Provider.CustomerOf(t.Context(), ownerOf(req))
		t.assertFault(err, fault.NotFound)
		made, err := t.Provider.CreateCustomer(t.Context(), req)
		require.NoError(t, err)
		t.DeleteCustomer(t.T, made.ID)
		for _, of := range []payment.Owner{ownerOf(req), {Email: req.Email}, {}} {
			_, err := t.Provider.CustomerOf(t.Context(), of)
			t.assertFault(err, fault.NotFound)
		}
	}},
}

// unknownIDs are ids of no object.
var unknownIDs = map[string]string{
	"empty":         "",
	"plausible":     "unknown_123",
	"path":          "../customers/unknown",
	"query":         "unknown?expand[]=data",
	"SQL injection": "Robert'); DROP TABLE cards;--",
	"long":          strings.Repeat("x", 3000),
}

var unknownIDBehaviours = []behaviour{
	{name: "an unknown customer is NotFound", check: forUnknownIDs(func(t *env, id string) []error {
		_, read := t.Provider.Customer(t.Context(), id)
		_, subs := t.Provider.ListSubscriptions(t.Context(), id)
		_, subscribe := t.subscribeTo(id, standard)
		return []error{read, subs, subscribe}
	})},
	{name: "an unknown customer of a card is NotFound", needs: payment.SavedMethods, check: func(t *env) {
		c := t.customerWithCard(Pays)
		forUnknownIDs(func(t *env, id string) []error {
			_, cards := t.Provider.Cards(t.Context(), id)
			_, add := t.addCard(id, c.Default.ID)
			_, set := t.setDefaultCard(id, c.Default.ID)
			_, subscribe := t.subscribeWithCard(id, t.createCard(Pays))
			return []error{cards, add, set, t.deleteCard(id, c.Default.ID), subscribe}
		})(t)
	}},
	{name: "an unknown card is NotFound", needs: payment.SavedMethods, check: func(t *env) {
		c := t.customerWithCard(Pays)
		forUnknownIDs(func(t *env, id string) []error {
			_, add := t.addCard(c.ID, id)
			_, set := t.setDefaultCard(c.ID, id)
			if id == "" {
				return []error{add, set, t.deleteCard(c.ID, id)} // without a card, Subscribe charges the default one
			}
			_, subscribe := t.subscribeWithCard(c.ID, id)
			return []error{add, set, t.deleteCard(c.ID, id), subscribe}
		})(t)
	}},
	{name: "an unknown subscription is NotFound", check: forUnknownIDs(func(t *env, id string) []error {
		_, read := t.Provider.Subscription(t.Context(), id)
		_, cancel := t.Provider.CancelSubscription(t.Context(), payment.Cancellation{Key: newKey(), SubscriptionID: id})
		return []error{read, cancel}
	})},
	{name: "an unknown invoice is NotFound", needs: payment.PayInvoice, check: forUnknownIDs(func(t *env, id string) []error {
		_, pay := t.Provider.PayInvoice(t.Context(), payment.InvoicePayment{Key: newKey(), InvoiceID: id, Amount: aud(1)})
		return []error{pay}
	})},
	{name: "an unknown customer of invoices and details is NotFound", check: forUnknownIDs(func(t *env, id string) []error {
		_, list := t.Provider.ListInvoices(t.Context(), payment.InvoicePage{CustomerID: id, Limit: 10})
		_, update := t.updateCustomer(id, billingDetails())
		return []error{list, update}
	})},
	{name: "an unknown invoice document is NotFound", needs: payment.InvoicePDF, check: func(t *env) {
		c := t.createCustomer()
		forUnknownIDs(func(t *env, id string) []error {
			_, document := t.Provider.InvoicePDF(t.Context(), c.ID, id)
			_, customer := t.Provider.InvoicePDF(t.Context(), id, "in_1")
			return []error{document, customer}
		})(t)
	}},
	{name: "an unknown quoted customer or subscription is NotFound", needs: payment.Quoting, check: forUnknownIDs(func(t *env, id string) []error {
		_, subscribe := t.Provider.QuoteSubscription(t.Context(), payment.NewSubscription{CustomerID: id, Price: standard})
		_, change := t.Provider.QuoteChange(t.Context(), payment.PriceChange{SubscriptionID: id, From: standard, To: professional})
		return []error{subscribe, change}
	})},
	{name: "an unknown subscription of a scheduled change is NotFound", needs: payment.ChangeAtRenewal,
		check: forUnknownIDs(func(t *env, id string) []error {
			_, change := t.Provider.ChangePlan(t.Context(), changeAtRenewal(billing.Subscription{ID: id, Price: standard}, professional))
			_, cancel := t.Provider.CancelScheduledChange(t.Context(), payment.ScheduleCancellation{Key: newKey(), SubscriptionID: id})
			return []error{change, cancel}
		})},
	{name: "an unknown subscription of an end is NotFound", needs: payment.EndAtPeriodEnd, check: forUnknownIDs(func(t *env, id string) []error {
		_, end := t.setEnd(billing.Subscription{ID: id}, true)
		return []error{end}
	})},
	{name: "an unknown credited customer is NotFound", needs: payment.CustomerCredit, check: forUnknownIDs(func(t *env, id string) []error {
		_, credit := t.Provider.AddCredit(t.Context(), payment.Credit{Key: newKey(), CustomerID: id, Amount: aud(1)})
		return []error{credit}
	})},
	{name: "an unknown extended trial is NotFound", needs: payment.Trials, check: forUnknownIDs(func(t *env, id string) []error {
		_, extend := t.extendTrial(billing.Subscription{ID: id}, t.Now().Add(day))
		return []error{extend}
	})},
	{name: "an unknown refunded invoice is NotFound", needs: payment.Refunds, check: forUnknownIDs(func(t *env, id string) []error {
		_, refund := t.Provider.Refund(t.Context(), payment.Refund{Key: newKey(), InvoiceID: id, Amount: aud(1)})
		return []error{refund}
	})},
	{name: "an unknown subscription of a change is NotFound", needs: payment.ChangeNow, check: forUnknownIDs(func(t *env, id string) []error {
		_, change := t.changePlan(billing.Subscription{ID: id, Price: standard}, professional)
		return []error{change}
	})},
	{name: "an unknown subscription of a pending change is NotFound", needs: payment.PendingChanges,
		check: forUnknownIDs(func(t *env, id string) []error {
			_, cancel := t.Provider.CancelPendingChange(t.Context(), payment.PendingCancellation{
				Key: newKey(), SubscriptionID: id, InvoiceID: "in_1",
			})
			return []error{cancel}
		})},
}

// forUnknownIDs checks that every request with an unknown id is NotFound.
func forUnknownIDs(send func(t *env, id string) []error) func(*env) {
	return func(t *env) {
		for name, id := range unknownIDs {
			for i, err := range send(t, id) {
				assert.Equal(t, fault.NotFound, fault.CodeOf(err), "%s id, request %d: %v", name, i+1, err)
			}
		}
	}
}

var canceledContextBehaviours = []behaviour{
	{name: "a canceled context is Unavailable", check: func(t *env) {
		c := t.createCustomer()
		canceled, cancel := context.WithCancel(t.Context())
		cancel()

		_, err := t.Provider.Customer(canceled, c.ID)
		t.assertFault(err, fault.Unavailable)
		_, err = t.Provider.ListSubscriptions(canceled, c.ID)
		t.assertFault(err, fault.Unavailable)
		_, err = t.Provider.CreateCustomer(canceled, customerRequest())
		t.assertFault(err, fault.Unavailable)
		if t.Provider.Capabilities().Has(payment.SavedMethods) {
			_, err = t.Provider.Cards(canceled, c.ID)
			t.assertFault(err, fault.Unavailable)
		}
	}},
	{name: "a request whose context was canceled can be repeated with its key", check: func(t *env) {
		c := t.payingCustomer()
		req := payment.NewSubscription{Key: newKey(), CustomerID: c.ID, Price: standard}
		canceled, cancel := context.WithCancel(t.Context())
		cancel()
		_, err := t.Provider.Subscribe(canceled, req)
		t.assertFault(err, fault.Unavailable)

		s, err := t.Provider.Subscribe(t.Context(), req)

		require.NoError(t, err)
		assert.Equal(t, billing.Active, t.payOutside(s).Status)
		assert.Equal(t, []string{s.ID}, t.subscriptionIDs(c.ID))
	}},
}
