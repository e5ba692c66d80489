package stripepayment

import (
	"context"
	"fmt"
	"slices"
	"time"

	"github.com/stripe/stripe-go/v85"

	"github.com/vc-admin/diy/domain/billing"
	"github.com/vc-admin/diy/domain/engine"
)

// addedCreditOf returns the credit that the invoice has added to the customer's balance. A void invoice returns the
// credit that it had used, and a paid invoice with a negative total creates credit.
func addedCreditOf(inv *stripe.Invoice) int64 {
	switch inv.Status {
	case stripe.InvoiceStatusVoid:
		return max(0, creditUsedOnFinalisation(inv))
	case stripe.InvoiceStatusPaid:
		return max(0, -inv.Total)
	}
	return 0
}

// addedCredit describes credit that an invoice has added to its customer's balance.
type addedCredit struct {
	invoiceID           string
	amount              int64     // less the amounts that were withdrawn
	isReturned          bool      // whether the invoice had used the credit and gives it back
	earliestPaymentTime time.Time // the earliest time at which the customer can have paid for it
}

// withdrawOwedAmounts withdraws owed amounts from the credit that the invoice has given its customer. Owed amounts are
// those of returned payments that were not withdrawn yet, see engine.ReturnedPayment.OwedAmount. A second call for the
// same invoice withdraws nothing. While the customer is on hold, withdrawOwedAmounts holds the rest of the credit. The
// invoice's customer must be expanded.
func (p *Provider) withdrawOwedAmounts(ctx context.Context, inv *stripe.Invoice) error {
	credit := addedCredit{invoiceID: inv.ID, amount: addedCreditOf(inv), isReturned: inv.Status == stripe.InvoiceStatusVoid}
	if credit.amount == 0 {
		return nil
	}
	charges, err := p.listCharges(ctx, inv.Customer.ID)
	if err != nil {
		return err
	}
	if !slices.ContainsFunc(charges, hasOwedAmount) && holdOfCustomer(inv.Customer) == billing.NoHold {
		return nil
	}
	if credit.earliestPaymentTime, err = p.readEarliestPaymentTime(ctx, inv); err != nil {
		return err
	}
	a, err := p.loadCreditAccount(ctx, inv.Customer.ID)
	if err != nil {
		return err
	}
	for _, charge := range a.charges {
		for _, kind := range []string{metaRefund, metaDispute} {
			amount, err := a.withdrawOwedAmountOfCharge(ctx, charge, kind, credit)
			if err != nil {
				return err
			}
			credit.amount -= amount
		}
	}
	return a.holdCredit(ctx)
}

// withdrawOwedAmountOfCharge withdraws the charge's owed amount from the credit, unless an earlier call has withdrawn it.
// It returns the withdrawn amount. kind is metaRefund or metaDispute.
func (a *creditAccount) withdrawOwedAmountOfCharge(
	ctx context.Context, charge *stripe.Charge, kind string, credit addedCredit,
) (int64, error) {
	record := parseReturnRecord(charge, kind)
	withdraw := engine.ReturnedPayment.WithdrawOwed
	if credit.isReturned {
		withdraw = engine.ReturnedPayment.WithdrawReturned
	}
	updatedPayment, amount := withdraw(record.ReturnedPayment, min(credit.amount, -a.customer.Balance), credit.earliestPaymentTime)
	if amount == 0 {
		return 0, nil
	}
	key := fmt.Sprintf("reclaim-%s-%s-%s", credit.invoiceID, charge.ID, kind)
	isWithdrawn, err := a.hasBalanceTransaction(ctx, key)
	if err != nil || isWithdrawn {
		return 0, err
	}
	err = a.updateChargeMetadata(ctx, charge, map[string]string{
		kind:             returnRecord{updatedPayment, record.disputeSummary}.String(),
		metaCreditChange: creditChange{amount: amount, key: key}.String(),
	})
	if err != nil {
		return 0, err
	}
	return amount, a.applyRecordedChanges(ctx)
}

// applyReturns applies the deductions of a plan change's invoice, and then withdraws owed amounts from the credit that the
// invoice has given, see applyDeductions and withdrawOwedAmounts.
func (p *Provider) applyReturns(ctx context.Context, inv *stripe.Invoice) error {
	if err := p.applyDeductions(ctx, inv); err != nil {
		return err
	}
	return p.withdrawOwedAmounts(ctx, inv)
}

// withdrawOwedAmountsAfterChange applies deductions and withdraws owed amounts from the credit that a change of the
// subscription has just created, see applyReturns.
func (p *Provider) withdrawOwedAmountsAfterChange(ctx context.Context, s *stripe.Subscription) error {
	if s.LatestInvoice == nil {
		return nil
	}
	inv := *s.LatestInvoice
	inv.Customer = s.Customer
	return p.applyReturns(ctx, &inv)
}

// hasOwedAmount reports whether anything is owed for the charge.
func hasOwedAmount(c *stripe.Charge) bool { return owedAmountSince(c, time.Time{}) > 0 }

// owedAmountSince returns the charge's owed amount if the charge was returned at the given time or later.
func owedAmountSince(c *stripe.Charge, since time.Time) int64 {
	return parseReturnRecord(c, metaRefund).OwedAmount(since) + parseReturnRecord(c, metaDispute).OwedAmount(since)
}

// readOwedAmount returns the owed amount of charges that were returned since the subscription's last renewal. A change
// of the subscription withdraws this amount from the credit that the change creates, as far as the credit suffices.
func (p *Provider) readOwedAmount(ctx context.Context, s *stripe.Subscription) (sum int64, err error) {
	charges, err := p.listCharges(ctx, s.Customer.ID)
	if err != nil || !slices.ContainsFunc(charges, hasOwedAmount) {
		return 0, err
	}
	renewedAt, err := p.readLastRenewalTime(ctx, s.ID)
	for _, charge := range charges {
		sum += owedAmountSince(charge, renewedAt)
	}
	return sum, err
}

// readEarliestPaymentTime returns the earliest time at which the customer can have paid for the credit that the invoice
// has given. For a void invoice it is the invoice's creation time, and otherwise the time of the subscription's last
// renewal.
func (p *Provider) readEarliestPaymentTime(ctx context.Context, inv *stripe.Invoice) (time.Time, error) {
	if inv.Status == stripe.InvoiceStatusVoid {
		return timeOf(inv.Created), nil
	}
	return p.readLastRenewalTime(ctx, subscriptionOfInvoice(inv).ID)
}

// readLastRenewalTime returns when the subscription was last started or renewed. This is the creation time of its
// newest invoice that is not void and credits no unused time. Without such an invoice it returns the creation time of
// the oldest invoice.
func (p *Provider) readLastRenewalTime(ctx context.Context, subscriptionID string) (time.Time, error) {
	params := &stripe.InvoiceListParams{Subscription: &subscriptionID}
	params.Limit = new(int64(pageSize))
	var renewedAt time.Time
	for inv, err := range p.stripe.V1Invoices.List(ctx, params).All(ctx) {
		if err != nil {
			return time.Time{}, p.logFault(ctx, "list invoices", err)
		}
		renewedAt = timeOf(inv.Created)
		if inv.Status != stripe.InvoiceStatusVoid && !creditsUnusedTime(inv) {
			break
		}
	}
	return renewedAt, nil
}

// creditsUnusedTime reports whether the invoice has a line that credits the unused part of a period.
func creditsUnusedTime(inv *stripe.Invoice) bool {
	return inv.Lines != nil && slices.ContainsFunc(inv.Lines.Data, func(line *stripe.InvoiceLineItem) bool {
		return isProration(line) && line.Amount < 0
	})
}
