package stripepayment_test

import (
	"net/url"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/vc-admin/diy/domain/billing"
	"github.com/vc-admin/diy/domain/fault"
	"github.com/vc-admin/diy/domain/money"
	"github.com/vc-admin/diy/ports/payment"
)

const (
	readInvoice = "GET /v1/invoices/in_1"
	pay         = "POST /v1/invoices/in_1/pay"
	readOwnCard = "GET /v1/customers/cus_1/payment_methods/pm_2"
)

var invoicePayment = payment.InvoicePayment{Key: "key-1", InvoiceID: "in_1", Amount: aud(42000)}

func aud(minor int64) money.Amount {
	amount, err := money.New(minor, "AUD")
	if err != nil {
		panic(err) // the currency is known
	}
	return amount
}

func TestPayInvoice_ChargesTheDefaultCard(t *testing.T) {
	s := newScript(t).on(readInvoice, fine(openInvoice)).on(pay, fine(invoice("paid", "paid"))).on(readSubscription, fine(active))

	after, err := s.provider().PayInvoice(t.Context(), invoicePayment)

	require.NoError(t, err)
	assert.Equal(t, billing.Active, after.Status)
	assert.Equal(t, []string{readInvoice, pay, readSubscription}, s.routes())
	assert.Equal(t, url.Values{"payment_method": {"pm_1"}, "off_session": {"false"}}, s.last(pay).params)
	assert.Equal(t, "key-1", s.last(pay).key())
}

func TestPayInvoice_ChargesTheNamedCardOfTheCustomer(t *testing.T) {
	s := newScript(t).on(readInvoice, fine(openInvoice)).on(readOwnCard, fine(card("pm_2"))).
		on(pay, fine(invoice("paid", "paid"))).on(readSubscription, fine(active))
	in := invoicePayment
	in.MethodID = "pm_2"

	_, err := s.provider().PayInvoice(t.Context(), in)

	require.NoError(t, err)
	assert.Equal(t, []string{readInvoice, readOwnCard, pay, readSubscription}, s.routes())
	assert.Equal(t, "pm_2", s.last(pay).params.Get("payment_method"))
}

func TestPayInvoice_ReportsTheSubscriptionWhateverStripeAnswersToThePayment(t *testing.T) {
	for name, refused := range map[string]answer{
		"declined":             declined(),
		"wants authentication": refusal(402, object{"type": "card_error", "code": "invoice_payment_intent_requires_action"}),
		"paid meanwhile":       invalidRequest(object{"message": "Invoice is already paid"}),
		"the card is gone":     missing("payment_method"),
	} {
		t.Run(name, func(t *testing.T) {
			s := newScript(t).on(readInvoice, fine(openInvoice)).on(readSubscription, fine(incomplete)).on(pay, refused).
				on(readPayment, fine(paymentIntent("requires_action")))
			after, err := s.provider().PayInvoice(t.Context(), invoicePayment)
			require.NoError(t, err)
			assert.Equal(t, billing.RequiresAction, after.LatestInvoice.Payment.Status)
			assert.NotEmpty(t, after.LatestInvoice.Payment.ClientSecret)
		})
	}
}

func TestPayInvoice_ReportsWhyTheCardWasDeclined(t *testing.T) {
	refused := paymentIntent("requires_payment_method").with(object{
		"last_payment_error": object{"type": "card_error", "message": "Your card has insufficient funds."},
	})
	s := newScript(t).on(readInvoice, fine(openInvoice)).on(pay, declined()).
		on(readSubscription, fine(incomplete)).on(readPayment, fine(refused))
	after, err := s.provider().PayInvoice(t.Context(), invoicePayment)
	require.NoError(t, err)
	assert.Equal(t, billing.NextAction{
		Kind: billing.NewPaymentMethod, InvoiceID: "in_1", Secret: "pi_1_secret_x", Reason: "Your card has insufficient funds.",
	}, after.Next)
}

func TestPayInvoice_Failures(t *testing.T) {
	for name, c := range map[string]struct {
		found  object
		amount int64
		pay    answer
		want   fault.Code
	}{
		"an outage":          {openInvoice, 42000, refusal(500, object{"type": "api_error"}), fault.Unavailable},
		"an old key":         {openInvoice, 42000, usedKey, fault.Conflict},
		"another amount":     {openInvoice, 41999, answer{}, fault.Conflict},
		"it is void":         {openInvoice.with(object{"status": "void"}), 42000, answer{}, fault.Conflict},
		"it has ended":       {invoiceOf(incomplete.with(object{"status": "canceled"}), customer), 42000, answer{}, fault.Conflict},
		"it is unpaid":       {invoiceOf(incomplete.with(object{"status": "unpaid"}), customer), 42000, answer{}, fault.Conflict},
		"there is no card":   {invoiceOf(incomplete, cardless), 42000, answer{}, fault.Invalid},
		"it is of no period": {invoice("open", "open"), 42000, answer{}, fault.NotFound},
	} {
		t.Run(name, func(t *testing.T) {
			s := newScript(t).on(readInvoice, fine(c.found)).on(pay, c.pay).on(retire, usedKey)
			in := invoicePayment
			in.Amount = aud(c.amount)
			_, err := s.provider().PayInvoice(t.Context(), in)
			assert.Equal(t, c.want, fault.CodeOf(err))
		})
	}
}

func TestPayInvoice_PaidInvoiceIsNotChargedAgain(t *testing.T) {
	s := newScript(t).on(readInvoice, fine(openInvoice.with(object{"status": "paid"}))).on(readSubscription, fine(active))
	_, err := s.provider().PayInvoice(t.Context(), invoicePayment)
	require.NoError(t, err)
	assert.Equal(t, []string{readInvoice, readSubscription}, s.routes())
}
