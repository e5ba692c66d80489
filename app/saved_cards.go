package app

import (
	"context"
	"errors"
	"log/slog"
	"slices"
	"time"

	"github.com/vc-admin/diy/domain/account"
	"github.com/vc-admin/diy/domain/billing"
	"github.com/vc-admin/diy/domain/fault"
	"github.com/vc-admin/diy/ports/clock"
	"github.com/vc-admin/diy/ports/payment"
	"github.com/vc-admin/diy/ports/storage"
)

const (
	// newCardCheck is when a new card is looked at again if no request does it before.
	newCardCheck = 15 * time.Minute
	// newCardRecheck is when it is looked at again after that.
	newCardRecheck = time.Hour
	// tidyBatch is how many organisations one round of TidyCards looks at.
	tidyBatch = 50
)

// savedCards takes off a customer the cards that nobody asked to keep: those of payments that failed,
// and older copies of the same card. See billing.PlanCardCleanup for the rules.
//
// A payment request notes the card that it is about to save. The note is deleted when the payment
// succeeded. Otherwise the next request that shows cards, chooses one or pays, or else TidyCards,
// decides whether the card is detached; so it does after a crash.
type savedCards struct {
	store    storage.CardNotes
	provider interface {
		payment.Customers
		payment.Cards
	}
	ops   operations
	sync  *syncBilling
	clock clock.Clock
	log   *slog.Logger
}

// notedCard is a card of a payment request, as note found it.
type notedCard struct {
	id     string
	isNew  bool // it was not saved before the request
	others bool // other cards were
}

// note is to be called inside of a payment operation, before it saves the card, "" for the default
// one. It cleans up after earlier payment requests first: what the browser was to confirm with their
// cards is over. org is the provider's present report.
func (s savedCards) note(ctx context.Context, at attempt, org account.Organisation, cardID string) (notedCard, error) {
	noted := notedCard{id: cardID}
	if org.Billing.CustomerID == "" || org.Billing.Live() != nil {
		return noted, nil // nothing will be paid
	}
	at.org = org
	noted.isNew = s.cleanNoted(ctx, at, cardID, len(org.Billing.Subscriptions) > 0)
	if cardID == "" {
		return noted, nil
	}
	cards, err := s.provider.Cards(ctx, org.Billing.CustomerID)
	if err != nil {
		return noted, err
	}
	noted.others = slices.ContainsFunc(cards, func(m billing.PaymentMethod) bool { return m.ID != cardID })
	isSaved := slices.ContainsFunc(cards, func(m billing.PaymentMethod) bool { return m.ID == cardID })
	if noted.isNew || isSaved {
		return noted, nil
	}
	former, err := s.defaultCard(ctx, org.Billing.CustomerID, cards)
	if err != nil {
		return noted, err
	}
	noted.isNew = true
	now := s.clock.Now()
	return noted, s.store.NoteNewCard(ctx, billing.NewCard{
		ID: cardID, OrganisationID: org.ID, FormerDefault: former, NotedAt: now, CheckAt: now.Add(newCardCheck),
	})
}

// cleanNoted cleans up after earlier payment requests inside of an operation. It is to be called before
// the next payment, and before another card becomes the default one, because afterwards it could not
// be told whether they failed. It does nothing and returns true when the card of the operation is noted
// itself: the request is a repeat. isFresh says that at.org is the provider's present report. A failure
// is only logged.
func (s savedCards) cleanNoted(ctx context.Context, at attempt, cardID string, isFresh bool) (isNoted bool) {
	notes, err := s.store.NewCards(ctx, at.org.ID)
	isNoted = slices.ContainsFunc(notes, func(n billing.NewCard) bool { return n.ID == cardID })
	if err == nil && len(notes) > 0 && !isNoted {
		err = s.clean(ctx, at, isFresh, billing.PlanNewCardCleanup)
	}
	s.logged(ctx, at.org.ID, err)
	return isNoted
}

