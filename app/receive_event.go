package app

import (
	"cmp"
	"context"
	"errors"
	"log/slog"
	"sync"
	"time"

	"github.com/vc-admin/diy/app/internal/billingsync"
	"github.com/vc-admin/diy/domain/account"
	"github.com/vc-admin/diy/domain/audit"
	"github.com/vc-admin/diy/domain/fault"
	"github.com/vc-admin/diy/ports/clock"
	"github.com/vc-admin/diy/ports/payment"
	"github.com/vc-admin/diy/ports/storage"
)

// Each server limits unsigned events, because they cause calls to the provider, and anyone can send them.
const (
	unsignedEventsPerSecond = 5
	unsignedEventBurst      = 25
)

// ReceiveEvent processes the webhook events of the payment provider. An event causes a refresh of our copy, or removes a
// customer that was deleted, so events may arrive late, more than once and in any order.
type ReceiveEvent struct {
	store interface {
		storage.Organisations
		storage.Events
	}
	provider        payment.Events
	clock           clock.Clock
	sync            *billingsync.Sync
	importer        detailsImporter
	log             *slog.Logger
	unsignedLimiter unsignedEventLimiter
}

// Do returns nil when the effects of the delivery's events are stored. Duplicates, events of types that don't concern
// billing and events of unknown customers have no effects. Do returns Forbidden for a wrong signature, Invalid for a
// malformed body, and RateLimited for too many unsigned events. After any other error the provider should deliver the
// events again.
func (u *ReceiveEvent) Do(ctx context.Context, delivery payment.Delivery) error {
	events, err := u.provider.ParseEvents(ctx, delivery)
	if err != nil {
		return err
	}
	for _, event := range events {
		if err := u.receive(ctx, event); err != nil {
			return err
		}
	}
	return nil
}

// receive applies the event once. An unsigned event is applied every time it arrives, because it may be forged, and the
// genuine event with the same ID must still have an effect.
func (u *ReceiveEvent) receive(ctx context.Context, event payment.Event) error {
	if event.Unsigned {
		if wait := u.unsignedLimiter.takeToken(u.clock.Now()); wait > 0 {
			limitErr := fault.New(fault.RateLimited, "Too many events. Please deliver them again later.")
			limitErr.RetryAfter = wait
			return limitErr
		}
		return u.Apply(ctx, event)
	}
	isHandled, err := u.store.EventHandled(ctx, event.ID)
	if isHandled || err != nil {
		return err
	}
	return u.Apply(ctx, event)
}

// Apply applies an event, even if it was applied before, and records it with its outcome. It returns nil when the effects
// are stored. Use it for events that did not arrive by webhook, such as those of payment.Worker.
func (u *ReceiveEvent) Apply(ctx context.Context, event payment.Event) error {
	ctx = audit.WithCause(audit.WithActor(ctx, audit.Provider), audit.Code(event.ID))
	received := storage.ReceivedEvent{ID: event.ID, Type: event.Type, Outcome: storage.EventIgnored, ReceivedAt: u.clock.Now()}
	log := u.log.With("event", event.ID, "type", event.Type)
	org, err := u.organisation(ctx, log, event)
	if err == nil && org.ID != "" {
		received.OrganisationID, received.Outcome = org.ID, storage.EventApplied
		err = u.applyTo(ctx, log, org, event)
	}
	switch {
	case event.Unsigned && org.ID == "":
		return err // anyone could fill the table
	case err != nil:
		received.Outcome = storage.EventFailed
	case event.Unsigned:
		received.Outcome = storage.EventUnsigned
	}
	return cmp.Or(err, u.store.RecordEvent(ctx, received))
}

// organisation returns the organisation of the event, or the zero Organisation if the event belongs to none.
func (u *ReceiveEvent) organisation(ctx context.Context, log *slog.Logger, event payment.Event) (account.Organisation, error) {
	if event.Kind == payment.OtherEvent || event.CustomerID == "" {
		log.InfoContext(ctx, "event ignored")
		return account.Organisation{}, nil
	}
	org, err := u.store.OrganisationByCustomer(ctx, event.CustomerID)
	if fault.Is(err, fault.NotFound) {
		log.InfoContext(ctx, "event of an unknown customer")
		return account.Organisation{}, nil
	}
	return org, err
}

// applyTo applies an event of the organisation.
func (u *ReceiveEvent) applyTo(ctx context.Context, log *slog.Logger, org account.Organisation, event payment.Event) error {
	if event.Kind == payment.CustomerDeleted && !event.Unsigned {
		return removeCustomer(ctx, u.store, org)
	}
	if err := u.refresh(ctx, log, org, event); err != nil {
		return err
	}
	if event.Kind == payment.CustomerChanged {
		u.importDetails(ctx, org.ID)
	}
	return nil
}

// refresh updates our copy. It accepts an event of a customer that doesn't exist any more, because the provider may not
// deliver the event about the deletion until this event is accepted. An unsigned event removes the customer only if the
// provider confirms the deletion.
func (u *ReceiveEvent) refresh(ctx context.Context, log *slog.Logger, org account.Organisation, event payment.Event) error {
	_, err := u.sync.Refresh(ctx, org.ID, event.InvoiceIDs...)
	if event.Unsigned && errors.Is(err, payment.ErrCustomerDeleted) {
		return removeCustomer(ctx, u.store, org)
	}
	if fault.Is(err, fault.NotFound) {
		log.InfoContext(ctx, "event of a deleted customer", "org", org.ID)
		return nil
	}
	return err
}

// importDetails stores billing details that were corrected at the provider. It reads the organisation again, because it
// needs the revision after the refresh.
func (u *ReceiveEvent) importDetails(ctx context.Context, organisationID string) {
	if org, err := u.store.Organisation(ctx, organisationID); err == nil {
		u.importer.importDetails(ctx, org)
	}
}

// unsignedEventLimiter limits unsigned events by a token bucket.
type unsignedEventLimiter struct {
	mu         sync.Mutex
	usedTokens float64
	updatedAt  time.Time
}

// takeToken uses a token and returns 0. If there is no token, it returns a delay after which there is one.
func (l *unsignedEventLimiter) takeToken(now time.Time) time.Duration {
	l.mu.Lock()
	defer l.mu.Unlock()
	l.usedTokens = max(0, l.usedTokens-unsignedEventsPerSecond*now.Sub(l.updatedAt).Seconds())
	l.updatedAt = now
	if l.usedTokens+1 > unsignedEventBurst {
		return time.Second
	}
	l.usedTokens++
	return 0
}
