package stripepayment_test

import (
	"net/http"
	"strconv"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/vc-admin/diy/domain/billing"
	"github.com/vc-admin/diy/domain/fault"
	"github.com/vc-admin/diy/domain/money"
	"github.com/vc-admin/diy/ports/payment"
)

const listCreditNotesRoute = "GET /v1/credit_notes"

// stubForInvoices responds to a list of the invoices.
func stubForInvoices(t *testing.T, invoices ...any) *stub {
	return newStub(t).respond(listInvoicesRoute, okResponse(list(invoices...))).
		respond(readPriceRoute, okResponse(object{"id": "price_2", "lookup_key": "standard_yearly"})).
		respond(listChargesRoute, okResponse(list(charge)))
}

func TestListInvoices_ConvertsInvoicesAndReadsEachPriceOnce(t *testing.T) {
	s := stubForInvoices(t, paidInvoice)
	p := s.provider()
	for range 2 {
		page, err := p.ListInvoices(t.Context(), payment.InvoiceQuery{CustomerID: "cus_1", Limit: 10})
		require.NoError(t, err)
		assert.Equal(t, payment.InvoiceList{Invoices: []billing.Invoice{{
			ID: "in_1", Number: "A-0001", SubscriptionID: "sub_1", Status: billing.InvoicePaid, Tax: aud(3818),
			Total: aud(42000), CreditUsed: aud(0), CarriedForward: aud(0), AmountDue: aud(42000),
			AmountPaid: aud(42000), Refunded: aud(0), Credited: aud(0), CreatedAt: noon, PaidAt: noon.Add(time.Minute),
			HasPDF: true,
			ReceivedPayments: []billing.ReceivedPayment{{
				Amount: aud(42000), Excess: aud(0), At: noon.Add(time.Minute),
				Method: &billing.PaymentMethod{Card: billing.Card{Brand: "visa", Last4: "4242", ExpMonth: 8, ExpYear: 2030}},
			}},
			Lines: []billing.Line{{Description: "Standard", Price: standard, Amount: aud(42000), Start: noon,
				End: noon.AddDate(1, 0, 0)}},
		}}}, page)
	}
	assert.Equal(t, []string{listInvoicesRoute, readPriceRoute, listChargesRoute, listInvoicesRoute, listChargesRoute},
		s.routes(),
		"a price is read once")
	assert.Equal(t, "data.payments", s.lastRequest(listInvoicesRoute).params.Get("expand[0]"))
	assert.Equal(t, "1772366400", s.lastRequest(listChargesRoute).params.Get("created[gte]"))
}

func TestListInvoices_HasTheNextAttemptUnlessThePaymentIsProcessing(t *testing.T) {
	invoice := openInvoice.withFields(object{"next_payment_attempt": noon.AddDate(0, 0, 3).Unix()})
	for status, want := range map[string]time.Time{
		"processing": {}, "requires_payment_method": noon.AddDate(0, 0, 3),
	} {
		s := newStub(t).respond(listInvoicesRoute, okResponse(list(invoice))).
			respond(readPaymentRoute, okResponse(paymentIntent(status)))
		page, err := s.provider().ListInvoices(t.Context(), payment.InvoiceQuery{CustomerID: "cus_1", Limit: 10})
		require.NoError(t, err)
		assert.Equal(t, want, page.Invoices[0].NextAttemptAt, status)
	}
}

