package stripeserver

import (
	"net/http"

	"github.com/vc-admin/diy/adapters/fakepayment"
	"github.com/vc-admin/diy/domain/fault"
)

var invoiceEndpoints = map[string]endpoint{
	"GET /v1/invoices": {kind: "invoice", list: true, params: "customer subscription status", serve: (*call).listInvoices},
	"POST /v1/invoices/create_preview": {
		kind: "invoice", params: "customer currency subscription subscription_details", serve: (*call).createPreview,
	},
	"GET /v1/invoices/{id}":       retrieve("invoice", "invoice"),
	"POST /v1/invoices/{id}":      {kind: "invoice", params: "auto_advance", serve: (*call).updateInvoice},
	"POST /v1/invoices/{id}/pay":  {kind: "invoice", params: "payment_method off_session", serve: (*call).payInvoice},
	"POST /v1/invoices/{id}/void": {kind: "invoice", serve: (*call).voidInvoice},
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

// paymentError returns why the payment has failed or needs authentication, or nil if it succeeded or is processing.
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
