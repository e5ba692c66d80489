package engine

import (
	"time"

	"github.com/vc-admin/diy/domain/billing"
	"github.com/vc-admin/diy/domain/money"
)

// Quote describes the cost of a request. The same request at the same time with the same credit issues an invoice with
// these lines and amounts. Amounts are in minor units.
type Quote struct {
	At                        time.Time // the proration date, or the time of a change at the renewal
	Lines                     []Line    // the lines of the invoice that is due now or at the renewal
	Total                     int64     // the sum of the lines
	DueNow                    int64     // Total less credit; zero for a change at the renewal
	CreditBefore, CreditAfter int64     // the customer's credit before and after the request
	EndsTrial                 bool
	NextAmount                int64 // due with the next invoice
	NextAt                    time.Time
	DueAt                     time.Time // zero unless the customer pays DueNow by transfer
	ApprovalDueDays           int       // see billing.Quote
	Renewal                   int64     // the total of each later renewal's invoice
}

// Catalogue returns the names of plans and the tax that an amount includes. *catalogue.Catalogue implements it.
type Catalogue interface {
	PlanName(id string) string
	TaxIncluded(amount money.Amount) money.Amount
}

// BillingQuote returns the quote with amounts in the currency.
func (q Quote) BillingQuote(currency string, c Catalogue) billing.Quote {
	amount := func(minor int64) money.Amount { return mustAmount(minor, currency) }
	return billing.Quote{
		At: q.At, Lines: BillingLines(q.Lines, c.PlanName), Total: amount(q.Total), Tax: c.TaxIncluded(amount(q.Total)),
		DueNow: amount(q.DueNow), CreditBefore: amount(q.CreditBefore), CreditAfter: amount(q.CreditAfter),
		EndsTrial: q.EndsTrial, Next: billing.Charge{Amount: amount(q.NextAmount), At: q.NextAt}, Renewal: amount(q.Renewal),
		DueAt: q.DueAt, ApprovalDueDays: q.ApprovalDueDays,
	}
}

// QuoteStart returns the quote for the first invoice of a new subscription; call it on the result of StartSubscription.
func (s Subscription) QuoteStart(credit, minimum int64) Quote {
	draft := NewInvoiceDraft(s.PeriodLines(), credit, minimum)
	if s.TrialEnd.IsZero() {
		s = s.PaymentSucceeded("", s.PeriodStart)
	}
	return s.quote(draft, s.PeriodStart, minimum)
}

// QuoteChange returns the quote for a change that is made now, whose invoice has the lines. Call CheckChange first. owed is
// withdrawn from the credit that the change creates, see InvoiceDraft.Withdraw.
func (s Subscription) QuoteChange(change PriceChange, lines []Line, credit, owed, minimum int64) Quote {
	q := s.ApplyChange(change).quote(NewInvoiceDraft(lines, credit, minimum).Withdraw(owed), change.At, minimum)
	q.EndsTrial = change.EndTrial
	return q
}

// QuoteSchedule returns the quote for a change that is made at the renewal. Call CheckSchedule first.
func (s Subscription) QuoteSchedule(change PriceChange, credit, minimum int64) Quote {
	renewal := s.ScheduleChange(change).draftRenewal(credit, minimum)
	return Quote{
		At: s.PeriodEnd, Lines: renewal.Lines, Total: renewal.Total, CreditBefore: credit, CreditAfter: credit,
		NextAmount: renewal.AmountDue, NextAt: s.PeriodEnd, Renewal: renewal.Total,
	}
}

// quote returns the quote for an invoice. s is the subscription after the invoice is paid.
func (s Subscription) quote(d InvoiceDraft, at time.Time, minimum int64) Quote {
	renewal := s.draftRenewal(d.CreditAfter, minimum)
	return Quote{
		At: at, Lines: d.Lines, Total: d.Total, DueNow: d.AmountDue, CreditBefore: d.CreditBefore, CreditAfter: d.CreditAfter,
		NextAmount: renewal.AmountDue, NextAt: s.PeriodEnd, Renewal: renewal.Total,
	}
}

// draftRenewal returns the draft of the invoice at the end of the current period.
func (s Subscription) draftRenewal(credit, minimum int64) InvoiceDraft {
	return NewInvoiceDraft(s.Renew().PeriodLines(), credit, minimum)
}

// QuoteWithCredit applies extraCredit, in minor units, to the quote q of a new subscription. The customer gets this credit
// before the subscription starts, for example because an open invoice is voided. periodPrice is the price of one
// period. If q has no next charge, the result has no next charge.
func QuoteWithCredit(q billing.Quote, extraCredit int64, periodPrice money.Amount, minimum int64) (billing.Quote, error) {
	draft := NewInvoiceDraft([]Line{{Amount: q.Total.Minor()}}, q.CreditBefore.Minor()+extraCredit, minimum)
	renewal := NewInvoiceDraft([]Line{{Amount: periodPrice.Minor()}}, draft.CreditAfter, minimum)
	for _, field := range []struct {
		target *money.Amount
		minor  int64
	}{
		{&q.DueNow, draft.AmountDue}, {&q.CreditBefore, draft.CreditBefore}, {&q.CreditAfter, draft.CreditAfter},
		{&q.Next.Amount, renewal.AmountDue},
	} {
		amount, err := money.New(field.minor, periodPrice.Currency().Code)
		if err != nil {
			return billing.Quote{}, err
		}
		*field.target = amount
	}
	if q.Next.At.IsZero() {
		q.Next = billing.Charge{}
	}
	return q, nil
}
