package stripepayment_test

import (
	"net/url"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/vc-admin/diy/domain/billing"
	"github.com/vc-admin/diy/domain/catalogue"
	"github.com/vc-admin/diy/domain/fault"
	"github.com/vc-admin/diy/ports/payment"
)

const (
	lookUp      = "GET /v1/prices"
	subscribe   = "POST /v1/subscriptions"
	readPayment = "GET /v1/payment_intents/pi_1"
)

var (
	standard        = catalogue.PriceRef{Product: "standard", Interval: catalogue.Yearly, Currency: "AUD"}
	professional    = catalogue.PriceRef{Product: "professional", Interval: catalogue.Yearly, Currency: "AUD"}
	newSubscription = payment.NewSubscription{Key: "key-1", CustomerID: "cus_1", Price: standard}
)

// shop is a script in which the customer can buy.
func shop(t *testing.T, c object) *script {
	return newScript(t).on(readCustomer, fine(c)).on(lookUp, prices())
}

func TestASubscriptionThatIsPaidAtOnce(t *testing.T) {
	s := shop(t, customer).on(subscribe, fine(active))

	made, err := s.provider().Subscribe(t.Context(), newSubscription)

	require.NoError(t, err)
	assert.Equal(t, billing.Subscription{
		ID: "sub_1", CustomerID: "cus_1", Status: billing.Active, Price: standard,
		CreatedAt: noon, CurrentPeriodEnd: noon.AddDate(1, 0, 0),
		LatestInvoice: &billing.Invoice{
			ID: "in_1", Status: billing.InvoicePaid, AmountDue: aud(42000), CreatedAt: noon,
			Payment: &billing.Intent{ID: "pi_1", Status: billing.Succeeded},
		},
	}, made)
	assert.Equal(t, []string{lookUp, readCustomer, subscribe}, s.routes())
	assert.Equal(t, "key-1", s.last(subscribe).key())
	assert.Equal(t, url.Values{
		"customer": {"cus_1"}, "items[0][price]": {"price_standard_yearly"}, "currency": {"aud"},
		paymentBehaviour: {"allow_incomplete"}, "payment_settings[payment_method_types][0]": {"card"},
		"billing_mode[type]": {"classic"},
		"metadata[org_id]":   {"org_1"}, "metadata[product]": {"standard"}, "metadata[interval]": {"yearly"},
		"metadata[request]": {"key-1"},
		"expand[0]":         {"latest_invoice.confirmation_secret"}, "expand[1]": {"latest_invoice.payments"}, "expand[2]": {"pending_setup_intent"},
	}, s.last(subscribe).params)
}

func TestATrialTakesNoPayment(t *testing.T) {
	s := shop(t, customer).on(subscribe, fine(trialing))
	in := newSubscription
	in.TrialDays = 7
	made, err := s.provider().Subscribe(t.Context(), in)
	require.NoError(t, err)
	assert.Equal(t, billing.Trialing, made.Status)
	assert.Equal(t, noon.Add(7*24*time.Hour), made.TrialEnd)
	assert.Equal(t, &billing.Invoice{ID: "in_1", Status: billing.InvoicePaid, AmountDue: aud(0)}, made.LatestInvoice)
	assert.Equal(t, "7", s.last(subscribe).params.Get("trial_period_days"))
}

func TestATrialMayWaitForTheCardsAuthentication(t *testing.T) {
	for status, want := range map[string]*billing.Intent{
		"requires_action":         {ID: "seti_1", Status: billing.RequiresAction, ClientSecret: "seti_1_secret_x"},
		"requires_payment_method": {ID: "seti_1", Status: billing.RequiresPaymentMethod, ClientSecret: "seti_1_secret_x"},
		"succeeded":               nil,
		"canceled":                nil,
	} {
		s := shop(t, customer).on(subscribe, fine(trialing.with(object{
			"pending_setup_intent": object{"id": "seti_1", "object": "setup_intent", "status": status, "client_secret": "seti_1_secret_x"},
		})))
		made, err := s.provider().Subscribe(t.Context(), newSubscription)
		require.NoError(t, err)
		assert.Equal(t, want, made.PendingSetup, status)
	}
}

func TestAPaymentThatIsStillToBeMade(t *testing.T) {
	for status, want := range map[string]billing.IntentStatus{
		"requires_action": billing.RequiresAction, "requires_payment_method": billing.RequiresPaymentMethod, "processing": billing.Processing,
	} {
		s := shop(t, customer).on(subscribe, fine(incomplete)).on(readPayment, fine(paymentIntent(status)))
		made, err := s.provider().Subscribe(t.Context(), newSubscription)
		require.NoError(t, err)
		assert.Equal(t, billing.Incomplete, made.Status)
		assert.Equal(t, &billing.Intent{ID: "pi_1", Status: want, ClientSecret: "pi_1_secret_x"}, made.LatestInvoice.Payment)
		assert.Equal(t, []string{lookUp, readCustomer, subscribe, readPayment}, s.routes())
	}
}

func TestWhoMayNotSubscribe(t *testing.T) {
	for name, c := range map[string]struct {
		customer object
		want     fault.Code
	}{
		"without a card":      {cardless, fault.Invalid},
		"in another currency": {customer.with(object{"currency": "usd"}), fault.Invalid},
		"deleted":             {object{"id": "cus_1", "deleted": true}, fault.NotFound},
	} {
		t.Run(name, func(t *testing.T) {
			s := shop(t, c.customer)
			_, err := s.provider().Subscribe(t.Context(), newSubscription)
			assert.Equal(t, c.want, fault.CodeOf(err))
			assert.NotContains(t, s.routes(), subscribe)
		})
	}
}

func TestSalesThatStripeRefuses(t *testing.T) {
	for name, c := range map[string]struct {
		answer answer
		want   fault.Code
	}{
		"the card is gone":              {invalidRequest(object{"code": "resource_missing"}), fault.Invalid},
		"the customer is gone":          {invalidRequest(object{"code": "resource_missing", "param": "customer"}), fault.NotFound},
		"the price is gone":             {invalidRequest(object{"code": "resource_missing", "param": "items[0][price]"}), fault.Conflict},
		"the price is archived":         {invalidRequest(object{"param": "items[0][price]"}), fault.Conflict},
		"the currencies do not combine": {invalidRequest(nil), fault.Invalid},
		"the key is an old one":         {usedKey, fault.Conflict},
	} {
		t.Run(name, func(t *testing.T) {
			s := shop(t, customer).on(subscribe, c.answer).on(retire, usedKey)
			_, err := s.provider().Subscribe(t.Context(), newSubscription)
			assert.Equal(t, c.want, fault.CodeOf(err))
		})
	}
}
