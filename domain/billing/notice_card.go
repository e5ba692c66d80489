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

// CardNotice returns the notice that the card of the next charge expires before the charge. This is the default card
// unless the subscription has a card of its own. CardNotice returns nil if the card does not expire before the charge,
// if the charge is not near, if credit pays it, and for other payment methods. An amount below the minimum, in minor
// units, is not charged. The account does not contain the card and the credit, so the caller reads the customer from the
// provider.
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
	return &DueNotice{Notice: liveSub.cardNotice(), Subscription: *liveSub}
}

// cardNotice returns the notice about the card of the next charge.
func (s *Subscription) cardNotice() Notice {
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
