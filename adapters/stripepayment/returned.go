package stripepayment

import (
	"context"
	"fmt"
	"hash/fnv"
	"slices"
	"strconv"
	"time"

	"github.com/stripe/stripe-go/v85"

	"github.com/vc-admin/diy/domain/billing"
	"github.com/vc-admin/diy/domain/engine"
	"github.com/vc-admin/diy/ports/payment"
)

// Keys in the metadata of a charge whose values are the returnRecords of its refunds and its disputes.
const (
	metaRefund  = "refund"
	metaDispute = "dispute"
)

// returnRecord accounts for refunds or disputes of a charge, in Stripe's units.
type returnRecord struct {
	engine.Returned
	disputes
}

// disputes are the disputes of a charge. It is zero for refunds.
type disputes struct {
	status billing.DisputeStatus
	count  int
}

// String returns the value in the metadata.
func (r returnRecord) String() string {
	value := fmt.Sprintf("%d %d %d %d", r.Amount, r.Withdrawn, r.Spent, r.At.Unix())
	if r.count > 0 {
		value += fmt.Sprintf(" %s %d", r.status, r.count)
	}
	return value
}

// recordOf returns the charge's record with the name, or the zero record. Earlier versions did not count disputes.
func recordOf(c *stripe.Charge, name string) (r returnRecord) {
	var at int64
	n, _ := fmt.Sscanf(c.Metadata[name], "%d %d %d %d %s %d", &r.Amount, &r.Withdrawn, &r.Spent, &at, &r.status, &r.count)
	if n < 4 {
		return returnRecord{}
	}
	if n == 5 {
		r.count = 1
	}
	r.At = time.Unix(at, 0).UTC()
	return r
}

// fingerprint changes when a return record of the charges does.
func (a *creditAccount) fingerprint() string {
	sum := fnv.New64a()
	for _, charge := range a.charges {
		_, _ = fmt.Fprintln(sum, charge.ID, charge.Metadata[metaRefund], charge.Metadata[metaDispute]) // it never fails
	}
	return strconv.FormatUint(sum.Sum64(), 16)
}

// settlePayment withdraws what was refunded and disputed of a payment from the customer's credit, and puts the customer
// on hold after a dispute. It returns the invoice, or nil for a payment that was not for an invoice.
func (p *Provider) settlePayment(ctx context.Context, paymentID string) (*stripe.Invoice, error) {
	paid, err := p.invoicePaidBy(ctx, paymentID)
	if err != nil || paid == nil {
		return nil, err
	}
	inv, err := p.invoice(ctx, paid.ID)
	if err != nil || subscriptionOfInvoice(inv) == nil {
		return inv, err
	}
	return inv, p.settleInvoice(ctx, inv, paymentID)
}

// invoicePaidBy returns the invoice that the payment intent pays, with neither its customer nor its subscription. It
// returns nil if the payment is not for an invoice.
func (p *Provider) invoicePaidBy(ctx context.Context, paymentID string) (*stripe.Invoice, error) {
	params := &stripe.InvoicePaymentListParams{Payment: &stripe.InvoicePaymentListPaymentParams{Type: new("payment_intent"), PaymentIntent: &paymentID}}
	params.Limit = new(int64(1))
	params.AddExpand("data.invoice")
	for paid, err := range p.stripe.V1InvoicePayments.List(ctx, params).All(ctx) {
		if err != nil {
			return nil, p.fault(ctx, "find invoice of payment", err)
		}
		return paid.Invoice, nil
	}
	return nil, nil //nolint:nilnil // see above
}

// settleInvoice does what settlePayment does, for a payment of the invoice.
func (p *Provider) settleInvoice(ctx context.Context, inv *stripe.Invoice, paymentID string) error {
	a, err := p.openCredit(ctx, inv.Customer.ID)
	if err != nil {
		return err
	}
	for _, charge := range a.charges {
		isPaid := charge.PaymentIntent != nil && charge.PaymentIntent.ID == paymentID &&
			charge.Status == stripe.ChargeStatusSucceeded
		if isPaid && !isLifted(subscriptionOfInvoice(inv), charge.ID) {
			if err := a.settle(ctx, charge); err != nil {
				return err
			}
		}
	}
	return nil
}