func TestListInvoices_ReportsHowTheTotalWasSettled(t *testing.T) {
	balance := func(start, end int) object { return object{"starting_balance": start, "ending_balance": end} }
	for name, c := range map[string]struct {
		invoice object
		want    []billing.Movement
	}{
		"part of the balance used": {
			paidInvoice.withFields(balance(-50000, -20000)).withFields(object{"amount_due": 12000, "amount_paid": 12000}),
			[]billing.Movement{{Kind: billing.MovementCreditUsed, Amount: aud(-30000)},
				{Kind: billing.MovementPayment, Amount: aud(-12000)}},
		},
		"negative total": {
			paidInvoice.withFields(balance(0, -36187)).withFields(object{"total": -36187, "amount_due": 0, "amount_paid": 0}),
			[]billing.Movement{{Kind: billing.MovementCreditAdded, Amount: aud(36187)}},
		},
		"amount owed from before": {
			paidInvoice.withFields(balance(20, 0)).withFields(object{"amount_due": 42020, "amount_paid": 42020}),
			[]billing.Movement{{Kind: billing.MovementCarriedOver, Amount: aud(20)},
				{Kind: billing.MovementPayment, Amount: aud(-42020)}},
		},
		"part payment": {
			openInvoice.withFields(object{"amount_paid": 30000}),
			[]billing.Movement{{Kind: billing.MovementPayment, Amount: aud(-30000)}},
		},
		"credit note before the payment": {
			openInvoice.withFields(object{"amount_due": 32000, "pre_payment_credit_notes_amount": 10000}),
			[]billing.Movement{{Kind: billing.MovementCreditNote, Amount: aud(-10000)}},
		},
		"void invoice that had used the balance": {
			openInvoice.withFields(balance(-50000, -20000)).withFields(object{"status": "void", "amount_due": 12000}),
			[]billing.Movement{{Kind: billing.MovementVoided, Amount: aud(-42000)}},
		},
		"paid outside of Stripe": {paidInvoice.withFields(object{"amount_paid": 0, "payments": list()}),
			[]billing.Movement{{Kind: billing.MovementPayment, Amount: aud(-42000)}}},
	} {
		t.Run(name, func(t *testing.T) {
			page, err := stubForInvoices(t, c.invoice).provider().ListInvoices(t.Context(),
				payment.InvoiceQuery{CustomerID: "cus_1", Limit: 1})
			require.NoError(t, err)
			page.Invoices[0].ReceivedPayments = nil // the charge of the stub has another amount
			var movements []billing.Movement        // without their times and methods
			for _, m := range page.Invoices[0].Movements() {
				movements = append(movements, billing.Movement{Kind: m.Kind, Amount: m.Amount})
			}
			assert.Equal(t, c.want, movements)
		})
	}
}

// The charges contain the refunds. Credit notes add amounts that were credited to the balance or returned outside of
// Stripe.
func TestListInvoices_ReportsRefundsAndCreditNotes(t *testing.T) {
	invoiceWithCreditNote := paidInvoice.withFields(object{"id": "in_2", "post_payment_credit_notes_amount": 5000,
		"payments": list(object{"id": "inpay_2", "object": "invoice_payment",
			"is_default": true, "status": "paid", "payment": object{"type": "payment_intent", "payment_intent": "pi_2"}})})
	creditNote := object{"id": "cn_1", "object": "credit_note", "invoice": "in_2", "status": "issued",
		"post_payment_amount": 5000, "out_of_band_amount": 700,
		"refunds": []any{object{"amount_refunded": 1300, "refund": "re_1"}}}
	s := stubForInvoices(t, invoiceWithCreditNote, paidInvoice).
		respond(listChargesRoute, okResponse(list(
			charge.withFields(object{"id": "ch_2", "payment_intent": "pi_2", "amount_refunded": 1300}),
			charge.withFields(object{"id": "ch_0", "payment_intent": "pi_0", "amount_refunded": 9}), // not of these invoices
			charge.withFields(object{"amount_refunded": 42000}),
		))).
		respond(listCreditNotesRoute, okResponse(list(
			creditNote, creditNote.withFields(object{"invoice": "in_0"}), creditNote.withFields(object{"status": "void"}),
		)))

	page, err := s.provider().ListInvoices(t.Context(), payment.InvoiceQuery{CustomerID: "cus_1", Limit: 2})

	require.NoError(t, err)
	require.Len(t, page.Invoices, 2)
	assert.Equal(t, []money.Amount{aud(2000), aud(3000)}, []money.Amount{page.Invoices[0].Refunded, page.Invoices[0].Credited})
	assert.Equal(t, []money.Amount{aud(42000), aud(0)}, []money.Amount{page.Invoices[1].Refunded, page.Invoices[1].Credited})
	assert.Equal(t, []string{listInvoicesRoute, readPriceRoute, listChargesRoute, listCreditNotesRoute}, s.routes(),
		"one request lists the credit notes of all invoices")
}

