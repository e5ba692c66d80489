package stripeserver

import (
	"net/http"

	"github.com/vc-admin/diy/adapters/fakepayment"
	"github.com/vc-admin/diy/domain/fault"
)

var invoiceEndpoints = map[string]endpoint{
	"GET /v1/invoices":            {kind: "invoice", list: true, params: "customer subscription status", do: (*call).listInvoices},
	"GET /v1/invoices/{id}":       retrieve("invoice", "invoice"),
	"POST /v1/invoices/{id}":      {kind: "invoice", params: "auto_advance", do: (*call).updateInvoice},
	"POST /v1/invoices/{id}/pay":  {kind: "invoice", params: "payment_method off_session", do: (*call).payInvoice},
	"POST /v1/invoices/{id}/void": {kind: "invoice", do: (*call).voidInvoice},
}

func (c *call) listInvoices() (show, error) {
	customer, subscription := c.form.text("customer"), c.form.text("subscription")
	if customer == "" && subscription == "" {
		return nil, unsupported("customer", "")
	}
	return func(v view) (object, error) {
		all := v.InvoicesOf(subscription)
		if subscription == "" {
			all = v.InvoicesFor(customer)
		}
		var found []object
		for _, inv := range all {
			of := customer == "" || inv.Customer == customer
			if status := c.form.text("status"); of && (status == "" || status == string(inv.Status)) {
				found = append(found, v.invoice(inv.ID))
			}
		}
		return c.page("invoice", found)
	}, nil
}

// payInvoice tries the card named, or the customer's default one. What it comes to is an error
// unless the invoice is paid.
func (c *call) payInvoice() (show, error) {
	inv, card, err := c.bill()
	if err != nil {
		return nil, err
	}
	if card, err = c.cardNamed(card); err != nil {
		return nil, err
	}
	if err := c.provider.ChargeInvoice(c.ctx(), inv.ID, card); err != nil {
		return nil, err
	}
	if err := c.books(func(v view) error { return v.unpaid(inv.Payment) }); err != nil {
		return nil, err
	}
	return one("invoice", inv.ID, "invoice"), nil
}

// bill finds the invoice in the path and the card to pay it with.
func (c *call) bill() (inv fakepayment.InvoiceRecord, card string, err error) {
	err = c.books(func(v view) error {
		var found bool
		inv, found = v.Invoice(c.id("id"))
		owner, _ := v.Customer(inv.Customer)
		if card = c.form.text("payment_method"); card == "" {
			card = owner.Default
		}
		switch {
		case !found:
			return missing("invoice", c.id("id"), "invoice")
		case inv.Status == "paid":
			return invalidRequest("", "", "Invoice is already paid")
		case inv.Status != "open":
			return invalidRequest("", "", "This invoice can't be paid because it has a status of "+string(inv.Status)+".")
		case card == "":
			return invalidRequest("resource_missing", "", "There is no payment method on this invoice, its subscription, or its customer.")
		}
		return v.mayUse(card, inv.Customer)
	})
	return inv, card, err
}

// mayUse refuses a card that is another customer's, or none at all.
func (v view) mayUse(card, customer string) error {
	found := v.paymentMethod(card)
	switch {
	case tokens[card] != "":
		return nil
	case found == nil:
		return missingParam("PaymentMethod", card, "payment_method")
	case found["customer"] != nil && found["customer"] != customer:
		return invalidRequest("", "payment_method", "The customer does not have a payment method with the ID "+card+". The payment method must be attached to the customer.")
	}
	return nil
}

// unpaid is why a payment has not gone through, nil when it has.
func (v view) unpaid(paymentID string) error {
	in, _ := v.Intent(paymentID)
	switch {
	case in.Status == "succeeded":
		return nil
	case in.Problem != nil:
		return cardError(*in.Problem)
	}
	return &apiError{
		status: http.StatusPaymentRequired, kind: "card_error", code: "invoice_payment_intent_requires_action",
		text: "This payment requires additional user action before it can be completed successfully. Payment can be completed using the PaymentIntent associated with the invoice.",
	}
}

// updateInvoice holds an invoice back from automatic collection, or releases it.
func (c *call) updateInvoice() (show, error) {
	if err := c.form.only("auto_advance", "true", "false"); err != nil {
		return nil, err
	}
	if c.form.has("auto_advance") {
		c.notes.held[c.id("id")] = c.form.text("auto_advance") == "false"
	}
	return one("invoice", c.id("id"), "invoice"), nil
}

func (c *call) voidInvoice() (show, error) {
	id := c.id("id")
	err := c.provider.VoidInvoice(c.ctx(), id)
	switch {
	case fault.Is(err, fault.NotFound):
		return nil, missing("invoice", id, "invoice")
	case fault.Is(err, fault.Conflict):
		return nil, invalidRequest("", "", "You can only pass in open invoices. This invoice isn't open.")
	case err != nil:
		return nil, err
	}
	return one("invoice", id, "invoice"), nil
}
