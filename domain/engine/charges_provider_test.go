package engine_test

import (
	"fmt"
	"slices"
	"time"

	"pgregory.net/rapid"

	"github.com/vc-admin/diy/domain/billing"
	"github.com/vc-admin/diy/domain/engine"
)

// longestRequest is the longest time for which a request can be in transit.
const longestRequest = time.Minute

// fakeProvider is a provider that only moves money. It acts once for each key and draws the outcome of each payment.
type fakeProvider struct {
	*rapid.T
	payments           []*providerPayment
	requests           []providerRequest // the requests that can still arrive
	canPayAfterFailure bool              // a failed or canceled payment can still become paid
}

type providerPayment struct {
	key, invoice string
	amount       int64
	states       []engine.PaymentReport // the latest one last
	settlesAt    time.Time              // while it is processing
	outcome      engine.AttemptState    // the state after settlesAt
	refunds      []engine.RefundReport
	disputes     []engine.DisputeReport
	oldDisputes  [][]engine.DisputeReport // the earlier values of disputes
}

type providerRequest struct {
	attempt engine.Attempt
	until   time.Time // the last time at which it can arrive
}

func (f *fakeProvider) payment(key string) *providerPayment {
	i := slices.IndexFunc(f.payments, func(p *providerPayment) bool { return p.key == key })
	if i < 0 {
		return nil
	}
	return f.payments[i]
}

func (p *providerPayment) state() engine.AttemptState { return p.states[len(p.states)-1].State }

// report returns the current state as the provider reports it.
func (p *providerPayment) report() engine.PaymentReport {
	r := p.states[len(p.states)-1]
	r.Refunds, r.Disputes = slices.Clone(p.refunds), slices.Clone(p.disputes)
	return r
}

// changeDispute decides the newest dispute of a paid payment, or opens another one of a part or of everything that was not
// returned. Sometimes a dispute is decided before it is reported as open.
func (f *fakeProvider) changeDispute(p *providerPayment, now time.Time) {
	p.oldDisputes = append(p.oldDisputes, slices.Clone(p.disputes))
	if n := len(p.disputes); n > 0 && p.disputes[n-1].Status == billing.DisputeOpen {
		p.disputes[n-1].DecidedAt = now
		p.disputes[n-1].Status = rapid.SampledFrom([]billing.DisputeStatus{billing.DisputeWon, billing.DisputeLost}).Draw(f.T, "decision")
		return
	}
	if returnable := p.receivedAmount(); returnable > 0 {
		p.disputes = append(p.disputes, engine.DisputeReport{
			Ref: fmt.Sprintf("dispute_%s_%d", p.key, len(p.disputes)), Status: billing.DisputeOpen, OpenedAt: now,
			Amount: rapid.SampledFrom([]int64{1, returnable, returnable}).Draw(f.T, "disputed amount"),
		})
	}
}

// disputedAmount returns the sum of the disputes that are open or lost.
func (p *providerPayment) disputedAmount() (sum int64) {
	for _, d := range p.disputes {
		if d.Status != billing.DisputeWon {
			sum += d.Amount
		}
	}
	return sum
}

// addPayments adds the payments of the attempts that were sent, each in the state of its attempt.
func (f *fakeProvider) addPayments(attempts []engine.Attempt) {
	for _, attempt := range attempts {
		state := attempt.State
		switch state {
		case engine.AttemptStored, engine.AttemptClaimed:
			continue
		case engine.AttemptCanceling:
			state = engine.AttemptOpen
		}
		method := &engine.AccountMethod{Ref: attempt.Method, Details: attempt.MethodDetails}
		f.payments = append(f.payments, &providerPayment{
			key: attempt.Key, invoice: attempt.Invoice, amount: attempt.Amount, outcome: engine.AttemptPaid,
			states: []engine.PaymentReport{{State: state, Method: method}},
		})
	}
}

// beginPayment returns the payment of an attempt. The first call creates it.
func (f *fakeProvider) beginPayment(attempt engine.Attempt, now time.Time) *providerPayment {
	if p := f.payment(attempt.Key); p != nil {
		return p
	}
	p := &providerPayment{key: attempt.Key, invoice: attempt.Invoice, amount: attempt.Amount}
	f.payments = append(f.payments, p)
	method := attempt.Method
	if method == "" {
		method = "new"
	}
	states := []engine.AttemptState{
		engine.AttemptPaid, engine.AttemptPaid, engine.AttemptProcessing, engine.AttemptProcessing, engine.AttemptFailed,
		engine.AttemptOpen,
	}
	switch {
	case attempt.Method == "" && attempt.Token == "":
		f.addState(p, method, engine.AttemptOpen, now)
	case !attempt.CustomerPresent:
		f.addState(p, method, rapid.SampledFrom(states[:5]).Draw(f.T, "outcome"), now)
	default:
		f.addState(p, method, rapid.SampledFrom(states).Draw(f.T, "outcome"), now)
	}
	return p
}

