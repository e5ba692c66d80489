package enginepayment

import (
	"context"
	"encoding/json"
	"errors"
	"time"

	"github.com/vc-admin/diy/adapters/ledger"
	"github.com/vc-admin/diy/domain/engine"
	"github.com/vc-admin/diy/ports/gateway"
)

// maxBatches limits how many batches processOutbox sends. A result can add requests to the outbox. For example, the
// result of canceling a page allows the next attempt.
const maxBatches = 5

// processOutbox sends the requests in an account's outbox to the gateway. It claims attempts and refunds in a transaction and
// sends them outside of any transaction. A second transaction stores the results and claims the next batch. After an error,
// it releases the claims of the remaining requests, and the next call sends them. Claims expire, so that another server can
// send the requests that a crashed server had claimed.
//
// It returns the payments that the customer has to complete, by the key of the attempt. Their URLs and secrets are never
// stored.
func (p *Provider) processOutbox(
	ctx context.Context, customerID string, timeout time.Duration,
) (openPayments map[string]gateway.Payment, err error) {
	ctx, cancel := context.WithTimeout(ctx, timeout)
	defer cancel()
	openPayments = map[string]gateway.Payment{}
	var b batch
	_, err = p.Update(ctx, customerID, ledger.Scope{}, func(r *ledger.Record) (err error) {
		b, err = claimBatch(r)
		return err
	})
	for i := 1; err == nil && !b.IsEmpty(); i++ {
		results, sendErr := p.sendBatch(ctx, customerID, b)
		for _, r := range results {
			if r.payment.State == gateway.Open {
				openPayments[r.payment.Key] = r.payment
			}
		}
		b, err = p.storeResults(ctx, customerID, b, results, sendErr == nil && ctx.Err() == nil && i < maxBatches)
		err = errors.Join(err, sendErr)
	}
	return openPayments, err
}

// batch contains the requests to the gateway that processOutbox sends together. Its refunds, and the attempts that it
// sends, are claimed.
type batch struct {
	engine.Outbox
	customer    ledger.Customer
	state       customerState
	claimed     []engine.Attempt  // the attempts and refunds to send
	paymentRefs map[string]string // references of the payments to refund, by the key of the refund
}

// claimBatch claims the attempts and refunds that are due, and returns them with the other requests that are due. It skips
// requests that another server is sending. Claims expire on the clock of the database, which all servers share.
func claimBatch(r *ledger.Record) (b batch, err error) {
	a := r.Account
	outbox := a.Outbox()
	b = batch{customer: r.Customer, paymentRefs: map[string]string{}}
	if b.state, err = decodeState(r.Customer); err != nil {
		return b, err
	}
	b.Find, b.Cancel, b.RemovedMethods = outbox.Find, outbox.Cancel, outbox.RemovedMethods
	for _, attempt := range outbox.Send {
		if claimed, err := a.Claim(attempt.Key, a.ClaimNow, a.ClaimNow.Add(claimDuration)); err == nil {
			b.Send, b.claimed = append(b.Send, claimed), append(b.claimed, claimed)
		}
	}
	for _, refund := range outbox.Refund {
		if claimed, attempt, err := a.ClaimRefund(refund.Key, a.ClaimNow, a.ClaimNow.Add(claimDuration)); err == nil {
			b.Refund, b.claimed = append(b.Refund, claimed), append(b.claimed, claimed.Attempt)
			b.paymentRefs[refund.Key] = attempt.Ref
		}
	}
	return b, nil
}

