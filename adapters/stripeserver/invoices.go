package stripeserver

import (
	"context"
	"net/http"

	"github.com/vc-admin/diy/adapters/fakepayment"
	"github.com/vc-admin/diy/domain/fault"
	"github.com/vc-admin/diy/ports/payment"
)

var invoiceEndpoints = map[string]endpoint{
	"GET /v1/invoices": {objectType: "invoice", isList: true, params: "customer subscription status",
		serve: (*call).listInvoices},
	"POST /v1/invoices/create_preview": {
		objectType: "invoice", params: "customer currency subscription subscription_details invoice_items", serve: (*call).createPreview,
	},
	"GET /v1/invoices/{id}":  newRetrieveEndpoint("invoice", "invoice"),
	"POST /v1/invoices/{id}": {objectType: "invoice", params: "auto_advance", serve: (*call).updateInvoice},
	"POST /v1/invoices/{id}/pay": {objectType: "invoice", params: "payment_method off_session paid_out_of_band",
		serve: (*call).payInvoice},
	"POST /v1/invoices/{id}/void": {objectType: "invoice", serve: (*call).voidInvoice},
}

func (c *call) listInvoices() (renderFunc, error) {
	customerID, subscriptionID := c.form.text("customer"), c.form.text("subscription")
	if customerID == "" && subscriptionID == "" {
		return nil, unsupportedError("customer", "")
	}
	return func(v view) (object, error) {
		if err := v.checkCustomerExists(customerID, "customer"); customerID != "" && err != nil {
			return nil, err
		}
		records := v.SubscriptionInvoices(subscriptionID)
		if subscriptionID == "" {
			records = v.CustomerInvoices(customerID)
		}
		var invoices []object
		for _, inv := range records {
			if c.matchesInvoice(inv) {
				invoices = append(invoices, v.renderInvoice(inv))
			}
		}
		return c.newListPage("invoice", invoices)
	}, nil
}

// matchesInvoice reports whether the invoice matches the filters customer and status.
func (c *call) matchesInvoice(inv fakepayment.InvoiceRecord) bool {
	customerID, status := c.form.text("customer"), c.form.text("status")
	return (customerID == "" || customerID == inv.CustomerID) && (status == "" || status == string(inv.Status))
}

// payInvoice charges the given payment method, or the customer's default one. As at Stripe, the response is an error
// unless the payment succeeds or is processing.
func (c *call) payInvoice() (renderFunc, error) {
	if c.form.text("paid_out_of_band") == "true" {
		return newObjectRenderer("invoice", c.pathValue("id"), "invoice"), c.provider.MarkPaidOutside(c.ctx(), c.pathValue("id"))
	}
	inv, methodID, err := c.readPayableInvoice()
	if err != nil {
		return nil, err
	}
	if methodID, err = c.resolveMethodID(methodID); err != nil {
		return nil, err
	}
	if err := c.provider.ChargeInvoice(c.ctx(), inv.ID, methodID); err != nil {
		return nil, err
	}
	if err := c.read(func(v view) error { return v.paymentError(inv.PaymentID) }); err != nil {
		return nil, err
	}
	return newObjectRenderer("invoice", inv.ID, "invoice"), nil
}

// readPayableInvoice returns the open invoice in the path and the id of the payment method to charge.
func (c *call) readPayableInvoice() (inv fakepayment.InvoiceRecord, methodID string, err error) {
	err = c.read(func(v view) error {
		var found bool
		inv, found = v.Invoice(c.pathValue("id"))
		customer, _ := v.Customer(inv.CustomerID)
		if methodID = c.form.text("payment_method"); methodID == "" {
			methodID = customer.DefaultCardID
		}
		switch {
		case !found:
			return notFoundError("invoice", c.pathValue("id"), "invoice")
		case inv.Status == "paid":
			return invalidRequestError("", "", "Invoice is already paid")
		case inv.Status != "open":
			return invalidRequestError("", "", "This invoice can't be paid because it has a status of "+string(inv.Status)+".")
		case methodID == "":
			return invalidRequestError("resource_missing", "",
				"There is no payment method on this invoice, its subscription, or its customer.")
		}
		return v.checkMethodUsable(methodID, inv.CustomerID)
	})
	return inv, methodID, err
}

