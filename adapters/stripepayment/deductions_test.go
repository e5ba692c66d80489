package stripepayment_test

import (
	"net/http"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// refundedCharge is ch_1 after a refund of half its amount.
var refundedCharge = charge.withFields(object{"amount_refunded": 21000, "metadata": object{"refund": "21000 0 0 1772366500"}})

const createProductRoute = "POST /v1/products"

// An earlier change has created the product.
func TestChangePlan_AddsAnItemForTheRefundedPartOfTheUnusedTime(t *testing.T) {
	s := stubForChange(t, activeSubscription, upgradedSubscription).
		respond(listChargesRoute, okResponse(list(refundedCharge))).respond(listInvoicesRoute, okResponse(list(paidInvoice))).
		respond(createProductRoute, errorResponse(http.StatusBadRequest,
			object{"type": "invalid_request_error", "code": "resource_already_exists", "param": "id"}))
	req := planChange
	req.At = time.Unix(1772366400, 0)

	_, err := s.provider().ChangePlan(t.Context(), req)

	require.NoError(t, err)
	params := s.lastRequest(updateSubscriptionRoute).params
	for name, want := range map[string]string{
		"[price_data][product]": "diy_refunded_standard", "[price_data][unit_amount]": "21000", "[price_data][currency]": "aud",
		"[period][start][type]": "timestamp", "[period][start][timestamp]": "1772366400",
		"[period][end][type]": "timestamp", "[period][end][timestamp]": "1803902400", "[metadata][ch_1]": "21000 0 0 0",
	} {
		assert.Equal(t, want, params.Get("add_invoice_items[0]"+name), name)
	}
	assert.Equal(t, "1772366400", params.Get("proration_date"))
	assert.Equal(t, "Refunded part of Standard", s.lastRequest(createProductRoute).params.Get("name"))
}

func TestQuoteChange_PreviewsTheRefundedPartOfTheUnusedTime(t *testing.T) {
	s := stubForQuote(t, activeSubscription, preview).
		respond(listChargesRoute, okResponse(list(refundedCharge))).respond(listInvoicesRoute, okResponse(list(paidInvoice)))
	req := planChange
	req.At = time.Unix(1772366400, 0)

	_, err := s.provider().QuoteChange(t.Context(), req)

	require.NoError(t, err)
	params := s.lastRequest(createPreviewRoute).params
	for name, want := range map[string]string{
		"[amount]": "21000", "[currency]": "aud", "[description]": "Refunded part of Standard",
		"[period][start]": "1772366400", "[period][end]": "1803902400",
	} {
		assert.Equal(t, want, params.Get("invoice_items[0]"+name), name)
	}
}