// A charge contains its refunds, but not its disputes. A refund that failed has returned nothing.
func TestListInvoices_ReportsEachReturnWithItsDateAndMethod(t *testing.T) {
	refund := func(amount, created int64, status string) object {
		return object{"id": "re_" + strconv.FormatInt(amount, 10), "object": "refund", "amount": amount, "created": created, "status": status}
	}
	disputes := []any{
		dispute.withFields(object{"amount": 30000, "status": "lost", "created": 1772800000}),
		dispute.withFields(object{"status": "warning_closed", "created": 1772750000}),
		dispute.withFields(object{"amount": 30000, "status": "won", "created": 1772700000, "balance_transactions": []any{
			object{"id": "txn_1", "created": 1772700000}, object{"id": "txn_2", "created": 1772710000},
		}}),
	}
	s := stubForInvoices(t, paidInvoice.withFields(object{"post_payment_credit_notes_amount": 3700})).
		respond(listChargesRoute, okResponse(list(charge.withFields(object{
			"amount_refunded": 4000, "disputed": true, "metadata": object{"dispute_decided": "1772900000"},
			"refunds": list(refund(3000, 1772600000, "pending"), refund(500, 1772550000, "failed"), refund(1000, 1772500000, "succeeded")),
		})))).
		respond(listDisputesRoute, okResponse(list(disputes...))).
		respond(listCreditNotesRoute, okResponse(list(object{
			"id": "cn_1", "object": "credit_note", "invoice": "in_1", "status": "issued", "currency": "aud", "created": 1773000000,
			"post_payment_amount": 3700, "number": "INV-1-CN-01", "pdf": "https://pay.stripe.com/credit_notes/1/pdf",
			"refunds": []any{object{"amount_refunded": 3000, "refund": "re_3000", "type": "refund"}},
		})))

	page, err := s.provider().ListInvoices(t.Context(), payment.InvoiceQuery{CustomerID: "cus_1", Limit: 1})

	require.NoError(t, err)
	at := func(seconds int64) time.Time { return time.Unix(seconds, 0).UTC() }
	visa := &billing.PaymentMethod{Card: billing.Card{Brand: "visa", Last4: "4242", ExpMonth: 8, ExpYear: 2030}}
	assert.Equal(t, []billing.Return{
		{Kind: billing.ReturnRefund, Amount: aud(1000), At: at(1772500000), Method: visa},
		{Kind: billing.ReturnRefund, Amount: aud(3000), At: at(1772600000), Method: visa, CreditNote: "INV-1-CN-01"},
		{Kind: billing.ReturnByDispute, Amount: aud(30000), At: at(1772700000), Method: visa,
			Dispute: billing.DisputeWon, DecidedAt: at(1772710000)},
		{Kind: billing.ReturnByDispute, Amount: aud(30000), At: at(1772800000), Method: visa,
			Dispute: billing.DisputeLost, DecidedAt: at(1772900000)},
		{Kind: billing.ReturnAsCredit, Amount: aud(700), At: at(1773000000), CreditNote: "INV-1-CN-01"},
	}, page.Invoices[0].Returns)
	assert.Equal(t, []string{listInvoicesRoute, readPriceRoute, listChargesRoute, listDisputesRoute, listCreditNotesRoute}, s.routes())
}

