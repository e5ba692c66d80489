package operators

import (
	"context"
	"log/slog"
	"slices"
	"strings"
	"time"

	"github.com/vc-admin/diy/app/accounts"
	"github.com/vc-admin/diy/app/members"
	"github.com/vc-admin/diy/domain/account"
	"github.com/vc-admin/diy/domain/audit"
	"github.com/vc-admin/diy/domain/fault"
	"github.com/vc-admin/diy/ports/clock"
	"github.com/vc-admin/diy/ports/storage"
)

const (
	// ResendPeriod is the time for which emails about billing are kept, so that operators can send them again.
	ResendPeriod = 30 * 24 * time.Hour
	// maxResendableEmails is the number of emails about billing that a form offers.
	maxResendableEmails = 50
)

// The kinds of links that operators can send anew. The kind of an email about billing is that of its notice.
const (
	VerificationLink = string(storage.VerificationEmail)
	PasswordLink     = string(storage.PasswordResetEmail)
	InvitationLink   = "invitation"
)

// ResendEmail sends a link anew, or an email about billing again. The addresses are those that are stored.
type ResendEmail struct {
	store interface {
		storage.Organisations
		storage.Teams
		storage.Users
		storage.UnreachableEmails
		storage.FinishedEmails
		storage.AuditLog
	}
	renewLink       *accounts.RenewLink
	renewInvitation *members.RenewInvitation
	clock           clock.Clock
	log             *slog.Logger
}

// Resendable is an email that can be sent again, or a link that can be sent anew.
type Resendable struct {
	ID         string // of the choice
	Kind       string
	Recipient  string
	Name       string    // of the member; the subject of an email about billing; "" for an invitation
	FinishedAt time.Time // of an email about billing, when its delivery ended
	// Refusal is the reason why it is not sent, or nil.
	Refusal error

	objectID string // of the user, the invitation or the email
}

// List returns the links and emails that can be sent to the members, the invited people and the recipients of emails
// about billing. It returns Conflict with a refusal if nothing can be sent.
func (u *ResendEmail) List(ctx context.Context, organisationID string) ([]Resendable, error) {
	if err := Require(ctx, MayResendEmails); err != nil {
		return nil, err
	}
	return u.listPossible(ctx, organisationID)
}

// listPossible returns the list, or Conflict with a refusal if everything in it is refused.
func (u *ResendEmail) listPossible(ctx context.Context, organisationID string) ([]Resendable, error) {
	list, err := u.list(ctx, organisationID)
	if err != nil || slices.ContainsFunc(list, func(r Resendable) bool { return r.Refusal == nil }) {
		return list, err
	}
	for _, r := range list {
		return nil, r.Refusal
	}
	return nil, fault.New(fault.Conflict, "There is no email that can be sent again.")
}

func (u *ResendEmail) list(ctx context.Context, organisationID string) ([]Resendable, error) {
	org, err := u.store.Organisation(ctx, organisationID)
	if err != nil {
		return nil, err
	}
	links, err := u.links(ctx, organisationID)
	if err != nil {
		return nil, err
	}
	emails, err := u.emails(ctx, org)
	if err != nil {
		return nil, err
	}
	return u.refuseUnreachable(ctx, organisationID, append(links, emails...))
}

// links returns a link for each member and each invitation. Members without a verified address get a link that verifies it.
func (u *ResendEmail) links(ctx context.Context, organisationID string) (links []Resendable, err error) {
	team, err := u.store.Team(ctx, organisationID)
	if err != nil {
		return nil, err
	}
	for _, m := range team.Members {
		link := Resendable{ID: "link:" + m.UserID, Kind: PasswordLink, Recipient: m.Email, Name: m.FullName(), objectID: m.UserID}
		if !m.Verified {
			link.Kind = VerificationLink
			user, err := u.store.User(ctx, m.UserID)
			if err != nil {
				return nil, err
			}
			if user.IsRegistrationExpired(u.clock.Now()) {
				link.Refusal = fault.New(fault.Conflict, "The registration has expired.")
			}
		}
		links = append(links, link)
	}
	for _, i := range team.Invitations {
		links = append(links, Resendable{ID: "invitation:" + i.ID, Kind: InvitationLink, Recipient: i.Email, objectID: i.ID})
	}
	return links, nil
}

// emails returns the stored emails about billing, newest first.
func (u *ResendEmail) emails(ctx context.Context, org account.Organisation) (emails []Resendable, err error) {
	finished, err := u.store.FinishedEmails(ctx, org.ID, u.clock.Now().Add(-ResendPeriod), maxResendableEmails)
	if err != nil {
		return nil, err
	}
	for _, e := range finished {
		email := Resendable{
			ID: "email:" + e.ID, Kind: string(e.Notice.Kind), Recipient: e.Recipient, Name: e.Subject, FinishedAt: e.FinishedAt, objectID: e.ID,
		}
		if !slices.ContainsFunc(org.BillingRecipients(), func(r string) bool { return strings.EqualFold(r, e.Recipient) }) {
			email.Refusal = fault.New(fault.Conflict, "The address does not receive emails about billing any more.")
		}
		emails = append(emails, email)
	}
	return emails, nil
}

// refuseUnreachable sets the refusal of each item whose address a mail server has refused.
func (u *ResendEmail) refuseUnreachable(ctx context.Context, organisationID string, list []Resendable) ([]Resendable, error) {
	var keys []string
	for _, r := range list {
		keys = append(keys, account.EmailKey(r.Recipient))
	}
	unreachable, err := u.store.Unreachable(ctx, organisationID, keys...)
	for i, r := range list {
		if slices.Contains(unreachable, account.EmailKey(r.Recipient)) {
			list[i].Refusal = fault.New(fault.Conflict,
				"The mail server of the address refuses emails. The customer has to correct the address, or to confirm it again.")
		}
	}
	return list, err
}

// Do sends the item of List with the id. A repeat with the same key sends nothing. Do returns Invalid for an id that is
// not in the list, because nothing is sent to other addresses. It returns the refusal of a refused item.
func (u *ResendEmail) Do(ctx context.Context, req ActionRequest, id string) error {
	if err := Require(ctx, MayResendEmails); err != nil {
		return err
	}
	return actOnce(ctx, u.store, req, func(req ActionRequest) error {
		list, err := u.list(ctx, req.OrganisationID)
		if err != nil {
			return err
		}
		i := slices.IndexFunc(list, func(r Resendable) bool { return r.ID == id })
		if i < 0 {
			return fault.New(fault.Invalid, "Choose an email that is stored.")
		}
		if err := list[i].Refusal; err != nil {
			return err
		}
		if err := u.send(audit.WithCause(ctx, req.Key), req, list[i]); err != nil {
			return err
		}
		logAction(ctx, u.log, audit.OperatorResentEmail, req)
		return nil
	})
}

func (u *ResendEmail) send(ctx context.Context, req ActionRequest, r Resendable) error {
	entry := req.entry(ctx, audit.OperatorResentEmail)
	entry.Subject, entry.Data["notice"] = r.objectID, r.Kind
	switch r.Kind {
	case VerificationLink, PasswordLink:
		return u.renewLink.Do(ctx, r.objectID, storage.EmailKind(r.Kind), *entry)
	case InvitationLink:
		return u.renewInvitation.Do(ctx, req.OrganisationID, r.objectID, *entry)
	}
	return u.store.ResendEmail(ctx, req.OrganisationID, r.objectID, u.clock.Now(), *entry)
}
