//go:build stripe_test_mode

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

// testModeAccount is an account in Stripe's test mode.
type testModeAccount struct {
	stripe    *stripe.Client
	startedAt time.Time

	mu               sync.Mutex
	readAt           time.Time
	cachedDeliveries []payment.Delivery // read at readAt
}

// cardTokens contains the token of Stripe's test card for each scenario.
var cardTokens = map[paymenttest.Scenario]string{
	paymenttest.Pays:                "tok_visa",
	paymenttest.DeclinedWhenSaved:   "tok_chargeDeclined",
	paymenttest.DeclinedWhenCharged: "tok_chargeCustomerFail",
	paymenttest.InsufficientFunds:   "tok_chargeDeclinedInsufficientFunds",
	paymenttest.LostCard:            "tok_visa_chargeDeclinedLostCard",
	paymenttest.ExpiredCard:         "tok_chargeDeclinedExpiredCard",
}

// TestConformance_StripeTestMode runs the conformance suite against Stripe itself. DIY_STRIPE_TEST_KEY must be the
// secret test key of an account that is used for tests only, because the suite pushes the catalogue and creates some
// two hundred customers. The account's API version must be of the library's release.
func TestConformance_StripeTestMode(t *testing.T) {
	key := os.Getenv("DIY_STRIPE_TEST_KEY")
	require.NotEmpty(t, key, "DIY_STRIPE_TEST_KEY is not set")
	pushCatalogue(t, key)
	paymenttest.Run(t, func(t *testing.T) paymenttest.Harness {
		m := &testModeAccount{stripe: stripe.NewClient(key), startedAt: time.Now()}
		return newAdapterHarness(t, "", key, systemclock.New(), paymenttest.Harness{
			CreateCard: m.makeCard, DeleteCustomer: m.deleteCustomer, Deliveries: m.deliveries,
			Missing: map[payment.Capability]string{
				paymenttest.ClockControl:   "Stripe's test mode runs in real time",
				paymenttest.Authentication: "Stripe's authentication page needs a browser",
			},
		})
	})
}

func pushCatalogue(t *testing.T, key string) {
	t.Helper()
	p, err := stripepayment.New(stripepayment.Config{SecretKey: key, Catalogue: catalogue.Default(),
		Clock: systemclock.New()})
	require.NoError(t, err)
	_, err = p.Push(t.Context())
	require.NoError(t, err)
}

// makeCard creates a card from a token. The card that requires authentication has no token; its id stands for a new card
// when it is attached.
func (m *testModeAccount) makeCard(t *testing.T, s paymenttest.Scenario) (string, error) {
	if s == paymenttest.NeedsAuthentication {
		return "pm_card_authenticationRequiredOnSetup", nil
	}
	method, err := m.stripe.V1PaymentMethods.Create(t.Context(), &stripe.PaymentMethodCreateParams{
		Type: new("card"), Card: &stripe.PaymentMethodCreateCardParams{Token: new(cardTokens[s])},
	})
	if err != nil {
		return "", fault.Wrap(err, fault.Declined, "The card was refused.")
	}
	return method.ID, nil
}

func (m *testModeAccount) deleteCustomer(t *testing.T, id string) {
	t.Helper()
	_, err := m.stripe.V1Customers.Delete(t.Context(), id, nil)
	require.NoError(t, err)
}

// deliveries returns the account's events since the test began, signed now. It reads them at most
// once a second.
func (m *testModeAccount) deliveries(t *testing.T) []payment.Delivery {
	t.Helper()
	m.mu.Lock()
	defer m.mu.Unlock()
	if time.Since(m.readAt) < time.Second {
		return m.cachedDeliveries
	}
	m.readAt, m.cachedDeliveries = time.Now(), nil
	params := &stripe.EventListParams{CreatedRange: &stripe.RangeQueryParams{GreaterThanOrEqual: m.startedAt.Unix()}}
	for e, err := range m.stripe.V1Events.List(t.Context(), params).All(t.Context()) {
		if !assert.NoError(t, err) {
			break
		}
		payload := e.LastResponse.RawJSON
		m.cachedDeliveries = append(m.cachedDeliveries,
			newDelivery(payload, sign(payload, time.Now(), "whsec_"+string(paymenttest.CurrentSecret))))
	}
	return m.cachedDeliveries
}
