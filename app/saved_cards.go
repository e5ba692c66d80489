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
	"github.com/vc-admin/diy/ports/storage"
)

const (
	// newCardCheckAge is the age at which CleanUpCards checks a new card that no request has checked before.
	newCardCheckAge = 15 * time.Minute
	// newCardCheckInterval is the time between a check of a new card and the next one.
	newCardCheckInterval = storage.MaxCardCheckInterval
	// cleanupBatchSize limits the organisations of one round of CleanUpCards.
	cleanupBatchSize = 50
	// cleanupTimeout limits an operation that only cleans up.
	cleanupTimeout = 15 * time.Second
)

// cleanupFingerprint is the fingerprint of all operations that clean up saved cards. Servers of an earlier version
// wait for operations that have it.
var cleanupFingerprint = newFingerprint("tidy cards")

// cardCleaner detaches cards that the customer did not choose to keep. These are the cards of failed payments and older
// copies of the same card. billing.DecideCardCleanup contains the rules.
//
// A payment request stores a billing.UnconfirmedCard before it saves the card, and deletes it when the payment has
// succeeded. If the record remains, for example after a crash, the next request that shows cards, chooses a card or pays
// decides whether to detach the card. If no such request follows, CleanUpCards decides.
//
// The actions of a cleanup are stored in an operation. A request that pays or changes the default card stores them before
// its other actions. Other requests, and CleanUpCards, store them in a separate operation.
type cardCleaner struct {
	store    storage.UnconfirmedCards
	provider interface {
		customerReader
		cardReader
	}
	ops   operations
	sync  *billingSync
	clock clock.Clock
	log   *slog.Logger
}

// paymentCard describes the card of a payment request.
type paymentCard struct {
	id            string
	isNew         bool // the card was not saved before the request
	hasOtherCards bool // the customer has other saved cards
}

// preparePurchase stores the record of a purchase's new card, and returns the actions that clean up after earlier payment
// requests, see decideFailedPaymentCleanup. The cardID "" means the default card. org must be the provider's current
// report, or have no subscription yet.
func (c cardCleaner) preparePurchase(
	ctx context.Context, org account.Organisation, cardID string,
) (paymentCard, []billing.Action, error) {
	if err := billing.CheckMethodID(cardID); err != nil {
		return paymentCard{}, nil, err
	}
	cleanup, hasRecord := c.decideFailedPaymentCleanup(ctx, org.ID, cardID, &org)
	card, err := c.recordNewCard(ctx, org, cleanup, paymentCard{id: cardID, isNew: hasRecord})
	return card, cleanup.Actions(org.Billing.CustomerID), err
}

// recordNewCard stores the record of the card if it is new and has none yet. It returns the card with isNew and
// hasOtherCards.
func (c cardCleaner) recordNewCard(
	ctx context.Context, org account.Organisation, cleanup billing.CardCleanup, card paymentCard,
) (paymentCard, error) {
	if card.id == "" {
		return card, nil
	}
	cards, err := c.provider.Cards(ctx, org.Billing.CustomerID)
	if err != nil {
		return card, err
	}
	cards = slices.DeleteFunc(slices.Clone(cards),
		func(m billing.PaymentMethod) bool { return slices.Contains(cleanup.Detach, m.ID) })
	isSaved := containsCard(cards, card.id)
	card.hasOtherCards = len(cards) > 1 || len(cards) == 1 && !isSaved
	if card.isNew || isSaved {
		return card, nil
	}
	formerDefault := cleanup.Default
	if formerDefault == "" {
		if formerDefault, err = c.defaultCardID(ctx, org.Billing.CustomerID, cards); err != nil {
			return card, err
		}
	}
	card.isNew = true
	now := c.clock.Now()
	return card, c.store.SaveUnconfirmedCard(ctx, billing.UnconfirmedCard{
		ID: card.id, OrganisationID: org.ID, FormerDefault: formerDefault, RecordedAt: now, CheckAt: now.Add(newCardCheckAge),
	})
}

// defaultCardID returns the id of the customer's default card, or "" when the default card is not among the cards.
func (c cardCleaner) defaultCardID(ctx context.Context, customerID string, cards []billing.PaymentMethod) (string, error) {
	if len(cards) == 0 {
		return "", nil
	}
	customer, err := c.provider.Customer(ctx, customerID)
	if err != nil || customer.Default == nil || !containsCard(cards, customer.Default.ID) {
		return "", err
	}
	return customer.Default.ID, nil
}

