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

// Keys in the metadata of a charge. Each value is the returnRecord of its refunds or of its disputes.
const (
	metaRefund  = "refund"
	metaDispute = "dispute"
)

// metaDisputes contains, in the metadata of a charge, the ids of its recorded disputes. Each has the number of the hold
// during which it was recorded, see metaHoldNumber.
const metaDisputes = "disputes"

// metaDisputeDecided contains, in the metadata of a charge, the time at which its latest decided dispute was won or lost, in
// seconds. Stripe's objects have no such time.
const metaDisputeDecided = "dispute_decided"

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

// isDecided reports whether the last dispute was won or lost.
func (s disputeSummary) isDecided() bool {
	return s.status == billing.DisputeWon || s.status == billing.DisputeLost
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
		if isReturned(refund) {
			sum += refund.Amount
		} else {
			failed += refund.Amount
		}
	}
	if charge.Refunds.HasMore || len(charge.Refunds.Data) == 0 {
		return charge.AmountRefunded, failed
	}
	return min(charge.AmountRefunded, sum), failed
}

// isReturned reports whether the refund has returned money, or is expected to.
func isReturned(refund *stripe.Refund) bool {
	switch refund.Status {
	case stripe.RefundStatusFailed, stripe.RefundStatusCanceled, stripe.RefundStatusRequiresAction:
		return false
	}
	return true
}

// disputeStatusOf returns the status of a dispute. isInquiry is true for an inquiry, which returns no money until it
// becomes a dispute.
func disputeStatusOf(d *stripe.Dispute) (status billing.DisputeStatus, isInquiry bool) {
	switch d.Status {
	case stripe.DisputeStatusWarningNeedsResponse, stripe.DisputeStatusWarningUnderReview, stripe.DisputeStatusWarningClosed:
		return billing.NoDispute, true
	case stripe.DisputeStatusWon:
		return billing.DisputeWon, false
	case stripe.DisputeStatusLost, stripe.DisputeStatusPrevented:
		return billing.DisputeLost, false
	}
	return billing.DisputeOpen, false
}

// listDisputes returns the disputes of the charge, newest first, without inquiries. It makes no request for a charge that
// was never disputed.
func (p *Provider) listDisputes(ctx context.Context, charge *stripe.Charge) (disputes []*stripe.Dispute, err error) {
	if !charge.Disputed && charge.Metadata[metaDispute] == "" {
		return nil, nil
	}
	params := &stripe.DisputeListParams{Charge: &charge.ID}
	for d, err := range p.stripe.V1Disputes.List(ctx, params).All(ctx) {
		if err != nil {
			return nil, p.logFault(ctx, "list disputes", err)
		}
		if _, isInquiry := disputeStatusOf(d); !isInquiry {
			disputes = append(disputes, d)
		}
	}
	return disputes, nil
}

// readDisputeSummary returns the charge's disputes with a summary, and the amount that they have returned. The status is
// open while a dispute is open, and otherwise lost if a dispute was lost.
func (p *Provider) readDisputeSummary(
	ctx context.Context, charge *stripe.Charge,
) (amount int64, disputes []*stripe.Dispute, summary disputeSummary, err error) {
	disputes, err = p.listDisputes(ctx, charge)
	if err != nil {
		return 0, nil, summary, err
	}
	for _, d := range disputes {
		switch status, _ := disputeStatusOf(d); {
		case status == billing.DisputeWon:
			summary.status = cmp.Or(summary.status, billing.DisputeWon)
		case status == billing.DisputeLost && summary.status == billing.DisputeOpen:
			amount += d.Amount
		default:
			summary.status = status
			amount += d.Amount
		}
		summary.count++
	}
	refundedAmount, _ := refundsOf(charge)
	return min(amount, charge.Amount-refundedAmount), disputes, summary, nil
}
