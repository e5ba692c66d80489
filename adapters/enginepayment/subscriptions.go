package enginepayment

import (
	"context"
	"errors"
	"slices"
	"time"

	"github.com/vc-admin/diy/adapters/ledger"
	"github.com/vc-admin/diy/domain/billing"
	"github.com/vc-admin/diy/domain/engine"
	"github.com/vc-admin/diy/domain/fault"
	"github.com/vc-admin/diy/ports/payment"
	"github.com/vc-admin/diy/ports/payment/plugin"
)

// Subscribe implements payment.Provider.
func (p *Provider) Subscribe(ctx context.Context, req payment.NewSubscription) (billing.Subscription, error) {
	return p.change(ctx, "subscribe", req.Key, req, func(tx plugin.Tx) (string, error) {
		id := p.NewSubscriptionID()
		_, err := p.Change(ctx, tx, req.CustomerID, ledger.Scope{}, func(r *ledger.Record) error {
			order, err := r.Order(id, req)
			if err != nil {
				return err
			}
			if order.Source, err = source(r, req.MethodID, req.ReturnTo); err != nil {
				return err
			}
			return r.Account.Subscribe(order)
		})
		return id, err
	})
}

// source returns what is charged if a request names the saved payment method, or the gateway's page for "".
func source(r *ledger.Record, methodID, returnTo string) (engine.Source, error) {
	if methodID == "" {
		return engine.Source{ReturnTo: returnTo}, nil
	}
	_, err := r.Account.Method(methodID)
	return engine.Source{Method: methodID}, err
}

// ChangePlan implements payment.Provider. It charges the default method; a customer without one pays on the gateway's page.
func (p *Provider) ChangePlan(ctx context.Context, req payment.PriceChange) (billing.Subscription, error) {
	return p.changeSubscription(ctx, "change plan", req.Key, req.SubscriptionID, req, ledger.Scope{}, func(r *ledger.Record) error {
		order, err := r.ChangeOrder(req)
		if err != nil {
			return err
		}
		order.Source = engine.Source{Method: r.Account.DefaultMethod}
		if order.Source.Method == "" {
			order.Source.ReturnTo = req.ReturnTo
		}
		return r.Account.ChangePrice(order)
	})
}

// CancelPendingChange implements payment.Provider. It waits for the outcome of a payment that is being sent at the moment.
func (p *Provider) CancelPendingChange(ctx context.Context, req payment.PendingCancellation) (billing.Subscription, error) {
	with := ledger.Scope{Invoice: req.InvoiceID}
	return p.changeStopping(ctx, "cancel pending change", req.Key, req.SubscriptionID, req, with, func(r *ledger.Record) error {
		return r.Account.DropPendingChange(req.SubscriptionID, req.InvoiceID)
	})
}

// CancelScheduledChange implements payment.Provider.
func (p *Provider) CancelScheduledChange(ctx context.Context, req payment.ScheduleCancellation) (billing.Subscription, error) {
	return p.changeSubscription(ctx, "cancel scheduled change", req.Key, req.SubscriptionID, req, ledger.Scope{}, func(r *ledger.Record) error {
		return r.Account.DropScheduledChange(req.SubscriptionID)
	})
}

// SetEndAtPeriodEnd implements payment.Provider.
func (p *Provider) SetEndAtPeriodEnd(ctx context.Context, req payment.EndRequest) (billing.Subscription, error) {
	return p.changeSubscription(ctx, "end", req.Key, req.SubscriptionID, req, ledger.Scope{}, func(r *ledger.Record) error {
		return r.Account.SetEnding(req.SubscriptionID, req.End)
	})
}

// CancelSubscription implements payment.Provider. It waits for the outcome of a payment that is being sent at the moment.
func (p *Provider) CancelSubscription(ctx context.Context, req payment.Cancellation) (billing.Subscription, error) {
	return p.changeStopping(ctx, "cancel", req.Key, req.SubscriptionID, req, ledger.Scope{}, func(r *ledger.Record) error {
		s, err := r.Account.Subscription(req.SubscriptionID)
		if err != nil || req.Keeps(s.Status) {
			return err
		}
		return r.Account.End(s.ID, req.VoidInvoices)
	})
}

// ExtendTrial implements payment.Provider.
func (p *Provider) ExtendTrial(ctx context.Context, req payment.TrialExtension) (billing.Subscription, error) {
	if !p.Capabilities().Has(payment.Trials) {
		return billing.Subscription{}, payment.Unsupported(payment.Trials)
	}
	return p.changeSubscription(ctx, "extend trial", req.Key, req.SubscriptionID, req, ledger.Scope{}, func(r *ledger.Record) error {
		return r.Account.ExtendTrial(req.SubscriptionID, req.Until.UTC().Truncate(time.Second))
	})
}

