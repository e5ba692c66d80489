package stripepayment

import (
	"cmp"
	"context"
	"fmt"
	"slices"
	"strings"
	"time"

	"github.com/stripe/stripe-go/v85"

	"github.com/vc-admin/diy/domain/engine"
	"github.com/vc-admin/diy/domain/money"
	"github.com/vc-admin/diy/ports/payment"
)

// metaDeducted contains, in the metadata of a charge, the ids of the invoices whose deductions are applied to it, see
// applyDeductions.
const metaDeducted = "deducted"

// maxDeductedInvoices limits the ids in metaDeducted, because Stripe limits a value to 500 characters.
const maxDeductedInvoices = 12

// deductionItem is the invoice item with which a plan change deducts returned payments from the credit for unused time.
// Stripe itself credits the unused time in full. The item's metadata has an entry for each charge, see formatDeductions.
type deductionItem struct {
	amount      int64 // positive
	currency    string
	description string
	plan        string // id, or "" for an operator's price
	start, end  time.Time
	deductions  []engine.Deduction // their Invoice is the id of a charge
}

// findDeductionItem returns the item of an immediate change of the subscription, or nil if no payment for the unused time
// was returned. If it returns an item, it sets the proration date of the request, from which the item is calculated.
func (p *Provider) findDeductionItem(
	ctx context.Context, s *stripe.Subscription, req *payment.PriceChange,
) (*deductionItem, error) {
	if s.Status == stripe.SubscriptionStatusTrialing {
		return nil, nil //nolint:nilnil // Stripe credits nothing for a trial
	}
	charges, err := p.listCharges(ctx, s.Customer.ID)
	if err != nil || !slices.ContainsFunc(charges, hasOwedAmount) {
		return nil, err
	}
	amount, err := p.periodAmount(ctx, s)
	if err != nil || amount == (money.Amount{}) {
		return nil, err
	}
	units, err := toStripeUnits(amount)
	if err != nil {
		return nil, err
	}
	payments, err := p.readPeriodPayments(ctx, s, charges)
	if err != nil {
		return nil, err
	}
	at := p.prorationTime(*req)
	period := engine.Subscription{PeriodStart: periodStart(s), PeriodEnd: periodEnd(s)}
	credit := engine.Line{
		Amount: -engine.Prorate(units, at, period.PeriodStart, period.PeriodEnd), Start: at, End: period.PeriodEnd, Unused: true,
	}
	lines, deductions := period.DeductReturned([]engine.Line{credit}, payments, at)
	if len(deductions) == 0 {
		return nil, nil //nolint:nilnil // there is nothing to deduct
	}
	req.At = at
	return p.newDeductionItem(s, lines[len(lines)-1], deductions), nil
}

// newDeductionItem returns the item with the amount and the period of the line, named after the subscription's plan.
func (p *Provider) newDeductionItem(s *stripe.Subscription, line engine.Line, deductions []engine.Deduction) *deductionItem {
	item := &deductionItem{
		amount: line.Amount, currency: string(s.Currency), start: line.Start, end: line.End, deductions: deductions,
	}
	planName := "your plan"
	if ref, isOurs := p.catalogueRef(p.planItem(s).Price, currencyCode(s.Currency)); isOurs {
		if plan, found := p.Catalogue.Plan(ref.Product); found {
			item.plan, planName = plan.ID, plan.DisplayName
		}
	}
	item.description = engine.ReturnedLineDescription(planName)
	return item
}

