package enginepayment

import (
	"context"
	"encoding/json"
	"errors"
	"time"

	"github.com/vc-admin/diy/adapters/ledger"
	"github.com/vc-admin/diy/domain/billing"
	"github.com/vc-admin/diy/domain/engine"
	"github.com/vc-admin/diy/ports/gateway"
	"github.com/vc-admin/diy/ports/payment"
	"github.com/vc-admin/diy/ports/payment/plugin"
)

// maxRounds limits how often collect looks for more to do, such as a charge after a page was canceled.
const maxRounds = 5

// collect does what has to be done at the gateway for a customer: it claims attempts and refunds in a transaction, sends
// them outside of it, and stores what is reported in another. A server that stops in between leaves the claim, which ends
// by itself. It returns what customers need to complete open payments, by the key of the attempt; that is never stored.
//
// After an error, the next call does what was not done.
func (p *Provider) collect(ctx context.Context, customerID string, limit time.Duration) (map[string]gateway.Payment, error) {
	ctx, cancel := timeout(ctx, limit)
	defer cancel()
	opened := map[string]gateway.Payment{}
	for range maxRounds {
		todo, err := p.claim(ctx, customerID)
		if err != nil || todo.IsEmpty() {
			return opened, err
		}
		reports, failed := p.sendClaimed(ctx, customerID, todo)
		for _, r := range reports {
			if r.payment.State == gateway.Open {
				opened[r.payment.Key] = r.payment
			}
		}
		if err := p.record(ctx, customerID, reports); err != nil || failed != nil {
			return opened, errors.Join(err, failed)
		}
	}
	return opened, nil
}

// sendClaimed is send until the claims end, because another server may claim the same then.
func (p *Provider) sendClaimed(ctx context.Context, customerID string, todo work) ([]result, error) {
	ctx, cancel := timeout(ctx, sendTimeout)
	defer cancel()
	return p.send(ctx, customerID, todo)
}

// work is what collect sends. Attempts and refunds are claimed.
type work struct {
	engine.Outbox
	customer ledger.Customer
	state    state
	payments map[string]string // references of payments to refund, by the key of the refund
}

// claim claims what has to be sent now. What another server sends at the moment is left out.
func (p *Provider) claim(ctx context.Context, customerID string) (todo work, err error) {
	err = p.Database.Write(ctx, func(tx plugin.Tx) error {
		_, err := p.Change(ctx, tx, customerID, ledger.Scope{}, func(r *ledger.Record) (err error) {
			a := r.Account
			due := a.Due()
			todo = work{customer: r.Customer, payments: map[string]string{}}
			if todo.state, err = stateOf(r.Customer); err != nil {
				return err
			}
			todo.Find, todo.Cancel, todo.ForgetMethods = due.Find, due.Cancel, due.ForgetMethods
			for _, at := range due.Send {
				if at, err := a.Claim(at.Key, a.Now, a.Now.Add(claimTime)); err == nil {
					todo.Send = append(todo.Send, at)
				}
			}
			for _, f := range due.Refund {
				if f, paid, err := a.ClaimRefund(f.Key, a.Now, a.Now.Add(claimTime)); err == nil {
					todo.Refund, todo.payments[f.Key] = append(todo.Refund, f), paid.Ref
				}
			}
			return nil
		})
		return err
	})
	return todo, ledger.Unavailable(err)
}

// record stores what the gateway has reported.
func (p *Provider) record(ctx context.Context, customerID string, results []result) error {
	ctx = context.WithoutCancel(ctx) // what has happened is stored even if the customer has left
	var organisation string
	var spent []billing.ReturnedPayment
	err := p.Database.Write(ctx, func(tx plugin.Tx) error {
		r, err := p.Change(ctx, tx, customerID, scopeOf(results), func(r *ledger.Record) error {
			before := spentCredit(r)
			for _, res := range results {
				if err := apply(r, res); err != nil {
					return err
				}
			}
			r.Report = true
			spent = nil
			for id, returned := range spentCredit(r) {
				if returned.Spent != before[id].Spent {
					spent = append(spent, returned)
				}
			}
			return nil
		})
		if err == nil {
			organisation = r.Customer.Organisation
		}
		return err
	})
	if err != nil {
		return ledger.Unavailable(err)
	}
	for _, returned := range spent {
		payment.ReportSpentCredit(ctx, p.Log, organisation, returned)
	}
	return nil
}

// scopeOf returns the attempts that the results are about, also those that another server has completed meanwhile. If money
// went back, it returns all invoices, because that can withdraw credit.
func scopeOf(results []result) (scope ledger.Scope) {
	for _, r := range results {
		scope.Attempts = append(scope.Attempts, r.key)
		scope.All = scope.All || r.refund != nil || len(r.payment.Refunds) > 0 || r.payment.State == gateway.Returned
	}
	return scope
}

// spentCredit returns the payments that went back although the customer has spent credit that came from them, by invoice.
func spentCredit(r *ledger.Record) map[string]billing.ReturnedPayment {
	spent := map[string]billing.ReturnedPayment{}
	for _, inv := range r.Account.Invoices {
		if inv.Refund.Spent > 0 {
			spent["refund "+inv.ID] = refunded(r, inv)
		}
		if inv.Dispute.Spent > 0 {
			spent["return "+inv.ID] = returnedPayment(r, inv, inv.Dispute, billing.DisputeLost)
		}
	}
	return spent
}

// apply changes the account after a report.
func apply(r *ledger.Record, res result) error {
	a := r.Account
	switch {
	case res.saved != nil:
		s, err := stateOf(r.Customer)
		if err != nil {
			return err
		}
		s.Ref, s.Known = res.saved.Ref, res.saved.Known
		r.Customer.State, err = json.Marshal(s)
		return err
	case res.forgot != "":
		a.Forgotten(res.forgot)
		return nil
	case res.missing:
		return a.ReportMissing(res.key)
	case res.refund != nil:
		return a.ReportRefund(reportedRefund(*res.refund))
	}
	reported := report(res.payment)
	reported.Announced = res.announced
	return a.Report(res.key, reported)
}

// report converts a payment of the gateway.
func report(p gateway.Payment) engine.Report {
	out := engine.Report{
		State: engine.AttemptState(p.State), Ref: p.Ref, Until: p.Until, ExpectedBy: p.ExpectedBy, Decline: engine.Decline(p.Decline), Reason: p.Reason,
	}
	if p.Method != nil {
		details := p.Method.Details
		details.ID = p.Method.Ref
		out.Method = &engine.AccountMethod{Ref: p.Method.Ref, Details: details, Pending: p.Method.Pending}
	}
	for _, f := range p.Refunds {
		out.Refunds = append(out.Refunds, reportedRefund(f))
	}
	return out
}

func reportedRefund(f gateway.Refund) engine.ReportedRefund {
	return engine.ReportedRefund{Key: f.Key, Ref: f.Ref, Amount: f.Amount.Minor(), State: engine.AttemptState(f.State)}
}
