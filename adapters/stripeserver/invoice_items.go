package stripeserver

import (
	"time"

	"github.com/vc-admin/diy/adapters/fakepayment"
	"github.com/vc-admin/diy/domain/catalogue"
	"github.com/vc-admin/diy/domain/engine"
)

// parseAddedItem returns the line of the only item in add_invoice_items, or the zero value if there is none.
func (c *call) parseAddedItem() (line engine.Line, err error) {
	const name = "add_invoice_items[0]"
	product := c.form.text(name + "[price_data][product]")
	switch {
	case c.form.has("add_invoice_items[1][price_data][product]"):
		return line, unsupportedError("add_invoice_items[1]", product)
	case product == "":
		return line, c.form.allowOnly(name+"[price]", "")
	case c.prices.findProduct(product) == nil:
		return line, unknownReferenceError("product", product, name+"[price_data][product]")
	}
	for _, bound := range []string{"start", "end"} {
		if err := c.form.allowOnly(name+"[period]["+bound+"][type]", "timestamp"); err != nil {
			return line, err
		}
	}
	return c.parseItemLine(name+"[price_data][unit_amount]", name+"[period][start][timestamp]", name+"[period][end][timestamp]")
}

// parsePreviewItem returns the line of the only item in invoice_items, or the zero value if there is none.
func (c *call) parsePreviewItem() (line engine.Line, err error) {
	if !c.form.has("invoice_items[0][amount]") {
		return line, nil
	}
	return c.parseItemLine("invoice_items[0][amount]", "invoice_items[0][period][start]", "invoice_items[0][period][end]")
}

// parseItemLine returns the line with the amount and the period in the parameters with the names.
func (c *call) parseItemLine(amountName, startName, endName string) (line engine.Line, err error) {
	amount, _, err := c.form.number(amountName)
	if err != nil {
		return line, err
	}
	if amount <= 0 {
		return line, unsupportedError(amountName, c.form.text(amountName))
	}
	start, hasStart, err := c.form.number(startName)
	if err != nil {
		return line, err
	}
	end, hasEnd, err := c.form.number(endName)
	if err != nil {
		return line, err
	}
	if !hasStart || !hasEnd || end < start {
		return line, unsupportedError(endName, c.form.text(endName))
	}
	return engine.Line{Amount: amount, Start: time.Unix(start, 0).UTC(), End: time.Unix(end, 0).UTC()}, nil
}

// saveAddedItem stores the metadata of the added item with the subscription's latest invoice.
func (c *call) saveAddedItem(subscriptionID string) error {
	metadata := c.form.hash("add_invoice_items[0][metadata]")
	if len(metadata) == 0 {
		return nil
	}
	return c.read(func(v view) error {
		s, _ := v.Subscription(subscriptionID)
		c.state.metadata[addedItemID(s.LatestInvoiceID)] = metadata
		return nil
	})
}

// addedItemID returns the id of the item that was added to the invoice.
func addedItemID(invoiceID string) string { return "ii_" + invoiceID }

// renderAddedItem returns the line of an added item. Stripe describes it with the name of its product.
func (v view) renderAddedItem(inv fakepayment.InvoiceRecord, l engine.Line) object {
	name := l.Price.Product
	if plan, found := catalogue.Default().Plan(name); found {
		name = plan.DisplayName
	}
	return object{
		"id": "il_" + addedItemID(inv.ID), "object": "line_item", "livemode": false, "invoice": inv.ID, "quantity": 1,
		"amount": l.Amount, "subtotal": l.Amount, "currency": stripeCurrency(inv.Currency),
		"description": engine.ReturnedLineDescription(name), "metadata": v.state.metadataOf(addedItemID(inv.ID)),
		"period": object{"start": l.Start.Unix(), "end": l.End.Unix()},
		"parent": object{"type": "invoice_item_details", "subscription_item_details": nil,
			"invoice_item_details": object{
				"proration": false, "subscription": textOrNull(inv.SubscriptionID), "invoice_item": addedItemID(inv.ID),
			}},
		"pricing": nil,
	}
}
