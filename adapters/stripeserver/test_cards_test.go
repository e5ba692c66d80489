package stripeserver_test

import (
	"testing"

	"github.com/stretchr/testify/assert"
)

// TestTestCards_AreDeclinedWithConsistentCodes compares the error of a refused payment with the last error of its intent.
func TestTestCards_AreDeclinedWithConsistentCodes(t *testing.T) {
	for number, want := range map[string]struct{ code, declineCode, adviceCode string }{
		"4000000000000002": {"card_declined", "generic_decline", "try_again_later"},
		"4000000000000341": {"card_declined", "generic_decline", "try_again_later"},
		"4000000000009995": {"card_declined", "insufficient_funds", "try_again_later"},
		"4000000000009987": {"card_declined", "lost_card", "do_not_try_again"},
		"4000000000009979": {"card_declined", "stolen_card", "do_not_try_again"},
		"4000000000000069": {"expired_card", "expired_card", "do_not_try_again"},
	} {
		t.Run(number, func(t *testing.T) {
			s := newTestServer(t)
			customerID, _ := s.newCustomerWithCard(declinedChargeToken)
			subscription := s.subscribe(customerID)
			invoicePath := "/v1/invoices/" + subscription.stringField("latest_invoice.id")
			intentPath := "/v1/payment_intents/" +
				subscription.stringField("latest_invoice.payments.data.0.payment.payment_intent")

			payment := s.send("POST", invoicePath+"/pay", "payment_method", s.createCard(number))
			confirmation := s.send("POST", intentPath+"/confirm", "payment_method", s.createCard(number))
			intent := s.send("GET", intentPath)

			for _, fault := range []any{payment.field("error"), confirmation.field("error"), intent.field("last_payment_error")} {
				fields, _ := fault.(object)
				assert.Equal(t, []any{want.code, want.declineCode, want.adviceCode},
					[]any{fields["code"], fields["decline_code"], fields["advice_code"]})
			}
		})
	}
}