// storeResults applies the results of requests to the account, and releases the claims of those without a result. It does so
// even if ctx is done, because the gateway has acted. With claimsNext, it returns the next batch, claimed in the same
// transaction; otherwise an empty batch.
func (p *Provider) storeResults(
	ctx context.Context, customerID string, b batch, results []result, claimsNext bool,
) (next batch, err error) {
	ctx = context.WithoutCancel(ctx)
	scope := scopeOf(results)
	var returns newReturns
	var failedRefs []string
	r, err := p.Update(ctx, customerID, scope, func(r *ledger.Record) (err error) {
		if scope.AllInvoices {
			returns = findNewReturns(r, results)
		}
		failedRefs = findFailuresOfPaidPayments(r.Account, results)
		for _, result := range results {
			if err = applyResult(r, result); err != nil {
				return err
			}
		}
		for _, claimed := range b.claimed {
			r.Account.ReleaseClaim(claimed)
		}
		r.NeedsReport = true
		next = batch{}
		if claimsNext {
			next, err = claimBatch(r)
		}
		return err
	})
	if err != nil {
		return batch{}, err
	}
	if scope.AllInvoices {
		p.logReturns(ctx, r, returns)
	}
	for _, ref := range failedRefs {
		p.Log.ErrorContext(ctx, "the gateway reports a paid payment as failed", "org", r.Customer.OrganisationID, "payment", ref)
	}
	return next, nil
}

// findFailuresOfPaidPayments returns the references of paid payments that the results report as failed or canceled. The
// account ignores these states, because only Returned can follow Paid.
func findFailuresOfPaidPayments(a *engine.Account, results []result) (refs []string) {
	for _, res := range results {
		isFailure := res.payment.State == gateway.Failed || res.payment.State == gateway.Canceled
		if attempt, err := a.Attempt(res.key); err == nil && isFailure && attempt.State == engine.AttemptPaid {
			refs = append(refs, attempt.Ref)
		}
	}
	return refs
}

// scopeOf selects the attempts of the results. Without this scope, the account lacks attempts that another server has
// completed. If a payment was refunded, disputed or returned, scopeOf selects all invoices, because a return can withdraw
// credit.
func scopeOf(results []result) (scope ledger.Scope) {
	for _, r := range results {
		scope.AttemptKeys = append(scope.AttemptKeys, r.key)
		hasReturns := len(r.payment.Refunds)+len(r.payment.Disputes) > 0 || r.payment.State == gateway.Returned
		if r.refund != nil || hasReturns {
			scope.AllInvoices = true
		}
	}
	return scope
}

// applyResult applies the result of a request to the account.
func applyResult(r *ledger.Record, res result) error {
	a := r.Account
	switch {
	case res.savedCustomer != nil:
		s, err := decodeState(r.Customer)
		if err != nil {
			return err
		}
		s.Ref, s.SentDetails = res.savedCustomer.Ref, res.savedCustomer.SentDetails
		r.Customer.State, err = json.Marshal(s)
		return err
	case res.deletedMethod != "":
		a.ReportMethodDeleted(res.deletedMethod)
		return nil
	case res.isMissing:
		return a.ReportMissing(res.key)
	case res.refund != nil:
		return a.ReportRefund(refundReportOf(*res.refund))
	}
	report := reportOf(res.payment)
	report.AnnouncedChanges = res.announcedChanges
	return a.ReportPayment(res.key, report)
}

// reportOf converts a payment of the gateway to a report for the account.
func reportOf(p gateway.Payment) engine.PaymentReport {
	out := engine.PaymentReport{
		State: engine.AttemptState(p.State), Ref: p.Ref, OpenUntil: p.ExpiresAt, OnPage: p.URL != "", ExpectedBy: p.ExpectedBy,
		Decline: engine.Decline(p.Decline), Reason: p.Reason,
	}
	if p.Method != nil {
		details := p.Method.Details
		details.ID = p.Method.Ref
		out.Method = &engine.AccountMethod{Ref: p.Method.Ref, Details: details, Pending: p.Method.Pending}
	}
	for _, refund := range p.Refunds {
		out.Refunds = append(out.Refunds, refundReportOf(refund))
	}
	for _, d := range p.Disputes {
		out.Disputes = append(out.Disputes, engine.DisputeReport{
			Ref: d.Ref, Amount: d.Amount.Minor(), Status: d.Status, OpenedAt: d.OpenedAt, DecidedAt: d.DecidedAt,
		})
	}
	return out
}

func refundReportOf(r gateway.Refund) engine.RefundReport {
	return engine.RefundReport{Key: r.Key, Ref: r.Ref, Amount: r.Amount.Minor(), State: engine.AttemptState(r.State)}
}
