package engine

import "time"

// Quote is what a request would cost. Making the request at the same instant with the same credit gives
// a Bill with these lines and amounts. Amounts are in minor units.
type Quote struct {
	At                        time.Time // the proration date, or the time of a change at the renewal
	Lines                     []Line    // of the invoice that is due now, or of the one at the renewal
	Total                     int64     // the sum of the lines
	DueNow                    int64     // zero for a change at the renewal
	CreditBefore, CreditAfter int64     // of the customer, before and after the request
	EndsTrial                 bool
	NextAmount                int64 // due with the next invoice
	NextAt                    time.Time
}

// QuoteStart quotes the first bill of a subscription that Start has just returned.
func (s Subscription) QuoteStart(credit, minimum int64) Quote {
	after := s
	if s.TrialEnd.IsZero() {
		after = s.Paid("", s.PeriodStart)
	}
	return after.quote(NewBill(s.PeriodLines(), credit, minimum), s.PeriodStart, minimum)
}

// QuoteChange quotes a change that is made now. Check it with CheckChange first.
func (s Subscription) QuoteChange(to PlanChange, credit, minimum int64) Quote {
	q := s.Apply(to).quote(NewBill(s.ChangeLines(to), credit, minimum), to.At, minimum)
	q.EndsTrial = to.EndTrial
	return q
}

// QuoteSchedule quotes a change that is made at the renewal. Check it with CheckSchedule first.
func (s Subscription) QuoteSchedule(to PlanChange, credit, minimum int64) Quote {
	renewal := s.Schedule(to).renewal(credit, minimum)
	return Quote{
		At: s.PeriodEnd, Lines: renewal.Lines, Total: renewal.Total, CreditBefore: credit, CreditAfter: credit,
		NextAmount: renewal.Due, NextAt: s.PeriodEnd,
	}
}

// quote returns the quote of the bill that leads to the subscription.
func (s Subscription) quote(b Bill, at time.Time, minimum int64) Quote {
	return Quote{
		At: at, Lines: b.Lines, Total: b.Total, DueNow: b.Due, CreditBefore: b.CreditBefore, CreditAfter: b.CreditAfter,
		NextAmount: s.renewal(b.CreditAfter, minimum).Due, NextAt: s.PeriodEnd,
	}
}

// renewal returns the bill at the end of the current period.
func (s Subscription) renewal(credit, minimum int64) Bill {
	return NewBill(s.Renew().PeriodLines(), credit, minimum)
}
