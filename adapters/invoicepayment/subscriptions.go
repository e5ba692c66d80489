package invoicepayment

import (
	"context"
	"errors"
	"slices"

	"github.com/vc-admin/diy/adapters/ledger"
	"github.com/vc-admin/diy/domain/billing"
	"github.com/vc-admin/diy/domain/engine"
	"github.com/vc-admin/diy/ports/payment"
	"github.com/vc-admin/diy/ports/payment/plugin"
)

// Subscribe implements payment.Provider. The subscription starts immediately, with an open invoice, unless it needs an
// approval.
func (p *Provider) Subscribe(ctx context.Context, req payment.NewSubscription) (billing.Subscription, error) {
	if req.MethodID != "" {
		return billing.Subscription{}, payment.Unsupported(payment.SavedMethods)
	}
	return ledger.DoOnce(ctx, p.Ledger, "subscribe", req.Key, req, func(tx plugin.Tx) (billing.Subscription, error) {
		id := p.NewSubscriptionID()
		r, err := p.UpdateInTx(ctx, tx, req.CustomerID, ledger.Scope{}, func(r *ledger.Record) error {
			engineReq, err := r.SubscribeRequest(id, req)
			if err != nil {
				return err
			}
			return r.Account.Subscribe(engineReq)
		})
		if err != nil {
			return billing.Subscription{}, err
		}
		return r.Subscription(id)
	})
}

// ChangePlan implements payment.Provider. An immediate change with an amount due waits for its payment.
func (p *Provider) ChangePlan(ctx context.Context, req payment.PriceChange) (billing.Subscription, error) {
	return p.changeSubscription(ctx, ledger.SubscriptionChange{
		Name: "change plan", Key: req.Key, SubscriptionID: req.SubscriptionID, Request: req,
		Apply: func(r *ledger.Record) error {
			engineReq, err := r.ChangeRequest(req)
			if err != nil {
				return err
			}
			return toPortError(r.Account.ChangePrice(engineReq))
		},
	})
}

// QuoteChange implements payment.Provider.
func (p *Provider) QuoteChange(ctx context.Context, req payment.PriceChange) (billing.Quote, error) {
	q, err := p.Ledger.QuoteChange(ctx, req)
	return q, toPortError(err)
}

// toPortError replaces engine.ErrChangeToCheaperPrice by Unsupported.
func toPortError(err error) error {
	if errors.Is(err, engine.ErrChangeToCheaperPrice) {
		return payment.Unsupported(payment.CheaperChangeNow)
	}
	return err
}

// CancelPendingChange implements payment.Provider.
func (p *Provider) CancelPendingChange(ctx context.Context, req payment.PendingChangeCancellation) (billing.Subscription, error) {
	return p.changeSubscription(ctx, ledger.NewPendingCancellation(req))
}

// CancelScheduledChange implements payment.Provider.
func (p *Provider) CancelScheduledChange(
	ctx context.Context, req payment.ScheduledChangeCancellation,
) (billing.Subscription, error) {
	return p.changeSubscription(ctx, ledger.NewScheduleCancellation(req))
}

// CancelSubscription implements payment.Provider. An open invoice for the current period stays owed, unless the request
// voids it.
func (p *Provider) CancelSubscription(ctx context.Context, req payment.Cancellation) (billing.Subscription, error) {
	return p.changeSubscription(ctx, ledger.NewCancellation(req))
}

// SetEndAtPeriodEnd implements payment.Provider.
func (p *Provider) SetEndAtPeriodEnd(ctx context.Context, req payment.EndRequest) (billing.Subscription, error) {
	return p.changeSubscription(ctx, ledger.NewEndAtPeriodEnd(req))
}

// ExtendTrial implements payment.Provider. It moves the due date of the first invoice by the same time.
func (p *Provider) ExtendTrial(ctx context.Context, req payment.TrialExtension) (billing.Subscription, error) {
	return p.changeSubscription(ctx, ledger.NewTrialExtension(req))
}

// changeSubscription applies the change once per key and returns the changed subscription. A repeat of the request returns
// the same response.
func (p *Provider) changeSubscription(ctx context.Context, c ledger.SubscriptionChange) (billing.Subscription, error) {
	return ledger.DoOnce(ctx, p.Ledger, c.Name, c.Key, c.Request, func(tx plugin.Tx) (billing.Subscription, error) {
		r, err := p.UpdateSubscriptionInTx(ctx, tx, c)
		if err != nil {
			return billing.Subscription{}, err
		}
		return r.Subscription(c.SubscriptionID)
	})
}

// setPaymentFields sets the next action, and the end of an overdue subscription.
func setPaymentFields(r *ledger.Record, s engine.AccountSubscription, out *billing.Subscription) {
	out.Next = nextAction(r, s)
	if inv, isOpen := r.Account.OpenInvoice(s); isOpen && s.Status == billing.PastDue {
		out.UnpaidEndsAt = r.Account.GraceEndsAt(inv)
	}
}

// nextAction returns the instructions for the transfer that pays the open invoice, even after the subscription has
// ended. If the subscription waits for an approval, it returns a Wait action.
func nextAction(r *ledger.Record, s engine.AccountSubscription) billing.NextAction {
	if s.Status == billing.Incomplete {
		return billing.NextAction{
			Kind: billing.Wait, Until: s.ApprovalEndsAt(), InvoiceDays: r.Account.ApprovalDueDays(s.TrialDays),
			Reason: "We check your order before your plan starts. You need not do anything.",
		}
	}
	invoiceID := s.Pending.Invoice
	if inv, isOpen := r.Account.OpenInvoice(s); isOpen && invoiceID == "" {
		invoiceID = inv.ID
	}
	if invoiceID == "" {
		return billing.NextAction{}
	}
	inv := r.Invoice(invoiceID)
	return billing.NextAction{Kind: billing.Wait, InvoiceID: inv.ID, Until: inv.DueAt, Instructions: r.PaymentInstructions(inv)}
}

// paymentInstructions returns the payee, the bank account, the reference, the amount and the due date of the transfer
// that pays an open invoice. It omits the payee if a line of the bank account names it.
func (p *Provider) paymentInstructions(inv ledger.Invoice) []billing.Instruction {
	var lines []billing.Instruction
	isPayee := func(field AccountLine) bool { return field.Value == p.Seller.Name }
	if p.Seller.Name != "" && !slices.ContainsFunc(p.Terms.BankAccount, isPayee) {
		lines = append(lines, billing.Instruction{Label: "Payee", Value: p.Seller.Name})
	}
	for _, field := range p.Terms.BankAccount {
		lines = append(lines, billing.Instruction{Label: field.Label, Value: field.Value})
	}
	amount := ledger.Amount(inv.AmountRemaining(), inv.Currency)
	return append(lines,
		billing.Instruction{Label: "Reference", Value: p.Terms.InvoiceNumber(inv.Number)},
		billing.Instruction{Label: "Amount", Value: amount.FormatWithSymbolAndCode(), Amount: amount},
		billing.Instruction{Label: "Due", Value: inv.TimeZone.Date(inv.DueAt)},
	)
}
