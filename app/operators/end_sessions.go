package operators

import (
	"context"
	"strings"
	"unicode/utf8"

	"github.com/vc-admin/diy/app/security"
	"github.com/vc-admin/diy/domain/account"
	"github.com/vc-admin/diy/domain/audit"
	"github.com/vc-admin/diy/domain/fault"
	"github.com/vc-admin/diy/ports/storage"
)

// The largest lengths of the texts of a request, in characters.
const (
	maxTicketLength = 64
	maxNoteLength   = 200
)

// EndSessions signs a member of an organisation out everywhere.
type EndSessions struct {
	store interface {
		storage.Teams
		storage.AuditLog
	}
	end *security.EndUserSessions
}

// EndSessionsRequest contains the parameters of EndSessions.
type EndSessionsRequest struct {
	OrganisationID, UserID string
	Key                    string // of the form; requests with the same key act once
	Reason                 audit.Reason
	Ticket                 string
	Note                   string // optional
}

func (req EndSessionsRequest) check() error {
	var fields fault.Fields
	fields.Check(req.Reason.Label() != "", "reason", "Choose a reason.")
	fields.Check(req.Ticket != "", "ticket", "Enter the number of the ticket.")
	fields.Check(utf8.RuneCountInString(req.Ticket) <= maxTicketLength && audit.Code(req.Ticket) == req.Ticket, "ticket",
		"Enter only the number of the ticket, without names and addresses.")
	fields.Check(utf8.RuneCountInString(req.Note) <= maxNoteLength, "note", "The note is too long.")
	return fields.Err()
}

// Members returns the members whose sessions can be ended.
func (u *EndSessions) Members(ctx context.Context, organisationID string) (account.Team, error) {
	if err := Require(ctx, MayEndSessions); err != nil {
		return account.Team{}, err
	}
	return u.store.Team(ctx, organisationID)
}

// Do ends all sessions, links and sign-ins in progress of the member; see security.EndUserSessions. A repeat with the same key
// changes nothing. Do returns Invalid without a reason and a ticket, and NotFound for a user who is no member.
func (u *EndSessions) Do(ctx context.Context, req EndSessionsRequest) error {
	if err := Require(ctx, MayEndSessions); err != nil {
		return err
	}
	req.Ticket, req.Note = strings.TrimSpace(req.Ticket), strings.TrimSpace(req.Note)
	if err := req.check(); err != nil {
		return err
	}
	if result, err := findResult(ctx, u.store, req.OrganisationID, req.Key); err != nil || result.IsRepeat {
		return err
	}
	team, err := u.store.Team(ctx, req.OrganisationID)
	if err != nil {
		return err
	}
	member, isMember := team.Member(req.UserID)
	if !isMember {
		return fault.New(fault.NotFound, "There is no such member.")
	}
	return u.end.Do(audit.WithCause(ctx, req.Key), security.OperatorRequest{
		Email: member.Email, Operator: FromContext(ctx).Name, Reason: req.Note,
		Data: audit.Data{"reason": string(req.Reason), "ticket": req.Ticket},
	})
}

// FindAction finds the entry of an action.
type FindAction struct{ store storage.AuditLog }

// Do reports whether an action with the key was made for the organisation. It returns Conflict if the action was refused.
func (u *FindAction) Do(ctx context.Context, organisationID, key string) (bool, error) {
	if err := Require(ctx, MayViewOrganisation); err != nil {
		return false, err
	}
	result, err := findResult(ctx, u.store, organisationID, key)
	return result.IsRepeat, err
}
