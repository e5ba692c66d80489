package engine

// QuoteSubscribe quotes Subscribe as if no approval were needed. If the customer pays by transfer, DueNow is the total of
// the first invoice, which is issued now, less credit.
func (a *Account) QuoteSubscribe(o Order) (Quote, error) { return a.collection().quoteSubscribe(a, o) }

// QuoteChange quotes ChangePrice.
func (a *Account) QuoteChange(o ChangeOrder) (Quote, error) {
	s, to, err := a.prepareChange(o)
	if err != nil {
		return Quote{}, err
	}
	if o.AtRenewal {
		return a.quoteSchedule(s, to), nil
	}
	q := s.Apply(to).quote(a.newBill(s, a.changeLines(s, to)), to.At, a.Terms.minimumCharge(s.Price.Currency))
	q.EndsTrial = o.EndTrial
	return q, nil
}

// quoteSchedule quotes a change at the renewal. The prepaid invoice of a trial becomes credit then.
func (a *Account) quoteSchedule(s AccountSubscription, to PriceChange) Quote {
	credit := a.Credit
	if prepaid := a.Invoice(s.Prepaid); prepaid.ID != "" {
		credit += a.releasedCredit(prepaid)
	}
	q := s.QuoteSchedule(to, credit, a.Terms.minimumCharge(s.Price.Currency))
	q.CreditBefore, q.CreditAfter = a.Credit, a.Credit
	return q
}
