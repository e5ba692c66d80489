package accounts

import (
	"context"
	"log/slog"

	"github.com/vc-admin/diy/domain/account"
	"github.com/vc-admin/diy/domain/fault"
	"github.com/vc-admin/diy/ports/storage"
)

// RejectRegistration deletes a registration that the owner of its email address did not make.
type RejectRegistration struct {
	registrations registrations
	store         storage.Signups
	log           *slog.Logger
}

// Do deletes the organisation, the user, the user's tokens and the emails in the outbox. NotFound when
// the token is unknown or too old, Conflict when the registration is verified.
func (u *RejectRegistration) Do(ctx context.Context, token string) error {
	user, err := u.registrations.find(ctx, token)
	if err != nil {
		return err
	}
	org, err := u.store.DeleteRegistration(ctx, user.ID)
	if err != nil {
		return fault.ReplaceNotFound(err, account.ErrUnknownLink())
	}
	u.log.InfoContext(ctx, "registration rejected", "org", org.ID, "customer", org.Billing.CustomerID)
	return nil
}
