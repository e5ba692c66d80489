package app

import (
	"context"
	"errors"
	"log/slog"
	"time"

	"github.com/vc-admin/diy/domain/account"
	"github.com/vc-admin/diy/domain/billing"
	"github.com/vc-admin/diy/domain/fault"
	"github.com/vc-admin/diy/ports/clock"
	"github.com/vc-admin/diy/ports/payment"
	"github.com/vc-admin/diy/ports/storage"
)

const (
	// newCardCheck is when TidyCards checks a new card that no request has checked before.
	newCardCheck = 15 * time.Minute
	// newCardRecheck is the interval of its further checks.
	newCardRecheck = time.Hour
	// tidyBatch limits the organisations of one round of TidyCards.
	tidyBatch = 50
)

// savedCards detaches cards that the customer did not choose to keep: the cards of failed payments and
// older copies of the same card. billing.PlanCardCleanup contains the rules.
//
// A payment request stores a note about the card before it saves the card, and deletes the note when
// the payment has succeeded. If the note remains, for example after a crash, the next request that shows
// cards, chooses one or pays decides whether to detach the card, or else TidyCards does.
type savedCards struct {
	store    storage.NewCards
	provider interface {
		payment.Customers
		payment.Cards
	}
	ops   operations
	sync  *billingSync
	clock clock.Clock
	log   *slog.Logger
}

// notedCard is the card of a payment request.
type notedCard struct {
	id        string
	isNew     bool // the card was not saved before the request
	hasOthers bool // the customer has other saved cards
}

// note stores the note about the card of a payment operation; cardID is "" for the default card. It first
// cleans up after earlier payment requests, because the browser can't complete their payments any more.
// org must be the provider's current report.
func (s savedCards) note(ctx context.Context, at attempt, org account.Organisation, cardID string) (notedCard, error) {
	noted := notedCard{id: cardID}
	if org.Billing.CustomerID == "" || org.Billing.Live() != nil {
		return noted, nil // nothing will be paid
	}
	at.org = org
	noted.isNew = s.cleanUpNotes(ctx, at, cardID, len(org.Billing.Subscriptions) > 0)
	if cardID == "" {
		return noted, nil
	}
	cards, err := s.provider.Cards(ctx, org.Billing.CustomerID)
	if err != nil {
		return noted, err
	}
	isSaved := contains(cards, cardID)
	noted.hasOthers = len(cards) > 1 || len(cards) == 1 && !isSaved
	if noted.isNew || isSaved {
		return noted, nil
	}
	former, err := s.defaultCardID(ctx, org.Billing.CustomerID, cards)
	if err != nil {
		return noted, err
	}
	noted.isNew = true
	now := s.clock.Now()
	return noted, s.store.SaveNewCard(ctx, billing.NewCard{
		ID: cardID, OrganisationID: org.ID, FormerDefault: former, NotedAt: now, CheckAt: now.Add(newCardCheck),
	})
}

// defaultCardID returns the id of the default card, "" when there is none.
func (s savedCards) defaultCardID(ctx context.Context, customerID string, cards []billing.PaymentMethod) (string, error) {
	if len(cards) == 0 {
		return "", nil
	}
	customer, err := s.provider.Customer(ctx, customerID)
	if err != nil || customer.Default == nil {
		return "", err
	}
	return customer.Default.ID, nil
}

// afterPayment deletes the note about a card that was charged; call it when the outcome is recorded. Any
// other note remains: the request may be repeated, and after a decline the browser may still confirm the
// payment with the card.
func (s savedCards) afterPayment(ctx context.Context, at attempt, card notedCard, sub billing.Subscription) {
	if !card.isNew || !sub.Status.Live() || sub.PendingSetup != nil {
		return
	}
	s.keep(ctx, at.org.ID, card.id)
	if card.hasOthers {
		s.cleanIdentical(ctx, at)
	}
}

// keep deletes the note of a card that was charged or that the customer has chosen.
func (s savedCards) keep(ctx context.Context, organisationID, cardID string) {
	if err := s.store.DeleteNewCard(ctx, organisationID, cardID); err != nil {
		s.log.WarnContext(ctx, "record of a new card not deleted", "org", organisationID, "error", err)
	}
}

// cleanUpNotes cleans up after earlier payment requests inside of an operation. Operations call it before
// they pay or change the default card, because the report doesn't show afterwards whether the earlier
// payments failed. If the operation's own card is noted, the request is a repeat: cleanUpNotes does
// nothing and returns true. isFresh means that at.org is the provider's current report. A failure is
// only logged.
func (s savedCards) cleanUpNotes(ctx context.Context, at attempt, cardID string, isFresh bool) (isNoted bool) {
	notes, err := s.store.NewCards(ctx, at.org.ID)
	for _, n := range notes {
		isNoted = isNoted || n.ID == cardID
	}
	if err == nil && len(notes) > 0 && !isNoted {
		err = s.clean(ctx, at, isFresh, billing.PlanNewCardCleanup)
	}
	s.logFailure(ctx, at.org.ID, err)
	return isNoted
}

// cleanIdentical detaches older copies of cards inside of an operation that has saved a card.
func (s savedCards) cleanIdentical(ctx context.Context, at attempt) {
	cards, err := s.provider.Cards(ctx, at.org.Billing.CustomerID)
	if err == nil && billing.HasDuplicates(cards) {
		err = s.clean(ctx, at, false, billing.PlanCardCleanup)
	}
	s.logFailure(ctx, at.org.ID, err)
}

