package ledger

import (
	"cmp"
	"context"
	"slices"

	"github.com/vc-admin/diy/domain/billing"
	"github.com/vc-admin/diy/domain/engine"
	"github.com/vc-admin/diy/ports/payment"
	"github.com/vc-admin/diy/ports/payment/plugin"
)

// SubscribeRequest converts the request for a subscription with the id. It returns Invalid for an unknown price, and the
// errors of NewSubscription.Check and QuotedAmounts.Check.
func (r *Record) SubscribeRequest(id string, req payment.NewSubscription) (engine.SubscribeRequest, error) {
	amount, err := r.PriceAmount(req.Price)
	if err == nil {
		err = req.Check(r.Account.Currency, r.Account.Statuses())
	}
	engineReq := engine.SubscribeRequest{ID: id, Key: req.Key, Price: req.Price, Amount: amount, TrialDays: req.TrialDays}
	if err != nil {
		return engineReq, err
	}
	if q, quoteErr := r.Account.QuoteSubscribe(engineReq); quoteErr == nil {
		err = req.Quoted.Check(q.BillingQuote(req.Price.Currency, r.Catalogue))
	}
	return engineReq, err
}

// ChangeRequest converts the request for an account. It returns Invalid for an unknown price, and the error of
// QuotedAmounts.Check.
func (r *Record) ChangeRequest(req payment.PriceChange) (engine.ChangeRequest, error) {
	amount, err := r.PriceAmount(req.To)
	engineReq := engine.ChangeRequest{
		Subscription: req.SubscriptionID, Key: req.Key, From: req.From, To: req.To, Amount: amount, ProrationDate: req.At.UTC(),
		EndTrial: req.EndTrial, AtRenewal: req.When == billing.ChangeAtRenewal,
	}
	if err != nil || engineReq.AtRenewal {
		return engineReq, err
	}
	if q, quoteErr := r.Account.QuoteChange(engineReq); quoteErr == nil {
		err = req.Quoted.Check(q.BillingQuote(req.To.Currency, r.Catalogue))
	}
	return engineReq, err
}

// Subscription implements payment.Subscriptions.
func (l *Ledger) Subscription(ctx context.Context, id string) (out billing.Subscription, err error) {
	customerID, err := l.ReadCustomerIDOfSubscription(ctx, id)
	if err != nil {
		return out, err
	}
	err = l.Read(ctx, customerID, Scope{}, func(_ plugin.Tx, r *Record) error {
		out, err = r.Subscription(id)
		return err
	})
	return out, err
}

// ListSubscriptions implements payment.Subscriptions.
func (l *Ledger) ListSubscriptions(
	ctx context.Context, customerID string, statuses ...billing.Status,
) (out []billing.Subscription, err error) {
	err = l.Read(ctx, customerID, Scope{}, func(_ plugin.Tx, r *Record) error {
		out = []billing.Subscription{}
		for _, s := range r.Account.Subscriptions {
			if len(statuses) == 0 || slices.Contains(statuses, s.Status) {
				out = append(out, r.billingSubscription(s))
			}
		}
		return nil
	})
	return out, err
}

// QuoteSubscription implements payment.Quotes.
func (l *Ledger) QuoteSubscription(ctx context.Context, req payment.NewSubscription) (out billing.Quote, err error) {
	err = l.Read(ctx, req.CustomerID, Scope{}, func(_ plugin.Tx, r *Record) error {
		engineReq, err := r.SubscribeRequest("", req)
		if err != nil {
			return err
		}
		q, err := r.Account.QuoteSubscribe(engineReq)
		if err != nil {
			return err
		}
		out = q.BillingQuote(req.Price.Currency, r.Catalogue)
		return nil
	})
	return out, err
}

// QuoteChange implements payment.Quotes.
func (l *Ledger) QuoteChange(ctx context.Context, req payment.PriceChange) (out billing.Quote, err error) {
	customerID, err := l.ReadCustomerIDOfSubscription(ctx, req.SubscriptionID)
	if err != nil {
		return out, err
	}
	err = l.Read(ctx, customerID, Scope{}, func(_ plugin.Tx, r *Record) error {
		engineReq, err := r.ChangeRequest(req)
		if err != nil {
			return err
		}
		q, err := r.Account.QuoteChange(engineReq)
		if err != nil {
			return err
		}
		out = q.BillingQuote(req.To.Currency, r.Catalogue)
		return nil
	})
	return out, err
}

// Subscription returns the subscription with the id, or NotFound.
func (r *Record) Subscription(id string) (billing.Subscription, error) {
	s, err := r.Account.Subscription(id)
	if err != nil {
		return billing.Subscription{}, err
	}
	return r.billingSubscription(s), nil
}

func (r *Record) billingSubscription(s engine.AccountSubscription) billing.Subscription {
	out := billing.Subscription{
		ID: s.ID, CustomerID: r.Customer.ID, Status: s.Status, Price: s.Price, Amount: Amount(s.Amount, s.Price.Currency),
		Renewal: Amount(s.RenewalTotal(), s.Price.Currency), CreatedAt: s.Created, PeriodStart: s.PeriodStart,
		CurrentPeriodEnd: s.PeriodEnd, TrialEnd: s.TrialEnd, EndsAt: cmp.Or(s.EndedAt, s.EndsAt()),
		StartKey: s.StartKey, ChangeKey: s.ChangeKey,
	}
	if inv := r.Invoice(s.LatestInvoice); inv.ID != "" {
		latestInvoice := r.BillingInvoice(inv)
		latestInvoice.Lines = nil
		out.LatestInvoice = &latestInvoice
	}
	if pending := s.Pending; pending.Invoice != "" {
		out.Pending = &billing.PendingChange{
			To: pending.Price, InvoiceID: pending.Invoice, ExpiresAt: pending.Expires,
			Amount: Amount(r.Account.Invoice(pending.Invoice).AmountRemaining(), pending.Price.Currency),
		}
	}
	if s.HasScheduledChange() {
		out.SetScheduledChange(&billing.ScheduledChange{
			To: s.Scheduled.Price, Amount: Amount(s.Scheduled.Amount, s.Scheduled.Price.Currency), At: s.Scheduled.At,
		})
	}
	r.SetPaymentFields(r, s, &out)
	return out
}
