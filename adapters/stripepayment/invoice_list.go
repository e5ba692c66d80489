package stripepayment

import (
	"cmp"
	"context"
	"time"

	"github.com/stripe/stripe-go/v85"

	"github.com/vc-admin/diy/domain/billing"
	"github.com/vc-admin/diy/domain/catalogue"
	"github.com/vc-admin/diy/domain/engine"
	"github.com/vc-admin/diy/domain/fault"
	"github.com/vc-admin/diy/domain/money"
	"github.com/vc-admin/diy/ports/payment"
)

// ListInvoices lists the customer's invoices, newest first, which is Stripe's order. It skips drafts itself, because
// Stripe can't filter by several statuses.
func (p *Provider) ListInvoices(ctx context.Context, req payment.InvoiceQuery) (payment.InvoiceList, error) {
	if err := checkID(req.CustomerID, "customer"); err != nil {
		return payment.InvoiceList{}, err
	}
	if err := req.Check(); err != nil {
		return payment.InvoiceList{}, err
	}
	if req.InvoiceID != "" {
		return p.listSingleInvoice(ctx, req.CustomerID, req.InvoiceID)
	}
	params, err := p.pageParams(ctx, req)
	if err != nil {
		return payment.InvoiceList{}, err
	}
	var list payment.InvoiceList
	var stripeInvoices []*stripe.Invoice
	for inv, err := range p.stripe.V1Invoices.List(ctx, params).All(ctx) {
		if err != nil {
			return payment.InvoiceList{}, p.logFault(ctx, "list invoices", err)
		}
		if inv.Status == stripe.InvoiceStatusDraft {
			continue
		}
		if len(stripeInvoices) == req.Limit {
			list.HasMore = true
			break
		}
		stripeInvoices = append(stripeInvoices, inv)
	}
	list.Invoices, err = p.fullInvoicesOf(ctx, req.CustomerID, stripeInvoices)
	return list, err
}

// listSingleInvoice returns a list with one invoice of the customer. The list is empty if the invoice is a draft.
func (p *Provider) listSingleInvoice(ctx context.Context, customerID, id string) (list payment.InvoiceList, err error) {
	inv, err := p.readInvoiceOfCustomer(ctx, customerID, id)
	if err != nil || inv.Status == stripe.InvoiceStatusDraft {
		return list, err
	}
	list.Invoices, err = p.fullInvoicesOf(ctx, customerID, []*stripe.Invoice{inv})
	return list, err
}

// pageParams returns the parameters that list the page and one more invoice, which shows whether there is another page.
// It checks that the cursor is an invoice of the customer.
func (p *Provider) pageParams(ctx context.Context, req payment.InvoiceQuery) (*stripe.InvoiceListParams, error) {
	params := &stripe.InvoiceListParams{Customer: &req.CustomerID}
	params.Limit = new(int64(min(req.Limit+1, pageSize)))
	params.AddExpand("data.payments")
	if req.After != "" {
		params.StartingAfter = &req.After
		if _, err := p.readInvoiceOfCustomer(ctx, req.CustomerID, req.After); err != nil {
			return nil, err
		}
	}
	return params, nil
}

// readInvoiceOfCustomer reads an invoice of the customer with its payments. It returns the same NotFound for an invoice
// of another customer and for an invoice that does not exist.
func (p *Provider) readInvoiceOfCustomer(ctx context.Context, customerID, id string) (*stripe.Invoice, error) {
	if err := checkID(id, "invoice"); err != nil {
		return nil, err
	}
	params := &stripe.InvoiceRetrieveParams{}
	params.AddExpand("payments")
	inv, err := p.stripe.V1Invoices.Retrieve(ctx, id, params)
	if err != nil {
		err = p.logFault(ctx, "read invoice", err)
	}
	if fault.Is(err, fault.NotFound) || err == nil && (inv.Customer == nil || inv.Customer.ID != customerID) {
		return nil, errNotFound("invoice")
	}
	return inv, err
}

// fullInvoicesOf converts invoices of a customer, newest first, with their lines, payments and refunds. It leaves out
// their payment intents.
func (p *Provider) fullInvoicesOf(
	ctx context.Context, customerID string, stripeInvoices []*stripe.Invoice,
) ([]billing.Invoice, error) {
	invoices := make([]billing.Invoice, len(stripeInvoices))
	var err error
	for i, inv := range stripeInvoices {
		if invoices[i], err = p.invoiceWithLinesOf(ctx, inv); err != nil {
			return nil, err
		}
	}
	return invoices, p.setPaymentSummaries(ctx, customerID, stripeInvoices, invoices)
}

// fullInvoiceOf converts one invoice as fullInvoicesOf does.
func (p *Provider) fullInvoiceOf(ctx context.Context, inv *stripe.Invoice) (billing.Invoice, error) {
	invoices, err := p.fullInvoicesOf(ctx, inv.Customer.ID, []*stripe.Invoice{inv})
	if err != nil {
		return billing.Invoice{}, err
	}
	return invoices[0], nil
}