// settle accounts for what was refunded and disputed of a charge. A dispute that is not recorded yet puts the customer
// on hold, also if the charge was disputed before.
func (a *creditAccount) settle(ctx context.Context, charge *stripe.Charge) error {
	disputed, found, err := a.provider.disputesOf(ctx, charge)
	if err != nil {
		return err
	}
	if found.count > recordOf(charge, metaDispute).count {
		if err := a.putOnHold(ctx); err != nil {
			return err
		}
		charge = a.findCharge(charge.ID) // it may have been read again
	}
	if err := a.setCreditAside(ctx); err != nil {
		return err
	}
	if err := a.settleRecord(ctx, charge, metaRefund, charge.AmountRefunded, disputes{}); err != nil {
		return err
	}
	return a.settleRecord(ctx, charge, metaDispute, disputed, found)
}

// settleRecord withdraws the amount that was returned of a charge from the credit, or gives it back.
func (a *creditAccount) settleRecord(
	ctx context.Context, charge *stripe.Charge, name string, amount int64, found disputes,
) error {
	before := recordOf(charge, name)
	if amount == before.Amount && found == before.disputes {
		return nil
	}
	var used int64
	if amount-before.Amount > a.unspentCredit() {
		var err error
		if used, err = a.usedCredit(ctx, charge); err != nil {
			return err
		}
	}
	after, change := before.Settle(amount, a.unspentCredit(), used, a.provider.Clock.Now())
	changes := map[string]string{name: returnRecord{after, found}.String()}
	if change != 0 {
		key := fmt.Sprintf("%s-%s-%d-%d-%d", name, charge.ID, before.At.Unix(), before.Amount,
			amount) // amounts repeat when a dispute is won
		changes[metaMove] = a.newMove(change, key).String()
	}
	if err := a.updateCharge(ctx, charge, changes); err != nil {
		return err
	}
	if after.Spent > before.Spent {
		payment.ReportSpentCredit(ctx, a.provider.Log, a.customer.Metadata[metaOrganisation], returnedPayment(charge, name))
	}
	return a.completeMoves(ctx)
}

// disputesOf returns the disputes of the charge and the amount that they have returned. Their status is open while one
// is open, then lost if one was lost. Inquiries are left out:
// they may become disputes, but have withdrawn nothing.
func (p *Provider) disputesOf(ctx context.Context, charge *stripe.Charge) (amount int64, found disputes, err error) {
	if !charge.Disputed {
		return 0, disputes{}, nil
	}
	params := &stripe.DisputeListParams{Charge: &charge.ID}
	for d, err := range p.stripe.V1Disputes.List(ctx, params).All(ctx) {
		if err != nil {
			return 0, disputes{}, p.fault(ctx, "list disputes", err)
		}
		switch d.Status {
		case stripe.DisputeStatusWarningNeedsResponse, stripe.DisputeStatusWarningUnderReview, stripe.DisputeStatusWarningClosed:
			continue
		case stripe.DisputeStatusWon:
			if found.status == billing.NoDispute {
				found.status = billing.DisputeWon
			}
		case stripe.DisputeStatusLost, stripe.DisputeStatusPrevented:
			if found.status != billing.DisputeOpen {
				found.status = billing.DisputeLost
			}
			amount += d.Amount
		default:
			found.status = billing.DisputeOpen
			amount += d.Amount
		}
		found.count++
	}
	return min(amount, charge.Amount-charge.AmountRefunded), found, nil
}

