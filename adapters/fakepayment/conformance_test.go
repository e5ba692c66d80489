package fakepayment_test

import (
	"testing"
	"time"

	"github.com/vc-admin/diy/ports/payment/paymenttest"
)

func TestProviderKeepsThePort(t *testing.T) {
	paymenttest.Run(t, harness)
}

func TestASuiteWithoutTimeSaysSo(t *testing.T) {
	paymenttest.Run(t, func(t *testing.T) paymenttest.Harness {
		h := harness(t)
		h.Advance = nil
		h.Unsupported = map[paymenttest.Capability]string{paymenttest.PassingTime: "left out on purpose"}
		return h
	})
}

func harness(t *testing.T) paymenttest.Harness {
	w := newWorld(t)
	return paymenttest.Harness{
		Provider: w.Provider, MakeCard: w.makeCard, ConfirmPayment: w.confirm, ConfirmSetup: w.confirm,
		DeleteCustomer: w.deleteCustomer, Deliveries: w.delivered, Sign: sign, Now: w.clock.Now,
		Advance: func(t *testing.T, d time.Duration) { w.advance(t, d) },
	}
}
