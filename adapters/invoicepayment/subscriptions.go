package invoicepayment

import (
	"context"
	"time"

	"github.com/vc-admin/diy/adapters/ledger"
	"github.com/vc-admin/diy/domain/billing"
	"github.com/vc-admin/diy/domain/engine"
	"github.com/vc-admin/diy/ports/payment"
	"github.com/vc-admin/diy/ports/payment/plugin"
)

// Subscribe implements payment.Provider. The subscription is active at once, and its first invoice open.
func (p *Provider) Subscribe(ctx context.Context, req payment.NewSubscription) (billing.Subscription, error) {
	if req.MethodID != "" {
		return billing.Subscription{}, payment.Unsupported(payment.SavedMethods)
	}
	return ledger.Once(ctx, p.Ledger, "subscribe", req.Key, req, func(tx plugin.Tx) (billing.Subscription, error) {
		id := p.NewSubscriptionID()
		return p.changeSubscription(ctx, tx, req.CustomerID, id, ledger.Scope{}, func(r *ledger.Record) error {
			order, err := r.Order(id, req)
			if err != nil {
				return err
			}
			return r.Account.Subscribe(order)
		})
	})
}

// updateOnce changes the account of a subscription once per key, and returns the subscription afterwards.
func (p *Provider) updateOnce(
	ctx context.Context, name, key, id string, request any, with ledger.Scope, update func(*ledger.Record) error,
) (billing.Subscription, error) {
	return ledger.Once(ctx, p.Ledger, name, key, request, func(tx plugin.Tx) (billing.Subscription, error) {
		customerID, err := p.CustomerOfSubscription(ctx, tx, id)
		if err != nil {
			return billing.Subscription{}, err
		}
		return p.changeSubscription(ctx, tx, customerID, id, with, update)
	})
}

// changeSubscription changes a customer's ledger and returns the subscription.
func (p *Provider) changeSubscription(
	ctx context.Context, tx plugin.Tx, customerID, id string, with ledger.Scope, do func(*ledger.Record) error,
) (billing.Subscription, error) {
	r, err := p.Change(ctx, tx, customerID, with, do)
	if err != nil {
		return billing.Subscription{}, err
	}
	return r.Subscription(id)
}

// CancelSubscription implements payment.Provider. What the customer owes for the current period stays
// owed, unless it is voided.
func (p *Provider) CancelSubscription(ctx context.Context, req payment.Cancellation) (billing.Subscription, error) {
	return p.updateOnce(ctx, "cancel", req.Key, req.SubscriptionID, req, ledger.Scope{}, func(r *ledger.Record) error {
		s, err := r.Account.Subscription(req.SubscriptionID)
		if err != nil || req.Keeps(s.Status) {
			return err
		}
		return r.Account.End(s.ID, req.VoidInvoices)
	})
}

// SetEndAtPeriodEnd implements payment.Provider.
func (p *Provider) SetEndAtPeriodEnd(ctx context.Context, req payment.EndRequest) (billing.Subscription, error) {
	return p.updateOnce(ctx, "end", req.Key, req.SubscriptionID, req, ledger.Scope{}, func(r *ledger.Record) error {
		return r.Account.SetEnding(req.SubscriptionID, req.End)
	})
}

// ExtendTrial implements payment.Provider. The first invoice is due later by the same time.
func (p *Provider) ExtendTrial(ctx context.Context, req payment.TrialExtension) (billing.Subscription, error) {
	return p.updateOnce(ctx, "extend trial", req.Key, req.SubscriptionID, req, ledger.Scope{}, func(r *ledger.Record) error {
		return r.Account.ExtendTrial(req.SubscriptionID, req.Until.UTC().Truncate(time.Second))
	})
}

// completeSubscription adds how its invoice is paid, and when it ends if it is not.
func completeSubscription(r *ledger.Record, s engine.AccountSubscription, out *billing.Subscription) {
	out.Next = nextAction(r, s)
	if inv, open := r.Account.OpenInvoice(s); open && s.Status == billing.PastDue {
		out.PlanEndsAt = r.Account.EndsUnpaid(inv)
	}
}

// nextAction returns the instructions for the transfer: the account, the reference and the amount. An
// unpaid invoice is owed also after the end of the subscription.
func nextAction(r *ledger.Record, s engine.AccountSubscription) billing.NextAction {
	if s.Status == billing.Incomplete {
		return billing.NextAction{
			Kind: billing.Wait, Until: s.ApprovalEnds(),
			Reason: "We check your order before your plan starts. You need not do anything.",
		}
	}
	id := s.Pending.Invoice
	if open, found := r.Account.OpenInvoice(s); found && id == "" {
		id = open.ID
	}
	if id == "" {
		return billing.NextAction{}
	}
	inv := r.Invoice(id)
	return billing.NextAction{Kind: billing.Wait, InvoiceID: inv.ID, Until: inv.DueAt, Instructions: r.HowToPay(inv)}
}

// instructions returns what a customer needs to pay an open invoice.
func (p *Provider) instructions(inv ledger.Invoice) []billing.Instruction {
	var lines []billing.Instruction
	for _, field := range p.Terms.Account {
		lines = append(lines, billing.Instruction(field))
	}
	return append(lines,
		billing.Instruction{Label: "Reference", Value: p.Terms.Number(inv.Number)},
		billing.Instruction{Label: "Amount", Value: ledger.Amount(inv.Balance(), inv.Currency).FormatWithSymbol() + " " + inv.Currency},
		billing.Instruction{Label: "Due", Value: inv.Zone().Date(inv.DueAt)},
	)
}