// usedCredit returns how much credit the customer has used since the charge was invoiced, see engine.UsedCredit.
func (a *creditAccount) usedCredit(ctx context.Context, target *stripe.Charge) (int64, error) {
	invoices, err := a.provider.listCustomerInvoices(ctx, a.customer.ID)
	if err != nil {
		return 0, err
	}
	var invoice string
	var uses []engine.CreditUse
	for _, inv := range invoices {
		use := engine.CreditUse{Invoice: inv.ID, Created: timeOf(inv.Created), Open: isOpen(inv), Used: creditUsedBy(inv)}
		if paid := currentPayment(inv); paid != nil {
			for _, charge := range a.charges {
				if charge.PaymentIntent != nil && charge.PaymentIntent.ID == paid.Payment.PaymentIntent.ID {
					use.Spent += recordOf(charge, metaRefund).Spent + recordOf(charge, metaDispute).Spent
					if charge.ID == target.ID {
						invoice = inv.ID
					}
				}
			}
		}
		uses = append(uses, use)
	}
	return engine.UsedCredit(invoice, uses), nil
}

// listCustomerInvoices returns the customer's open and paid invoices, newest first, with their payments.
func (p *Provider) listCustomerInvoices(ctx context.Context, customerID string) (invoices []*stripe.Invoice, err error) {
	params := &stripe.InvoiceListParams{Customer: &customerID}
	params.Limit = new(int64(pageSize))
	params.AddExpand("data.payments")
	for inv, err := range p.stripe.V1Invoices.List(ctx, params).All(ctx) {
		if err != nil {
			return nil, p.fault(ctx, "list invoices", err)
		}
		if isOpen(inv) || inv.Status == stripe.InvoiceStatusPaid {
			invoices = append(invoices, inv)
		}
	}
	return invoices, nil
}

// creditUsedBy returns the credit that was deducted from the invoice; it is negative if the invoice has created credit.
func creditUsedBy(inv *stripe.Invoice) int64 { return inv.Total - inv.AmountDue }

// ReturnedPayments returns what was refunded and disputed of the customer's charges, the latest first. A charge does not
// name its invoice, so that is read for each returned one.
func (p *Provider) ReturnedPayments(ctx context.Context, customerID string) (out []billing.ReturnedPayment, err error) {
	if _, err := p.customer(ctx, customerID); err != nil {
		return nil, err
	}
	charges, err := p.listCharges(ctx, customerID)
	if err != nil {
		return nil, err
	}
	for _, charge := range charges {
		returned, err := p.returnedPaymentsOf(ctx, charge)
		if err != nil {
			return nil, err
		}
		out = append(out, returned...)
	}
	slices.SortStableFunc(out, func(x, y billing.ReturnedPayment) int { return y.At.Compare(x.At) })
	return out, nil
}

// returnedPaymentsOf returns what was refunded and disputed of a charge, with the number of its invoice.
func (p *Provider) returnedPaymentsOf(
	ctx context.Context, charge *stripe.Charge,
) (out []billing.ReturnedPayment, err error) {
	for _, name := range []string{metaRefund, metaDispute} {
		if charge.Metadata[name] != "" {
			out = append(out, returnedPayment(charge, name))
		}
	}
	if len(out) == 0 || charge.PaymentIntent == nil {
		return out, nil
	}
	inv, err := p.invoicePaidBy(ctx, charge.PaymentIntent.ID)
	if err != nil || inv == nil {
		return out, err
	}
	for i := range out {
		out[i].Payment = inv.Number
	}
	return out, nil
}

// returnedPayment converts a record of the charge. Its Payment is the id of the charge, by which an operator finds it in
// Stripe's dashboard.
func returnedPayment(c *stripe.Charge, name string) billing.ReturnedPayment {
	r, currency := recordOf(c, name), currencyCode(c.Currency)
	return billing.ReturnedPayment{
		Payment: c.ID, Dispute: r.status, Amount: fromStripeUnits(r.Amount, currency),
		Withdrawn: fromStripeUnits(r.Withdrawn, currency), Spent: fromStripeUnits(r.Spent, currency), At: r.At,
	}
}
