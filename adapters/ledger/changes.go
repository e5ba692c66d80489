package ledger

import (
	"context"
	"time"

	"github.com/vc-admin/diy/ports/payment"
	"github.com/vc-admin/diy/ports/payment/plugin"
)

// SubscriptionChange describes a request that changes a subscription once per key.
type SubscriptionChange struct {
	Name           string // of the request, see DoOnce
	Key            string
	SubscriptionID string
	Request        any // with all parameters
	Scope          Scope
	Apply          func(*Record) error
}

// UpdateSubscriptionInTx calls UpdateInTx for the customer of the subscription. It returns NotFound for an unknown
// subscription.
func (l *Ledger) UpdateSubscriptionInTx(ctx context.Context, tx plugin.Tx, c SubscriptionChange) (*Record, error) {
	customerID, err := l.CustomerIDOfSubscription(ctx, tx, c.SubscriptionID)
	if err != nil {
		return nil, err
	}
	return l.UpdateInTx(ctx, tx, customerID, c.Scope, c.Apply)
}

// NewPendingCancellation returns the change that payment.Provider.CancelPendingChange makes.
func NewPendingCancellation(req payment.PendingChangeCancellation) SubscriptionChange {
	return SubscriptionChange{
		Name: "cancel pending change", Key: req.Key, SubscriptionID: req.SubscriptionID, Request: req,
		Scope: Scope{InvoiceID: req.InvoiceID},
		Apply: func(r *Record) error { return r.Account.CancelPendingChange(req.SubscriptionID, req.InvoiceID) },
	}
}

// NewScheduleCancellation returns the change that payment.Provider.CancelScheduledChange makes.
func NewScheduleCancellation(req payment.ScheduledChangeCancellation) SubscriptionChange {
	return SubscriptionChange{
		Name: "cancel scheduled change", Key: req.Key, SubscriptionID: req.SubscriptionID, Request: req,
		Apply: func(r *Record) error { return r.Account.CancelScheduledChange(req.SubscriptionID) },
	}
}

// NewEndAtPeriodEnd returns the change that payment.Provider.SetEndAtPeriodEnd makes.
func NewEndAtPeriodEnd(req payment.EndRequest) SubscriptionChange {
	return SubscriptionChange{
		Name: "end", Key: req.Key, SubscriptionID: req.SubscriptionID, Request: req,
		Apply: func(r *Record) error { return r.Account.SetEndAtPeriodEnd(req.SubscriptionID, req.End) },
	}
}

// NewCancellation returns the change that payment.Provider.CancelSubscription makes.
func NewCancellation(req payment.Cancellation) SubscriptionChange {
	return SubscriptionChange{
		Name: "cancel", Key: req.Key, SubscriptionID: req.SubscriptionID, Request: req,
		Apply: func(r *Record) error {
			s, err := r.Account.Subscription(req.SubscriptionID)
			if err != nil || req.LeavesUnchanged(s.Status) {
				return err
			}
			return r.Account.End(s.ID, req.VoidInvoices)
		},
	}
}

// NewTrialExtension returns the change that payment.Provider.ExtendTrial makes.
func NewTrialExtension(req payment.TrialExtension) SubscriptionChange {
	return SubscriptionChange{
		Name: "extend trial", Key: req.Key, SubscriptionID: req.SubscriptionID, Request: req,
		Apply: func(r *Record) error {
			return r.Account.ExtendTrial(req.SubscriptionID, req.Until.UTC().Truncate(time.Second))
		},
	}
}
