package stripepayment

import (
	"context"
	"fmt"
	"slices"
	"time"

	"github.com/stripe/stripe-go/v85"

	"github.com/vc-admin/diy/domain/billing"
)

// creditFrom returns the credit that the invoice has given the customer: that of a void invoice came back, and a
// negative total became credit.
func creditFrom(inv *stripe.Invoice) int64 {
	switch inv.Status {
	case stripe.InvoiceStatusVoid:
		return max(0, creditUsedBy(inv))
	case stripe.InvoiceStatusPaid:
		return max(0, -inv.Total)
	}
	return 0
}

// reclaim withdraws what is owed because of returned payments from the credit that the invoice has given its customer,
// which must be expanded, once: see engine.Returned.Owed. Credit of a customer on hold is set aside.
func (p *Provider) reclaim(ctx context.Context, inv *stripe.Invoice) error {
	credit := creditFrom(inv)
	if credit == 0 {
		return nil
	}
	charges, err := p.listCharges(ctx, inv.Customer.ID)
	if err != nil || !slices.ContainsFunc(charges, owesAnything) && holdOfCustomer(inv.Customer) == billing.NoHold {
		return err
	}
	since, err := p.paidSince(ctx, inv)
	if err != nil {
		return err
	}
	a, err := p.openCredit(ctx, inv.Customer.ID)
	if err != nil {
		return err
	}
	for _, charge := range a.charges {
		for _, name := range []string{metaRefund, metaDispute} {
			withdrawn, err := a.reclaimFor(ctx, charge, name, inv.ID, credit, since)
			if err != nil {
				return err
			}
			credit -= withdrawn
		}
	}
	return a.setCreditAside(ctx)
}

// reclaimFor withdraws what is owed for a charge from credit of the invoice, unless that was done before. It returns the
// amount.
func (a *creditAccount) reclaimFor(
	ctx context.Context, charge *stripe.Charge, name, invoiceID string, credit int64, since time.Time,
) (int64, error) {
	record := recordOf(charge, name)
	after, withdrawn := record.Reclaim(min(credit, -a.customer.Balance), since)
	if withdrawn == 0 {
		return 0, nil
	}
	key := fmt.Sprintf("reclaim-%s-%s-%s", invoiceID, charge.ID, name)
	isMade, err := a.isMoveMade(ctx, key)
	if err != nil || isMade {
		return 0, err
	}
	err = a.updateCharge(ctx, charge, map[string]string{
		name: returnRecord{after, record.disputes}.String(), metaMove: creditMove{amount: withdrawn, key: key}.String(),
	})
	if err != nil {
		return 0, err
	}
	return withdrawn, a.completeMoves(ctx)
}

// owesAnything reports whether something is owed for the charge.
func owesAnything(c *stripe.Charge) bool { return owedFor(c, time.Time{}) > 0 }

func owedFor(c *stripe.Charge, since time.Time) int64 {
	return recordOf(c, metaRefund).Owed(since) + recordOf(c, metaDispute).Owed(since)
}

// creditToWithdraw returns how much of the credit that a change of the subscription creates is withdrawn.
func (p *Provider) creditToWithdraw(ctx context.Context, s *stripe.Subscription) (sum int64, err error) {
	charges, err := p.listCharges(ctx, s.Customer.ID)
	if err != nil || !slices.ContainsFunc(charges, owesAnything) {
		return 0, err
	}
	since, err := p.renewedAt(ctx, s.ID)
	for _, charge := range charges {
		sum += owedFor(charge, since)
	}
	return sum, err
}

// paidSince returns the earliest time at which the credit that the invoice has given was paid for: when a void invoice was
// created, and otherwise when the subscription was last started or renewed.
func (p *Provider) paidSince(ctx context.Context, inv *stripe.Invoice) (time.Time, error) {
	if inv.Status == stripe.InvoiceStatusVoid {
		return timeOf(inv.Created), nil
	}
	return p.renewedAt(ctx, subscriptionOfInvoice(inv).ID)
}

// renewedAt returns when the subscription was last started or renewed: when its newest invoice was created that credits
// no unused time.
func (p *Provider) renewedAt(ctx context.Context, subscriptionID string) (time.Time, error) {
	params := &stripe.InvoiceListParams{Subscription: &subscriptionID}
	params.Limit = new(int64(pageSize))
	var oldest time.Time
	for inv, err := range p.stripe.V1Invoices.List(ctx, params).All(ctx) {
		if err != nil {
			return time.Time{}, p.fault(ctx, "list invoices", err)
		}
		if oldest = timeOf(inv.Created); inv.Status != stripe.InvoiceStatusVoid && !creditsUnusedTime(inv) {
			break
		}
	}
	return oldest, nil
}

func creditsUnusedTime(inv *stripe.Invoice) bool {
	return inv.Lines != nil && slices.ContainsFunc(inv.Lines.Data, func(line *stripe.InvoiceLineItem) bool {
		return isProration(line) && line.Amount < 0
	})
}
