package app

import (
	"context"
	"log/slog"

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

// Do returns those of the addresses that receive emails about billing or are to be confirmed.
func (u *ListUnreachableEmails) Do(ctx context.Context, org account.Organisation) ([]string, error) {
	return u.store.Unreachable(ctx, confirmable(org)...)
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
