package stripeserver

import (
	"maps"
	"net/http"
	"strings"

	"github.com/vc-admin/diy/adapters/fakepayment"
	"github.com/vc-admin/diy/domain/fault"
)

var invoiceEndpoints = map[string]endpoint{
	"GET /v1/invoices": {kind: "invoice", list: true, params: "customer subscription status", do: (*call).listInvoices},
	"POST /v1/invoices/create_preview": {
		kind: "invoice", params: "customer currency subscription subscription_details", do: (*call).createPreview,
	},
	"GET /v1/invoices/{id}":       retrieve("invoice", "invoice"),
	"POST /v1/invoices/{id}":      {kind: "invoice", params: "auto_advance", do: (*call).updateInvoice},
	"POST /v1/invoices/{id}/pay":  {kind: "invoice", params: "payment_method off_session", do: (*call).payInvoice},
	"POST /v1/invoices/{id}/void": {kind: "invoice", do: (*call).voidInvoice},
}

func (c *call) listInvoices() (renderFunc, error) {
	customer, subscription := c.form.text("customer"), c.form.text("subscription")
	if customer == "" && subscription == "" {
		return nil, unsupported("customer", "")
	}
	return func(v view) (object, error) {
		if err := v.checkCustomerExists(customer, "customer"); customer != "" && err != nil {
			return nil, err
		}
		records := v.SubscriptionInvoices(subscription)
		if subscription == "" {
			records = v.CustomerInvoices(customer)
		}
		var invoices []object
		for _, inv := range records {
			if c.matchesInvoice(inv) {
				invoices = append(invoices, v.invoiceObject(inv))
			}
		}
		return c.page("invoice", invoices)
	}, nil
}

// matchesInvoice reports whether the invoice matches the filters customer and status.
func (c *call) matchesInvoice(inv fakepayment.InvoiceRecord) bool {
	customer, status := c.form.text("customer"), c.form.text("status")
	return (customer == "" || customer == inv.Customer) && (status == "" || status == string(inv.Status))
}

// payInvoice charges the given payment method, or the customer's default one. As at Stripe it returns an error unless the
// payment succeeds or is processing.
func (c *call) payInvoice() (renderFunc, error) {
	inv, card, err := c.payableInvoice()
	if err != nil {
		return nil, err
	}
	if card, err = c.resolveTestCard(card); err != nil {
		return nil, err
	}
	if err := c.provider.ChargeInvoice(c.ctx(), inv.ID, card); err != nil {
		return nil, err
	}
	if err := c.read(func(v view) error { return v.paymentError(inv.Payment) }); err != nil {
		return nil, err
	}
	return renderObject("invoice", inv.ID, "invoice"), nil
}

// payableInvoice returns the open invoice in the path and the id of the payment method to charge.
func (c *call) payableInvoice() (inv fakepayment.InvoiceRecord, card string, err error) {
	err = c.read(func(v view) error {
		var found bool
		inv, found = v.Invoice(c.id("id"))
		owner, _ := v.Customer(inv.Customer)
		if card = c.form.text("payment_method"); card == "" {
			card = owner.Default
		}
		switch {
		case !found:
			return notFound("invoice", c.id("id"), "invoice")
		case inv.Status == "paid":
			return invalidRequest("", "", "Invoice is already paid")
		case inv.Status != "open":
			return invalidRequest("", "", "This invoice can't be paid because it has a status of "+string(inv.Status)+".")
		case card == "":
			return invalidRequest("resource_missing", "",
				"There is no payment method on this invoice, its subscription, or its customer.")
		}
		return v.checkCardUsable(card, inv.Customer)
	})
	return inv, card, err
}

// checkCardUsable returns an error if the payment method does not exist or belongs to another customer.
func (v view) checkCardUsable(card, customer string) error {
	method := v.paymentMethod(card)
	switch {
	case testTokens[card] != "":
		return nil
	case method == nil:
		return noSuchObject("PaymentMethod", card, "payment_method")
	case method["customer"] != nil && method["customer"] != customer:
		return invalidRequest("", "payment_method", "The customer does not have a payment method with the ID "+card+
			". The payment method must be attached to the customer.")
	}
	return nil
}

