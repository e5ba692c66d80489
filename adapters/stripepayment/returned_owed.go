package stripepayment

import (
	"context"
	"fmt"
	"slices"
	"time"

	"github.com/stripe/stripe-go/v85"

	"github.com/vc-admin/diy/domain/billing"
)

// creditGivenBy returns the credit that the invoice has given the customer: what a void invoice had used and gave back, or
// what a paid one with a negative total created.
func creditGivenBy(inv *stripe.Invoice) int64 {
	switch inv.Status {
	case stripe.InvoiceStatusVoid:
		return max(0, deductedCredit(inv))
	case stripe.InvoiceStatusPaid:
		return max(0, -inv.Total)
	}
	return 0
}

// withdrawOwed withdraws what is owed because of returned payments, see engine.ReturnedPayment.Owed, from the credit that the
// invoice has given its customer. A repetition withdraws nothing. It sets the rest aside while the customer is on hold. The
// invoice's customer must be expanded.
func (p *Provider) withdrawOwed(ctx context.Context, inv *stripe.Invoice) error {
	credit := creditGivenBy(inv)
	if credit == 0 {
		return nil
	}
	charges, err := p.listCharges(ctx, inv.Customer.ID)
	if err != nil {
		return err
	}
	if !slices.ContainsFunc(charges, isOwed) && holdOfCustomer(inv.Customer) == billing.NoHold {
		return nil
	}
	since, err := p.paidSince(ctx, inv)
	if err != nil {
		return err
	}
	a, err := p.openCreditAccount(ctx, inv.Customer.ID)
	if err != nil {
		return err
	}
	for _, charge := range a.charges {
		for _, kind := range []string{metaRefund, metaDispute} {
			withdrawn, err := a.withdrawOwedFor(ctx, charge, kind, inv.ID, credit, since)
			if err != nil {
				return err
			}
			credit -= withdrawn
		}
	}
	return a.setCreditAside(ctx)
}

// withdrawOwedFor withdraws what is owed for the charge from credit that the invoice has given, unless that was done before.
// It returns the withdrawn amount. kind is metaRefund or metaDispute.
func (a *creditAccount) withdrawOwedFor(
	ctx context.Context, charge *stripe.Charge, kind, invoiceID string, credit int64, since time.Time,
) (int64, error) {
	record := parseReturnRecord(charge, kind)
	updated, withdrawn := record.WithdrawOwed(min(credit, -a.customer.Balance), since)
	if withdrawn == 0 {
		return 0, nil
	}
	key := fmt.Sprintf("reclaim-%s-%s-%s", invoiceID, charge.ID, kind)
	isWithdrawn, err := a.hasBalanceTransaction(ctx, key)
	if err != nil || isWithdrawn {
		return 0, err
	}
	err = a.updateCharge(ctx, charge, map[string]string{
		kind:             returnRecord{updated, record.disputeSummary}.String(),
		metaCreditChange: creditChange{amount: withdrawn, key: key}.String(),
	})
	if err != nil {
		return 0, err
	}
	return withdrawn, a.applyRecordedChanges(ctx)
}

// withdrawOwedAfterChange withdraws what is owed from the credit that a change of the subscription has just created, see
// withdrawOwed.
func (p *Provider) withdrawOwedAfterChange(ctx context.Context, s *stripe.Subscription) error {
	if s.LatestInvoice == nil {
		return nil
	}
	inv := *s.LatestInvoice
	inv.Customer = s.Customer
	return p.withdrawOwed(ctx, &inv)
}

// isOwed reports whether anything is owed for the charge.
func isOwed(c *stripe.Charge) bool { return owedFor(c, time.Time{}) > 0 }

// owedFor returns what is owed for the charge because it was returned at the time or later.
func owedFor(c *stripe.Charge, since time.Time) int64 {
	return parseReturnRecord(c, metaRefund).Owed(since) + parseReturnRecord(c, metaDispute).Owed(since)
}

// owedAmount returns what is owed for all charges of the customer. A change of the subscription withdraws it from the credit
// that it creates, as far as that suffices.
func (p *Provider) owedAmount(ctx context.Context, s *stripe.Subscription) (sum int64, err error) {
	charges, err := p.listCharges(ctx, s.Customer.ID)
	if err != nil || !slices.ContainsFunc(charges, isOwed) {
		return 0, err
	}
	since, err := p.lastRenewal(ctx, s.ID)
	for _, charge := range charges {
		sum += owedFor(charge, since)
	}
	return sum, err
}

// paidSince returns the earliest time at which the credit that the invoice has given can have been paid for: when a void
// invoice was created, and otherwise the last renewal of the subscription.
func (p *Provider) paidSince(ctx context.Context, inv *stripe.Invoice) (time.Time, error) {
	if inv.Status == stripe.InvoiceStatusVoid {
		return timeOf(inv.Created), nil
	}
	return p.lastRenewal(ctx, subscriptionOfInvoice(inv).ID)
}

// lastRenewal returns when the subscription was last started or renewed: when its newest invoice was created that is not
// void and credits no unused time. Without such an invoice it returns when the oldest one was created.
func (p *Provider) lastRenewal(ctx context.Context, subscriptionID string) (time.Time, error) {
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
