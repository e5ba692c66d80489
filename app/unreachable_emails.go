package app

import (
	"context"
	"log/slog"
	"slices"

	"github.com/vc-admin/diy/domain/account"
	"github.com/vc-admin/diy/ports/storage"
)

// reachability removes the marks of addresses that can be reached again.
type reachability struct {
	store storage.UnreachableEmails
	log   *slog.Logger
}

// confirmed is called when the owner of the address has opened a link that was sent to it. A failure is only logged:
// the owner can confirm the address again.
func (r reachability) confirmed(ctx context.Context, email string) {
	if err := r.store.MarkReachable(ctx, account.EmailKey(email)); err != nil {
		r.log.WarnContext(ctx, "confirmed email is still marked as unreachable", "error", err)
	}
}

// ListUnreachableEmails returns the addresses to which an organisation's emails are not sent, because their mail
// servers have refused them permanently.
type ListUnreachableEmails struct{ store storage.UnreachableEmails }

// Do returns those of the addresses that receive emails about billing or are to be confirmed. Every screen needs them,
// and most organisations have only the user's own address, so that one is not read again.
func (u *ListUnreachableEmails) Do(ctx context.Context, user account.User, org account.Organisation) ([]string, error) {
	addresses, own := confirmable(org), account.EmailKey(user.Email)
	others := slices.DeleteFunc(slices.Clone(addresses), func(address string) bool { return address == own })
	unreachable, err := u.store.Unreachable(ctx, others...)
	return slices.DeleteFunc(addresses, func(address string) bool {
		return address == own && !user.EmailUnreachable || address != own && !slices.Contains(unreachable, address)
	}), err
}

// confirmable returns the addresses that a link can confirm.
func confirmable(org account.Organisation) []string {
	var addresses []string
	for _, address := range org.BillingRecipients() {
		addresses = append(addresses, account.EmailKey(address))
	}
	if unconfirmed := org.BillingDetails().UnconfirmedEmail; unconfirmed != "" {
		addresses = append(addresses, unconfirmed)
	}
	return addresses
}
