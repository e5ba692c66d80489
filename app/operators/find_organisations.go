package operators

import (
	"context"
	"strings"

	"github.com/vc-admin/diy/domain/account"
	"github.com/vc-admin/diy/domain/fault"
	"github.com/vc-admin/diy/ports/storage"
)

// FindOrganisations finds the organisations of a caller or of a document.
type FindOrganisations struct {
	store interface {
		storage.Organisations
		storage.Users
		storage.Memberships
	}
}

// Do returns the organisations that have the id, the customer id at the payment provider, or a member with the email address.
func (u *FindOrganisations) Do(ctx context.Context, query string) ([]account.Organisation, error) {
	if err := Require(ctx, MaySearch); err != nil {
		return nil, err
	}
	query = strings.TrimSpace(query)
	if query == "" {
		return nil, nil
	}
	for _, read := range []func(context.Context, string) (account.Organisation, error){
		u.store.Organisation, u.store.OrganisationByCustomer,
	} {
		org, err := read(ctx, query)
		if err == nil {
			return []account.Organisation{org}, nil
		}
		if !fault.Is(err, fault.NotFound) {
			return nil, err
		}
	}
	return u.byEmail(ctx, query)
}

func (u *FindOrganisations) byEmail(ctx context.Context, email string) (orgs []account.Organisation, err error) {
	user, err := u.store.UserByEmail(ctx, email)
	if fault.Is(err, fault.NotFound) {
		return nil, nil
	}
	if err != nil {
		return nil, err
	}
	memberships, err := u.store.Memberships(ctx, user.ID)
	if err != nil {
		return nil, err
	}
	for _, m := range memberships {
		org, err := u.store.Organisation(ctx, m.OrganisationID)
		if err != nil {
			return nil, err
		}
		orgs = append(orgs, org)
	}
	return orgs, nil
}