// deleteRecordAfterPayment deletes the record of a new card that was charged, and then detaches older copies of the card.
// Call it when the outcome is stored. After a decline the record remains, because the request may be repeated, and the
// browser may still confirm the payment with the card.
func (c cardCleaner) deleteRecordAfterPayment(
	ctx context.Context, organisationID string, card paymentCard, sub billing.Subscription,
) {
	if !card.isNew || !sub.Status.Live() || sub.PendingSetup != nil {
		return
	}
	c.deleteRecord(ctx, organisationID, card.id)
	if card.hasOtherCards {
		c.cleanUpDuplicates(ctx, sub.CustomerID, organisationID)
	}
}

// deleteRecord deletes the record of a card that was charged or that the customer has chosen. It only logs a failure.
func (c cardCleaner) deleteRecord(ctx context.Context, organisationID, cardID string) {
	if err := c.store.DeleteUnconfirmedCard(context.WithoutCancel(ctx), organisationID, cardID); err != nil {
		c.log.WarnContext(ctx, "record of a new card not deleted", "org", organisationID, "error", err)
	}
}

// decideFailedPaymentCleanup returns the cleanup that detaches the cards of earlier payment requests that failed.
// Requests that pay or change the default card begin with this cleanup: afterwards the browser can't complete the earlier
// payments, and the provider's report doesn't show whether they have failed. If the request's own card has a record, the
// request is a repeat, so hasRecord is true and there is no cleanup. refreshedOrg is the same as in decideCleanup. A
// failure is only logged.
func (c cardCleaner) decideFailedPaymentCleanup(
	ctx context.Context, organisationID, cardID string, refreshedOrg *account.Organisation,
) (cleanup billing.CardCleanup, hasRecord bool) {
	records, err := c.store.UnconfirmedCards(ctx, organisationID)
	hasRecord = slices.ContainsFunc(records, func(r billing.UnconfirmedCard) bool { return r.ID == cardID })
	if err == nil && len(records) > 0 && !hasRecord {
		cleanup, _, err = c.decideCleanup(ctx, organisationID, refreshedOrg, billing.DecideUnconfirmedCardCleanup)
	}
	c.logFailure(ctx, organisationID, err)
	return cleanup, hasRecord
}

// cleanUpDuplicates detaches older copies of the customer's cards after a request that has saved a card.
func (c cardCleaner) cleanUpDuplicates(ctx context.Context, customerID, organisationID string) {
	ctx, cancel := context.WithTimeout(context.WithoutCancel(ctx), cleanupTimeout)
	defer cancel()
	cards, err := c.provider.Cards(ctx, customerID)
	if err == nil && billing.HasDuplicateCards(cards) {
		err = c.cleanUp(ctx, organisationID)
	}
	c.logFailure(ctx, organisationID, err)
}

// detach detaches a card that was declined. It only logs a failure, because the customer can delete the card.
func (c cardCleaner) detach(ctx context.Context, customerID, organisationID, cardID string) {
	cleanup := billing.CardCleanup{Detach: []string{cardID}}
	err := c.runCleanup(ctx, organisationID, newFingerprint("detach", cardID),
		func(context.Context, bool) (decision[struct{}], error) {
			return decision[struct{}]{actions: cleanup.Actions(customerID)}, nil
		})
	c.logFailure(ctx, organisationID, err)
}

// cleanUpAfterPayments detaches the cards of earlier payment requests that failed. Call it before cards are shown. It does
// nothing while a payment is in progress.
func (c cardCleaner) cleanUpAfterPayments(ctx context.Context, org account.Organisation) {
	if org.Billing.PaymentInProgress() {
		return
	}
	if records, err := c.store.UnconfirmedCards(ctx, org.ID); err == nil && len(records) > 0 {
		c.tryCleanUp(ctx, org.ID)
	}
}

// tryCleanUp cleans up, but only logs a failure; the next request or CleanUpCards tries again.
func (c cardCleaner) tryCleanUp(ctx context.Context, organisationID string) {
	c.logFailure(ctx, organisationID, c.cleanUp(ctx, organisationID))
}

// logFailure logs the error of a cleanup, unless it is nil.
func (c cardCleaner) logFailure(ctx context.Context, organisationID string, err error) {
	if err != nil {
		c.log.InfoContext(ctx, "saved cards not cleaned up yet", "org", organisationID, "error", err)
	}
}