func TestListInvoices_KeepsTheDecisionDateOfADisputeWhenAnotherOneIsOpened(t *testing.T) {
	s := stubForInvoices(t, paidInvoice).
		respond(listChargesRoute, okResponse(list(charge.withFields(object{
			"disputed": true, "metadata": object{"dispute_decided": "1772900000"},
		})))).
		respond(listDisputesRoute, okResponse(list(
			dispute.withFields(object{"status": "needs_response", "created": 1773000000}),
			dispute.withFields(object{"status": "lost", "created": 1772800000}),
		)))

	page, err := s.provider().ListInvoices(t.Context(), payment.InvoiceQuery{CustomerID: "cus_1", Limit: 1})

	require.NoError(t, err)
	require.Len(t, page.Invoices[0].Returns, 2)
	assert.Equal(t, time.Unix(1772900000, 0).UTC(), page.Invoices[0].Returns[0].DecidedAt, "lost")
	assert.Zero(t, page.Invoices[0].Returns[1].DecidedAt, "open")
}

// Stripe includes only the last ten refunds with a charge.
func TestListInvoices_OmitsRefundsThatDoNotAddUp(t *testing.T) {
	refunds := list(object{"id": "re_1", "object": "refund", "amount": 1000, "created": 1772600000, "status": "succeeded"})
	refunds["has_more"] = true
	s := stubForInvoices(t, paidInvoice).respond(listChargesRoute,
		okResponse(list(charge.withFields(object{"amount_refunded": 4000, "refunds": refunds}))))
	page, err := s.provider().ListInvoices(t.Context(), payment.InvoiceQuery{CustomerID: "cus_1", Limit: 1})
	require.NoError(t, err)
	assert.Equal(t, aud(4000), page.Invoices[0].Refunded)
	assert.Empty(t, page.Invoices[0].Returns)
}

func TestListInvoices_ReportsTheMethodOfAPayment(t *testing.T) {
	chargeWithMethod := func(kind string, fields object) object {
		return charge.withFields(object{"payment_method_details": object{"type": kind, kind: fields}})
	}
	debit := func(label string) billing.PaymentMethod {
		return billing.PaymentMethod{Kind: billing.BankDebitMethod, Label: label}
	}
	for name, c := range map[string]struct {
		charge object
		want   billing.PaymentMethod
	}{
		"BECS": {chargeWithMethod("au_becs_debit", object{"last4": "3456"}), debit("BECS Direct Debit •••• 3456")},
		"Bacs": {chargeWithMethod("bacs_debit", object{"last4": "2345"}), debit("Bacs Direct Debit •••• 2345")},
		"SEPA": {chargeWithMethod("sepa_debit", object{"last4": "3000"}), debit("SEPA Direct Debit •••• 3000")},
		"ACH": {chargeWithMethod("us_bank_account", object{"bank_name": "Example Bank", "last4": "6789"}),
			debit("Example Bank •••• 6789")},
		"ACSS": {chargeWithMethod("acss_debit", object{"last4": "6789", "bank_name": "Example Bank"}),
			debit("Pre-authorised debit •••• 6789")},
		"other": {chargeWithMethod("link", object{}), billing.PaymentMethod{Kind: billing.OtherMethod, Label: "link"}},
	} {
		t.Run(name, func(t *testing.T) {
			failedCharge := c.charge.withFields(object{"status": "failed"})
			s := stubForInvoices(t, paidInvoice).respond(listChargesRoute, okResponse(list(c.charge, failedCharge)))
			page, err := s.provider().ListInvoices(t.Context(), payment.InvoiceQuery{CustomerID: "cus_1", Limit: 1})
			require.NoError(t, err)
			require.Len(t, page.Invoices[0].ReceivedPayments, 1)
			assert.Equal(t, &c.want, page.Invoices[0].ReceivedPayments[0].Method)
		})
	}
}

