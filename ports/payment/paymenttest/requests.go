package paymenttest

import (
	"strings"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/vc-admin/diy/domain/billing"
	"github.com/vc-admin/diy/domain/fault"
	"github.com/vc-admin/diy/ports/payment"
)

// request sends one request of the port with the id of an object.
type request struct {
	name  string
	needs payment.Capability // "" for none
	// send sends the request. The id is that of a customer, subscription, invoice or method, depending on the request;
	// c is a customer for requests that also name one.
	send func(t *env, c billing.Customer, id string) error
}

// requests contains the requests that are refused if the id is unknown or the provider lacks the capability.
var requests = []request{
	{"Customer", "", func(t *env, _ billing.Customer, id string) error {
		_, err := t.Provider.Customer(t.Context(), id)
		return err
	}},
	{"UpdateCustomer", "", func(t *env, _ billing.Customer, id string) error {
		_, err := t.updateCustomer(id, billingDetails())
		return err
	}},
	{"EraseCustomer", payment.Erasure, func(t *env, _ billing.Customer, id string) error {
		return t.Provider.EraseCustomer(t.Context(), id)
	}},
	{"ListSubscriptions", "", func(t *env, _ billing.Customer, id string) error {
		_, err := t.Provider.ListSubscriptions(t.Context(), id)
		return err
	}},
	{"ListInvoices", "", func(t *env, _ billing.Customer, id string) error {
		_, err := t.Provider.ListInvoices(t.Context(), payment.InvoiceQuery{CustomerID: id, Limit: 10})
		return err
	}},
	{"Subscribe", "", func(t *env, _ billing.Customer, id string) error {
		_, err := t.trySubscribe(id, standard)
		return err
	}},
	{"Subscribe with a method", payment.SavedMethods, func(t *env, c billing.Customer, id string) error {
		_, err := t.Provider.Subscribe(t.Context(), payment.NewSubscription{
			Key: newKey(), CustomerID: id, MethodID: methodIDOf(c), Price: standard,
		})
		return err
	}},
	{"Subscribe with an unknown method", payment.SavedMethods, func(t *env, c billing.Customer, id string) error {
		if id == "" {
			id = "unknown" // without a method, Subscribe would charge the default one
		}
		_, err := t.Provider.Subscribe(t.Context(), payment.NewSubscription{
			Key: newKey(), CustomerID: c.ID, MethodID: id, Price: standard,
		})
		return err
	}},
	{"Subscribe with trial days", payment.Trials, func(t *env, _ billing.Customer, id string) error {
		_, err := t.Provider.Subscribe(t.Context(), payment.NewSubscription{
			Key: newKey(), CustomerID: id, Price: standard, TrialDays: trialDays,
		})
		return err
	}},
	{"Subscription", "", func(t *env, _ billing.Customer, id string) error {
		_, err := t.Provider.Subscription(t.Context(), id)
		return err
	}},
	{"CancelSubscription", "", func(t *env, _ billing.Customer, id string) error {
		_, err := t.Provider.CancelSubscription(t.Context(), payment.Cancellation{Key: newKey(), SubscriptionID: id})
		return err
	}},
	{"Cards", payment.SavedMethods, func(t *env, _ billing.Customer, id string) error {
		_, err := t.Provider.Cards(t.Context(), id)
		return err
	}},
	{"AddCard", payment.SavedMethods, func(t *env, c billing.Customer, id string) error {
		_, err := t.Provider.AddCard(t.Context(), payment.NewCard{Key: newKey(), CustomerID: id, MethodID: methodIDOf(c)})
		return err
	}},
	{"AddCard with an unknown method", payment.SavedMethods, func(t *env, c billing.Customer, id string) error {
		_, err := t.Provider.AddCard(t.Context(), payment.NewCard{Key: newKey(), CustomerID: c.ID, MethodID: id})
		return err
	}},
	{"SetDefaultCard", payment.SavedMethods, func(t *env, c billing.Customer, id string) error {
		_, err := t.Provider.SetDefaultCard(t.Context(), savedCardRequest(id, methodIDOf(c)))
		return err
	}},
	{"SetDefaultCard with an unknown method", payment.SavedMethods, func(t *env, c billing.Customer, id string) error {
		_, err := t.Provider.SetDefaultCard(t.Context(), savedCardRequest(c.ID, id))
		return err
	}},
	{"DeleteCard", payment.SavedMethods, func(t *env, c billing.Customer, id string) error {
		return t.Provider.DeleteCard(t.Context(), savedCardRequest(id, methodIDOf(c)))
	}},
	{"DeleteCard with an unknown method", payment.SavedMethods, func(t *env, c billing.Customer, id string) error {
		return t.Provider.DeleteCard(t.Context(), savedCardRequest(c.ID, id))
	}},
	{"SetUpMethod", methodPage, func(t *env, _ billing.Customer, id string) error {
		_, err := t.Provider.SetUpMethod(t.Context(), payment.MethodSetup{Key: newKey(), CustomerID: id, ReturnTo: returnTo})
		return err
	}},
	{"PayInvoice", onlinePayment, func(t *env, _ billing.Customer, id string) error {
		_, err := t.Provider.PayInvoice(t.Context(), payment.InvoicePayment{Key: newKey(), InvoiceID: id, Amount: aud(1)})
		return err
	}},
	{"QuoteSubscription", payment.Quoting, func(t *env, _ billing.Customer, id string) error {
		_, err := t.Provider.QuoteSubscription(t.Context(), payment.NewSubscription{CustomerID: id, Price: standard})
		return err
	}},
	{"QuoteChange", payment.Quoting, func(t *env, _ billing.Customer, id string) error {
		_, err := t.Provider.QuoteChange(t.Context(), payment.PriceChange{SubscriptionID: id, From: standard, To: professional})
		return err
	}},
	{"ChangePlan", payment.ChangeNow, func(t *env, _ billing.Customer, id string) error {
		_, err := t.Provider.ChangePlan(t.Context(), planChange(billing.Subscription{ID: id, Price: standard}, professional))
		return err
	}},
	{"CancelPendingChange", payment.ChangeNow, func(t *env, _ billing.Customer, id string) error {
		_, err := t.Provider.CancelPendingChange(t.Context(), payment.PendingChangeCancellation{
			Key: newKey(), SubscriptionID: id, InvoiceID: "in_1",
		})
		return err
	}},
	{"ChangePlan at renewal", payment.AtPeriodEnd, func(t *env, _ billing.Customer, id string) error {
		_, err := t.Provider.ChangePlan(t.Context(), changeAtRenewal(billing.Subscription{ID: id, Price: standard}, professional))
		return err
	}},
	{"CancelScheduledChange", payment.AtPeriodEnd, func(t *env, _ billing.Customer, id string) error {
		_, err := t.Provider.CancelScheduledChange(t.Context(), payment.ScheduledChangeCancellation{Key: newKey(), SubscriptionID: id})
		return err
	}},
	{"SetEndAtPeriodEnd", payment.AtPeriodEnd, func(t *env, _ billing.Customer, id string) error {
		_, err := t.Provider.SetEndAtPeriodEnd(t.Context(), payment.EndRequest{Key: newKey(), SubscriptionID: id, End: true})
		return err
	}},
	{"InvoicePDF", payment.InvoicePDF, func(t *env, c billing.Customer, id string) error {
		_, err := t.Provider.InvoicePDF(t.Context(), c.ID, id)
		return err
	}},
	{"CreditNotePDF", payment.InvoicePDF, func(t *env, c billing.Customer, id string) error {
		_, err := t.Provider.CreditNotePDF(t.Context(), c.ID, id, "CN-1")
		return err
	}},
	{"InvoicePDF of an unknown customer", payment.InvoicePDF, func(t *env, _ billing.Customer, id string) error {
		_, err := t.Provider.InvoicePDF(t.Context(), id, "in_1")
		return err
	}},
	{"AddCredit", payment.CustomerCredit, func(t *env, _ billing.Customer, id string) error {
		_, err := t.Provider.AddCredit(t.Context(), payment.CreditGrant{Key: newKey(), CustomerID: id, Amount: aud(1)})
		return err
	}},
	{"ExtendTrial", payment.Trials, func(t *env, _ billing.Customer, id string) error {
		_, err := t.Provider.ExtendTrial(t.Context(), payment.TrialExtension{Key: newKey(), SubscriptionID: id, Until: t.Now().Add(day)})
		return err
	}},
	{"Refund", payment.Refunds, func(t *env, _ billing.Customer, id string) error {
		_, err := t.Provider.Refund(t.Context(), payment.RefundRequest{Key: newKey(), InvoiceID: id, Amount: aud(1)})
		return err
	}},
	{"LiftHold", Disputes, func(t *env, _ billing.Customer, id string) error {
		_, err := t.Provider.LiftHold(t.Context(), payment.HoldLift{Key: newKey(), CustomerID: id})
		return err
	}},
	{"ReturnedPayments", Disputes, func(t *env, _ billing.Customer, id string) error {
		_, err := t.Provider.ReturnedPayments(t.Context(), id)
		return err
	}},
	{"Retire", payment.Fencing, func(t *env, _ billing.Customer, id string) error { return t.retire(id, newKey()) }},
}