// cleanupDecider is the type of billing.DecideCardCleanup and billing.DecideUnconfirmedCardCleanup.
type cleanupDecider func(
	*billing.Account, billing.Customer, []billing.PaymentMethod, []billing.UnconfirmedCard,
) billing.CardCleanup

// cleanUp detaches the cards that billing.DecideCardCleanup selects.
func (c cardCleaner) cleanUp(ctx context.Context, organisationID string) error {
	return c.runCleanup(ctx, organisationID, cleanupFingerprint, func(ctx context.Context, _ bool) (decision[struct{}], error) {
		cleanup, org, err := c.decideCleanup(ctx, organisationID, nil, billing.DecideCardCleanup)
		if err != nil {
			return decision[struct{}]{}, err
		}
		return decision[struct{}]{actions: cleanup.Actions(org.Billing.CustomerID), org: org}, nil
	})
}

// runCleanup runs a cleanup in a separate operation. Other requests wait for it, because the customer has not requested
// it.
func (c cardCleaner) runCleanup(
	ctx context.Context, organisationID, fingerprint string, decide func(context.Context, bool) (decision[struct{}], error),
) error {
	_, err := run(ctx, c.ops, request[struct{}]{
		organisationID: organisationID, kind: billing.SubscriptionOperation, fingerprint: fingerprint, timeout: cleanupTimeout,
		decide: decide, result: emptyResult,
	})
	return err
}

// decideCleanup returns the result of decide for the refreshed organisation, and this organisation. It deletes the
// records of cards that stay saved or don't exist any more. If refreshedOrg is nil or has no subscriptions, decideCleanup
// refreshes the organisation.
func (c cardCleaner) decideCleanup(
	ctx context.Context, organisationID string, refreshedOrg *account.Organisation, decide cleanupDecider,
) (cleanup billing.CardCleanup, org *account.Organisation, err error) {
	// Read the records before the refresh, so that the refreshed organisation has the payments of all these cards.
	records, err := c.store.UnconfirmedCards(ctx, organisationID)
	if err != nil {
		return cleanup, nil, err
	}
	if refreshedOrg == nil || len(refreshedOrg.Billing.Subscriptions) == 0 {
		org, err := c.sync.refresh(ctx, organisationID)
		if err != nil {
			return cleanup, nil, err
		}
		refreshedOrg = &org
	}
	if refreshedOrg.Billing.CustomerID == "" {
		return cleanup, refreshedOrg, nil
	}
	customer, err := c.provider.Customer(ctx, refreshedOrg.Billing.CustomerID)
	if err != nil {
		return cleanup, nil, err
	}
	cards, err := c.provider.Cards(ctx, refreshedOrg.Billing.CustomerID)
	if err != nil {
		return cleanup, nil, err
	}
	cleanup = decide(&refreshedOrg.Billing, customer, cards, records)
	for _, id := range cleanup.DeleteRecords {
		if err := c.store.DeleteUnconfirmedCard(ctx, organisationID, id); err != nil {
			return cleanup, nil, err
		}
	}
	return cleanup, refreshedOrg, nil
}

// CleanUpCards cleans up saved cards after payments that ended without a request to the server, such as an
// authentication that failed in the browser. Several servers may run it at the same time.
type CleanUpCards struct {
	store       storage.UnconfirmedCards
	cardCleaner cardCleaner
	clock       clock.Clock
}

// Do cleans up the cards of the organisations that are due and returns the number of these organisations. An organisation
// whose cleanup fails is due again in an hour, or in a minute if the provider did not respond. Do returns the errors of all failed cleanups, joined.
func (u *CleanUpCards) Do(ctx context.Context) (int, error) {
	count := 0
	var failures []error
	for range cleanupBatchSize {
		now := u.clock.Now()
		check, err := u.store.ClaimUnconfirmedCardCheck(ctx, now, checkLease)
		if fault.Is(err, fault.NotFound) {
			break
		}
		if err != nil {
			return count, errors.Join(append(failures, err)...)
		}
		interval := newCardCheckInterval
		if err = u.cardCleaner.cleanUp(ctx, check.OrganisationID); err != nil {
			interval = retryInterval(err)
		}
		releaseErr := u.store.ReleaseUnconfirmedCardCheck(context.WithoutCancel(ctx), check, u.clock.Now().Add(interval))
		if err = errors.Join(err, releaseErr); err != nil {
			failures = append(failures, err)
			continue
		}
		count++
	}
	return count, errors.Join(failures...)
}
