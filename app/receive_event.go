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

// ReceiveEvent takes what the payment provider tells of its own accord. An event is a reason to
// ask for the truth, never the truth: late, doubled and disordered ones do no harm.
type ReceiveEvent struct {
	store interface {
		storage.Organisations
		storage.Events
	}
	provider payment.Events
	clock    clock.Clock
	sync     *syncBilling
	log      *slog.Logger
}

// Do returns nil once the event's effect is durable, or when there is nothing to do: the event is
// known, of no interest, or about somebody else's customer. Any fault asks the provider to deliver
// it again; Forbidden and Invalid say that the delivery itself is bad.
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
	if event.Kind == payment.Other || event.CustomerID == "" {
		u.log.InfoContext(ctx, "event of no interest", "event", event.ID, "type", event.Type)
		return nil
	}
	org, err := u.store.OrganisationByCustomer(ctx, event.CustomerID)
	if fault.Is(err, fault.NotFound) {
		u.log.InfoContext(ctx, "event of an unknown customer", "event", event.ID, "type", event.Type)
		return nil
	}
	if err != nil {
		return err
	}
	if event.Kind == payment.CustomerDeleted {
		return loseCustomer(ctx, u.store, org)
	}
	return u.copy(ctx, org, event)
}

// copy asks for the truth. When there is no such customer any more the truth is on its way: the
// event that says so comes after this one, and may be waiting for it.
func (u *ReceiveEvent) copy(ctx context.Context, org account.Organisation, event payment.Event) error {
	_, err := u.sync.do(ctx, org.ID)
	if fault.Is(err, fault.NotFound) {
		u.log.InfoContext(ctx, "event of a customer that is gone", "event", event.ID, "type", event.Type, "org", org.ID)
		return nil
	}
	return err
}

// loseCustomer lets go of a customer that was deleted at the provider, which ends its
// subscriptions.
func loseCustomer(ctx context.Context, store storage.Organisations, org account.Organisation) error {
	deleted := org.Billing.CustomerID
	_, err := store.UpdateOrganisation(ctx, org.ID, func(o *account.Organisation) error {
		if o.Billing.CustomerID == deleted {
			o.Billing.RemoveCustomer()
		}
		return nil
	})
	return err
}
