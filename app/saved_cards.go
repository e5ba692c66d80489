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

// cardCleanup is the fingerprint of all operations that clean up saved cards.
var cardCleanup = fingerprint("tidy cards")

// savedCards detaches cards that the customer did not choose to keep: the cards of failed payments and
// older copies of the same card. billing.DecideCardCleanup contains the rules.
//
// A payment request stores a billing.NewCard before it saves the card, and deletes this record when the
// payment has succeeded. If the record remains, for example after a crash, the next request that shows
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

// paymentCard is the card of a payment request.
type paymentCard struct {
	id        string
	isNew     bool // the card was not saved before the request
	hasOthers bool // the customer has other saved cards
}

// recordNewCard stores the record of the card of a payment operation; cardID is "" for the default card. It first
// cleans up after earlier payment requests, because the browser can't complete their payments any more.
// org must be the provider's current report, or have no subscription yet.
func (s savedCards) recordNewCard(ctx context.Context, at attempt, org account.Organisation, cardID string) (paymentCard, error) {
	card := paymentCard{id: cardID}
	if org.Billing.CustomerID == "" || org.Billing.Live() != nil {
		return card, nil // nothing will be paid
	}
	card.isNew = s.cleanUpFailed(ctx, at, cardID, &org)
	if cardID == "" {
		return card, nil
	}
	cards, err := s.provider.Cards(ctx, org.Billing.CustomerID)
	if err != nil {
		return card, err
	}
	isSaved := containsCard(cards, cardID)
	card.hasOthers = len(cards) > 1 || len(cards) == 1 && !isSaved
	if card.isNew || isSaved {
		return card, nil
	}
	former, err := s.defaultCardID(ctx, org.Billing.CustomerID, cards)
	if err != nil {
		return card, err
	}
	card.isNew = true
	now := s.clock.Now()
	return card, s.store.SaveNewCard(ctx, billing.NewCard{
		ID: cardID, OrganisationID: org.ID, FormerDefault: former, RecordedAt: now, CheckAt: now.Add(newCardCheck),
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

// afterPayment deletes the record of a card that was charged; call it when the outcome is stored. Any
// other record remains: the request may be repeated, and after a decline the browser may still confirm the
// payment with the card.
func (s savedCards) afterPayment(ctx context.Context, at attempt, card paymentCard, sub billing.Subscription) {
	if !card.isNew || !sub.Status.Live() || sub.PendingSetup != nil {
		return
	}
	s.deleteRecord(ctx, at.org.ID, card.id)
	if card.hasOthers {
		s.cleanUpDuplicates(ctx, at)
	}
}

// deleteRecord deletes the record of a card that was charged or that the customer has chosen. It only logs a failure.
func (s savedCards) deleteRecord(ctx context.Context, organisationID, cardID string) {
	if err := s.store.DeleteNewCard(ctx, organisationID, cardID); err != nil {
		s.log.WarnContext(ctx, "record of a new card not deleted", "org", organisationID, "error", err)
	}
}

// cleanUpFailed detaches the cards of earlier payment requests that failed. Operations call it before they pay or
// change the default card, because the report doesn't show afterwards whether the earlier payments failed. If
// there is a record of the operation's own card, the request is a repeat: cleanUpFailed does nothing and returns
// true. See decideCleanUp for report. A failure is only logged.
func (s savedCards) cleanUpFailed(ctx context.Context, at attempt, cardID string, report *account.Organisation) (isRecorded bool) {
	records, err := s.store.NewCards(ctx, at.org.ID)
	for _, r := range records {
		isRecorded = isRecorded || r.ID == cardID
	}
	if err == nil && len(records) > 0 && !isRecorded {
		err = s.cleanUpInOperation(ctx, at, report, billing.DecideNewCardCleanup)
	}
	s.logFailure(ctx, at.org.ID, err)
	return isRecorded
}

// cleanUpDuplicates detaches older copies of cards inside of an operation that has saved a card.
func (s savedCards) cleanUpDuplicates(ctx context.Context, at attempt) {
	cards, err := s.provider.Cards(ctx, at.org.Billing.CustomerID)
	if err == nil && billing.HasDuplicates(cards) {
		err = s.cleanUpInOperation(ctx, at, nil, billing.DecideCardCleanup)
	}
	s.logFailure(ctx, at.org.ID, err)
}

// cleanUpIfRecorded cleans up after earlier payment requests; call it before cards are shown. It does nothing
// while a payment is in progress.
func (s savedCards) cleanUpIfRecorded(ctx context.Context, org account.Organisation) {
	if org.Billing.PaymentInProgress() {
		return
	}
	if records, err := s.store.NewCards(ctx, org.ID); err == nil && len(records) > 0 {
		s.tryCleanUp(ctx, org.ID)
	}
}

// tryCleanUp is like cleanUp, but only logs a failure; the next request or TidyCards tries again.
func (s savedCards) tryCleanUp(ctx context.Context, organisationID string) {
	s.logFailure(ctx, organisationID, s.cleanUp(ctx, organisationID))
}

func (s savedCards) logFailure(ctx context.Context, organisationID string, err error) {
	if err != nil {
		s.log.InfoContext(ctx, "saved cards not cleaned up yet", "org", organisationID, "error", err)
	}
}

// cleanUp cleans up in a separate operation, if there is anything to clean up. Other requests wait for it, because
// the customer has not requested it.
func (s savedCards) cleanUp(ctx context.Context, organisationID string) error {
	_, err := run(ctx, s.ops, request[struct{}]{
		organisationID: organisationID, kind: billing.SubscriptionOperation, fingerprint: cardCleanup,
		decide: func(ctx context.Context, _ bool) (decision[struct{}], error) {
			org, cleanup, err := s.decideCleanUp(ctx, organisationID, nil, billing.DecideCardCleanup)
			if err != nil {
				return decision[struct{}]{}, err
			}
			return decision[struct{}]{actions: cleanup.Actions(org.Billing.CustomerID), org: &org}, s.deleteRecords(ctx, org.ID, cleanup.DeleteRecords)
		},
		do: func(ctx context.Context, at attempt) (struct{}, error) {
			return struct{}{}, s.sendCleanUp(ctx, at.org.ID, at.actions)
		},
	})
	return err
}

// cleanupDecider is billing.DecideCardCleanup or billing.DecideNewCardCleanup.
type cleanupDecider func(*billing.Account, billing.Customer, []billing.PaymentMethod, []billing.NewCard) billing.CardCleanup

// cleanUpInOperation cleans up inside of a payment operation, during which no other operation can change the
// subscriptions or cards. See decideCleanUp for report.
func (s savedCards) cleanUpInOperation(ctx context.Context, at attempt, report *account.Organisation, decide cleanupDecider) error {
	org, cleanup, err := s.decideCleanUp(ctx, at.org.ID, report, decide)
	if err != nil {
		return err
	}
	if err := s.sendCleanUp(ctx, org.ID, billing.WithKeys(at.key+"-tidy", cleanup.Actions(org.Billing.CustomerID))); err != nil {
		return err
	}
	return s.deleteRecords(ctx, org.ID, cleanup.DeleteRecords)
}

// decideCleanUp applies decide to the provider's current report. It reads the report if it is nil or has no
// subscriptions.
func (s savedCards) decideCleanUp(
	ctx context.Context, organisationID string, report *account.Organisation, decide cleanupDecider,
) (account.Organisation, billing.CardCleanup, error) {
	fail := func(err error) (account.Organisation, billing.CardCleanup, error) {
		return account.Organisation{}, billing.CardCleanup{}, err
	}
	records, err := s.store.NewCards(ctx, organisationID) // before the report, which shows the payments of all these cards
	if err != nil {
		return fail(err)
	}
	if report == nil || len(report.Billing.Subscriptions) == 0 {
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
	return *report, decide(&report.Billing, customer, cards, records), nil
}

// sendCleanUp sends the actions of a cleanup and deletes the records of the detached cards.
func (s savedCards) sendCleanUp(ctx context.Context, organisationID string, actions []billing.Action) error {
	var detached []string
	for _, action := range actions {
		var err error
		switch action.Kind {
		case billing.SetDefaultCardAction:
			_, err = s.provider.SetDefaultCard(ctx, savedCard(action))
		case billing.DeleteCardAction:
			detached = append(detached, action.MethodID)
			if err = s.provider.DeleteCard(ctx, savedCard(action)); fault.Is(err, fault.NotFound) {
				err = nil
			}
		default:
			err = fault.Newf(fault.Internal, "A cleanup has no action %q.", action.Kind)
		}
		if err != nil {
			return err
		}
	}
	return s.deleteRecords(ctx, organisationID, detached)
}

func (s savedCards) deleteRecords(ctx context.Context, organisationID string, cardIDs []string) error {
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
		if err := u.cards.cleanUp(ctx, id); err != nil {
			failures = append(failures, err)
			continue
		}
		done++
	}
	return done, errors.Join(failures...)
}
