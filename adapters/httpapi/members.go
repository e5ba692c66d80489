package httpapi

import (
	"net/http"
	"time"

	"github.com/go-chi/chi/v5"

	"github.com/vc-admin/diy/app/members"
	"github.com/vc-admin/diy/domain/account"
	"github.com/vc-admin/diy/ports/identity"
)

// memberRoutes adds the routes about the members of the user's organisation, and about the organisations of the user.
func (a *api) memberRoutes(r chi.Router) {
	r.Get("/vc-admin/org/members", a.requireUser(a.listMembers))
	r.Get("/vc-admin/org/activity", a.requireUser(a.showActivity))
	r.Post("/vc-admin/org/members/invite", a.requireUser(a.inviteMember))
	r.Post("/vc-admin/org/members/resend", a.requireUser(a.resendInvitation))
	r.Post("/vc-admin/org/members/revoke", a.requireUser(a.withRateLimits(perUser(memberEditsPerUser), a.revokeInvitation)))
	r.Post("/vc-admin/org/members/edit", a.requireUser(a.withRateLimits(perUser(memberEditsPerUser), a.changeRole)))
	r.Post("/vc-admin/org/members/del", a.requireUser(a.withRateLimits(perUser(memberEditsPerUser), a.removeMember)))
	r.Post("/vc-admin/org/members/leave", a.requireUser(a.withRateLimits(perUser(memberEditsPerUser), a.leaveOrganisation)))
	r.Post("/vc-admin/user/organisation",
		a.requireSession(a.withRateLimits(perUser(switchesPerUser), a.switchOrganisation)))
	r.Post("/vc-admin/auth/invitation/show", a.handler(a.showInvitation))
	r.Post("/vc-admin/auth/invitation/accept", a.handler(a.acceptInvitation))
}

type teamWire struct {
	Members     []memberWire      `json:"members"`
	Invitations *[]invitationWire `json:"invitations,omitempty"` // nil for all but owners
}

type memberWire struct {
	UserID         string       `json:"userId"`
	FirstName      string       `json:"firstName"`
	LastName       string       `json:"lastName"`
	Email          string       `json:"email"`
	Role           account.Role `json:"role"`
	JoinedAt       time.Time    `json:"joinedAt"`
	DeletesAccount bool         `json:"deletesAccount,omitempty"`
}

type invitationWire struct {
	Email     string       `json:"email"`
	Role      account.Role `json:"role"`
	Inviter   string       `json:"inviter"`
	ExpiresAt time.Time    `json:"expiresAt"`
	Expired   bool         `json:"expired"`
}

func (a *api) listMembers(w http.ResponseWriter, r *http.Request, caller identity.Identity) error {
	team, err := a.UseCases.ListMembers.Do(r.Context(), caller)
	if err != nil {
		return err
	}
	return writeJSON(w, http.StatusOK, toTeamWire(team, caller, a.Clock.Now()))
}

func toTeamWire(team account.Team, caller identity.Identity, now time.Time) teamWire {
	isOwner := caller.Role.Allows(account.ManageMembers)
	wire := teamWire{Members: mapEach(team.Members, func(m account.Member) memberWire {
		return memberWire{
			UserID: m.UserID, FirstName: m.FirstName, LastName: m.LastName, Email: m.Email, Role: m.Role, JoinedAt: m.JoinedAt,
			DeletesAccount: (isOwner || m.UserID == caller.UserID) && !m.HasOtherOrganisations,
		}
	})}
	if isOwner {
		invitations := mapEach(team.Invitations, func(i account.Invitation) invitationWire {
			inviter, _ := team.Member(i.InviterID)
			return invitationWire{
				Email: i.Email, Role: i.Role, Inviter: inviter.FullName(), ExpiresAt: i.ExpiresAt, Expired: i.IsExpired(now),
			}
		})
		wire.Invitations = &invitations
	}
	return wire
}

func (a *api) inviteMember(w http.ResponseWriter, r *http.Request, caller identity.Identity) error {
	req, err := decodeBody[struct {
		Email emailAddress `json:"email"`
		Role  account.Role `json:"role"`
	}](r)
	if err != nil {
		return err
	}
	err = a.callWithinLimits(r, invitationLimits(r, caller, string(req.Email)), func() error {
		return a.UseCases.InviteMember.Do(r.Context(), caller, string(req.Email), req.Role)
	})
	if err != nil {
		return err
	}
	return writeJSON(w, http.StatusAccepted, emptyObject{})
}

// invitationAddressWire names an invitation by its address.
type invitationAddressWire struct {
	Email emailAddress `json:"email"`
}

