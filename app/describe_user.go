package app

import (
	"context"
	"log/slog"
	"time"

	"github.com/vc-admin/diy/domain/account"
	"github.com/vc-admin/diy/ports/clock"
	"github.com/vc-admin/diy/ports/identity"
	"github.com/vc-admin/diy/ports/storage"
)

// refreshPatience is how long somebody who only looks waits for the provider.
const refreshPatience = 3 * time.Second

// DescribeUser tells who is signed in and what the organisation may use.
type DescribeUser struct {
	store interface {
		storage.Users
		storage.Organisations
	}
	clock clock.Clock
	sync  *syncBilling
	log   *slog.Logger
}

// Do returns the user and the organisation. When our copy of the subscription can't be right any
// more the provider is asked first, so that a trial ends on time without anybody telling us; when
// the provider can't be asked, the copy has to do.
func (u *DescribeUser) Do(ctx context.Context, who identity.Identity) (account.User, account.Organisation, error) {
	user, err := u.store.User(ctx, who.UserID)
	if err != nil {
		return account.User{}, account.Organisation{}, err
	}
	org, err := u.store.Organisation(ctx, who.OrganisationID)
	if err == nil && org.Billing.Stale(u.clock.Now()) {
		org = u.refreshed(ctx, org)
	}
	return user, org, err
}

func (u *DescribeUser) refreshed(ctx context.Context, org account.Organisation) account.Organisation {
	ctx, cancel := context.WithTimeout(ctx, refreshPatience)
	defer cancel()
	fresh, err := u.sync.do(ctx, org.ID)
	if err != nil {
		u.log.WarnContext(ctx, "showing the last known subscription", "org", org.ID, "error", err)
		return org
	}
	return fresh
}
