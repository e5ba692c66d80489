package billing

import (
	"cmp"
	"slices"
	"time"
)

// NewCard is a payment method that a payment request saves for the customer, noted before the
// provider is asked. It stays noted until it is known whether its first charge or authentication
// succeeded: one that definitely failed is taken off the customer again.
type NewCard struct {
	ID             string // the payment method
	OrganisationID string
	FormerDefault  string // the default payment method before the request; "" when there was none
	NotedAt        time.Time
	CheckAt        time.Time // when a background job looks at it next
}

// CardCleanup is what is to be done about the saved cards of a customer, in this order.
type CardCleanup struct {
	Default string   // the card to be made the default one; "" leaves it as it is
	Detach  []string // cards to take off the customer
	Forget  []string // notes of new cards that are to be kept or are gone
}

// Steps returns the steps that carry the cleanup out at the provider.
func (c CardCleanup) Steps(customerID string) []Step {
	var steps []Step
	if c.Default != "" {
		steps = append(steps, Step{Kind: SetDefaultCardStep, CustomerID: customerID, CardID: c.Default})
	}
	for _, id := range c.Detach {
		steps = append(steps, Step{Kind: DeleteCardStep, CustomerID: customerID, CardID: id})
	}
	return steps
}

// PlanCardCleanup decides which saved cards nobody asked to keep. cards are all saved cards, newest
// first; notes are about those that a payment request has saved.
//
// A new card is detached when the payment or authentication that it was saved for definitely failed;
// if it is the default one, the former default card is restored. A live subscription, such as a trial
// whose card was not authenticated, keeps the card when there is no former one: it would have none to
// charge. Of identical cards the newest is kept. While a payment or an authentication of any subscription is under way nothing is detached,
// because it may use any of the cards.
func PlanCardCleanup(a *Account, customer Customer, cards []PaymentMethod, notes []NewCard) CardCleanup {
	p := planNewCards(a, customer, cards, notes)
	if !a.PaymentUnderWay() {
		p.detachIdentical(cards)
	}
	return p.CardCleanup
}

// PlanNewCardCleanup is PlanCardCleanup without regard to identical cards: one of those may be about
// to be used.
func PlanNewCardCleanup(a *Account, customer Customer, cards []PaymentMethod, notes []NewCard) CardCleanup {
	return planNewCards(a, customer, cards, notes).CardCleanup
}

func planNewCards(a *Account, customer Customer, cards []PaymentMethod, notes []NewCard) *cardCleanupPlan {
	p := &cardCleanupPlan{saved: map[string]bool{}, former: map[string]string{}}
	for _, m := range cards {
		p.saved[m.ID] = true
	}
	if customer.Default != nil {
		p.present = customer.Default.ID
	}
	waiting := a.PaymentUnderWay()
	for _, n := range notes {
		switch {
		case !p.saved[n.ID]:
			p.Forget = append(p.Forget, n.ID)
		case waiting:
		case a.failedWith(n.ID == p.present, p.saved[n.FormerDefault]):
			p.former[n.ID] = n.FormerDefault
			p.Detach = append(p.Detach, n.ID)
		default:
			p.Forget = append(p.Forget, n.ID)
		}
	}
	p.restoreDefault()
	return p
}

// failedWith reports whether what a new card was saved for has definitely failed, so that it can go.
// A new card that is not the default one any more may have succeeded before another took its place.
func (a *Account) failedWith(isDefault, hasFormer bool) bool {
	if live := a.Live(); live != nil {
		return isDefault && hasFormer && live.PendingSetup != nil
	}
	return len(a.Subscriptions) > 0 && (a.Open() != nil || a.Subscriptions[0].Status == IncompleteExpired)
}

// PaymentUnderWay reports whether a payment or an authentication may be finished at any moment, by
// the customer's browser or the provider.
func (a *Account) PaymentUnderWay() bool {
	return slices.ContainsFunc(a.Subscriptions, func(s Subscription) bool {
		if s.Status.Ended() {
			return false
		}
		return s.PendingSetup.underWay() || s.LatestInvoice != nil && s.LatestInvoice.Payment.underWay()
	})
}

func (i *Intent) underWay() bool {
	return i != nil && slices.Contains([]IntentStatus{RequiresConfirmation, RequiresAction, Processing}, i.Status)
}

// cardCleanupPlan is a CardCleanup in the making.
type cardCleanupPlan struct {
	CardCleanup
	saved   map[string]bool
	present string            // the default card; "" when there is none
	former  map[string]string // the former default card, by the new card that is to be detached
}

// restoreDefault finds the default card from before all the cards that are to be detached.
func (p *cardCleanupPlan) restoreDefault() {
	restored := p.present
	for range p.former {
		if former, detached := p.former[restored]; detached {
			restored = former
		}
	}
	if _, detached := p.former[restored]; !detached && restored != p.present && p.saved[restored] {
		p.Default = restored
	}
}

func (p *cardCleanupPlan) detachIdentical(cards []PaymentMethod) {
	kept := map[string]string{} // by identity
	for _, m := range cards {
		if slices.Contains(p.Detach, m.ID) {
			continue
		}
		newer, known := kept[m.Identity()]
		if !known {
			kept[m.Identity()] = m.ID
			continue
		}
		p.Detach = append(p.Detach, m.ID)
		if cmp.Or(p.Default, p.present) == m.ID {
			p.Default = newer
		}
	}
}

// HaveIdentical reports whether two of the cards are the same card.
func HaveIdentical(cards []PaymentMethod) bool {
	seen := map[string]bool{}
	for _, m := range cards {
		if seen[m.Identity()] {
			return true
		}
		seen[m.Identity()] = true
	}
	return false
}