func TestListInvoices_FailsIfChargesOrCreditNotesCannotBeRead(t *testing.T) {
	for _, route := range []string{listChargesRoute, listCreditNotesRoute} {
		s := stubForInvoices(t, paidInvoice.withFields(object{"post_payment_credit_notes_amount": 1})).
			respond(route, errorResponse(http.StatusForbidden, object{}))
		_, err := s.provider().ListInvoices(t.Context(), payment.InvoiceQuery{CustomerID: "cus_1", Limit: 1})
		require.Error(t, err, route)
	}
}

func TestListInvoices_WithoutPaymentsReadsNoCharges(t *testing.T) {
	s := stubForInvoices(t, openInvoice)
	_, err := s.provider().ListInvoices(t.Context(), payment.InvoiceQuery{CustomerID: "cus_1", Limit: 1})
	require.NoError(t, err)
	assert.NotContains(t, s.routes(), listChargesRoute)
}

func TestListInvoices_SkipsDraftsAndReportsWhetherMoreFollow(t *testing.T) {
	draftInvoice := paidInvoice.withFields(object{"status": "draft"})
	for limit, hasMore := range map[int]bool{1: true, 2: false} {
		page, err := stubForInvoices(t, draftInvoice, paidInvoice, draftInvoice, paidInvoice, draftInvoice).provider().
			ListInvoices(t.Context(), payment.InvoiceQuery{CustomerID: "cus_1", Limit: limit})
		require.NoError(t, err)
		assert.Len(t, page.Invoices, limit)
		assert.Equal(t, hasMore, page.HasMore)
	}
}

func TestListInvoices_LineOfAForeignProductHasNoPlan(t *testing.T) {
	s := stubForInvoices(t,
		paidInvoice.withFields(object{"lines": list(object{"id": "il_1", "amount": 100, "currency": "aud",
			"description": "Consulting"})}))
	page, err := s.provider().ListInvoices(t.Context(), payment.InvoiceQuery{CustomerID: "cus_1", Limit: 1})
	require.NoError(t, err)
	assert.Equal(t, []billing.Line{{Description: "Consulting", Amount: aud(100)}}, page.Invoices[0].Lines)
}

// manualInvoice returns an invoice that an operator has created in Stripe's dashboard.
func manualInvoice(lines ...any) object {
	return paidInvoice.withFields(object{"id": "in_2", "parent": nil, "billing_reason": "manual", "lines": list(lines...)})
}

// manualLine returns a line of a manual invoice, with a price that is not in the catalogue.
func manualLine(amount int, description any) object {
	return line("price_own", amount, false).withFields(object{"description": description, "parent": object{
		"type": "invoice_item_details", "subscription_item_details": nil,
		"invoice_item_details": object{"invoice_item": "ii_1", "proration": false, "subscription": nil},
	}})
}

func TestListInvoices_DoesNotReadThePricesOfAnOperatorsInvoice(t *testing.T) {
	s := newStub(t).respond(listInvoicesRoute,
		okResponse(list(manualInvoice(manualLine(1000, "Set-up"), manualLine(500, nil), manualLine(-200, nil))))).
		respond(listChargesRoute, okResponse(list(charge)))

	page, err := s.provider().ListInvoices(t.Context(), payment.InvoiceQuery{CustomerID: "cus_1", Limit: 10})

	require.NoError(t, err)
	require.Len(t, page.Invoices, 1)
	assert.Empty(t, page.Invoices[0].SubscriptionID)
	var descriptions []string
	for _, invoiceLine := range page.Invoices[0].Lines {
		descriptions = append(descriptions, invoiceLine.Description)
	}
	assert.Equal(t, []string{"Set-up", "One-off charge", "Credit"}, descriptions)
	assert.Equal(t, []string{listInvoicesRoute, listChargesRoute}, s.routes())
}

