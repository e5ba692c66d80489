package enginepayment

import (
	"context"
	"errors"
	"slices"

	"github.com/vc-admin/diy/adapters/ledger"
	"github.com/vc-admin/diy/domain/billing"
	"github.com/vc-admin/diy/domain/engine"
	"github.com/vc-admin/diy/domain/fault"
	"github.com/vc-admin/diy/ports/payment"
	"github.com/vc-admin/diy/ports/payment/plugin"
)

// Subscribe implements payment.Provider. A trial with a new card starts as soon as the gateway has saved the card, or has asked
// the customer to authenticate it.
func (p *Provider) Subscribe(ctx context.Context, req payment.NewSubscription) (billing.Subscription, error) {
	setupKey, setupErr := p.saveCardOfTrial(ctx, req)
	if errors.Is(setupErr, payment.ErrKeyRetired) {
		return billing.Subscription{}, setupErr // the takeover that has retired the key of the setup also retires req.Key
	}
	s, err := p.changeAndSend(ctx, "subscribe", req.Key, req, func(tx plugin.Tx) (string, error) {
		if setupErr != nil {
			return "", setupErr
		}
		id := p.NewSubscriptionID()
		_, err := p.UpdateInTx(ctx, tx, req.CustomerID, ledger.Scope{}, func(r *ledger.Record) error {
			engineReq, err := r.SubscribeRequest(id, req)
			if err != nil {
				return err
			}
			if engineReq.SetupKey = setupKey; setupKey == "" {
				engineReq.Source, err = p.sourceOf(r, req.MethodID, req.ReturnTo)
			}
			if err != nil {
				return err
			}
			engineReq.AuthenticateMethod = p.hasCardField()
			return r.Account.Subscribe(engineReq)
		})
		return id, err
	})
	if err == nil {
		err = p.endIfTokenIsUnknown(ctx, req, s)
	}
	return s, err
}

// sourceOf returns the source of a payment: the saved method or, if methodID is "", the gateway's page. It returns NotFound for
// an unknown method. For a gateway with a card field it returns the result of cardSource.
func (p *Provider) sourceOf(r *ledger.Record, methodID, returnTo string) (engine.Source, error) {
	if p.hasCardField() {
		return cardSource(r.Account, methodID, returnTo)
	}
	if methodID == "" {
		return engine.Source{ReturnTo: returnTo}, nil
	}
	_, err := r.Account.Method(methodID)
	return engine.Source{Method: methodID}, err
}

// ChangePlan implements payment.Provider. It charges the default method. A customer without a default method pays on
// the gateway's page. If the gateway has a card field instead of a page, ChangePlan returns Invalid for such a customer.
func (p *Provider) ChangePlan(ctx context.Context, req payment.PriceChange) (billing.Subscription, error) {
	return p.changeSubscription(ctx, ledger.SubscriptionChange{
		Name: "change plan", Key: req.Key, SubscriptionID: req.SubscriptionID, Request: req,
		Apply: func(r *ledger.Record) error {
			engineReq, err := r.ChangeRequest(req)
			if err != nil {
				return err
			}
			engineReq.Source = engine.Source{Method: r.Account.DefaultMethod, ReturnTo: req.ReturnTo}
			if err := r.Account.ChangePrice(engineReq); err != nil || !p.hasCardField() {
				return err
			}
			return checkDefaultCard(r.Account, req.SubscriptionID)
		},
	})
}

// CancelPendingChange implements payment.Provider. If a payment is being sent, it waits for the outcome.
func (p *Provider) CancelPendingChange(ctx context.Context, req payment.PendingChangeCancellation) (billing.Subscription, error) {
	return p.changeWhenNotSending(ctx, ledger.NewPendingCancellation(req))
}

// CancelScheduledChange implements payment.Provider.
func (p *Provider) CancelScheduledChange(
	ctx context.Context, req payment.ScheduledChangeCancellation,
) (billing.Subscription, error) {
	return p.changeSubscription(ctx, ledger.NewScheduleCancellation(req))
}

// SetEndAtPeriodEnd implements payment.Provider.
func (p *Provider) SetEndAtPeriodEnd(ctx context.Context, req payment.EndRequest) (billing.Subscription, error) {
	return p.changeSubscription(ctx, ledger.NewEndAtPeriodEnd(req))
}

// CancelSubscription implements payment.Provider. If a payment is being sent, it waits for the outcome.
func (p *Provider) CancelSubscription(ctx context.Context, req payment.Cancellation) (billing.Subscription, error) {
	return p.changeWhenNotSending(ctx, ledger.NewCancellation(req))
}

// ExtendTrial implements payment.Provider.
func (p *Provider) ExtendTrial(ctx context.Context, req payment.TrialExtension) (billing.Subscription, error) {
	if !p.Capabilities().Has(payment.Trials) {
		return billing.Subscription{}, payment.Unsupported(payment.Trials)
	}
	return p.changeSubscription(ctx, ledger.NewTrialExtension(req))
}

