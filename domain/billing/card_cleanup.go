package billing

import (
	"cmp"
	"slices"
	"time"
)

// UnconfirmedCard records that a payment request is about to save a card for the customer at the provider. The record is
// kept until the first charge or authentication of the card has succeeded or failed. With the record, the server can
// detach a card that failed from the customer, even after a crash.
type UnconfirmedCard struct {
	ID             string // the payment method
	OrganisationID string
	FormerDefault  string // the default payment method before the request; "" when there was none
	RecordedAt     time.Time
	CheckAt        time.Time // when the background worker checks it next
}

// CardCleanup lists the changes of a customer's saved cards, to be made in the order of the fields.
type CardCleanup struct {
	Default       string   // the card to make the default one; "" for no change
	Detach        []string // the cards to detach from the customer
	DeleteRecords []string // the ids of the UnconfirmedCard records to delete, because their cards are kept or don't exist any more
}

// Actions returns the requests to the provider that the cleanup needs.
func (c CardCleanup) Actions(customerID string) []Action {
	var actions []Action
	if c.Default != "" {
		actions = append(actions, SetDefaultCard(customerID, c.Default))
	}
	for _, id := range c.Detach {
		actions = append(actions, DeleteCard(customerID, id))
	}
	for i := range actions {
		actions[i].Cleanup = true
	}
	return actions
}

// DecideCardCleanup decides which saved cards to detach. cards contains all saved cards, newest first, and records
// contains the cards that payment requests have saved.
//
// It detaches a new card if the payment or authentication for which the card was saved has failed. If that card is the
// default card, it restores the former default. If there is no former default, a live subscription keeps its
// unauthenticated card, because it would otherwise have no card to charge. Of several identical cards, only the newest
// is kept. While a payment or an authentication is in progress, no card is detached, because the payment may use any of
// the cards.
func DecideCardCleanup(a *Account, customer Customer, cards []PaymentMethod, records []UnconfirmedCard) CardCleanup {
	builder := decideUnconfirmedCards(a, customer, cards, records)
	if !a.PaymentInProgress() {
		builder.detachDuplicates(cards)
	}
	return builder.CardCleanup
}

// DecideUnconfirmedCardCleanup is like DecideCardCleanup, but does not detach identical cards. Use it before a payment,
// because the payment may charge one of the identical cards.
func DecideUnconfirmedCardCleanup(
	a *Account, customer Customer, cards []PaymentMethod, records []UnconfirmedCard,
) CardCleanup {
	return decideUnconfirmedCards(a, customer, cards, records).CardCleanup
}

// PaymentInProgress reports whether the browser or the provider may complete a payment or an
// authentication at any moment.
func (a *Account) PaymentInProgress() bool {
	owingSub := a.OwingSubscription()
	return slices.ContainsFunc(a.Subscriptions, func(s Subscription) bool {
		if s.Status.Ended() && (owingSub == nil || owingSub.ID != s.ID) {
			return false
		}
		return s.Next.isProcessing() || s.PendingSetup.isInProgress() ||
			s.LatestInvoice != nil && s.LatestInvoice.Payment.isInProgress()
	})
}

// cardCleanupBuilder contains an incomplete CardCleanup and the data for its decisions.
type cardCleanupBuilder struct {
	CardCleanup
	isSaved       map[string]bool
	defaultID     string            // "" when there is none
	formerDefault map[string]string // the former default card, by the new card that is to be detached
}

// decideUnconfirmedCards decides which new cards to detach and whether to restore a former default card.
func decideUnconfirmedCards(
	a *Account, customer Customer, cards []PaymentMethod, records []UnconfirmedCard,
) *cardCleanupBuilder {
	builder := &cardCleanupBuilder{isSaved: map[string]bool{}, formerDefault: map[string]string{}}
	for _, m := range cards {
		builder.isSaved[m.ID] = true
	}
	if customer.Default != nil {
		builder.defaultID = customer.Default.ID
	}
	inProgress := a.PaymentInProgress()
	for _, r := range records {
		switch {
		case !builder.isSaved[r.ID]:
			builder.DeleteRecords = append(builder.DeleteRecords, r.ID)
		case inProgress:
		case a.newCardFailed(r.ID == builder.defaultID, builder.isSaved[r.FormerDefault]):
			builder.formerDefault[r.ID] = r.FormerDefault
			builder.Detach = append(builder.Detach, r.ID)
		default:
			builder.DeleteRecords = append(builder.DeleteRecords, r.ID)
		}
	}
	builder.restoreDefault()
	return builder
}

// newCardFailed reports whether the payment or authentication for which a new card was saved has
// failed, so that the card can be detached. While a subscription is live, only the default card can have failed: another
// card may have been charged before the default card replaced it.
func (a *Account) newCardFailed(isDefault, hasFormerDefault bool) bool {
	if liveSub := a.LiveSubscription(); liveSub != nil {
		return isDefault && hasFormerDefault && liveSub.PendingSetup != nil
	}
	return len(a.Subscriptions) > 0 && (a.OpenSubscription() != nil || a.Subscriptions[0].Status == IncompleteExpired)
}

// restoreDefault makes the most recent former default card that is not detached the default one again.
func (b *cardCleanupBuilder) restoreDefault() {
	id := b.defaultID
	for range b.formerDefault { // limits the steps, because the records can form a cycle
		if formerID, isDetached := b.formerDefault[id]; isDetached {
			id = formerID
		}
	}
	if _, isDetached := b.formerDefault[id]; !isDetached && id != b.defaultID && b.isSaved[id] {
		b.Default = id
	}
}

// detachDuplicates detaches all identical cards except the newest. If one of the identical cards is the default card,
// the newest becomes the default.
func (b *cardCleanupBuilder) detachDuplicates(cards []PaymentMethod) {
	newestID := map[string]string{} // by identity
	for _, m := range cards {
		if slices.Contains(b.Detach, m.ID) {
			continue
		}
		keptID, isDuplicate := newestID[m.Identity()]
		if !isDuplicate {
			newestID[m.Identity()] = m.ID
			continue
		}
		b.Detach = append(b.Detach, m.ID)
		if cmp.Or(b.Default, b.defaultID) == m.ID {
			b.Default = keptID
		}
	}
}
