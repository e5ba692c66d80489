package notices

import (
	"context"
	"log/slog"
	"slices"

	"github.com/vc-admin/diy/domain/account"
	"github.com/vc-admin/diy/ports/identity"
	"github.com/vc-admin/diy/ports/storage"
)

// MarkReachable removes the mark that the address is unreachable. Call it when a link that was sent to the address is
// opened. It only logs a failure, because the owner can confirm the address again.
func MarkReachable(ctx context.Context, store storage.UnreachableEmails, log *slog.Logger, email string) {
	if err := store.MarkReachable(ctx, account.EmailKey(email)); err != nil {
		log.WarnContext(ctx, "confirmed email is still marked as unreachable", "error", err)
	}
}

// ListUnreachableEmails returns the addresses to which an organisation's emails are not sent, because a mail server has
// reported that they don't exist.
type ListUnreachableEmails struct{ store storage.UnreachableEmails }

// Do returns the unreachable addresses among those that receive emails about billing or are to be confirmed. It reads the
// mark of the user's own address from user. Most organisations have no other address, so Do needs no query for them. A
// caller who must not manage billing gets only the own address.
func (u *ListUnreachableEmails) Do(
	ctx context.Context, caller identity.Identity, user account.User, org account.Organisation,
) ([]string, error) {
	addresses, userEmail := org.ConfirmableEmails(), account.EmailKey(user.Email)
	if !caller.Role.Allows(account.ManageBilling) {
		addresses = slices.DeleteFunc(addresses, func(address string) bool { return address != userEmail })
	}
	otherAddresses := slices.DeleteFunc(slices.Clone(addresses), func(address string) bool { return address == userEmail })
	otherUnreachableAddresses, err := u.store.Unreachable(ctx, org.ID, otherAddresses...)
	return slices.DeleteFunc(addresses, func(address string) bool {
		if address == userEmail {
			return !user.EmailUnreachable
		}
		return !slices.Contains(otherUnreachableAddresses, address)
	}), err
}
