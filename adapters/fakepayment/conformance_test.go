package fakepayment_test

import (
	"sync/atomic"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/vc-admin/diy/adapters/fakepayment"
	"github.com/vc-admin/diy/domain/catalogue"
	"github.com/vc-admin/diy/domain/money"
	"github.com/vc-admin/diy/ports/payment"
	"github.com/vc-admin/diy/ports/payment/paymenttest"
)

func TestProvider_Conforms(t *testing.T) {
	paymenttest.Run(t, newHarness)
}

func TestProvider_ConformsIfPaymentsTakeDays(t *testing.T) {
	paymenttest.Run(t, newSlowSettlementHarness)
}

func TestProvider_ConformsInRandomHistories(t *testing.T) {
	paymenttest.CheckHistories(t, 100, newHarness)
}

func TestProvider_ConformsInRandomHistoriesIfPaymentsTakeDays(t *testing.T) {
	paymenttest.CheckHistories(t, 50, newSlowSettlementHarness)
}

// raisedPrices returns the prices of testPrices plus an increase.
type raisedPrices struct {
	testPrices
	increase atomic.Int64
}

func (p *raisedPrices) Price(ref catalogue.PriceRef) (money.Amount, error) {
	amount, err := p.testPrices.Price(ref)
	if err != nil {
		return amount, err
	}
	return money.New(amount.Minor()+p.increase.Load(), ref.Currency)
}

func newHarness(t *testing.T) paymenttest.Harness { return newConfiguredHarness(t) }

func newSlowSettlementHarness(t *testing.T) paymenttest.Harness {
	return newConfiguredHarness(t, func(c *fakepayment.Config) { c.SettlementDelay = 3 * day })
}

func newConfiguredHarness(t *testing.T, configure ...func(*fakepayment.Config)) paymenttest.Harness {
	prices := &raisedPrices{}
	e := newEnv(t, append(configure, func(c *fakepayment.Config) { c.Prices = prices })...)
	numbers := map[paymenttest.Scenario]string{
		paymenttest.Pays:                visa,
		paymenttest.NeedsAuthentication: authenticationCard,
		paymenttest.DeclinedWhenSaved:   cardDeclinedWhenSaved,
		paymenttest.DeclinedWhenCharged: cardDeclinedWhenCharged,
		paymenttest.InsufficientFunds:   cardWithInsufficientFunds,
		paymenttest.LostCard:            lostCard,
		paymenttest.ExpiredCard:         expiredCard,
		paymenttest.Settles:             slowAccount,
		paymenttest.FailsLate:           lateFailingAccount,
		paymenttest.ReturnsLate:         lateReturningAccount,
	}
	return paymenttest.Harness{
		Provider: e.Provider,
		CreateCard: func(t *testing.T, scenario paymenttest.Scenario) (string, error) {
			method, err := e.CreatePaymentMethod(t.Context(), newCardEntry(numbers[scenario]))
			return method.ID, err
		},
		ConfirmPayment: e.confirm, ConfirmSetup: e.confirm,
		DeleteCustomer: func(t *testing.T, id string) { require.NoError(t, e.DeleteCustomer(t.Context(), id)) },
		Deliveries:     e.allDeliveries,
		Sign: func(payload []byte, at time.Time, secret paymenttest.Secret) payment.Delivery {
			return fakepayment.NewDelivery(payload, fakepayment.Sign(payload, at, "whsec_"+string(secret)))
		},
		Now:     e.clock.Now,
		Advance: func(t *testing.T, d time.Duration) { e.advance(t, d) },
		Settle:  e.advanceUntilSettled,
		RaisePrices: func(*testing.T) payment.Provider {
			prices.increase.Store(2400)
			return e.Provider
		},
		ChargedSum: e.sumCharges,
		Dispute:    func(t *testing.T, invoiceID string) { require.NoError(t, e.Dispute(t.Context(), invoiceID)) },
		CloseDispute: func(t *testing.T, invoiceID string, won bool) {
			require.NoError(t, e.CloseDispute(t.Context(), invoiceID, won))
		},
	}
}