func (a *api) resendInvitation(w http.ResponseWriter, r *http.Request, caller identity.Identity) error {
	req, err := decodeBody[invitationAddressWire](r)
	if err != nil {
		return err
	}
	err = a.callWithinLimits(r, invitationLimits(r, caller, string(req.Email)), func() error {
		return a.UseCases.ResendInvitation.Do(r.Context(), caller, string(req.Email))
	})
	if err != nil {
		return err
	}
	return writeJSON(w, http.StatusAccepted, emptyObject{})
}

func (a *api) revokeInvitation(w http.ResponseWriter, r *http.Request, caller identity.Identity) error {
	req, err := decodeBody[invitationAddressWire](r)
	if err != nil {
		return err
	}
	if err := a.UseCases.RevokeInvitation.Do(r.Context(), caller, string(req.Email)); err != nil {
		return err
	}
	return writeJSON(w, http.StatusOK, emptyObject{})
}

func (a *api) changeRole(w http.ResponseWriter, r *http.Request, caller identity.Identity) error {
	req, err := decodeBody[struct {
		UserID string       `json:"userId"`
		Role   account.Role `json:"role"`
	}](r)
	if err != nil {
		return err
	}
	if err := a.UseCases.ChangeRole.Do(r.Context(), caller, req.UserID, req.Role); err != nil {
		return err
	}
	return writeJSON(w, http.StatusOK, emptyObject{})
}

func (a *api) removeMember(w http.ResponseWriter, r *http.Request, caller identity.Identity) error {
	req, err := decodeBody[struct {
		UserID string `json:"userId"`
	}](r)
	if err != nil {
		return err
	}
	if err := a.UseCases.RemoveMember.Do(r.Context(), caller, req.UserID); err != nil {
		return err
	}
	return writeJSON(w, http.StatusOK, emptyObject{})
}

func (a *api) leaveOrganisation(w http.ResponseWriter, r *http.Request, caller identity.Identity) error {
	organisationID, err := a.UseCases.LeaveOrganisation.Do(r.Context(), caller)
	if err != nil {
		return err
	}
	response := struct {
		Organisation *string `json:"organisation"` // null if the user is signed out
	}{}
	if organisationID != "" {
		response.Organisation = &organisationID
	}
	return writeJSON(w, http.StatusOK, response)
}

func (a *api) switchOrganisation(w http.ResponseWriter, r *http.Request, caller identity.Identity) error {
	req, err := decodeBody[struct {
		ID string `json:"id"`
	}](r)
	if err != nil {
		return err
	}
	if err := a.UseCases.SwitchOrganisation.Do(r.Context(), caller, req.ID); err != nil {
		return err
	}
	return writeJSON(w, http.StatusOK, emptyObject{})
}

type linkedInvitationWire struct {
	Organisation string           `json:"organisation"`
	Email        string           `json:"email"`
	Role         account.Role     `json:"role"`
	Inviter      string           `json:"inviter"`
	ExpiresAt    time.Time        `json:"expiresAt"`
	Step         members.JoinStep `json:"step"`
}

// showInvitation responds with the invitation of a link. It changes nothing, so a program that opens the links in emails
// accepts nothing. Its limit counts only links that can't be used.
func (a *api) showInvitation(w http.ResponseWriter, r *http.Request) error {
	req, err := decodeBody[tokenWire](r)
	if err != nil {
		return err
	}
	var linked members.LinkedInvitation
	err = a.callWithinLimits(r, addressLimits(r, unknownLinksPerAddress), func() (err error) {
		linked, err = a.UseCases.ShowInvitation.Do(r.Context(), string(req.Token))
		return err
	})
	if err != nil {
		return err
	}
	return writeJSON(w, http.StatusOK, linkedInvitationWire{
		Organisation: linked.Organisation.Name, Email: linked.Email, Role: linked.Role, Inviter: linked.Inviter.FullName(),
		ExpiresAt: linked.ExpiresAt, Step: linked.Step,
	})
}

// acceptInvitation makes the person a member. After that the browser is a known browser, because either the link proves
// access to the mailbox, or the session proves that the user is signed in.
func (a *api) acceptInvitation(w http.ResponseWriter, r *http.Request) error {
	req, err := decodeBody[struct {
		Token     linkToken `json:"token"`
		FirstName string    `json:"firstName"`
		LastName  string    `json:"lastName"`
		Password  string    `json:"password"`
	}](r)
	if err != nil {
		return err
	}
	var user account.User
	err = a.callWithinLimits(r, addressLimits(r, acceptancesPerAddress), func() (err error) {
		user, err = a.UseCases.AcceptInvitation.Do(r.Context(), string(req.Token), members.NewPerson{
			FirstName: req.FirstName, LastName: req.LastName, Password: req.Password,
		})
		return err
	})
	if err != nil {
		return err
	}
	a.rememberUser(w, r, user)
	return writeJSON(w, http.StatusOK, emptyObject{})
}