// cleanUpIfNoted cleans up after earlier payment requests; call it before cards are shown. It does nothing
// while a payment is in progress.
func (s savedCards) cleanUpIfNoted(ctx context.Context, org account.Organisation) {
	if org.Billing.PaymentInProgress() {
		return
	}
	if notes, err := s.store.NewCards(ctx, org.ID); err == nil && len(notes) > 0 {
		s.cleanUp(ctx, org.ID)
	}
}

// cleanUp cleans up in a separate operation. It only logs a failure; the next request or TidyCards tries
// again.
func (s savedCards) cleanUp(ctx context.Context, organisationID string) {
	s.logFailure(ctx, organisationID, s.run(ctx, organisationID))
}

func (s savedCards) logFailure(ctx context.Context, organisationID string, err error) {
	if err != nil {
		s.log.InfoContext(ctx, "saved cards not cleaned up yet", "org", organisationID, "error", err)
	}
}

// run cleans up in a separate operation, if there is anything to clean up.
func (s savedCards) run(ctx context.Context, organisationID string) error {
	_, err := run(ctx, s.ops, request[struct{}]{
		organisationID: organisationID, kind: billing.SubscriptionOperation, fingerprint: fingerprint("tidy cards"),
		plan: func(ctx context.Context, _ bool) (plan[struct{}], error) {
			org, cleanup, err := s.decide(ctx, organisationID, nil, billing.PlanCardCleanup)
			if err != nil {
				return plan[struct{}]{}, err
			}
			return plan[struct{}]{steps: cleanup.Steps(org.Billing.CustomerID), org: &org}, s.forget(ctx, org.ID, cleanup.Forget)
		},
		do: func(ctx context.Context, at attempt) (struct{}, error) {
			return struct{}{}, s.send(ctx, at.org.ID, at.steps)
		},
	})
	return err
}

// cleanupPlanner is billing.PlanCardCleanup or billing.PlanNewCardCleanup.
type cleanupPlanner func(*billing.Account, billing.Customer, []billing.PaymentMethod, []billing.NewCard) billing.CardCleanup

// clean cleans up inside of a payment operation, during which no other operation can change the
// subscriptions or cards. isFresh means that at.org is the provider's current report.
func (s savedCards) clean(ctx context.Context, at attempt, isFresh bool, planner cleanupPlanner) error {
	var report *account.Organisation
	if isFresh {
		report = &at.org
	}
	org, cleanup, err := s.decide(ctx, at.org.ID, report, planner)
	if err != nil {
		return err
	}
	if err := s.send(ctx, org.ID, billing.WithKeys(at.key+"-tidy", cleanup.Steps(org.Billing.CustomerID))); err != nil {
		return err
	}
	return s.forget(ctx, org.ID, cleanup.Forget)
}

// decide applies the planner to the report. If report is nil, it refreshes the copy first.
func (s savedCards) decide(
	ctx context.Context, organisationID string, report *account.Organisation, planner cleanupPlanner,
) (account.Organisation, billing.CardCleanup, error) {
	fail := func(err error) (account.Organisation, billing.CardCleanup, error) {
		return account.Organisation{}, billing.CardCleanup{}, err
	}
	notes, err := s.store.NewCards(ctx, organisationID) // before the report, which shows the payments of all these cards
	if err != nil {
		return fail(err)
	}
	if report == nil {
		fresh, err := s.sync.refresh(ctx, organisationID)
		if err != nil {
			return fail(err)
		}
		report = &fresh
	}
	if report.Billing.CustomerID == "" {
		return *report, billing.CardCleanup{}, nil
	}
	customer, err := s.provider.Customer(ctx, report.Billing.CustomerID)
	if err != nil {
		return fail(err)
	}
	cards, err := s.provider.Cards(ctx, report.Billing.CustomerID)
	if err != nil {
		return fail(err)
	}
	return *report, planner(&report.Billing, customer, cards, notes), nil
}

// send sends the steps of a cleanup and deletes the notes of the detached cards.
func (s savedCards) send(ctx context.Context, organisationID string, steps []billing.Step) error {
	var detached []string
	for _, step := range steps {
		var err error
		switch step.Kind {
		case billing.SetDefaultCardStep:
			_, err = s.provider.SetDefaultCard(ctx, savedCard(step))
		case billing.DeleteCardStep:
			detached = append(detached, step.CardID)
			if err = s.provider.DeleteCard(ctx, savedCard(step)); fault.Is(err, fault.NotFound) {
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
		if err := s.store.DeleteNewCard(ctx, organisationID, id); err != nil {
			return err
		}
	}
	return nil
}

// TidyCards cleans up saved cards after payments that ended without a request to the server, such as an
// authentication that failed in the browser. Several servers may run it at the same time.
type TidyCards struct {
	store storage.NewCards
	cards savedCards
	clock clock.Clock
}

// Do cleans up the organisations that are due and returns their number. Organisations that fail are due
// again in an hour; Do returns their errors joined.
func (u *TidyCards) Do(ctx context.Context) (int, error) {
	done := 0
	var failures []error
	for range tidyBatch {
		now := u.clock.Now()
		id, err := u.store.ClaimNewCardCheck(ctx, now, now.Add(newCardRecheck))
		if fault.Is(err, fault.NotFound) {
			break
		}
		if err != nil {
			return done, errors.Join(append(failures, err)...)
		}
		if err := u.cards.run(ctx, id); err != nil {
			failures = append(failures, err)
			continue
		}
		done++
	}
	return done, errors.Join(failures...)
}
