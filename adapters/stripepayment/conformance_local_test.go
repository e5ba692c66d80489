package stripepayment_test

import (
	"testing"

	"github.com/vc-admin/diy/domain/catalogue"
	"github.com/vc-admin/diy/ports/payment/paymenttest"
)

// TestConformanceWithTheLocalStripe runs the whole suite with the adapter speaking Stripe's wire
// format to the machine that passes the suite by itself.
func TestConformanceWithTheLocalStripe(t *testing.T) {
	paymenttest.Run(t, func(t *testing.T) paymenttest.Harness {
		l := newLocalStripe(t, catalogue.Default())
		return harness(t, l.URL, testKey, l.clock, paymenttest.Harness{
			MakeCard: l.makeCard, ConfirmPayment: l.confirm, ConfirmSetup: l.confirm,
			DeleteCustomer: l.deleteCustomer, Deliveries: l.delivered, Advance: l.advance,
		})
	})
}