// addState adds a state to a payment.
func (f *fakeProvider) addState(p *providerPayment, method string, state engine.AttemptState, now time.Time) {
	kind := rapid.SampledFrom([]billing.MethodKind{billing.CardMethod, billing.BankDebitMethod}).Draw(f.T, "kind")
	details := billing.PaymentMethod{Kind: kind}
	r := engine.PaymentReport{State: state, Method: &engine.AccountMethod{Ref: method, Details: details}}
	if len(p.states) > 0 {
		r.Method = p.states[0].Method
	}
	switch state {
	case engine.AttemptFailed:
		r.Reason = "It was declined."
		r.Decline = rapid.SampledFrom([]engine.Decline{"", "", engine.HardDecline, engine.CustomerNeeded,
			engine.MethodGone}).Draw(f.T, "decline")
	case engine.AttemptProcessing:
		p.settlesAt = now.Add(rapid.SampledFrom([]time.Duration{0, time.Hour, 3 * day, 10 * day}).Draw(f.T, "settlement"))
		p.outcome = rapid.SampledFrom([]engine.AttemptState{engine.AttemptPaid, engine.AttemptPaid,
			engine.AttemptFailed}).Draw(f.T, "late outcome")
		r.ExpectedBy = p.settlesAt
	}
	p.states = append(p.states, r)
}

// changeState changes the state of a payment at random. The customer completes or leaves a page, or money arrives or is
// returned.
func (f *fakeProvider) changeState(p *providerPayment, now time.Time) {
	method := p.states[0].Method.Ref
	switch p.state() {
	case engine.AttemptOpen:
		f.addState(p, method, rapid.SampledFrom([]engine.AttemptState{
			engine.AttemptPaid, engine.AttemptProcessing, engine.AttemptFailed, engine.AttemptCanceled,
		}).Draw(f.T, "page"), now)
	case engine.AttemptProcessing:
		if !now.Before(p.settlesAt) {
			f.addState(p, method, p.outcome, now)
		}
	case engine.AttemptPaid:
		if rapid.IntRange(0, 3).Draw(f.T, "return") == 0 && len(p.refunds) == 0 {
			f.addState(p, method, engine.AttemptReturned, now)
		}
	case engine.AttemptFailed, engine.AttemptCanceled:
		if f.canPayAfterFailure && rapid.IntRange(0, 3).Draw(f.T, "surprise") == 0 {
			f.addState(p, method, engine.AttemptPaid, now)
		}
	}
}

// completeDuePayments sets the outcome of the processing payments that arrive by now.
func (f *fakeProvider) completeDuePayments(now time.Time) {
	for _, p := range f.payments {
		if p.state() == engine.AttemptProcessing && !now.Before(p.settlesAt) {
			f.addState(p, p.states[0].Method.Ref, p.outcome, now)
		}
	}
}

// cancel cancels an open payment.
func (f *fakeProvider) cancel(p *providerPayment, now time.Time) {
	if p.state() == engine.AttemptOpen {
		f.addState(p, p.states[0].Method.Ref, engine.AttemptCanceled, now)
	}
}

// refund returns a part of a payment. It acts once per key.
func (f *fakeProvider) refund(p *providerPayment, key string, amount int64) engine.RefundReport {
	i := slices.IndexFunc(p.refunds, func(r engine.RefundReport) bool { return r.Key == key })
	if i >= 0 {
		return p.refunds[i]
	}
	state := rapid.SampledFrom([]engine.AttemptState{
		engine.AttemptPaid, engine.AttemptPaid, engine.AttemptProcessing, engine.AttemptFailed,
	}).Draw(f.T, "refund")
	if p.state() != engine.AttemptPaid || amount > p.amount-p.refundedAmount()-p.disputedAmount() {
		state = engine.AttemptFailed
	}
	r := engine.RefundReport{Key: key, Ref: "re_" + key, Amount: amount, State: state}
	p.refunds = append(p.refunds, r)
	return r
}

func (p *providerPayment) refundedAmount() (sum int64) {
	for _, r := range p.refunds {
		if r.State != engine.AttemptFailed {
			sum += r.Amount
		}
	}
	return sum
}

// receivedAmount returns the amount of a paid payment less its refunds and disputes, and 0 for a payment in another state.
func (p *providerPayment) receivedAmount() int64 {
	if p.state() != engine.AttemptPaid {
		return 0
	}
	return p.amount - p.refundedAmount() - p.disputedAmount()
}

// debitCount returns the number of payments of the invoice that are paid or processing.
func (f *fakeProvider) debitCount(invoiceID string) (n int) {
	for _, p := range f.payments {
		if p.invoice == invoiceID && (p.state() == engine.AttemptProcessing || p.state() == engine.AttemptPaid) {
			n++
		}
	}
	return n
}