// paymentError returns why the payment has failed or needs an authentication, or nil if it succeeded or is processing.
func (v view) paymentError(paymentID string) error {
	pi, _ := v.Intent(paymentID)
	switch {
	case pi.Status == "succeeded", pi.Status == "processing":
		return nil
	case pi.Problem != nil:
		return cardError(*pi.Problem)
	}
	return &apiError{
		status: http.StatusPaymentRequired, kind: "card_error", code: "invoice_payment_intent_requires_action",
		text: "This payment requires additional user action before it can be completed successfully. Payment can be completed " +
			"using the PaymentIntent associated with the invoice.",
	}
}

// updateInvoice turns the automatic collection of an invoice off or on.
func (c *call) updateInvoice() (renderFunc, error) {
	if err := c.form.allowOnly("auto_advance", "true", "false"); err != nil {
		return nil, err
	}
	if c.form.has("auto_advance") {
		c.extras.manualInvoices[c.id("id")] = c.form.text("auto_advance") == "false"
	}
	return renderObject("invoice", c.id("id"), "invoice"), nil
}

func (c *call) voidInvoice() (renderFunc, error) {
	id := c.id("id")
	err := c.provider.VoidInvoice(c.ctx(), id)
	switch {
	case fault.Is(err, fault.NotFound):
		return nil, notFound("invoice", id, "invoice")
	case fault.Is(err, fault.Conflict):
		return nil, invalidRequest("", "", "You can only pass in open invoices. This invoice isn't open.")
	case err != nil:
		return nil, err
	}
	return renderObject("invoice", id, "invoice"), nil
}

// invoice returns the invoice object, or nil.
func (v view) invoice(id string) object {
	inv, found := v.Invoice(id)
	if !found {
		return nil
	}
	return v.invoiceObject(inv)
}

// invoiceObject returns the invoice object of a record. Since API version 2025-03-31 it has no payment_intent; its payments and
// its confirmation secret must be expanded.
func (v view) invoiceObject(inv fakepayment.InvoiceRecord) object {
	id, total := inv.ID, inv.Amount+inv.Credit
	paid, paidAt := int64(0), any(nil)
	if inv.Status == "paid" {
		paid, paidAt = inv.Amount, unixOrNull(inv.PaidAt)
	}
	taxes := []any{}
	if inv.Tax != 0 {
		taxes = append(taxes, object{"amount": inv.Tax, "taxable_amount": total - inv.Tax, "type": "tax_rate_details",
			"tax_behavior": "inclusive"}) //nolint:misspell // Stripe's spelling
	}
	s, _ := v.Subscription(inv.Subscription)
	nextAttempt := any(nil)
	if s.Invoice == id && inv.Status == "open" && !s.Processing {
		nextAttempt = unixOrNull(s.RetryAt)
	}
	fields := object{
		"auto_advance":         inv.Status == "open" && !v.extras.manualInvoices[id] && s.Status != "canceled",
		"next_payment_attempt": nextAttempt,
		"id":                   id, "object": "invoice", "livemode": false, "status": string(inv.Status),
		"customer": inv.Customer,
		"currency": stripeCurrency(inv.Currency), "created": unixOrNull(inv.Created), "billing_reason": billingReason(inv),
		"starting_balance": -inv.CreditBefore, "ending_balance": inv.Credit - inv.CreditBefore,
		"total": total, "total_taxes": taxes, "amount_due": inv.Amount, "amount_paid": paid,
		"amount_remaining":                inv.Amount - paid,
		"pre_payment_credit_notes_amount": 0, "post_payment_credit_notes_amount": 0,
		"number": inv.Number, "lines": v.linesOf(inv), "due_date": nil,
		"invoice_pdf": "http://" + v.host + "/local/invoices/" + id + "/pdf",
		"status_transitions": object{"paid_at": paidAt, "voided_at": nil, "marked_uncollectible_at": nil,
			"finalized_at": unixOrNull(inv.Created)}, //nolint:misspell // Stripe's spelling
		"collection_method": "charge_automatically", "default_payment_method": nil, "metadata": object{},
		"parent": object{"type": "subscription_details", "quote_details": nil,
			"subscription_details": object{"subscription": inv.Subscription,
				"metadata": v.extras.metadataOf(inv.Subscription)}},
	}
	maps.Copy(fields, buyerFields(inv))
	return fields
}

