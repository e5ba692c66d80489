package billing

import (
	"time"

	"github.com/vc-admin/diy/domain/catalogue"
	"github.com/vc-admin/diy/domain/money"
)

// maxRenewalMonths limits how far FirstCharge looks ahead: a hundred years.
const maxRenewalMonths = 100 * 12

// Renewals describes the renewals of a subscription whose price does not change.
type Renewals struct {
	Price    money.Amount // the total of each invoice, with tax
	Interval catalogue.Interval
	At       time.Time // the time of the next renewal
	// PeriodStart is the start of the period that ends with the next renewal, or the zero time if later periods follow
	// from At alone. A period that began on 31 January ends on 28 February, and the next one on 31 March.
	PeriodStart time.Time
}

// FirstCharge returns the first charge that the credit does not pay. The rest of the credit pays part of this charge. A
// negative credit is added to the charge. An amount below the minimum, in minor units, is not charged and is added to the
// next one. FirstCharge returns nil if nothing is ever charged, and if the price, the interval or the next renewal is
// unknown.
func (r Renewals) FirstCharge(credit money.Amount, minimum int64) *Charge {
	price, months := r.Price.Minor(), r.Interval.Months()
	if price <= 0 || months == 0 || r.At.IsZero() {
		return nil
	}
	// The first n renewals are not charged if n prices are less than the credit and the smallest charge together.
	n := (credit.Minor() + max(minimum, 1) - 1) / price
	if n = max(n, 0); n > maxRenewalMonths/int64(months) {
		return nil
	}
	amount, err := money.New((n+1)*price-credit.Minor(), r.Price.Currency().Code)
	if err != nil {
		return nil
	}
	return &Charge{Amount: amount, At: r.renewalAt(int(n))}
}

// renewalAt returns the time of the renewal n intervals after the next one.
func (r Renewals) renewalAt(n int) time.Time {
	if !r.PeriodStart.IsZero() && r.Interval.AddTo(r.PeriodStart, 1).Equal(r.At) {
		return r.Interval.AddTo(r.PeriodStart, 1+n)
	}
	return r.Interval.AddTo(r.At, n)
}

// ChargeAfterCredit returns the first charge that the credit does not pay, if NextCharge returns a charge of zero. It
// returns nil otherwise. It also returns nil if the subscription ends first, or if the amounts of later renewals are
// unknown, for example because a discount ends.
func (s *Subscription) ChargeAfterCredit(credit money.Amount, minimum int64) *Charge {
	next := s.NextCharge(credit, minimum)
	if next == nil || next.Amount.Minor() != 0 {
		return nil
	}
	renewals := Renewals{Price: s.Amount, Interval: s.Price.Interval, At: next.At, PeriodStart: s.PeriodStart}
	if change := s.RenewalChange(); change != nil {
		renewals.Price, renewals.Interval = change.Amount, change.To.Interval
		if change.To.Interval != s.Price.Interval {
			renewals.PeriodStart = time.Time{}
		}
	}
	if renewals.Price != s.Renewal {
		return nil
	}
	charge := renewals.FirstCharge(credit, minimum)
	if charge == nil || s.endsBy(charge.At) {
		return nil
	}
	if s.Invoicing != nil {
		charge.DueAt = charge.At.AddDate(0, 0, s.Invoicing.DaysUntilDue)
	}
	return charge
}

// ChargeAfterCredit returns the first charge that the remaining credit does not pay, if the next charge of the quote is
// zero. periodStart is the start of the period that ends with the next charge; see Renewals. It returns nil otherwise,
// and if the amounts of later renewals are unknown.
func (q Quote) ChargeAfterCredit(interval catalogue.Interval, periodStart time.Time, minimum int64) *Charge {
	if q.Next.Amount.Minor() != 0 {
		return nil
	}
	renewals := Renewals{Price: q.Renewal, Interval: interval, At: q.Next.At, PeriodStart: periodStart}
	return renewals.FirstCharge(q.CreditAfter, minimum)
}

// ChargeAfterNext returns the charge that follows the next charge of the quote. periodStart is as in ChargeAfterCredit.
// It returns nil if nothing is charged next, and if the amounts of later renewals are unknown.
func (q Quote) ChargeAfterNext(interval catalogue.Interval, periodStart time.Time) *Charge {
	renewals := Renewals{Price: q.Renewal, Interval: interval, At: q.Next.At, PeriodStart: periodStart}
	if q.Next.Amount.Minor() <= 0 || q.Renewal.Minor() <= 0 || interval.Months() == 0 {
		return nil
	}
	return &Charge{Amount: q.Renewal, At: renewals.renewalAt(1)}
}
