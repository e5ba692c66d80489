package crash

import (
	"slices"
	"sync"
)

// record contains the data that the server has acknowledged to a user.
type record struct {
	userNumber          int
	userID, orgID       string
	isVerified          bool
	customerID          string
	cards               []string
	cardNumbers         map[string]string // by card
	detachableCards     []string          // may be detached, because a payment was declined or a newer card is identical
	defaultCardID       string
	subscriptionID      string
	priceID             string
	subscriptionCount   int // includes replaced subscriptions
	invoiceCount        int // of the current subscription
	paidInvoices        []string
	endedSubscriptionID string // the subscription that the user ended
	bankAccount         string // from which the subscription is paid; "" for a card
	isAccountSaved      bool   // whether the provider saves the bank account, as a gateway does when the payment is processing
}

// saveCard records a card as the default. It replaces an identical older card.
func (r *record) saveCard(card, number string) {
	if r.cardNumbers == nil {
		r.cardNumbers = map[string]string{}
	}
	for _, older := range slices.Clone(r.cards) {
		if older != card && r.cardNumbers[older] == number {
			r.markDetachable(older)
		}
	}
	if !slices.Contains(r.cards, card) {
		r.cards = append(r.cards, card)
	}
	r.cardNumbers[card], r.defaultCardID = number, card
}

// markDetachable records that a card may be detached.
func (r *record) markDetachable(card string) {
	r.cards = slices.DeleteFunc(r.cards, func(id string) bool { return id == card })
	r.detachableCards = append(r.detachableCards, card)
}

// missingCard returns a recorded card that is missing in the list.
func (r *record) missingCard(listedCards []string) (card string, isMissing bool) {
	i := slices.IndexFunc(r.cards, func(id string) bool { return !slices.Contains(listedCards, id) })
	if i < 0 {
		return "", false
	}
	return r.cards[i], true
}

// hasExtraCard reports whether the list contains a card that is neither recorded nor detachable.
func (r *record) hasExtraCard(listedCards []string) bool {
	if r.isAccountSaved && len(listedCards) == 1 {
		return false
	}
	return slices.ContainsFunc(listedCards,
		func(id string) bool { return !slices.Contains(r.cards, id) && !slices.Contains(r.detachableCards, id) })
}

// recorder stores the records of all users.
type recorder struct {
	mu      sync.Mutex
	records []*record
}

// addRecord adds the record of a new user.
func (r *recorder) addRecord() *record {
	r.mu.Lock()
	defer r.mu.Unlock()
	rec := &record{userNumber: len(r.records) + 1}
	r.records = append(r.records, rec)
	return rec
}