// buyerFields returns the invoice's fields with the customer's details of when it was created.
func buyerFields(inv fakepayment.InvoiceRecord) object {
	b := inv.Buyer.Details.Buyer(inv.Buyer.Name)
	fields := object{"customer_name": orNull(b.Name), "customer_address": nil, "customer_tax_ids": []any{},
		"custom_fields": nil}
	if b.Country != "" {
		fields["customer_address"] = object{
			"line1": b.Line1, "line2": orNull(b.Line2), "city": b.City, "state": b.State, "postal_code": b.PostalCode,
			"country": b.Country,
		}
	}
	if b.TaxID != "" {
		fields["customer_tax_ids"] = []any{object{"type": b.TaxIDType, "value": b.TaxID}}
	}
	if b.PurchaseOrder != "" {
		fields["custom_fields"] = []any{object{"name": "Purchase order", "value": b.PurchaseOrder}}
	}
	return fields
}

func billingReason(inv fakepayment.InvoiceRecord) string {
	switch {
	case inv.Change:
		return "subscription_update"
	case inv.Previous == "":
		return "subscription_create"
	}
	return "subscription_cycle"
}

// confirmationSecret returns the client secret with which a browser confirms the payment, or null without a payment.
func (v view) confirmationSecret(id string) any {
	inv, _ := v.Invoice(id)
	pi, found := v.Intent(inv.Payment)
	if !found {
		return nil
	}
	return object{"type": "payment_intent", "client_secret": pi.Secret}
}

// paymentsOf returns the list of the invoice's payments. It is empty if nothing was due, for example for a trial.
func (v view) paymentsOf(id string) any {
	inv, _ := v.Invoice(id)
	pi, found := v.Intent(inv.Payment)
	if !found {
		return listObject("/v1/invoices/"+id+"/payments", nil)
	}
	return listObject("/v1/invoices/"+id+"/payments", []object{v.invoicePaymentOf(pi)})
}

// invoicePaymentOf returns the payment of an invoice.
func (v view) invoicePaymentOf(pi fakepayment.IntentRecord) object {
	inv, _ := v.Invoice(pi.Invoice)
	amountPaid := any(nil)
	if pi.Status == "succeeded" {
		amountPaid = pi.Amount
	}
	return object{
		"id": "inpay_" + strings.TrimPrefix(pi.ID, "pi_"), "object": "invoice_payment", "livemode": false,
		"invoice":    pi.Invoice,
		"is_default": true, "status": paymentStatus(pi), "currency": stripeCurrency(pi.Currency),
		"created":          unixOrNull(inv.Created),
		"amount_requested": pi.Amount, "amount_paid": amountPaid,
		"payment": object{"type": "payment_intent", "payment_intent": pi.ID},
	}
}

func paymentStatus(pi fakepayment.IntentRecord) string {
	switch pi.Status {
	case "succeeded":
		return "paid"
	case "canceled":
		return "canceled"
	}
	return "open"
}

// redirectToPDF redirects from the URL in an invoice to the file, as Stripe does. Neither URL needs an API key.
func (s *Server) redirectToPDF(w http.ResponseWriter, r *http.Request) {
	http.Redirect(w, r, "/local/files/"+r.PathValue("id"), http.StatusFound) //nolint:gosec // G710: the path is of this server
}

// servePDF serves the document of an invoice.
func (s *Server) servePDF(w http.ResponseWriter, r *http.Request) {
	var customer string
	err := s.provider.Read(r.Context(), func(snapshot fakepayment.Snapshot) error {
		inv, _ := snapshot.Invoice(r.PathValue("id"))
		customer = inv.Customer
		return nil
	})
	if err != nil {
		errorResponse(err).write(w)
		return
	}
	document, err := s.provider.InvoicePDF(r.Context(), customer, r.PathValue("id"))
	if err != nil {
		errorResponse(err).write(w)
		return
	}
	w.Header().Set("Content-Type", "application/pdf")
	_, _ = w.Write(document.PDF) // fails if the client has disconnected
}