// cleanIdentical detaches older copies of cards inside of an operation that has saved one.
func (s savedCards) cleanIdentical(ctx context.Context, at attempt) {
	cards, err := s.provider.Cards(ctx, at.org.Billing.CustomerID)
	if err == nil && billing.HasDuplicates(cards) {
		err = s.clean(ctx, at, false, billing.PlanCardCleanup)
	}
	s.logged(ctx, at.org.ID, err)
}

// tidyBefore cleans up after earlier payment requests before cards are shown, unless a payment is
// under way, when nothing could be decided.
func (s savedCards) tidyBefore(ctx context.Context, org account.Organisation) {
	if !org.Billing.PaymentInProgress() {
		if notes, err := s.store.NewCards(ctx, org.ID); err == nil && len(notes) > 0 {
			s.tidy(ctx, org.ID)
		}
	}
}

// defaultCard returns the id of the default card, "" when there is none.
func (s savedCards) defaultCard(ctx context.Context, customerID string, cards []billing.PaymentMethod) (string, error) {
	if len(cards) == 0 {
		return "", nil
	}
	customer, err := s.provider.Customer(ctx, customerID)
	if err != nil || customer.Default == nil {
		return "", err
	}
	return customer.Default.ID, nil
}

// paid is to be called inside of a payment operation after its outcome was recorded. A card that was
// charged is kept. One that was not stays noted: the same request may come again, and after a decline
// the specification has the browser confirm the payment with the card. It is cleaned up before
// anybody sees it, chooses a card or pays again.
func (s savedCards) paid(ctx context.Context, at attempt, card notedCard, sub billing.Subscription) {
	if !card.isNew || !sub.Status.Live() || sub.PendingSetup != nil {
		return
	}
	s.keep(ctx, at.org.ID, card.id)
	if card.others {
		s.cleanIdentical(ctx, at)
	}
}

// keep deletes the note of a card that is to stay, because it was charged or the customer asked
// for it.
func (s savedCards) keep(ctx context.Context, organisationID, cardID string) {
	if err := s.store.ForgetNewCard(ctx, organisationID, cardID); err != nil {
		s.log.WarnContext(ctx, "note of a new card not deleted", "org", organisationID, "error", err)
	}
}

// tidy cleans up in an operation of its own. A failure is only logged: a card too many is harmless,
// and the next request or TidyCards tries again.
func (s savedCards) tidy(ctx context.Context, organisationID string) {
	s.logged(ctx, organisationID, s.run(ctx, organisationID, billing.PlanCardCleanup))
}

func (s savedCards) logged(ctx context.Context, organisationID string, err error) {
	if err != nil {
		s.log.InfoContext(ctx, "saved cards not cleaned up yet", "org", organisationID, "error", err)
	}
}

// cleanupPlanner is billing.PlanCardCleanup or billing.PlanNewCardCleanup.
type cleanupPlanner func(*billing.Account, billing.Customer, []billing.PaymentMethod, []billing.NewCard) billing.CardCleanup

// run cleans up in an operation of its own, if there is anything to clean up. Its steps are planned before
// it begins, so that whoever finds it pending can complete it.
func (s savedCards) run(ctx context.Context, organisationID string, planner cleanupPlanner) error {
	return s.ops.run(ctx, request{
		organisationID: organisationID, kind: billing.SubscriptionOperation, fingerprint: fingerprint("tidy cards"),
		plan: func(ctx context.Context) (plan, error) { return s.plan(ctx, organisationID, planner) },
		do: func(ctx context.Context, at attempt) (string, error) {
			return noSubscription, s.send(ctx, at.org.ID, at.steps)
		},
	})
}

