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

// result is the known outcome of a request to the gateway.
type result struct {
	key              string          // of the attempt or refund
	payment          gateway.Payment // of an attempt
	announcedChanges int             // of the attempt when the request was sent, see engine.PaymentReport
	isMissing        bool            // whether the gateway does not know the attempt
	refund           *gateway.Refund
	deletedMethod    string         // the reference of a method that the gateway no longer has
	savedCustomer    *customerState // with the customer's reference and details at the gateway
}

// sendBatch sends a batch. It returns the results, and the errors of requests whose outcome is unknown. It stops before the
// claims expire, because another server may then claim the same attempts.
func (p *Provider) sendBatch(ctx context.Context, customerID string, b batch) (results []result, sendErr error) {
	ctx, cancel := context.WithTimeout(ctx, sendTimeout)
	defer cancel()
	collect := func(r result, err error) {
		if err != nil {
			sendErr = errors.Join(sendErr, err)
			return
		}
		results = append(results, r)
	}
	for _, attempt := range b.Cancel {
		collect(p.cancelPayment(ctx, attempt, b))
	}
	for _, attempt := range b.Find {
		collect(p.findPayment(ctx, attempt, b))
	}
	if len(b.Send) > 0 {
		p.sendAttempts(ctx, customerID, b, collect)
	}
	for _, refund := range b.Refund {
		collect(p.sendRefund(ctx, refund, b.paymentRefs[refund.Key]))
	}
	for _, ref := range b.RemovedMethods {
		collect(result{deletedMethod: ref}, p.Gateway.Forget(ctx, ref))
	}
	return results, sendErr
}

// sendAttempts saves the customer and starts the payments. If the gateway refuses the customer's details, the payments
// fail.
func (p *Provider) sendAttempts(ctx context.Context, customerID string, b batch, collect func(result, error)) {
	newState, err := p.saveCustomer(ctx, customerID, b)
	switch {
	case fault.Is(err, fault.Invalid):
		for _, attempt := range b.Send {
			failed, _ := newFailedPayment(attempt, err)
			collect(result{key: attempt.Key, payment: failed, announcedChanges: attempt.AnnouncedChanges}, nil)
		}
	case err != nil:
		collect(result{}, err)
	default:
		collect(result{savedCustomer: &newState}, nil)
		b.state = newState
		for _, attempt := range b.Send {
			collect(p.startPayment(ctx, attempt, b))
		}
	}
}

// cancelPayment stops an open payment. If the payment can't be stopped any more, it looks the payment up.
func (p *Provider) cancelPayment(ctx context.Context, attempt engine.Attempt, b batch) (result, error) {
	payment, err := p.Gateway.Cancel(ctx, b.reference(attempt))
	if fault.Is(err, fault.Conflict) {
		return p.findPayment(ctx, attempt, b)
	}
	return newPaymentResult(attempt, payment, err)
}

func (p *Provider) findPayment(ctx context.Context, attempt engine.Attempt, b batch) (result, error) {
	payment, err := p.Gateway.Find(ctx, b.reference(attempt))
	return newPaymentResult(attempt, payment, err)
}

// newPaymentResult converts the response to a request for a payment. It sets isMissing if the gateway does not know the
// payment.
func newPaymentResult(attempt engine.Attempt, payment gateway.Payment, err error) (result, error) {
	if fault.Is(err, fault.NotFound) {
		return result{key: attempt.Key, isMissing: true}, nil
	}
	return result{key: attempt.Key, payment: payment, announcedChanges: attempt.AnnouncedChanges}, err
}

// startPayment begins a payment. If the gateway returns Conflict, an earlier request began the payment with another
// description or URL, before the configuration was changed. startPayment then looks the payment up.
func (p *Provider) startPayment(ctx context.Context, attempt engine.Attempt, b batch) (result, error) {
	payment, err := p.Gateway.Start(ctx, p.newOrder(attempt, b))
	if fault.Is(err, fault.Conflict) {
		return p.findPayment(ctx, attempt, b)
	}
	if failed, ok := newFailedPayment(attempt, err); ok {
		payment, err = failed, nil
	}
	return result{key: attempt.Key, payment: payment, announcedChanges: attempt.AnnouncedChanges}, err
}

