package fakepayment

import (
	"context"
	"time"

	"github.com/vc-admin/diy/domain/billing"
	"github.com/vc-admin/diy/domain/engine"
	"github.com/vc-admin/diy/ports/payment"
)

// QuoteSubscription quotes Subscribe. No card is needed.
func (p *Provider) QuoteSubscription(ctx context.Context, in payment.NewSubscription) (out billing.Quote, err error) {
	err = p.transact(ctx, func(t *tx) error {
		c, amount, err := t.checkSubscribe(in)
		if err == nil {
			out = t.quoteStart(c, in, amount)
		}
		return err
	})
	return out, err
}

// QuoteChange quotes ChangePlan.
func (p *Provider) QuoteChange(ctx context.Context, in payment.PlanChange) (out billing.Quote, err error) {
	err = p.transact(ctx, func(t *tx) error {
		s, to, err := t.prepareChange(in)
		if err == nil {
			out = t.quoteChange(s, to, in.When)
		}
		return err
	})
	return out, err
}

func (t *tx) quoteStart(c customer, in payment.NewSubscription, amount int64) billing.Quote {
	s := engine.Start(in.Price, amount, time.Duration(in.TrialDays)*day, t.now)
	return t.billingQuote(s.QuoteStart(c.Credit, engine.MinimumCharge(in.Price.Currency)), in.Price.Currency)
}

func (t *tx) quoteChange(s subscription, to engine.PlanChange, when payment.When) billing.Quote {
	credit, minimum := t.customers.rows[s.Customer].Credit, engine.MinimumCharge(s.Price.Currency)
	if when == payment.AtRenewal {
		return t.billingQuote(s.QuoteSchedule(to, credit, minimum), s.Price.Currency)
	}
	return t.billingQuote(s.QuoteChange(to, credit, minimum), s.Price.Currency)
}

func (t *tx) billingQuote(q engine.Quote, currency string) billing.Quote {
	return billing.Quote{
		At: q.At, Lines: engine.BillingLines(q.Lines, t.planName), Total: amountOf(q.Total, currency), EndsTrial: q.EndsTrial,
		Tax: amountOf(t.taxIn(q.Total, currency), currency), DueNow: amountOf(q.DueNow, currency),
		CreditBefore: amountOf(q.CreditBefore, currency), CreditAfter: amountOf(q.CreditAfter, currency),
		Next: billing.Charge{Amount: amountOf(q.NextAmount, currency), At: q.NextAt},
	}
}
