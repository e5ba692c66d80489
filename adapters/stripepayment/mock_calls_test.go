package stripepayment_test

import (
	"maps"
	"net/http"
	"net/url"
	"regexp"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/vc-admin/diy/domain/account"
	"github.com/vc-admin/diy/domain/billing"
	"github.com/vc-admin/diy/domain/fault"
	"github.com/vc-admin/diy/ports/payment"
)

var anyID = regexp.MustCompile(`/(cus|pm|sub|in|pi|prod|price|diy)_[^/]+`)

// TestStripesDescriptionAcceptsEveryCall sends every request the adapter ever makes past Stripe's
// published description of its API. The list at the end is the one in the package's comment.
func TestStripesDescriptionAcceptsEveryCall(t *testing.T) {
	m := startMock(t)
	customersAndCards(t, m)
	subscriptions(t, m)
	products(t, m)

	called := map[string]bool{}
	for route := range m.seen {
		called[anyID.ReplaceAllString(route, "/{$1}")] = true
	}
	assert.Equal(t, []string{
		"DELETE /v1/subscriptions/{sub}",
		"GET /v1/customers",
		"GET /v1/customers/{cus}",
		"GET /v1/customers/{cus}/payment_methods",
		"GET /v1/customers/{cus}/payment_methods/{pm}",
		"GET /v1/invoices",
		"GET /v1/invoices/{in}",
		"GET /v1/payment_intents/{pi}",
		"GET /v1/payment_methods/{pm}",
		"GET /v1/prices",
		"GET /v1/products",
		"GET /v1/subscriptions",
		"GET /v1/subscriptions/{sub}",
		"POST /v1/customers",
		"POST /v1/customers/{cus}",
		"POST /v1/invoices/{in}",
		"POST /v1/invoices/{in}/pay",
		"POST /v1/invoices/{in}/void",
		"POST /v1/payment_methods/{pm}/attach",
		"POST /v1/payment_methods/{pm}/detach",
		"POST /v1/prices",
		"POST /v1/prices/{price}",
		"POST /v1/products",
		"POST /v1/products/{diy}",
		"POST /v1/subscriptions",
		"POST /v1/subscriptions/{sub}",
	}, slices.Sorted(maps.Keys(called)))
}

func customersAndCards(t *testing.T, m *mock) {
	p, ctx := m.provider(), t.Context()
	made, err := p.CreateCustomer(ctx, payment.NewCustomer{
		Key: "key-1", OrganisationID: "org_1", Name: "Northside", Email: "ann@clinic.example", Phone: "+61 2 5550 1234", Currency: "AUD",
		Address: account.Address{Line1: "1 High Street", Line2: "Level 2", City: "Sydney", State: "NSW", PostalCode: "2000", Country: "AU"},
	})
	require.NoError(t, err)
	assert.NotEmpty(t, made.ID)
	_, err = p.Customer(ctx, "cus_1")
	require.NoError(t, err)
	_, err = p.CustomerOf(ctx, payment.Owner{OrganisationID: "org_nobody", Email: "ann@clinic.example"})
	require.Equal(t, fault.NotFound, fault.CodeOf(err))
	cards, err := p.Cards(ctx, "cus_1")
	require.NoError(t, err)
	assert.NotEmpty(t, cards)

	m.say(attachCard, fine(object{}), invalidRequest(object{"message": refusedCard})).say(readCard, fine(object{"customer": "cus_1"}))
	m.say(setDefault, fine(object{"subscriptions": list(active.with(object{"default_payment_method": "pm_0", "default_source": "card_0"}))}))
	for _, key := range []string{"key-2", "key-3"} {
		card, err := p.AddCard(ctx, payment.NewCard{Key: key, CustomerID: "cus_1", CardID: "pm_1"})
		require.NoError(t, err)
		assert.Equal(t, "pm_1", card.ID)
	}
	_, err = p.SetDefaultCard(ctx, oneCard)
	require.NoError(t, err)
	require.NoError(t, p.DeleteCard(ctx, oneCard))
}

