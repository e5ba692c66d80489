package stripeserver

import (
	"strings"
	"time"

	"github.com/vc-admin/diy/adapters/fakepayment"
	"github.com/vc-admin/diy/domain/billing"
	"github.com/vc-admin/diy/domain/catalogue"
	"github.com/vc-admin/diy/domain/engine"
	"github.com/vc-admin/diy/ports/payment"
)

// createPreview returns the invoice that a new subscription or a change of price would create.
func (c *call) createPreview() (renderFunc, error) {
	details := c.form.nestedForm("subscription_details")
	quote := c.quoteSubscription
	if c.form.has("subscription") {
		quote = c.quoteChange
	}
	q, subscriptionID, err := quote(details)
	if err != nil {
		return nil, err
	}
	return func(v view) (object, error) {
		preview := v.renderInvoice(fakepayment.InvoiceRecord{
			CustomerID: c.form.text("customer"), SubscriptionID: subscriptionID, Currency: q.Total.Currency().Code,
			Created:      v.Now(),
			IsPlanChange: subscriptionID != "", AmountDue: q.DueNow.Minor(), Credit: q.Total.Minor() - q.DueNow.Minor(),
			CreditBefore: q.CreditBefore.Minor(), Tax: q.Tax.Minor(), Lines: engineLines(q.Lines), Status: "draft",
		})
		preview["id"], preview["number"], preview["invoice_pdf"] = "upcoming_in_"+c.r.Header.Get("Idempotency-Key"), nil, nil
		if subscriptionID == "" {
			preview["parent"], preview["ending_balance"] = nil, nil
		} else if parent, ok := preview["parent"].(object); ok {
			parent["subscription_details"] = object{"subscription": subscriptionID, "metadata": object{},
				"subscription_proration_date": q.At.Unix()}
		}
		return preview, nil
	}, nil
}

// quoteSubscription returns the quote of a new subscription. The id of the subscription is "".
func (c *call) quoteSubscription(details form) (q billing.Quote, subscriptionID string, err error) {
	req := payment.NewSubscription{}
	if req.CustomerID, err = c.form.requiredText("customer"); err != nil {
		return q, "", err
	}
	var now time.Time
	err = c.read(func(v view) error { now = v.Now(); return v.checkCustomerExists(req.CustomerID, "customer") })
	if err != nil {
		return q, "", err
	}
	end, hasTrial, err := details.number("trial_end")
	if err != nil {
		return q, "", err
	}
	if hasTrial {
		req.TrialDays = int(time.Unix(end, 0).Sub(now).Round(24*time.Hour) / (24 * time.Hour))
	}
	p, err := c.findActivePrice("subscription_details[items][0][price]", c.form.text("currency"))
	if err != nil {
		return q, "", err
	}
	req.Price = p.ref(c.form.text("currency"))
	q, err = c.provider.QuoteSubscriptionStart(c.ctx(), req, p.amounts[stripeCurrency(req.Price.Currency)])
	return q, "", err
}

// quoteChange returns the quote of a change to another price, and the id of the subscription.
func (c *call) quoteChange(details form) (q billing.Quote, subscriptionID string, err error) {
	id := c.form.text("subscription")
	errMissing := unknownReferenceError("subscription", id, "subscription")
	s, err := readRecord(c, errMissing, func(v view) (fakepayment.SubscriptionRecord, bool) { return v.Subscription(id) })
	if err != nil {
		return q, id, err
	}
	p, err := c.findActivePrice("subscription_details[items][0][price]", s.Price.Currency)
	if err != nil {
		return q, id, err
	}
	ref := p.ref(s.Price.Currency)
	req := fakepayment.PriceChange{
		SubscriptionID: id, To: ref, Amount: p.amounts[stripeCurrency(ref.Currency)],
		EndTrial: details.text("trial_end") == "now",
	}
	if err := details.checkPreview(s, req); err != nil {
		return q, id, err
	}
	date, hasDate, err := details.number("proration_date")
	if err != nil {
		return q, id, err
	}
	if hasDate {
		req.At = time.Unix(date, 0)
	}
	if req.Returned, err = c.parsePreviewItem(); err != nil {
		return q, id, err
	}
	q, err = c.provider.QuotePriceChange(c.ctx(), req)
	return q, id, err
}

// checkPreview refuses a preview of a change that updateSubscription would refuse.
func (f form) checkPreview(s fakepayment.SubscriptionRecord, req fakepayment.PriceChange) error {
	switch {
	case f.text("items[0][id]") != itemID(s.ID):
		return unsupportedError("subscription_details[items][0][id]", f.text("items[0][id]"))
	case f.text(prorationBehaviourParam) != "always_invoice":
		return unsupportedError("subscription_details["+prorationBehaviourParam+"]", f.text(prorationBehaviourParam))
	case (s.Status == billing.Trialing) != req.EndTrial:
		return unsupportedError("subscription_details[trial_end]", f.text("trial_end"))
	}
	return f.checkBillingCycleAnchor(s, req.To)
}

// engineLines converts the lines of a quote.
func engineLines(lines []billing.Line) []engine.Line {
	result := make([]engine.Line, 0, len(lines))
	for _, l := range lines {
		result = append(result, engine.Line{
			Price: l.Price, Amount: l.Amount.Minor(), Start: l.Start, End: l.End, Proration: l.Proration,
			Unused:   l.Proration && l.Amount.Minor() < 0,
			Returned: strings.HasPrefix(l.Description, engine.ReturnedLineDescription("")),
		})
	}
	return result
}

// renderLines returns the line items of an invoice.
func (v view) renderLines(inv fakepayment.InvoiceRecord) object {
	var lines []object
	for i, l := range inv.Lines {
		if l.Returned {
			lines = append(lines, v.renderAddedItem(inv, l))
			continue
		}
		lines = append(lines, object{
			"id": "il_" + inv.ID + string(rune('a'+i)), "object": "line_item", "livemode": false, "invoice": inv.ID,
			"quantity": 1, "discountable": !l.Proration, "discounts": []any{},
			"amount": l.Amount, "subtotal": l.Amount, "currency": stripeCurrency(inv.Currency),
			"description": lineDescription(l), "metadata": object{},
			"period": object{"start": l.Start.Unix(), "end": l.End.Unix()},
			"parent": object{"type": "subscription_item_details", "invoice_item_details": nil,
				"subscription_item_details": object{
					"proration": l.Proration, "subscription": textOrNull(inv.SubscriptionID),
					"subscription_item": itemID(inv.SubscriptionID),
				}},
			"pricing": object{"type": "price_details",
				"price_details": v.priceDetails(v.priceIDOf(inv.SubscriptionID, l.Price))},
		})
	}
	return newListObject("/v1/invoices/"+inv.ID+"/lines", lines)
}

// priceDetails returns the ids of a price and its product.
func (v view) priceDetails(priceID string) object {
	productID := ""
	if p := v.prices.findPrice(priceID); p != nil {
		productID = p.productID
	}
	return object{"price": priceID, "product": productID}
}

// lineDescription returns a description like Stripe's. The application uses other descriptions.
func lineDescription(l engine.Line) string {
	name := l.Price.Product
	if plan, found := catalogue.Default().Plan(name); found {
		name = plan.Name
	}
	switch {
	case l.Unused:
		return "Unused time on " + name + " after " + l.Start.Format("02 Jan 2006")
	case l.Proration:
		return "Remaining time on " + name + " after " + l.Start.Format("02 Jan 2006")
	case l.Trial:
		return "Trial period for " + name
	}
	return "1 × " + name
}