// PayInvoice implements payment.Provider. If an earlier request to the gateway has failed, PayInvoice first looks up its
// payment. A new card is charged and saved with one gateway.Order.
func (p *Provider) PayInvoice(ctx context.Context, req payment.InvoicePayment) (billing.Subscription, error) {
	var customerID string
	err := p.Database.Read(ctx, func(tx plugin.Tx) (err error) {
		customerID, err = p.CustomerIDOfInvoice(ctx, tx, req.InvoiceID)
		return err
	})
	if err == nil {
		p.lookUpUnsettledPayments(ctx, customerID)
	}
	s, err := p.changeAndSend(ctx, "pay invoice", req.Key, req, func(tx plugin.Tx) (subscriptionID string, err error) {
		customerID, err := p.CustomerIDOfInvoice(ctx, tx, req.InvoiceID)
		if err != nil {
			return "", err
		}
		_, err = p.UpdateInTx(ctx, tx, customerID, ledger.Scope{InvoiceID: req.InvoiceID}, func(r *ledger.Record) error {
			inv := r.Account.Invoice(req.InvoiceID)
			subscriptionID = inv.Subscription
			if inv.Status == billing.InvoicePaid {
				return nil
			}
			if inv.Status == billing.InvoiceOpen && req.Amount.Currency().Code != inv.Currency {
				return fault.New(fault.Conflict, "Another amount is due.")
			}
			source, err := p.sourceOf(r, req.MethodID, req.ReturnTo)
			if err != nil {
				return err
			}
			source.KeepDefault = req.KeepDefault
			return r.Account.Pay(engine.PayRequest{
				Invoice: inv.ID, Amount: req.Amount.Minor(), SubscriptionEnded: req.Ended, Source: source,
			})
		})
		return subscriptionID, err
	})
	if err == nil {
		err = p.checkToken(ctx, customerID, req)
	}
	return s, err
}

// changeSubscription applies the change once per key, and returns the changed subscription.
func (p *Provider) changeSubscription(ctx context.Context, c ledger.SubscriptionChange) (billing.Subscription, error) {
	return p.changeAndSend(ctx, c.Name, c.Key, c.Request, func(tx plugin.Tx) (string, error) {
		_, err := p.UpdateSubscriptionInTx(ctx, tx, c)
		return c.SubscriptionID, err
	})
}

// changeAndSend calls change once per key, sends the resulting payments to the gateway, and returns the changed
// subscription. It stores only the id of the subscription with the key, because the response can contain a URL that is
// a credential.
func (p *Provider) changeAndSend(
	ctx context.Context, name, key string, request any, change func(plugin.Tx) (subscriptionID string, err error),
) (billing.Subscription, error) {
	id, err := ledger.DoOnce(ctx, p.Ledger, name, key, request, change)
	if err != nil {
		return billing.Subscription{}, err
	}
	customerID, err := p.ReadCustomerIDOfSubscription(ctx, id)
	if err != nil {
		return billing.Subscription{}, err
	}
	openPayments, err := p.processOutbox(ctx, customerID, sendTimeout)
	if err != nil {
		p.Log.WarnContext(ctx, "the payment gateway did not respond; the worker continues", "error", err)
	}
	return p.readSubscription(ctx, customerID, id, openPayments)
}

// errPaymentBeingSent is not stored with the key of the request, so the application can repeat the request with the key.
var errPaymentBeingSent = fault.Wrap(
	billing.ErrPaymentProcessing(), fault.Unavailable, "The payment is being made at the moment.",
)

// changeWhenNotSending applies a change that may have to stop a payment. While a server is sending the payment, it waits for
// the outcome, for at most sendTimeout.
func (p *Provider) changeWhenNotSending(
	ctx context.Context, c ledger.SubscriptionChange,
) (s billing.Subscription, err error) {
	apply := c.Apply
	c.Apply = func(r *ledger.Record) error {
		if isSendingPayment(r, c.SubscriptionID) {
			return errPaymentBeingSent
		}
		return apply(r)
	}
	waitUntil(ctx, func() (isDone bool) {
		s, err = p.changeSubscription(ctx, c)
		return !errors.Is(err, errPaymentBeingSent)
	})
	return s, err
}

// isSendingPayment reports whether a server is sending or canceling a payment of the subscription.
func isSendingPayment(r *ledger.Record, subscriptionID string) bool {
	s, err := r.Account.Subscription(subscriptionID)
	return err == nil && slices.ContainsFunc(r.Account.Attempts, func(attempt engine.Attempt) bool {
		if attempt.Invoice == "" || attempt.Invoice != s.LatestInvoice {
			return false
		}
		return attempt.IsBeingSent(r.Account.ClaimNow) || attempt.State == engine.AttemptCanceling
	})
}
