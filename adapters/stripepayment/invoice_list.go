package stripepayment

import (
	"cmp"
	"context"

	"github.com/stripe/stripe-go/v85"

	"github.com/vc-admin/diy/domain/billing"
	"github.com/vc-admin/diy/domain/catalogue"
	"github.com/vc-admin/diy/domain/engine"
	"github.com/vc-admin/diy/domain/fault"
	"github.com/vc-admin/diy/domain/money"
	"github.com/vc-admin/diy/ports/payment"
)

// ListInvoices lists the customer's invoices, newest first, which is Stripe's order. Stripe can leave
// out drafts only by listing one status, so they are skipped here.
func (p *Provider) ListInvoices(ctx context.Context, req payment.InvoicePage) (payment.InvoiceList, error) {
	if err := checkID(req.CustomerID, "customer"); err != nil {
		return payment.InvoiceList{}, err
	}
	if err := req.Check(); err != nil {
		return payment.InvoiceList{}, err
	}
	if req.InvoiceID != "" {
		return p.listInvoice(ctx, req.CustomerID, req.InvoiceID)
	}
	params, err := p.pageParams(ctx, req)
	if err != nil {
		return payment.InvoiceList{}, err
	}
	out := payment.InvoiceList{}
	var page []*stripe.Invoice
	for found, err := range p.stripe.V1Invoices.List(ctx, params).All(ctx) {
		if err != nil {
			return payment.InvoiceList{}, p.fault(ctx, "list invoices", err)
		}
		if found.Status == stripe.InvoiceStatusDraft {
			continue
		}
		if len(page) == req.Limit {
			out.HasMore = true
			break
		}
		page = append(page, found)
	}
	out.Invoices, err = p.fullInvoicesOf(ctx, req.CustomerID, page)
	return out, err
}

// listInvoice returns the list of one invoice of the customer, which is empty for a draft.
func (p *Provider) listInvoice(ctx context.Context, customerID, id string) (out payment.InvoiceList, err error) {
	found, err := p.invoiceOfCustomer(ctx, customerID, id)
	if err != nil || found.Status == stripe.InvoiceStatusDraft {
		return out, err
	}
	out.Invoices, err = p.fullInvoicesOf(ctx, customerID, []*stripe.Invoice{found})
	return out, err
}

// pageParams returns the parameters for the page and the invoice after it.
func (p *Provider) pageParams(ctx context.Context, req payment.InvoicePage) (*stripe.InvoiceListParams, error) {
	params := &stripe.InvoiceListParams{Customer: &req.CustomerID}
	params.Limit = new(int64(min(req.Limit+1, pageSize)))
	params.AddExpand("data.payments")
	if req.After != "" {
		params.StartingAfter = &req.After
		if _, err := p.invoiceOfCustomer(ctx, req.CustomerID, req.After); err != nil {
			return nil, err
		}
	}
	return params, nil
}

// invoiceOfCustomer reads an invoice with its payments. One of another customer is as unknown as one that does not
// exist.
func (p *Provider) invoiceOfCustomer(ctx context.Context, customerID, id string) (*stripe.Invoice, error) {
	if err := checkID(id, "invoice"); err != nil {
		return nil, err
	}
	params := &stripe.InvoiceRetrieveParams{}
	params.AddExpand("payments")
	found, err := p.stripe.V1Invoices.Retrieve(ctx, id, params)
	if err != nil {
		err = p.fault(ctx, "read invoice", err)
	}
	if fault.Is(err, fault.NotFound) || err == nil && (found.Customer == nil || found.Customer.ID != customerID) {
		return nil, errNotFound("invoice")
	}
	return found, err
}

// fullInvoicesOf converts invoices of a customer, newest first, with their lines and all amounts, without their
// payments.
func (p *Provider) fullInvoicesOf(
	ctx context.Context, customerID string, found []*stripe.Invoice,
) ([]billing.Invoice, error) {
	out := make([]billing.Invoice, len(found))
	var err error
	for i, inv := range found {
		if out[i], err = p.listedInvoiceOf(ctx, inv); err != nil {
			return nil, err
		}
	}
	return out, p.readMovements(ctx, customerID, found, out)
}

// fullInvoiceOf converts one invoice as fullInvoicesOf does.
func (p *Provider) fullInvoiceOf(ctx context.Context, inv *stripe.Invoice) (billing.Invoice, error) {
	out, err := p.fullInvoicesOf(ctx, inv.Customer.ID, []*stripe.Invoice{inv})
	if err != nil {
		return billing.Invoice{}, err
	}
	return out[0], nil
}

