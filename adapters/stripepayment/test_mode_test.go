package stripepayment_test

import (
	"os"
	"sync"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
	"github.com/stripe/stripe-go/v85"

	"github.com/vc-admin/diy/adapters/stripepayment"
	"github.com/vc-admin/diy/adapters/systemclock"
	"github.com/vc-admin/diy/domain/catalogue"
	"github.com/vc-admin/diy/domain/fault"
	"github.com/vc-admin/diy/ports/payment"
	"github.com/vc-admin/diy/ports/payment/paymenttest"
)

// TestConformanceWithStripesTestMode runs the suite against Stripe itself. It is off unless
// DIY_STRIPE_TEST_KEY names the secret test key of an account that is there to be cluttered: the
// suite pushes the catalogue and leaves some two hundred customers behind. The account's API version
// has to be of the library's train, or its events can't be read.
func TestConformanceWithStripesTestMode(t *testing.T) {
	key := os.Getenv("DIY_STRIPE_TEST_KEY")
	if key == "" {
		t.Skip("NOT PROVED HERE: conformance with Stripe's own test mode, because DIY_STRIPE_TEST_KEY is not set")
	}
	pushCatalogue(t, key)
	paymenttest.Run(t, func(t *testing.T) paymenttest.Harness {
		w := &testMode{stripe: stripe.NewClient(key), since: time.Now()}
		return harness(t, "", key, systemclock.New(), paymenttest.Harness{
			MakeCard: w.makeCard, DeleteCustomer: w.deleteCustomer, Deliveries: w.deliveries,
			Missing: map[payment.Capability]string{
				paymenttest.PassingTime:    "Stripe's test mode runs in real time",
				paymenttest.Authentication: "Stripe's authentication page needs a browser",
			},
		})
	})
}

func pushCatalogue(t *testing.T, key string) {
	t.Helper()
	p, err := stripepayment.New(stripepayment.Config{SecretKey: key, Catalogue: catalogue.Default(), Clock: systemclock.New()})
	require.NoError(t, err)
	_, err = p.Push(t.Context())
	require.NoError(t, err)
}

// testMode is Stripe's test mode, and what somebody at a browser or the dashboard does there.
type testMode struct {
	stripe *stripe.Client
	since  time.Time

	mu    sync.Mutex
	asked time.Time
	found []paymenttest.Delivery
}

// tokens are Stripe's stand-ins for test cards.
var tokens = map[paymenttest.Scenario]string{
	paymenttest.Pays:                "tok_visa",
	paymenttest.DeclinedWhenSaved:   "tok_chargeDeclined",
	paymenttest.DeclinedWhenCharged: "tok_chargeCustomerFail",
	paymenttest.InsufficientFunds:   "tok_chargeDeclinedInsufficientFunds",
	paymenttest.Lost:                "tok_visa_chargeDeclinedLostCard",
	paymenttest.Expired:             "tok_chargeDeclinedExpiredCard",
}

// makeCard makes a card of a token. The one that wants authentication has none, and its stand-in
// becomes a card of its own when it is saved.
func (w *testMode) makeCard(t *testing.T, s paymenttest.Scenario) (string, error) {
	if s == paymenttest.NeedsAuthentication {
		return "pm_card_authenticationRequiredOnSetup", nil
	}
	made, err := w.stripe.V1PaymentMethods.Create(t.Context(), &stripe.PaymentMethodCreateParams{
		Type: new("card"), Card: &stripe.PaymentMethodCreateCardParams{Token: new(tokens[s])},
	})
	if err != nil {
		return "", fault.Wrap(err, fault.Declined, "The browser refused the card.")
	}
	return made.ID, nil
}

func (w *testMode) deleteCustomer(t *testing.T, id string) {
	t.Helper()
	_, err := w.stripe.V1Customers.Delete(t.Context(), id, nil)
	require.NoError(t, err)
}

// deliveries are the account's events since the test began, signed as a delivery of now. Stripe is
// asked for them once a second at most, however often the suite looks.
func (w *testMode) deliveries(t *testing.T) []paymenttest.Delivery {
	t.Helper()
	w.mu.Lock()
	defer w.mu.Unlock()
	if time.Since(w.asked) < time.Second {
		return w.found
	}
	w.asked, w.found = time.Now(), nil
	params := &stripe.EventListParams{CreatedRange: &stripe.RangeQueryParams{GreaterThanOrEqual: w.since.Unix()}}
	for e, err := range w.stripe.V1Events.List(t.Context(), params).All(t.Context()) {
		if !assert.NoError(t, err) {
			break
		}
		payload := e.LastResponse.RawJSON
		w.found = append(w.found, paymenttest.Delivery{
			Payload: payload, Signature: sign(payload, time.Now(), "whsec_"+string(paymenttest.Ours)),
		})
	}
	return w.found
}