func TestListInvoices_ProrationOfTheClassicBillingModeHasItsPlan(t *testing.T) {
	proration := manualLine(-5000,
		"Unused time on 1 × Clinic").withFields(object{"pricing": object{"price_details": object{"price": "price_2"}}})
	proration["parent"] = object{"type": "invoice_item_details",
		"invoice_item_details": object{"proration": true, "subscription": "sub_1"}}
	page, err := stubForInvoices(t, paidInvoice.withFields(object{"lines": list(proration)})).provider().
		ListInvoices(t.Context(), payment.InvoiceQuery{CustomerID: "cus_1", Limit: 10})
	require.NoError(t, err)
	assert.Equal(t, standard, page.Invoices[0].Lines[0].Price)
	assert.Equal(t, "Unused time on Standard", page.Invoices[0].Lines[0].Description)
}

// A refusal can be permanent, so the list must succeed without the price. After an outage the list can be read again.
func TestListInvoices_OmitsARefusedPriceAndFailsInAnOutage(t *testing.T) {
	req := payment.InvoiceQuery{CustomerID: "cus_1", Limit: 10}
	page, err := stubForInvoices(t, paidInvoice, manualInvoice()).
		respond(readPriceRoute, resourceMissingResponse("price")).provider().
		ListInvoices(t.Context(), req)
	require.NoError(t, err)
	assert.Len(t, page.Invoices, 2)
	assert.Equal(t, "1 × Clinic (at $420.00 / year)", page.Invoices[0].Lines[0].Description)
	assert.Zero(t, page.Invoices[0].Lines[0].Price)

	_, err = stubForInvoices(t, paidInvoice).respond(readPriceRoute, errorResponse(500, object{"type": "api_error"})).
		provider().ListInvoices(t.Context(), req)
	assert.Equal(t, fault.Unavailable, fault.CodeOf(err))
}

func TestListInvoices_RefusesInvalidLimitsAndForeignCursors(t *testing.T) {
	for _, limit := range []int{0, 101} {
		_, err := newStub(t).provider().ListInvoices(t.Context(), payment.InvoiceQuery{CustomerID: "cus_1", Limit: limit})
		assert.Equal(t, fault.Invalid, fault.CodeOf(err))
	}
	s := newStub(t).respond(readInvoiceRoute, okResponse(paidInvoice.withFields(object{"customer": "cus_2"})))
	_, err := s.provider().ListInvoices(t.Context(), payment.InvoiceQuery{CustomerID: "cus_1", Limit: 1, After: "in_1"})
	assert.Equal(t, fault.NotFound, fault.CodeOf(err))
}

func TestListInvoices_ReportsAPaymentOutsideOfStripe(t *testing.T) {
	recordPayment := object{"object": "invoice_payment", "status": "paid", "is_default": false, "amount_paid": 42000,
		"status_transitions": object{"paid_at": 1774958400}, "payment": object{"type": "payment_record", "payment_record": "pr_1"}}
	for name, fields := range map[string]object{
		"marked as paid": {"amount_paid": 0, "payments": list()},
		"canceled intent": {"payments": list(object{"status": "canceled",
			"payment": object{"type": "payment_intent", "payment_intent": "pi_1"}})},
		"payment record": {"payments": list(recordPayment)},
	} {
		t.Run(name, func(t *testing.T) {
			inv := paidInvoice.withFields(fields).withFields(object{"amount_due": 42000})
			s := stubForInvoices(t, inv).respond(listChargesRoute, okResponse(list()))
			page, err := s.provider().ListInvoices(t.Context(), payment.InvoiceQuery{CustomerID: "cus_1", Limit: 1})
			require.NoError(t, err)
			assert.Equal(t, aud(42000), page.Invoices[0].AmountPaid)
			require.Len(t, page.Invoices[0].ReceivedPayments, 1)
			received := page.Invoices[0].ReceivedPayments[0]
			assert.Equal(t, aud(42000), received.Amount)
			assert.Equal(t, "Paid outside", received.Method.DisplayName())
			assert.False(t, received.At.IsZero())
		})
	}
}