// invoiceWithLinesOf converts an invoice with its lines, without its payments and refunds.
func (p *Provider) invoiceWithLinesOf(ctx context.Context, inv *stripe.Invoice) (billing.Invoice, error) {
	invoice := *invoiceOf(inv, nil)
	if !invoice.NextAttemptAt.IsZero() {
		isProcessing, err := p.isProcessing(ctx, inv)
		if err != nil {
			return invoice, err
		}
		if isProcessing { // as in clearDeadlines
			invoice.NextAttemptAt = time.Time{}
		}
	}
	lines, err := p.linesOf(ctx, inv)
	if err != nil {
		return invoice, err
	}
	invoice.Number, invoice.Lines, invoice.Buyer = inv.Number, lines, buyerOf(inv)
	invoice.HasPDF, invoice.DueAt = inv.InvoicePDF != "", timeOf(inv.DueDate)
	if s := subscriptionOfInvoice(inv); s != nil {
		invoice.SubscriptionID = s.ID
	}
	if inv.StatusTransitions != nil {
		invoice.PaidAt = timeOf(inv.StatusTransitions.PaidAt)
	}
	return invoice, nil
}

// taxOf returns the sum of the invoice's taxes.
func taxOf(inv *stripe.Invoice) money.Amount {
	var sum int64
	for _, tax := range inv.TotalTaxes {
		sum += tax.Amount
	}
	return fromStripeUnits(sum, currencyCode(inv.Currency))
}

// Descriptions of lines that an operator added without one.
const (
	oneOffChargeDescription = "One-off charge"
	oneOffCreditDescription = "Credit"
)

// linesOf converts the lines that Stripe includes with an invoice, the first ten. The invoices of our subscriptions have
// one or two. Discounts are one further line, so that the lines add up to the total.
func (p *Provider) linesOf(ctx context.Context, inv *stripe.Invoice) ([]billing.Line, error) {
	if inv.Lines == nil {
		return nil, nil
	}
	var lines []billing.Line
	for _, item := range inv.Lines.Data {
		line := billing.Line{
			Description: item.Description, Amount: fromStripeUnits(item.Amount, currencyCode(inv.Currency)),
			Proration: isProration(item),
		}
		if item.Period != nil {
			line.Start, line.End = timeOf(item.Period.Start), timeOf(item.Period.End)
		}
		var err error
		if line.Price, err = p.priceRefOfLine(ctx, item, currencyCode(inv.Currency)); err != nil {
			return nil, err
		}
		lines = append(lines, p.describeLine(line))
	}
	if discount, ok := discountLine(inv); ok {
		lines = append(lines, discount)
	}
	return lines, nil
}

// describeLine replaces Stripe's description of a line about one of our plans, and describes a line without description.
func (p *Provider) describeLine(line billing.Line) billing.Line {
	plan, isOurs := p.Catalogue.Plan(line.Price.Product)
	switch {
	case !isOurs && line.Amount.Minor() < 0:
		line.Description = cmp.Or(line.Description, oneOffCreditDescription)
		return line
	case !isOurs:
		line.Description = cmp.Or(line.Description, oneOffChargeDescription)
		return line
	}
	planLine := engine.Line{
		Price: line.Price, Unused: line.Proration && line.Amount.Minor() < 0,
		Trial: !line.Proration && line.Amount.Minor() == 0,
	}
	if billingLine, err := planLine.BillingLine(plan.DisplayName); err == nil {
		line.Description = billingLine.Description
	}
	return line
}

// priceRefOfLine returns the catalogue price of a line about a subscription. It reads the price, because a line contains
// only the id of its price. It returns the zero reference for other lines, such as those that an operator added. It
// also returns it for a price that is not ours or that Stripe refuses to show.
func (p *Provider) priceRefOfLine(
	ctx context.Context, line *stripe.InvoiceLineItem, currency string,
) (catalogue.PriceRef, error) {
	if !isForSubscription(line) || line.Pricing == nil || line.Pricing.PriceDetails == nil {
		return catalogue.PriceRef{}, nil
	}
	price, err := p.resolvePrice(ctx, line.Pricing.PriceDetails.Price)
	switch {
	case fault.Is(err, fault.Unavailable):
		return catalogue.PriceRef{}, err
	case err != nil:
		return catalogue.PriceRef{}, nil //nolint:nilerr // resolvePrice has logged it
	}
	ref, _ := p.catalogueRef(price, currency)
	return ref, nil
}

// isForSubscription reports whether the line is for a period of a subscription, or for a part of such a period.
func isForSubscription(line *stripe.InvoiceLineItem) bool {
	switch parent := line.Parent; {
	case parent == nil:
		return false
	case parent.InvoiceItemDetails != nil:
		return parent.InvoiceItemDetails.Subscription != "" && parent.InvoiceItemDetails.Proration
	default:
		return parent.SubscriptionItemDetails != nil
	}
}

// isProration reports whether the line is for a part of a period.
func isProration(line *stripe.InvoiceLineItem) bool {
	switch parent := line.Parent; {
	case parent == nil:
		return false
	case parent.SubscriptionItemDetails != nil:
		return parent.SubscriptionItemDetails.Proration
	case parent.InvoiceItemDetails != nil:
		return parent.InvoiceItemDetails.Proration
	}
	return false
}
