package operators

import (
	"context"

	"github.com/vc-admin/diy/app/security"
	"github.com/vc-admin/diy/domain/account"
	"github.com/vc-admin/diy/domain/audit"
	"github.com/vc-admin/diy/domain/fault"
	"github.com/vc-admin/diy/ports/storage"
)

// EndSessions signs a member of an organisation out everywhere.
type EndSessions struct {
	store interface {
		storage.Teams
		storage.AuditLog
	}
	end *security.EndUserSessions
}

// Members returns the members whose sessions can be ended.
func (u *EndSessions) Members(ctx context.Context, organisationID string) (account.Team, error) {
	if err := Require(ctx, MayEndSessions); err != nil {
		return account.Team{}, err
	}
	return u.store.Team(ctx, organisationID)
}

// Do ends all sessions, links and sign-ins in progress of the member; see security.EndUserSessions. A repeat with the
// same key changes nothing. Do returns Invalid without a reason and a ticket, and NotFound for a user who is no member.
func (u *EndSessions) Do(ctx context.Context, req ActionRequest, userID string) error {
	if err := Require(ctx, MayEndSessions); err != nil {
		return err
	}
	return actOnce(ctx, u.store, req, func(req ActionRequest) error {
		team, err := u.store.Team(ctx, req.OrganisationID)
		if err != nil {
			return err
		}
		member, isMember := team.Member(userID)
		if !isMember {
			return fault.New(fault.NotFound, "There is no such member.")
		}
		return u.end.Do(audit.WithCause(ctx, req.Key), security.OperatorRequest{
			Email: member.Email, Operator: FromContext(ctx).Name, Reason: req.Note,
			Data: req.entry(ctx, audit.OperatorEndedSessions).Data,
		})
	})
}
