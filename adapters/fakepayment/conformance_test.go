package fakepayment_test

import (
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/vc-admin/diy/adapters/fakepayment"
	"github.com/vc-admin/diy/ports/payment"
	"github.com/vc-admin/diy/ports/payment/paymenttest"
)

func TestConformance(t *testing.T) {
	paymenttest.Run(t, newHarness)
}

func TestConformance_RandomHistories(t *testing.T) {
	paymenttest.CheckHistories(t, 100, newHarness)
}

func newHarness(t *testing.T) paymenttest.Harness {
	e := newEnv(t)
	numbers := map[paymenttest.Scenario]string{
		paymenttest.Pays:                visa,
		paymenttest.NeedsAuthentication: authCard,
		paymenttest.DeclinedWhenSaved:   "4000000000000002",
		paymenttest.DeclinedWhenCharged: declinedCharge,
		paymenttest.InsufficientFunds:   "4000000000009995",
		paymenttest.Lost:                "4000000000009987",
		paymenttest.Expired:             "4000000000000069",
	}
	return paymenttest.Harness{
		Provider: e.Provider,
		MakeCard: func(t *testing.T, s paymenttest.Scenario) (string, error) {
			created, err := e.CreatePaymentMethod(t.Context(), entry(numbers[s]))
			return created.ID, err
		},
		ConfirmPayment: e.confirm, ConfirmSetup: e.confirm,
		DeleteCustomer: func(t *testing.T, id string) { require.NoError(t, e.DeleteCustomer(t.Context(), id)) },
		Deliveries:     e.delivered,
		Sign: func(payload []byte, at time.Time, with paymenttest.Secret) payment.Delivery {
			return fakepayment.Delivery(payload, fakepayment.Sign(payload, at, "whsec_"+string(with)))
		},
		Now:     e.clock.Now,
		Advance: func(t *testing.T, d time.Duration) { e.advance(t, d) },
		Charged: e.sumCharged,
	}
}