// sendRefund sends a refund. If the gateway refuses it, the result is a failed refund.
func (p *Provider) sendRefund(ctx context.Context, r engine.RefundAttempt, paymentRef string) (result, error) {
	amount := ledger.Amount(r.Amount, r.Currency)
	refund, err := p.Gateway.Refund(ctx, gateway.RefundOrder{Key: r.Key, PaymentRef: paymentRef, Amount: amount})
	if isRefusal(err) || fault.Is(err, fault.Conflict) {
		refund, err = gateway.Refund{Key: r.Key, Amount: amount, State: gateway.Failed}, nil
	}
	return result{key: r.Key, refund: &refund}, err
}

func (b batch) reference(attempt engine.Attempt) gateway.Reference {
	return gateway.Reference{Key: attempt.Key, Ref: attempt.Ref, CustomerRef: b.state.Ref}
}

// saveCustomer creates the customer at the gateway, or updates it if its details have changed, and returns the new state.
func (p *Provider) saveCustomer(ctx context.Context, customerID string, b batch) (customerState, error) {
	s, c := b.state, b.customer
	details := customerDetails{Name: c.Name, Email: c.Email, Address: c.Details.Address}
	if s.Ref != "" && s.SentDetails == details {
		return s, nil
	}
	ref, err := p.Gateway.SaveCustomer(ctx, gateway.Customer{
		ID: customerID, Ref: s.Ref, Name: details.Name, Email: details.Email, Address: details.Address,
	})
	s.Ref, s.SentDetails = ref, details
	return s, err
}

// newOrder returns the order of an attempt.
func (p *Provider) newOrder(attempt engine.Attempt, b batch) gateway.Order {
	currency := cmp.Or(attempt.Currency, b.customer.Currency, b.customer.PreferredCurrency, p.Catalogue.DefaultCurrency())
	return gateway.Order{
		Key: attempt.Key, CustomerRef: b.state.Ref, Amount: ledger.Amount(attempt.Amount, currency), Description: p.Seller.Brand,
		MethodRef: attempt.Method, Token: attempt.Token, ReturnTo: cmp.Or(attempt.ReturnTo, p.ReturnTo),
		CustomerPresent: attempt.CustomerPresent,
	}
}

// newFailedPayment returns the failed payment of an attempt that the gateway has refused with err. ok is false if err is
// not a refusal.
func newFailedPayment(attempt engine.Attempt, err error) (failed gateway.Payment, ok bool) {
	if !isRefusal(err) {
		return gateway.Payment{}, false
	}
	failed = gateway.Payment{
		Reference: gateway.Reference{Key: attempt.Key},
		State:     gateway.Failed, Decline: gateway.HardDecline, Reason: fault.MessageOf(err),
	}
	if !fault.Is(err, fault.NotFound) {
		return failed, true
	}
	failed.Decline, failed.Reason = gateway.MethodGone, "The payment method can't be charged any more."
	if attempt.Token != "" {
		failed.Reason = "" // the request returns NotFound, and the reason of an earlier failure stays
	}
	return failed, true
}

// isRefusal reports whether the gateway has refused a request and would refuse every repeat.
func isRefusal(err error) bool {
	switch fault.CodeOf(err) {
	case fault.Invalid, fault.NotFound, fault.Unsupported:
		return true
	}
	return false
}

// readOpenPayment returns the payment of an open attempt, with the URL of its page. It reads the payment from
// openPayments, which processOutbox has returned, or else from the gateway.
func (p *Provider) readOpenPayment(
	ctx context.Context, customer ledger.Customer, attempt engine.Attempt, openPayments map[string]gateway.Payment,
) (gateway.Payment, error) {
	if payment, ok := openPayments[attempt.Key]; ok {
		return payment, nil
	}
	s, err := decodeState(customer)
	if err != nil {
		return gateway.Payment{}, err
	}
	ctx, cancel := context.WithTimeout(ctx, findTimeout)
	defer cancel()
	return p.Gateway.Find(ctx, gateway.Reference{Key: attempt.Key, Ref: attempt.Ref, CustomerRef: s.Ref})
}