func savedCardRequest(customerID, methodID string) payment.SavedCardRequest {
	return payment.SavedCardRequest{Key: newKey(), CustomerID: customerID, MethodID: methodID}
}

// methodIDOf returns the id of the customer's default method, or another id if there is none.
func methodIDOf(c billing.Customer) string {
	if c.Default == nil {
		return "card_1"
	}
	return c.Default.ID
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

var unknownIDBehaviours = behavioursOf(requests, func(r request) behaviour {
	return behaviour{name: r.name + " returns NotFound", needs: r.needs, check: func(t *env) {
		c := t.createCustomer()
		t.saveMethodIfSupported(c.ID)
		c = t.readCustomer(c.ID)
		for name, id := range unknownIDs {
			assert.Equal(t, fault.NotFound, fault.CodeOf(r.send(t, c, id)), "%s id", name)
		}
	}}
})

// behavioursOf returns a behaviour for each row of a table.
func behavioursOf[Row any](rows []Row, newBehaviour func(Row) behaviour) []behaviour {
	behaviours := make([]behaviour, 0, len(rows))
	for _, row := range rows {
		behaviours = append(behaviours, newBehaviour(row))
	}
	return behaviours
}

// assertUnsupported asserts that every request that needs a missing capability of the provider returns Unsupported.
func (t *env) assertUnsupported() {
	t.Helper()
	c, err := t.Provider.CreateCustomer(t.Context(), customerRequest())
	require.NoError(t, err)
	for _, r := range requests {
		if _, missing := t.missingReason(r.needs); missing && r.needs != Disputes {
			assert.Equal(t, fault.Unsupported, fault.CodeOf(r.send(t, c, c.ID)), "%s is declared missing: %s", r.needs, r.name)
		}
	}
	if !t.Provider.Capabilities().Has(payment.Webhooks) {
		_, err := t.Provider.ParseEvents(t.Context(), payment.Delivery{Body: []byte("{}")})
		assert.Equal(t, fault.Unsupported, fault.CodeOf(err), "ParseEvents")
	}
}
