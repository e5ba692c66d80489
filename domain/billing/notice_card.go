package billing

import (
	"cmp"
	"time"
)

// cardReminderLead is the time before the next charge at which the customer is reminded that the card expires earlier.
const cardReminderLead = 31 * 24 * time.Hour

// CardReminderAt returns the time from which the card's expiry is compared with the date of the next charge. It returns
// zero if nothing will be charged.
func (a *Account) CardReminderAt() time.Time {
	liveSub := a.LiveSubscription()
	if liveSub == nil || a.DevLicense != nil || liveSub.Invoicing != nil || liveSub.NextChargeAt().IsZero() {
		return time.Time{}
	}
	return liveSub.NextChargeAt().Add(-cardReminderLead)
}

// CardNotice returns a notice if the card of the next charge expires before the charge. That card is the subscription's own
// or, if it has none, the default one. CardNotice returns nil before CardReminderAt, if credit pays the charge, and for other
// payment methods. The caller reads the customer from the provider, because the account has neither card nor credit. The
// minimum is in minor units, see NextCharge.
func (a *Account) CardNotice(customer Customer, minimum int64, now time.Time) *DueNotice {
	if !isReached(a.CardReminderAt(), now) {
		return nil
	}
	liveSub := a.LiveSubscription()
	if charge := liveSub.NextCharge(customer.Credit, minimum); charge != nil && charge.Amount.Minor() == 0 {
		return nil // the notice is due before the first charge that credit does not pay
	}
	method := cmp.Or(liveSub.Method, customer.Default)
	if method == nil || method.Kind != CardMethod {
		return nil
	}
	at := liveSub.NextChargeAt()
	if expiry := method.Card.expiry(); expiry.IsZero() || at.Before(expiry) || !now.Before(at) {
		return nil
	}
	return &DueNotice{Notice: liveSub.newCardNotice(), Subscription: *liveSub}
}

// newCardNotice returns the notice about the card of the next charge.
func (s *Subscription) newCardNotice() Notice {
	return Notice{Kind: CardExpires, SubjectID: s.ID, Period: noticeTime(s.NextChargeAt())}
}

// expiry returns the time from which the card is invalid, which is the beginning of the month after its last month. It
// returns the zero time if the provider does not report the expiry.
func (c Card) expiry() time.Time {
	if c.ExpYear == 0 {
		return time.Time{}
	}
	return time.Date(c.ExpYear, time.Month(c.ExpMonth)+1, 1, 0, 0, 0, 0, time.UTC)
}
