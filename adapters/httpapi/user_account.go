package httpapi

import (
	"net/http"
	"time"

	"github.com/go-chi/chi/v5"

	"github.com/vc-admin/diy/app/security"
	"github.com/vc-admin/diy/domain/account"
	"github.com/vc-admin/diy/domain/fault"
	"github.com/vc-admin/diy/ports/identity"
)

// userAccountRoutes adds the routes about the signed-in user's own account.
func (a *api) userAccountRoutes(r chi.Router) {
	r.Get("/vc-admin/user/account", a.requireUser(a.showAccount))
	r.Post("/vc-admin/user/edit", a.requireUser(a.withRateLimits(perUser(profileEditsPerUser), a.editProfile)))
	r.Post("/vc-admin/user/password", a.requireUser(a.withRateLimits(perUser(passwordGuessesPerUser), a.changePassword)))
	r.Post("/vc-admin/user/email", a.requireUser(a.requestEmailChange))
	r.Post("/vc-admin/user/email/cancel", a.requireUser(a.withRateLimits(perUser(emailCancelsPerUser), a.cancelEmailChange)))
	r.Post("/vc-admin/user/sessions/end", a.requireUser(a.withRateLimits(perUser(sessionEndsPerUser), a.endSessions)))
}

type userAccountWire struct {
	FirstName string        `json:"firstName"`
	LastName  string        `json:"lastName"`
	Phone     string        `json:"phone"`
	Email     string        `json:"email"`
	NewEmail  *newEmailWire `json:"newEmail"` // null if no change is pending
	TwoStep   *twoStepWire  `json:"twoStep"`  // null if two-step verification is off
	Passkeys  []passkeyWire `json:"passkeys"`
	Sessions  []sessionWire `json:"sessions"`
}

type newEmailWire struct {
	Email     string    `json:"email"`
	ExpiresAt time.Time `json:"expiresAt"`
}

type twoStepWire struct {
	Since         time.Time `json:"since"`
	RecoveryCodes int       `json:"recoveryCodes"`
	WithoutApp    bool      `json:"withoutApp"`
}

type passkeyWire struct {
	ID         string     `json:"id"`
	Name       string     `json:"name"`
	CreatedAt  time.Time  `json:"createdAt"`
	LastUsedAt *time.Time `json:"lastUsedAt"`
}

type sessionWire struct {
	ID         string    `json:"id"`
	Device     string    `json:"device"`
	CreatedAt  time.Time `json:"createdAt"`
	LastUsedAt time.Time `json:"lastUsedAt"`
	Current    bool      `json:"current"`
}

func (a *api) showAccount(w http.ResponseWriter, r *http.Request, caller identity.Identity) error {
	credentials, sessions, err := a.UseCases.ShowAccount.Do(r.Context(), caller)
	if err != nil {
		return err
	}
	return writeJSON(w, http.StatusOK, toUserAccountWire(credentials, sessions, a.Clock.Now()))
}

func toUserAccountWire(c account.Credentials, sessions []identity.Session, now time.Time) userAccountWire {
	wire := userAccountWire{
		FirstName: c.User.FirstName, LastName: c.User.LastName, Phone: c.User.Phone, Email: c.User.Email,
		Passkeys: []passkeyWire{},
		Sessions: mapEach(sessions, func(s identity.Session) sessionWire {
			return sessionWire{s.ID, s.Device, s.CreatedAt, s.LastUsedAt, s.IsCurrent}
		}),
	}
	if change := c.EmailChange; change != nil && !change.IsExpired(now) {
		wire.NewEmail = &newEmailWire{change.Email, change.ExpiresAt}
	}
	if c.User.HasTwoStep() {
		wire.TwoStep = &twoStepWire{Since: c.User.TwoStepSince, RecoveryCodes: len(c.RecoveryCodes), WithoutApp: c.AuthenticatorApp() == nil}
	}
	for _, p := range c.Authenticators {
		if p.Kind == account.PasskeyAuthenticator {
			wire.Passkeys = append(wire.Passkeys, passkeyWire{p.ID, p.Name, p.CreatedAt, timestamp(p.LastUsedAt)})
		}
	}
	return wire
}

func (a *api) editProfile(w http.ResponseWriter, r *http.Request, caller identity.Identity) error {
	req, err := decodeBody[struct {
		FirstName string `json:"firstName"`
		LastName  string `json:"lastName"`
		Phone     string `json:"phone"`
	}](r)
	if err != nil {
		return err
	}
	_, err = a.UseCases.EditProfile.Do(r.Context(), caller, account.Profile{
		FirstName: req.FirstName, LastName: req.LastName, Phone: req.Phone,
	})
	if err != nil {
		return err
	}
	return writeJSON(w, http.StatusOK, emptyObject{})
}

func (a *api) changePassword(w http.ResponseWriter, r *http.Request, caller identity.Identity) error {
	req, err := decodeBody[struct {
		Current        string `json:"current"`
		Password       string `json:"password"`
		PasswordRepeat string `json:"password_repeat"`
	}](r)
	if err != nil {
		return err
	}
	user, err := a.UseCases.ChangePassword.Do(r.Context(), caller, security.PasswordChange{
		Current: req.Current, Password: req.Password, Repeat: req.PasswordRepeat, Network: auditNetwork(r),
	})
	return a.respondToFactorChange(w, r, user, err)
}

// respondToFactorChange responds to a change of the password or of the factors, with the changed user. The change makes
// all browsers of the user unknown, so respondToFactorChange remembers this one again.
func (a *api) respondToFactorChange(w http.ResponseWriter, r *http.Request, user account.User, err error) error {
	if err != nil {
		return err
	}
	a.rememberUser(w, r, user)
	return writeJSON(w, http.StatusOK, emptyObject{})
}

func (a *api) endSessions(w http.ResponseWriter, r *http.Request, caller identity.Identity) error {
	req, err := decodeBody[struct {
		ID     string `json:"id"`
		Others bool   `json:"others"`
	}](r)
	switch {
	case err != nil:
		return err
	case req.Others == (req.ID != ""):
		return fault.New(fault.Invalid, "The request must name one session or the others.")
	case req.Others:
		err = a.UseCases.EndOtherSessions.Do(r.Context(), caller)
	default:
		err = a.UseCases.EndSession.Do(r.Context(), caller, req.ID)
	}
	if err != nil {
		return err
	}
	return writeJSON(w, http.StatusOK, emptyObject{})
}