// readPeriodPayments returns the charges of the subscription's paid invoices that were returned. It includes deductions
// that are not recorded yet, because the event about the paid invoice has not arrived.
func (p *Provider) readPeriodPayments(
	ctx context.Context, s *stripe.Subscription, charges []*stripe.Charge,
) ([]engine.PeriodPayment, error) {
	invoices, err := p.listOpenAndPaidInvoices(ctx, s.Customer.ID)
	if err != nil {
		return nil, err
	}
	a := &creditAccount{provider: p, customer: s.Customer, charges: charges}
	var payments []engine.PeriodPayment
	for _, inv := range slices.Backward(invoices) {
		if sub := subscriptionOfInvoice(inv); sub == nil || sub.ID != s.ID || inv.Status != stripe.InvoiceStatusPaid {
			continue
		}
		for _, charge := range a.chargesOfInvoice(inv) {
			payments = append(payments, engine.PeriodPayment{
				Invoice: charge.ID, Lines: periodLinesOf(inv),
				Refund:  parseReturnRecord(charge, metaRefund).ReturnedPayment,
				Dispute: parseReturnRecord(charge, metaDispute).ReturnedPayment,
			})
		}
		for _, d := range parseDeductions(inv) {
			i := slices.IndexFunc(payments, func(payment engine.PeriodPayment) bool { return payment.Invoice == d.Invoice })
			if i >= 0 && !hasAppliedDeduction(a.findCharge(d.Invoice), inv.ID) {
				payments[i].Refund, payments[i].Dispute, _ = d.Apply(payments[i].Refund, payments[i].Dispute)
			}
		}
	}
	return payments, nil
}

// periodLinesOf returns the lines of the invoice for periods of its subscription.
func periodLinesOf(inv *stripe.Invoice) (lines []engine.Line) {
	if inv.Lines == nil {
		return nil
	}
	for _, item := range inv.Lines.Data {
		if isForSubscription(item) && item.Period != nil {
			lines = append(lines, engine.Line{
				Start: timeOf(item.Period.Start), End: timeOf(item.Period.End),
				Unused: isProration(item) && item.Amount < 0, Trial: !isProration(item) && item.Amount == 0,
			})
		}
	}
	return lines
}

// formatDeductions returns the metadata of the item. The key of an entry is the id of a charge. The value contains the
// amounts that are withdrawn and settled of its refunds, and of its disputes.
func (i *deductionItem) formatDeductions() map[string]string {
	metadata := map[string]string{}
	for _, d := range i.deductions {
		var refund, dispute engine.Deduction
		for _, other := range i.deductions {
			switch {
			case other.Invoice != d.Invoice:
			case other.Dispute:
				dispute = other
			default:
				refund = other
			}
		}
		metadata[d.Invoice] = fmt.Sprintf("%d %d %d %d", refund.Withdrawn, refund.Settled, dispute.Withdrawn, dispute.Settled)
	}
	return metadata
}

// parseDeductions returns the deductions in the metadata of the invoice's items.
func parseDeductions(inv *stripe.Invoice) (deductions []engine.Deduction) {
	if inv.Lines == nil {
		return nil
	}
	for _, item := range inv.Lines.Data {
		if isForSubscription(item) {
			continue
		}
		for chargeID, value := range item.Metadata {
			refund, dispute := engine.Deduction{Invoice: chargeID}, engine.Deduction{Invoice: chargeID, Dispute: true}
			n, _ := fmt.Sscanf(value, "%d %d %d %d", &refund.Withdrawn, &refund.Settled, &dispute.Withdrawn, &dispute.Settled)
			if n == 4 { //nolint:mnd // the number of amounts; other metadata is an operator's
				deductions = append(deductions, refund, dispute)
			}
		}
	}
	return deductions
}

// hasAppliedDeduction reports whether applyDeductions has applied the deductions of the invoice to the charge.
func hasAppliedDeduction(charge *stripe.Charge, invoiceID string) bool {
	return slices.Contains(strings.Fields(charge.Metadata[metaDeducted]), invoiceID)
}

// applyDeductions records the deductions of a paid invoice with the charges that were returned. If a refund has failed or
// a dispute was won since the invoice was issued, the customer gets the deducted amount as credit. A second call for the
// same invoice changes nothing.
func (p *Provider) applyDeductions(ctx context.Context, inv *stripe.Invoice) error {
	deductions := parseDeductions(inv)
	if inv.Status != stripe.InvoiceStatusPaid || len(deductions) == 0 {
		return nil
	}
	a, err := p.loadCreditAccount(ctx, inv.Customer.ID)
	if err != nil {
		return err
	}
	for _, charge := range a.charges {
		if err := a.applyDeductionsOfCharge(ctx, charge, inv.ID, deductions); err != nil {
			return err
		}
	}
	return nil
}