// checkMethodUsable returns an error if the payment method does not exist or belongs to another customer.
func (v view) checkMethodUsable(methodID, customerID string) error {
	method := v.paymentMethodObject(methodID)
	switch {
	case testCardNumbers[methodID] != "":
		return nil
	case method == nil:
		return unknownReferenceError("PaymentMethod", methodID, "payment_method")
	case method["customer"] != nil && method["customer"] != customerID:
		return invalidRequestError("", "payment_method", "The customer does not have a payment method with the ID "+methodID+
			". The payment method must be attached to the customer.")
	}
	return nil
}

// paymentError returns the reason why the payment has failed or needs authentication. It returns nil if the payment has
// succeeded or is processing.
func (v view) paymentError(paymentID string) error {
	pi, _ := v.Intent(paymentID)
	switch {
	case pi.Status == "succeeded", pi.Status == "processing":
		return nil
	case pi.LastError != nil:
		return cardError(*pi.LastError)
	}
	return &apiError{
		status: http.StatusPaymentRequired, errorType: "card_error", code: "invoice_payment_intent_requires_action",
		message: "This payment requires additional user action before it can be completed successfully. " +
			"Payment can be completed using the PaymentIntent associated with the invoice.",
	}
}

// updateInvoice sets auto_advance of an invoice.
func (c *call) updateInvoice() (renderFunc, error) {
	if err := c.form.allowOnly("auto_advance", "true", "false"); err != nil {
		return nil, err
	}
	if c.form.has("auto_advance") {
		c.state.autoAdvanceDisabled[c.pathValue("id")] = c.form.text("auto_advance") == "false"
	}
	return newObjectRenderer("invoice", c.pathValue("id"), "invoice"), nil
}

func (c *call) voidInvoice() (renderFunc, error) {
	id := c.pathValue("id")
	err := c.provider.VoidInvoice(c.ctx(), id)
	switch {
	case fault.Is(err, fault.NotFound):
		return nil, notFoundError("invoice", id, "invoice")
	case fault.Is(err, fault.Conflict):
		return nil, invalidRequestError("", "", "You can only pass in open invoices. This invoice isn't open.")
	case err != nil:
		return nil, err
	}
	return newObjectRenderer("invoice", id, "invoice"), nil
}

// redirectToPDF redirects from the URL in an invoice to the file, as Stripe does. Neither URL needs an API key.
func (s *Server) redirectToPDF(w http.ResponseWriter, r *http.Request) {
	http.Redirect(w, r, "/local/files/"+r.PathValue("id"), http.StatusFound) //nolint:gosec // G710: the path is of this server
}

// servePDF serves the document of an invoice.
func (s *Server) servePDF(w http.ResponseWriter, r *http.Request) {
	customerID, err := s.readCustomerOfInvoice(r.Context(), r.PathValue("id"))
	if err != nil {
		errorResponse(err).write(w)
		return
	}
	document, err := s.provider.InvoicePDF(r.Context(), customerID, r.PathValue("id"))
	writePDF(w, document, err)
}

// readCustomerOfInvoice returns the id of the invoice's customer, or "" for an unknown invoice.
func (s *Server) readCustomerOfInvoice(ctx context.Context, id string) (customerID string, err error) {
	err = s.provider.Read(ctx, func(snapshot fakepayment.Snapshot) error {
		inv, _ := snapshot.Invoice(id)
		customerID = inv.CustomerID
		return nil
	})
	return customerID, err
}

// writePDF writes the document, or the error with which it was rendered.
func writePDF(w http.ResponseWriter, document payment.InvoiceDocument, err error) {
	if err != nil {
		errorResponse(err).write(w)
		return
	}
	w.Header().Set("Content-Type", "application/pdf")
	_, _ = w.Write(document.PDF) // fails if the client has disconnected
}