func subscriptions(t *testing.T, m *mock) {
	p, ctx := m.provider(), t.Context()
	m.say(readCustomer, fine(customer)).say(lookUp, prices()).say(subscribe, fine(incomplete), fine(trialing))
	in := newSubscription
	made, err := p.Subscribe(ctx, in)
	require.NoError(t, err)
	assert.NotNil(t, made.LatestInvoice.Payment)
	in.TrialDays = 7
	_, err = p.Subscribe(ctx, in)
	require.NoError(t, err)
	m.say(attachCard, fine(object{})).say(setDefault, fine(customer)).say(subscribe, fine(trialing))
	in.CardID, in.Sole = "pm_1", true
	_, err = p.Subscribe(ctx, in)
	require.NoError(t, err)
	_, err = p.ListSubscriptions(ctx, "cus_1", billing.Active)
	require.NoError(t, err)

	m.say(readInvoice, fine(openInvoice)).say(readSubscription, fine(active), fine(trialing),
		fine(active.with(object{"items": list(itemOfPlan("standard_monthly"))})))
	_, err = p.PayInvoice(ctx, invoicePayment)
	require.NoError(t, err)
	m.say(listInvoices, fine(list())).say(change, fine(trialing), fine(upgraded), fine(active), fine(pending))
	in1, in2 := planChange, monthlyChange
	in1.Key, in1.EndTrial, in2.Key, in2.At = "key-4", true, "key-5", time.Unix(1772366500, 0)
	for _, in := range []payment.PlanChange{in1, in2} {
		_, err = p.ChangePlan(ctx, in)
		require.NoError(t, err)
	}
	m.say(readSubscription, fine(pending), fine(active))
	_, err = p.CancelPendingChange(ctx, drop)
	require.NoError(t, err)
	m.say(change, fine(active)).say(cancel, fine(canceled.with(object{"latest_invoice": invoice("open", "open")})))
	_, err = p.CancelSubscription(ctx, cancellation)
	require.NoError(t, err)
	m.say(change, fine(incomplete))
	_, err = p.CancelSubscription(ctx, payment.Cancellation{Key: "key-6", SubscriptionID: "sub_1", IfUnpaid: true})
	require.NoError(t, err)
}

func products(t *testing.T, m *mock) {
	p, ctx := m.provider(), t.Context()
	m.say(lookUp, fine(list())).say("GET /v1/products", fine(list()))
	mended, err := p.Push(ctx)
	require.NoError(t, err)
	assert.Len(t, mended, 6)

	old := price("standard_yearly", 1, 1).with(object{"product": "diy_standard"})
	spare := price("standard_yearly", 2, 2).with(object{"id": "price_2", "lookup_key": nil})
	m.say(lookUp, fine(list(old)), fine(list(old, spare)), fine(list()))
	m.say("GET /v1/products", fine(list(object{"id": "diy_standard", "active": true, "name": "Basic", "metadata": object{"plan": "standard"}})))
	mended, err = p.Push(ctx)
	require.NoError(t, err)
	assert.NotEmpty(t, mended)
}

// TestTheMockRefusesWhatStripeDoesNotKnow proves that the acceptance above means something.
func TestTheMockRefusesWhatStripeDoesNotKnow(t *testing.T) {
	m := startMock(t)
	m.lenient = true
	for name, c := range map[string]struct {
		path   string
		params url.Values
	}{
		"an unknown path":      {"/v1/subscribers", nil},
		"an unknown parameter": {"/v1/subscriptions", url.Values{"customer": {"cus_1"}, "trial_days": {"7"}}},
		"a wrong word":         {"/v1/subscriptions", url.Values{"customer": {"cus_1"}, paymentBehaviour: {"hope"}}},
		"a wrong type":         {"/v1/subscriptions", url.Values{"customer": {"cus_1"}, "trial_period_days": {"soon"}}},
	} {
		t.Run(name, func(t *testing.T) {
			r, err := http.NewRequestWithContext(t.Context(), http.MethodPost, m.URL+c.path, strings.NewReader(c.params.Encode()))
			require.NoError(t, err)
			r.Header.Set("Content-Type", "application/x-www-form-urlencoded")
			r.Header.Set("Authorization", "Bearer "+testKey)
			answered, err := m.Client().Do(r)
			require.NoError(t, err)
			require.NoError(t, answered.Body.Close())
			assert.GreaterOrEqual(t, answered.StatusCode, 400)
		})
	}
}
