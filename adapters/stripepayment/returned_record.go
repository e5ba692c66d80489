package stripepayment

import (
	"cmp"
	"context"
	"fmt"
	"time"

	"github.com/stripe/stripe-go/v85"

	"github.com/vc-admin/diy/domain/billing"
	"github.com/vc-admin/diy/domain/engine"
)

// Keys in the metadata of a charge. Their values are the returnRecords of its refunds and of its disputes.
const (
	metaRefund  = "refund"
	metaDispute = "dispute"
)

// noStatus stands for billing.NoDispute in a returnRecord.
const noStatus = "-"

// returnRecord holds the amounts that the refunds of a charge, or its disputes, returned to the customer, in Stripe's
// units.
type returnRecord struct {
	engine.ReturnedPayment
	disputeSummary
}

// disputeSummary summarises the disputes of a charge. The record of refunds has the zero value.
type disputeSummary struct {
	status billing.DisputeStatus
	count  int
}

// String formats the record as a metadata value that parseReturnRecord can read.
func (r returnRecord) String() string {
	value := fmt.Sprintf("%d %d %d %d", r.Amount, r.Withdrawn, r.Spent, r.At.Unix())
	if r.count > 0 || r.Settled > 0 {
		value += fmt.Sprintf(" %s %d", cmp.Or(string(r.status), noStatus), r.count)
	}
	if r.Settled > 0 {
		value += fmt.Sprintf(" %d", r.Settled)
	}
	return value
}

// parseReturnRecord returns the charge's record of its refunds or disputes; kind is metaRefund or metaDispute. Without
// one it returns the zero value.
func parseReturnRecord(c *stripe.Charge, kind string) (r returnRecord) {
	var seconds int64
	n, _ := fmt.Sscanf(c.Metadata[kind], "%d %d %d %d %s %d %d", &r.Amount, &r.Withdrawn, &r.Spent, &seconds, &r.status,
		&r.count, &r.Settled)
	if n < 4 {
		return returnRecord{}
	}
	if r.status == noStatus {
		r.status = billing.NoDispute
	}
	r.At = time.Unix(seconds, 0).UTC()
	return r
}

// expandRefunds adds the refunds to the charges of a list.
const expandRefunds = "data.refunds"

// refundsOf returns the amount that the refunds of the charge have returned, and the amount of its refunds that failed,
// were canceled, or wait for the customer. Stripe takes a failed refund out of amount_refunded at some time after the
// event, so refundsOf also adds up the refunds. Stripe includes the last ten; with more, amount_refunded alone decides.
func refundsOf(charge *stripe.Charge) (returned, failed int64) {
	if charge.Refunds == nil {
		return charge.AmountRefunded, 0
	}
	var sum int64
	for _, refund := range charge.Refunds.Data {
		switch refund.Status {
		case stripe.RefundStatusFailed, stripe.RefundStatusCanceled, stripe.RefundStatusRequiresAction:
			failed += refund.Amount
		default:
			sum += refund.Amount
		}
	}
	if charge.Refunds.HasMore || len(charge.Refunds.Data) == 0 {
		return charge.AmountRefunded, failed
	}
	return min(charge.AmountRefunded, sum), failed
}

// readDisputeSummary returns a summary of the charge's disputes and the amount that they have returned. The status is
// open while a dispute is open, and otherwise lost if a dispute was lost. Inquiries are not counted, because they
// return no money until they become disputes.
func (p *Provider) readDisputeSummary(
	ctx context.Context, charge *stripe.Charge,
) (amount int64, summary disputeSummary, err error) {
	if !charge.Disputed {
		return 0, summary, nil
	}
	params := &stripe.DisputeListParams{Charge: &charge.ID}
	for d, err := range p.stripe.V1Disputes.List(ctx, params).All(ctx) {
		if err != nil {
			return 0, summary, p.logFault(ctx, "list disputes", err)
		}
		switch d.Status {
		case stripe.DisputeStatusWarningNeedsResponse, stripe.DisputeStatusWarningUnderReview, stripe.DisputeStatusWarningClosed:
			continue
		case stripe.DisputeStatusWon:
			if summary.status == billing.NoDispute {
				summary.status = billing.DisputeWon
			}
		case stripe.DisputeStatusLost, stripe.DisputeStatusPrevented:
			if summary.status != billing.DisputeOpen {
				summary.status = billing.DisputeLost
			}
			amount += d.Amount
		default:
			summary.status = billing.DisputeOpen
			amount += d.Amount
		}
		summary.count++
	}
	refundedAmount, _ := refundsOf(charge)
	return min(amount, charge.Amount-refundedAmount), summary, nil
}
