package engine

import "github.com/vc-admin/diy/domain/billing"

// QuoteSubscribe quotes Subscribe as if no approval were needed. DueNow is the total of the first invoice, which is
// issued now, less credit.
func (a *Account) QuoteSubscribe(o Order) (Quote, error) {
	if err := a.checkUnpaid(); err != nil {
		return Quote{}, err
	}
	started, inv := a.firstInvoice(o.Price, o.Amount, o.TrialDays)
	if started.Status == billing.Trialing {
		started = started.Renew()
	}
	return started.quote(NewBill(inv.Lines, a.Credit, 0), a.Now, 0), nil
}

// QuoteChange quotes ChangePrice.
func (a *Account) QuoteChange(o ChangeOrder) (Quote, error) {
	s, to, err := a.prepareChange(o)
	if err != nil {
		return Quote{}, err
	}
	if o.AtRenewal {
		return a.quoteSchedule(s, to), nil
	}
	q := s.Apply(to).quote(NewBill(a.changeLines(s, to), a.Credit, 0), to.At, 0)
	q.EndsTrial = o.EndTrial
	return q, nil
}

// quoteSchedule quotes a change at the renewal. The prepaid invoice of a trial becomes credit then.
func (a *Account) quoteSchedule(s AccountSubscription, to PriceChange) Quote {
	credit := a.Credit
	if prepaid := a.Invoice(s.Prepaid); prepaid.ID != "" {
		credit += a.releasedCredit(prepaid)
	}
	q := s.QuoteSchedule(to, credit, 0)
	q.CreditBefore, q.CreditAfter = a.Credit, a.Credit
	return q
}