// listedInvoiceOf converts an invoice with its lines, without its payments and what was returned of them.
func (p *Provider) listedInvoiceOf(ctx context.Context, inv *stripe.Invoice) (billing.Invoice, error) {
	out := *invoiceOf(inv, nil)
	lines, err := p.linesOf(ctx, inv)
	if err != nil {
		return out, err
	}
	out.Number, out.Lines, out.HasPDF, out.DueAt = inv.Number, lines, inv.InvoicePDF != "", timeOf(inv.DueDate)
	out.BilledTo = buyerOf(inv)
	if s := subscriptionOfInvoice(inv); s != nil {
		out.SubscriptionID = s.ID
	}
	if inv.StatusTransitions != nil {
		out.PaidAt = timeOf(inv.StatusTransitions.PaidAt)
	}
	return out, nil
}

// taxOf returns the sum of the taxes.
func taxOf(inv *stripe.Invoice) money.Amount {
	var sum int64
	for _, tax := range inv.TotalTaxes {
		sum += tax.Amount
	}
	return fromStripeUnits(sum, currencyCode(inv.Currency))
}

// oneOffCharge and credit describe lines that an operator added without a description.
const (
	oneOffCharge = "One-off charge"
	credit       = "Credit"
)

// linesOf converts the lines that Stripe includes with an invoice, the first ten. An invoice of ours
// has one or two. The discounts are a line of their own, so that the lines add up to the total.
func (p *Provider) linesOf(ctx context.Context, inv *stripe.Invoice) ([]billing.Line, error) {
	if inv.Lines == nil {
		return nil, nil
	}
	var lines []billing.Line
	for _, from := range inv.Lines.Data {
		line := billing.Line{
			Description: from.Description, Amount: fromStripeUnits(from.Amount, currencyCode(inv.Currency)),
			Proration: isProration(from),
		}
		if from.Period != nil {
			line.Start, line.End = timeOf(from.Period.Start), timeOf(from.Period.End)
		}
		var err error
		if line.Price, err = p.priceOfLine(ctx, from, currencyCode(inv.Currency)); err != nil {
			return nil, err
		}
		lines = append(lines, p.describeLine(line))
	}
	if discount, discounted := discountLine(inv); discounted {
		lines = append(lines, discount)
	}
	return lines, nil
}

// describeLine replaces Stripe's description of a line about one of our plans by ours, and a missing one.
func (p *Provider) describeLine(line billing.Line) billing.Line {
	plan, sold := p.Catalogue.Plan(line.Price.Product)
	switch {
	case !sold && line.Amount.Minor() < 0:
		line.Description = cmp.Or(line.Description, credit)
		return line
	case !sold:
		line.Description = cmp.Or(line.Description, oneOffCharge)
		return line
	}
	planLine := engine.Line{
		Price: line.Price, Unused: line.Proration && line.Amount.Minor() < 0, Trial: !line.Proration &&
			line.Amount.Minor() == 0,
	}
	if described, err := planLine.Billing(plan.DisplayName); err == nil {
		line.Description = described.Description
	}
	return line
}

// priceOfLine returns the catalogue price of a line about a subscription, or the zero reference. Other lines,
// such as those of an operator's invoice, have prices of their own, which are not read. A line has only the id of
// its price. A line whose price Stripe refuses to show has the zero reference.
func (p *Provider) priceOfLine(
	ctx context.Context, line *stripe.InvoiceLineItem, currency string,
) (catalogue.PriceRef, error) {
	if !isForSubscription(line) || line.Pricing == nil || line.Pricing.PriceDetails == nil {
		return catalogue.PriceRef{}, nil
	}
	price, err := p.priceByID(ctx, line.Pricing.PriceDetails.Price)
	switch {
	case fault.Is(err, fault.Unavailable):
		return catalogue.PriceRef{}, err
	case err != nil:
		return catalogue.PriceRef{}, nil //nolint:nilerr // it is logged
	}
	product, interval, ours := p.parsePriceName(price)
	if !ours {
		return catalogue.PriceRef{}, nil
	}
	return catalogue.PriceRef{Product: product, Interval: interval, Currency: currency}, nil
}

// isForSubscription reports whether the line is for a period of a subscription or a part of one.
func isForSubscription(line *stripe.InvoiceLineItem) bool {
	switch parent := line.Parent; {
	case parent == nil:
		return false
	case parent.InvoiceItemDetails != nil:
		return parent.InvoiceItemDetails.Subscription != "" && parent.InvoiceItemDetails.Proration
	}
	return line.Parent.SubscriptionItemDetails != nil
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
