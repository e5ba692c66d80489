package notices

import (
	"context"
	"log/slog"
	"slices"

	"github.com/vc-admin/diy/domain/account"
	"github.com/vc-admin/diy/ports/storage"
)

// AddressConfirmed is called when the owner of an address has opened a link that was sent to it. The address is not
// marked as unreachable any more. A failure is only logged: the owner can confirm the address again.
func AddressConfirmed(ctx context.Context, store storage.UnreachableEmails, log *slog.Logger, email string) {
	if err := store.MarkReachable(ctx, account.EmailKey(email)); err != nil {
		log.WarnContext(ctx, "confirmed email is still marked as unreachable", "error", err)
	}
}

// ListUnreachableEmails returns the addresses to which an organisation's emails are not sent, because their mail
// servers have refused them permanently.
type ListUnreachableEmails struct{ store storage.UnreachableEmails }

// Do returns the unreachable ones among the addresses that receive emails about billing or are to be confirmed.
// Every screen needs them, and most organisations have only the user's address, so the state of that one is read
// together with the user.
func (u *ListUnreachableEmails) Do(ctx context.Context, user account.User, org account.Organisation) ([]string, error) {
	addresses, userEmail := org.ConfirmableEmails(), account.EmailKey(user.Email)
	others := slices.DeleteFunc(slices.Clone(addresses), func(address string) bool { return address == userEmail })
	unreachable, err := u.store.Unreachable(ctx, others...)
	return slices.DeleteFunc(addresses, func(address string) bool {
		return address == userEmail && !user.EmailUnreachable || address != userEmail && !slices.Contains(unreachable, address)
	}), err
}
