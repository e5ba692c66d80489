package stripeserver

import (
	"crypto/rand"
	"net/http"

	"github.com/vc-admin/diy/adapters/fakepayment"
	"github.com/vc-admin/diy/domain/money"
)

var creditNoteEndpoints = map[string]endpoint{
	"GET /v1/credit_notes": {objectType: "credit_note", isList: true, params: "customer invoice", serve: (*call).listCreditNotes},
	"POST /v1/credit_notes": {objectType: "credit_note", params: "invoice amount refund_amount email_type reason memo metadata",
		serve: (*call).createCreditNote},
}

// creditNote is a credit note of a paid invoice, whose amount was refunded.
type creditNote struct {
	id, number, invoiceID, customerID string
	refund                            *refund
}

func (v view) renderCreditNote(n *creditNote) object {
	amount, currency := n.refund.amount.Minor(), stripeCurrency(n.refund.amount.Currency().Code)
	return object{
		"id": n.id, "object": "credit_note", "livemode": false, "status": "issued", "type": "post_payment",
		"number": n.number, "invoice": n.invoiceID, "customer": n.customerID, "customer_account": nil, "currency": currency,
		"amount": amount, "subtotal": amount, "subtotal_excluding_tax": nil, "total": amount, "total_excluding_tax": nil,
		"pre_payment_amount": 0, "post_payment_amount": amount, "out_of_band_amount": nil,
		"refunds":                      []any{object{"refund": n.refund.id, "amount_refunded": amount, "type": "refund", "payment_record_refund": nil}},
		"customer_balance_transaction": nil, "amount_shipping": 0, "shipping_cost": nil, "discount_amount": 0,
		"discount_amounts": []any{}, "pretax_credit_amounts": []any{}, "total_taxes": []any{}, "reason": nil, "memo": nil,
		"metadata": v.state.metadataOf(n.id), "lines": newListObject("/v1/credit_notes/"+n.id+"/lines", nil),
		"created": n.refund.createdAt.Unix(), "effective_at": n.refund.createdAt.Unix(), "voided_at": nil,
		"pdf": "http://" + v.host + "/local/invoices/" + n.invoiceID + "/credit-notes/" + n.number + "/pdf",
	}
}

// listCreditNotes lists the credit notes of a customer or an invoice, newest first.
func (c *call) listCreditNotes() (renderFunc, error) {
	customerID, invoiceID := c.form.text("customer"), c.form.text("invoice")
	return func(v view) (object, error) {
		var notes []object
		for _, n := range v.state.creditNotes {
			if (customerID == "" || customerID == n.customerID) && (invoiceID == "" || invoiceID == n.invoiceID) {
				notes = append(notes, v.renderCreditNote(n))
			}
		}
		return c.newListPage("credit_note", notes)
	}, nil
}

// createCreditNote creates a credit note of a paid invoice, and refunds its amount.
func (c *call) createCreditNote() (renderFunc, error) {
	id, err := c.form.requiredText("invoice")
	if err != nil {
		return nil, err
	}
	inv, err := readRecord(c, unknownReferenceError("invoice", id, "invoice"),
		func(v view) (fakepayment.InvoiceRecord, bool) { return v.Invoice(id) })
	if err != nil {
		return nil, err
	}
	amount, err := c.requiredAmount(inv.Currency)
	if err == nil {
		err = c.checkCreditNote(inv, amount)
	}
	if err != nil {
		return nil, err
	}
	r, err := c.refund(inv.PaymentID, id, amount)
	if err != nil {
		return nil, err
	}
	refundedInvoice, err := readRecord(c, nil, func(v view) (fakepayment.InvoiceRecord, bool) { return v.Invoice(id) })
	if err != nil {
		return nil, err
	}
	n := &creditNote{id: "cn_" + rand.Text(), number: newestCreditNote(refundedInvoice), invoiceID: id, customerID: inv.CustomerID, refund: r}
	c.state.creditNotes = append([]*creditNote{n}, c.state.creditNotes...)
	c.saveMetadata(n.id)
	return func(v view) (object, error) { return v.renderCreditNote(n), nil }, nil
}

// checkCreditNote refuses a credit note of an unpaid invoice. It also refuses a credit note whose amount is not refunded
// completely, or with which the sum of credit notes exceeds the paid amount.
func (c *call) checkCreditNote(inv fakepayment.InvoiceRecord, amount money.Amount) error {
	refundMinor, _, err := c.form.number("refund_amount")
	switch {
	case err != nil:
		return err
	case inv.Status != "paid":
		return unsupportedError("invoice", "")
	case refundMinor != amount.Minor():
		return invalidRequestError("", "refund_amount",
			"The sum of refunds, credits and outside of Stripe credits must equal the post payment amount.")
	case inv.PaidOutside || amount.Minor() <= 0 || c.state.creditNoteSum(inv.ID)+amount.Minor() > inv.AmountDue:
		return invalidRequestError("", "amount", "The credit note exceeds the amount that was paid for the invoice.")
	}
	return c.checkMetadata()
}

// creditNoteSum returns the sum of the credit notes of an invoice.
func (s serverState) creditNoteSum(invoiceID string) (sum int64) {
	for _, n := range s.creditNotes {
		if n.invoiceID == invoiceID {
			sum += n.refund.amount.Minor()
		}
	}
	return sum
}

// newestCreditNote returns the number of the invoice's last credit note.
func newestCreditNote(inv fakepayment.InvoiceRecord) (number string) {
	for _, r := range inv.Returns.Billing(inv.Number, func(int64) money.Amount { return money.Amount{} }) {
		if r.CreditNote != "" {
			number = r.CreditNote
		}
	}
	return number
}

// serveCreditNotePDF serves the document of a credit note. The URL needs no API key.
func (s *Server) serveCreditNotePDF(w http.ResponseWriter, r *http.Request) {
	customerID, err := s.readCustomerOfInvoice(r.Context(), r.PathValue("id"))
	if err != nil {
		errorResponse(err).write(w)
		return
	}
	document, err := s.provider.CreditNotePDF(r.Context(), customerID, r.PathValue("id"), r.PathValue("number"))
	writePDF(w, document, err)
}