func (a *creditAccount) applyDeductionsOfCharge(
	ctx context.Context, charge *stripe.Charge, invoiceID string, deductions []engine.Deduction,
) error {
	isOfOtherCharge := func(d engine.Deduction) bool { return d.Invoice != charge.ID }
	deductions = slices.DeleteFunc(slices.Clone(deductions), isOfOtherCharge)
	if len(deductions) == 0 || hasAppliedDeduction(charge, invoiceID) {
		return nil
	}
	refund, dispute := parseReturnRecord(charge, metaRefund), parseReturnRecord(charge, metaDispute)
	var surplus int64
	for _, d := range deductions {
		var amount int64
		refund.ReturnedPayment, dispute.ReturnedPayment, amount = d.Apply(refund.ReturnedPayment, dispute.ReturnedPayment)
		surplus += amount
	}
	ids := append(strings.Fields(charge.Metadata[metaDeducted]), invoiceID)
	entries := map[string]string{metaDeducted: strings.Join(ids[max(0, len(ids)-maxDeductedInvoices):], " ")}
	if charge.Metadata[metaRefund] != "" {
		entries[metaRefund] = refund.String()
	}
	if charge.Metadata[metaDispute] != "" {
		entries[metaDispute] = dispute.String()
	}
	if surplus > 0 {
		entries[metaCreditChange] = a.newCreditChange(surplus, fmt.Sprintf("deducted-%s-%s", invoiceID, charge.ID)).String()
	}
	if err := a.updateChargeMetadata(ctx, charge, entries); err != nil {
		return err
	}
	return a.applyRecordedChanges(ctx)
}

// addToPreview adds the item to the preview of a change.
func (i *deductionItem) addToPreview(params *stripe.InvoiceCreatePreviewParams) {
	if i == nil {
		return
	}
	params.InvoiceItems = []*stripe.InvoiceCreatePreviewInvoiceItemParams{{
		Amount: &i.amount, Currency: &i.currency, Description: &i.description,
		Period: &stripe.InvoiceCreatePreviewInvoiceItemPeriodParams{Start: new(i.start.Unix()), End: new(i.end.Unix())},
	}}
}

// addDeductionItem adds the item to the parameters of a change. Stripe describes the item with the name of its product, so
// addDeductionItem creates the product if it is missing.
func (p *Provider) addDeductionItem(ctx context.Context, item *deductionItem, params *stripe.SubscriptionUpdateParams) error {
	if item == nil {
		return nil
	}
	productID := "diy_refunded_" + cmp.Or(item.plan, "plan")
	if err := p.createDeductionProduct(ctx, productID, item.description); err != nil {
		return err
	}
	params.AddInvoiceItems = []*stripe.SubscriptionUpdateAddInvoiceItemParams{{
		PriceData: &stripe.InvoiceItemPriceDataParams{Currency: &item.currency, Product: &productID, UnitAmount: &item.amount},
		Period: &stripe.SubscriptionUpdateAddInvoiceItemPeriodParams{
			Start: &stripe.SubscriptionUpdateAddInvoiceItemPeriodStartParams{
				Type: new("timestamp"), Timestamp: new(item.start.Unix()),
			},
			End: &stripe.SubscriptionUpdateAddInvoiceItemPeriodEndParams{Type: new("timestamp"), Timestamp: new(item.end.Unix())},
		},
		Metadata: item.formatDeductions(),
	}}
	return nil
}

// createDeductionProduct creates the product of deduction items, unless it exists.
func (p *Provider) createDeductionProduct(ctx context.Context, id, name string) error {
	params := &stripe.ProductCreateParams{ID: &id, Name: &name}
	params.SetIdempotencyKey(contentKey("product", id, name))
	_, err := p.stripe.V1Products.Create(ctx, params)
	if err != nil && failureOf(err).code == stripe.ErrorCodeResourceAlreadyExists {
		return nil
	}
	return p.logFault(ctx, "create product", err)
}

// prorationTime returns the time from which the change is prorated.
func (p *Provider) prorationTime(req payment.PriceChange) time.Time {
	if req.At.IsZero() {
		return p.Clock.Now().UTC().Truncate(time.Second)
	}
	return req.At.UTC().Truncate(time.Second)
}

// deductedSum returns how much of the owed amounts the change settles.
func (i *deductionItem) deductedSum() int64 {
	if i == nil {
		return 0
	}
	return engine.DeductedSum(i.deductions)
}