// PayInvoice implements payment.Provider.
func (p *Provider) PayInvoice(ctx context.Context, req payment.InvoicePayment) (billing.Subscription, error) {
	return p.change(ctx, "pay invoice", req.Key, req, func(tx plugin.Tx) (subscriptionID string, err error) {
		customerID, err := p.CustomerOfInvoice(ctx, tx, req.InvoiceID)
		if err != nil {
			return "", err
		}
		_, err = p.Change(ctx, tx, customerID, ledger.Scope{Invoice: req.InvoiceID}, func(r *ledger.Record) error {
			inv := r.Account.Invoice(req.InvoiceID)
			subscriptionID = inv.Subscription
			if inv.Status == billing.InvoicePaid {
				return nil
			}
			if inv.Status == billing.InvoiceOpen && req.Amount.Currency().Code != inv.Currency {
				return fault.New(fault.Conflict, "Another amount is due.")
			}
			src, err := source(r, req.MethodID, req.ReturnTo)
			if err != nil {
				return err
			}
			return r.Account.Pay(engine.InvoicePayment{Invoice: inv.ID, Amount: req.Amount.Minor(), Ended: req.Ended, Source: src})
		})
		return subscriptionID, err
	})
}

// changeSubscription changes the account of a subscription once per key, and returns the subscription afterwards.
func (p *Provider) changeSubscription(
	ctx context.Context, name, key, id string, request any, with ledger.Scope, do func(*ledger.Record) error,
) (billing.Subscription, error) {
	return p.change(ctx, name, key, request, func(tx plugin.Tx) (string, error) {
		customerID, err := p.CustomerOfSubscription(ctx, tx, id)
		if err != nil {
			return "", err
		}
		_, err = p.Change(ctx, tx, customerID, with, do)
		return id, err
	})
}

// change changes an account once per key, does at the gateway what follows from it, and returns the subscription as it is
// then. Only the id of the subscription is stored with the key, because the response can contain a client secret.
func (p *Provider) change(
	ctx context.Context, name, key string, request any, do func(plugin.Tx) (subscriptionID string, err error),
) (billing.Subscription, error) {
	id, err := ledger.Once(ctx, p.Ledger, name, key, request, do)
	if err != nil {
		return billing.Subscription{}, err
	}
	customerID, err := p.ReadCustomerOfSubscription(ctx, id)
	if err != nil {
		return billing.Subscription{}, err
	}
	opened, err := p.collect(ctx, customerID, sendTimeout)
	if err != nil {
		p.Log.WarnContext(ctx, "the payment gateway did not respond; the worker continues", "error", err)
	}
	return p.showSubscription(ctx, customerID, id, opened)
}

// errSending is not stored with the key of the request, which is sent again when the payment has an outcome.
var errSending = fault.Wrap(billing.ErrPaymentProcessing(), fault.Unavailable, "The payment is being made at the moment.")

// changeStopping is changeSubscription for a request that may have to stop a payment. While a server sends one, at most for
// sendTimeout, the request waits for the outcome.
func (p *Provider) changeStopping(
	ctx context.Context, name, key, id string, request any, with ledger.Scope, do func(*ledger.Record) error,
) (billing.Subscription, error) {
	limit := time.NewTimer(sendTimeout)
	defer limit.Stop()
	poll := time.NewTicker(sendPollInterval)
	defer poll.Stop()
	for {
		s, err := p.changeSubscription(ctx, name, key, id, request, with, func(r *ledger.Record) error {
			if isSending(r, id) {
				return errSending
			}
			return do(r)
		})
		if !errors.Is(err, errSending) {
			return s, err
		}
		select {
		case <-ctx.Done():
			return s, err
		case <-limit.C:
			return s, err
		case <-poll.C:
		}
	}
}

// isSending reports whether a payment of the subscription is being sent or canceled at the moment.
func isSending(r *ledger.Record, subscriptionID string) bool {
	s, err := r.Account.Subscription(subscriptionID)
	return err == nil && slices.ContainsFunc(r.Account.Attempts, func(at engine.Attempt) bool {
		isSent := at.State == engine.AttemptClaimed && r.Account.Now.Before(at.SendBy)
		return at.Invoice == s.Invoice && at.Invoice != "" && (isSent || at.State == engine.AttemptCanceling)
	})
}
