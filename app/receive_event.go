package app

import (
	"context"
	"log/slog"

	"github.com/vc-admin/diy/domain/account"
	"github.com/vc-admin/diy/domain/fault"
	"github.com/vc-admin/diy/ports/clock"
	"github.com/vc-admin/diy/ports/payment"
	"github.com/vc-admin/diy/ports/storage"
)

// ReceiveEvent processes a webhook event of the payment provider. An event only causes a refresh of our
// copy, so events may arrive late, more than once and in any order.
type ReceiveEvent struct {
	store interface {
		storage.Organisations
		storage.Events
	}
	provider payment.Events
	clock    clock.Clock
	sync     *billingSync
	log      *slog.Logger
}

// Do returns nil when the event's effect is stored, and for events that have none: duplicates, other
// types, and customers of no organisation. Forbidden for a wrong signature and Invalid for a malformed
// payload. After any other error the provider should deliver the event again.
func (u *ReceiveEvent) Do(ctx context.Context, payload []byte, signature string) error {
	event, err := u.provider.ParseEvent(payload, signature)
	if err != nil {
		return err
	}
	handled, err := u.store.EventHandled(ctx, event.ID)
	if handled || err != nil {
		return err
	}
	if err := u.apply(ctx, event); err != nil {
		return err
	}
	return u.store.RecordEvent(ctx, event.ID, event.Type, u.clock.Now())
}

func (u *ReceiveEvent) apply(ctx context.Context, event payment.Event) error {
	log := u.log.With("event", event.ID, "type", event.Type)
	if event.Kind == payment.Other || event.CustomerID == "" {
		log.InfoContext(ctx, "event ignored")
		return nil
	}
	org, err := u.store.OrganisationByCustomer(ctx, event.CustomerID)
	if fault.Is(err, fault.NotFound) {
		log.InfoContext(ctx, "event of an unknown customer")
		return nil
	}
	if err != nil {
		return err
	}
	if event.Kind == payment.CustomerDeleted {
		return removeCustomer(ctx, u.store, org)
	}
	return u.refresh(ctx, log, org)
}

// refresh updates our copy. It ignores a customer that doesn't exist any more: the event about the
// deletion follows, and the provider may deliver it only after this one is accepted.
func (u *ReceiveEvent) refresh(ctx context.Context, log *slog.Logger, org account.Organisation) error {
	_, err := u.sync.refresh(ctx, org.ID)
	if fault.Is(err, fault.NotFound) {
		log.InfoContext(ctx, "event of a deleted customer", "org", org.ID)
		return nil
	}
	return err
}
