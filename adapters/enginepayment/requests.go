package enginepayment

import (
	"cmp"
	"context"
	"errors"

	"github.com/vc-admin/diy/adapters/ledger"
	"github.com/vc-admin/diy/domain/engine"
	"github.com/vc-admin/diy/domain/fault"
	"github.com/vc-admin/diy/ports/gateway"
)

// result is what the gateway has reported. key is that of the attempt or refund.
type result struct {
	key       string
	payment   gateway.Payment // of an attempt
	announced int             // of the attempt when the gateway was asked, see engine.Report
	refund    *gateway.Refund // of a refund
	missing   bool            // the gateway does not know the attempt
	forgot    string          // a method that has ended
	saved     *state          // the customer as the gateway knows it
}

// sending collects the results of requests to the gateway, and the errors of those without a known outcome.
type sending struct {
	results []result
	failed  error
}

func (s *sending) add(r result, err error) {
	if err != nil {
		s.failed = errors.Join(s.failed, err)
		return
	}
	s.results = append(s.results, r)
}

// send sends what is claimed. It returns the results, and the errors of what has no known outcome.
func (p *Provider) send(ctx context.Context, customerID string, todo work) ([]result, error) {
	var s sending
	for _, at := range todo.Cancel {
		s.add(p.cancel(ctx, at, todo))
	}
	for _, at := range todo.Find {
		s.add(p.find(ctx, at, todo))
	}
	if len(todo.Send) > 0 {
		p.sendAttempts(ctx, customerID, todo, &s)
	}
	for _, f := range todo.Refund {
		s.add(p.refund(ctx, f, todo.payments[f.Key]))
	}
	for _, ref := range todo.ForgetMethods {
		s.add(result{forgot: ref}, p.Gateway.Forget(ctx, ref))
	}
	return s.results, s.failed
}

// sendAttempts saves the customer and starts the payments. If the gateway refuses the customer's details, it refuses the
// payments.
func (p *Provider) sendAttempts(ctx context.Context, customerID string, todo work, s *sending) {
	saved, err := p.saveCustomer(ctx, customerID, todo)
	if err == nil {
		todo.state = saved
		s.add(result{saved: &saved}, nil)
	} else if !fault.Is(err, fault.Invalid) {
		s.add(result{}, err)
		return
	}
	for _, at := range todo.Send {
		if err != nil {
			refused, _ := refusal(at, err)
			s.add(result{key: at.Key, payment: refused, announced: at.Announced}, nil)
			continue
		}
		s.add(p.start(ctx, at, todo))
	}
}

// cancel stops an open payment, or looks up the payment that can't be stopped any more.
func (p *Provider) cancel(ctx context.Context, at engine.Attempt, todo work) (result, error) {
	canceled, err := p.Gateway.Cancel(ctx, todo.reference(at))
	if fault.Is(err, fault.Conflict) {
		return p.find(ctx, at, todo)
	}
	return lookedUp(at, canceled, err)
}

func (p *Provider) find(ctx context.Context, at engine.Attempt, todo work) (result, error) {
	found, err := p.Gateway.Find(ctx, todo.reference(at))
	return lookedUp(at, found, err)
}

// lookedUp returns the result of a request for a payment that the gateway may not know.
func lookedUp(at engine.Attempt, found gateway.Payment, err error) (result, error) {
	if fault.Is(err, fault.NotFound) {
		return result{key: at.Key, missing: true}, nil
	}
	return result{key: at.Key, payment: found, announced: at.Announced}, err
}

// start begins a payment. Conflict means that an earlier request has begun it with another description or page, before the
// configuration was changed: it is looked up.
func (p *Provider) start(ctx context.Context, at engine.Attempt, todo work) (result, error) {
	started, err := p.Gateway.Start(ctx, p.order(at, todo))
	if fault.Is(err, fault.Conflict) {
		return p.find(ctx, at, todo)
	}
	if refused, ok := refusal(at, err); ok {
		started, err = refused, nil
	}
	return result{key: at.Key, payment: started, announced: at.Announced}, err
}

func (p *Provider) refund(ctx context.Context, f engine.AccountRefund, paymentRef string) (result, error) {
	amount := ledger.Amount(f.Amount, f.Currency)
	refunded, err := p.Gateway.Refund(ctx, gateway.RefundOrder{Key: f.Key, PaymentRef: paymentRef, Amount: amount})
	if isRefusal(err) || fault.Is(err, fault.Conflict) {
		refunded, err = gateway.Refund{Key: f.Key, Amount: amount, State: gateway.Failed}, nil
	}
	return result{key: f.Key, refund: &refunded}, err
}

func (w work) reference(at engine.Attempt) gateway.Reference {
	return gateway.Reference{Key: at.Key, Ref: at.Ref, CustomerRef: w.state.Ref}
}

// saveCustomer creates the customer at the gateway, or updates it there, and returns the state afterwards.
func (p *Provider) saveCustomer(ctx context.Context, customerID string, todo work) (state, error) {
	s, c := todo.state, todo.customer
	now := known{Name: c.Name, Email: c.Email, Address: c.Details.Address}
	if s.Ref != "" && s.Known == now {
		return s, nil
	}
	ref, err := p.Gateway.SaveCustomer(ctx, gateway.Customer{ID: customerID, Ref: s.Ref, Name: now.Name, Email: now.Email, Address: now.Address})
	s.Ref, s.Known = ref, now
	return s, err
}

// order returns the order of an attempt.
func (p *Provider) order(at engine.Attempt, todo work) gateway.Order {
	o := gateway.Order{
		Key: at.Key, CustomerRef: todo.state.Ref, Description: p.Seller.Brand, MethodRef: at.Method, Token: at.Token, ReturnTo: at.ReturnTo,
		Amount:          ledger.Amount(at.Amount, cmp.Or(at.Currency, todo.customer.Currency, todo.customer.Preferred, p.Catalogue.DefaultCurrency())),
		CustomerPresent: at.CustomerPresent,
	}
	if o.ReturnTo == "" {
		o.ReturnTo = p.ReturnTo
	}
	return o
}

// refusal returns the failed payment of an attempt that the gateway refuses to make.
func refusal(at engine.Attempt, err error) (gateway.Payment, bool) {
	if !isRefusal(err) {
		return gateway.Payment{}, false
	}
	failed := gateway.Payment{
		Reference: gateway.Reference{Key: at.Key}, State: gateway.Failed, Decline: gateway.HardDecline, Reason: fault.MessageOf(err),
	}
	if fault.Is(err, fault.NotFound) {
		failed.Decline, failed.Reason = gateway.MethodGone, "The payment method can't be charged any more."
	}
	return failed, true
}

// isRefusal reports whether the gateway has refused a request for good.
func isRefusal(err error) bool {
	switch fault.CodeOf(err) {
	case fault.Invalid, fault.NotFound, fault.Unsupported:
		return err != nil
	}
	return false
}

// paymentOf returns what a customer needs to complete an open attempt: from what collect has returned, or from the gateway.
func (p *Provider) paymentOf(ctx context.Context, customer ledger.Customer, at engine.Attempt, opened map[string]gateway.Payment) (gateway.Payment, error) {
	if known, ok := opened[at.Key]; ok {
		return known, nil
	}
	s, err := stateOf(customer)
	if err != nil {
		return gateway.Payment{}, err
	}
	ctx, cancel := timeout(ctx, findTimeout)
	defer cancel()
	return p.Gateway.Find(ctx, gateway.Reference{Key: at.Key, Ref: at.Ref, CustomerRef: s.Ref})
}