// plan plans a cleanup and deletes the notes that it makes superfluous.
func (s savedCards) plan(ctx context.Context, organisationID string, planner cleanupPlanner) (plan, error) {
	notes, err := s.store.NewCards(ctx, organisationID)
	if err != nil {
		return plan{}, err
	}
	org, err := s.sync.do(ctx, organisationID)
	if err != nil || org.Billing.CustomerID == "" {
		return plan{}, err
	}
	cleanup, err := s.decide(ctx, &org.Billing, notes, planner)
	if err != nil {
		return plan{}, err
	}
	return plan{steps: cleanup.Steps(org.Billing.CustomerID), org: &org}, s.forget(ctx, org.ID, cleanup.Forget)
}

// decide applies the planner to the cards that the provider reports.
func (s savedCards) decide(
	ctx context.Context, a *billing.Account, notes []billing.NewCard, planner cleanupPlanner,
) (billing.CardCleanup, error) {
	customer, err := s.provider.Customer(ctx, a.CustomerID)
	if err != nil {
		return billing.CardCleanup{}, err
	}
	cards, err := s.provider.Cards(ctx, a.CustomerID)
	if err != nil {
		return billing.CardCleanup{}, err
	}
	return planner(a, customer, cards, notes), nil
}

// clean cleans up inside of a payment operation. It decides by the provider's present report, which no
// other operation can change meanwhile. isFresh says that at.org is that report.
func (s savedCards) clean(ctx context.Context, at attempt, isFresh bool, planner cleanupPlanner) error {
	notes, err := s.store.NewCards(ctx, at.org.ID)
	if err != nil {
		return err
	}
	org := at.org
	if !isFresh {
		org, err = s.sync.do(ctx, at.org.ID)
	}
	if err != nil || org.Billing.CustomerID == "" {
		return err
	}
	cleanup, err := s.decide(ctx, &org.Billing, notes, planner)
	if err != nil {
		return err
	}
	steps := billing.WithKeys(at.key+"-tidy", cleanup.Steps(org.Billing.CustomerID))
	if err := s.send(ctx, org.ID, steps); err != nil {
		return err
	}
	return s.forget(ctx, org.ID, cleanup.Forget)
}

// send sends the steps of a cleanup and deletes the notes of the cards that were detached.
func (s savedCards) send(ctx context.Context, organisationID string, steps []billing.Step) error {
	var detached []string
	for _, step := range steps {
		card := payment.SavedCard{Key: step.Key, CustomerID: step.CustomerID, CardID: step.CardID}
		var err error
		switch step.Kind {
		case billing.SetDefaultCardStep:
			_, err = s.provider.SetDefaultCard(ctx, card)
		case billing.DeleteCardStep:
			detached = append(detached, step.CardID)
			if err = s.provider.DeleteCard(ctx, card); fault.Is(err, fault.NotFound) {
				err = nil
			}
		default:
			err = fault.Newf(fault.Internal, "A cleanup has no step %q.", step.Kind)
		}
		if err != nil {
			return err
		}
	}
	return s.forget(ctx, organisationID, detached)
}

func (s savedCards) forget(ctx context.Context, organisationID string, cardIDs []string) error {
	for _, id := range cardIDs {
		if err := s.store.ForgetNewCard(ctx, organisationID, id); err != nil {
			return err
		}
	}
	return nil
}

// TidyCards cleans up the cards of payments whose end no request has seen, such as an
// authentication that failed in the browser. Any number of servers may run it at once.
type TidyCards struct {
	store storage.CardNotes
	cards savedCards
	clock clock.Clock
}

// Do looks at the organisations that are due and returns how many it could look at. The first
// failures are returned together; those organisations are due again in an hour.
func (u *TidyCards) Do(ctx context.Context) (int, error) {
	done := 0
	var failures []error
	for range tidyBatch {
		now := u.clock.Now()
		id, err := u.store.ClaimNewCards(ctx, now, now.Add(newCardRecheck))
		if fault.Is(err, fault.NotFound) {
			break
		}
		if err != nil {
			return done, errors.Join(append(failures, err)...)
		}
		if err := u.cards.run(ctx, id, billing.PlanCardCleanup); err != nil {
			failures = append(failures, err)
			continue
		}
		done++
	}
	return done, errors.Join(failures...)
}
