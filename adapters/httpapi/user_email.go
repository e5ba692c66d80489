package httpapi

import (
	"net/http"

	"github.com/vc-admin/diy/app/security"
	"github.com/vc-admin/diy/domain/account"
	"github.com/vc-admin/diy/ports/identity"
)

// emailWire is the response with the email of a user or a link.
type emailWire struct {
	Email string `json:"email"`
}

// requestEmailChange sends the same response whether or not the email has an account.
func (a *api) requestEmailChange(w http.ResponseWriter, r *http.Request, caller identity.Identity) error {
	req, err := decodeBody[struct {
		Email emailAddress `json:"email"`
	}](r)
	if err != nil {
		return err
	}
	err = a.callWithinLimits(r, emailChangeLimits(caller, string(req.Email)), func() error {
		return a.UseCases.RequestEmailChange.Do(r.Context(), caller, string(req.Email))
	})
	if err != nil {
		return err
	}
	return writeJSON(w, http.StatusAccepted, emptyObject{})
}

func (a *api) cancelEmailChange(w http.ResponseWriter, r *http.Request, caller identity.Identity) error {
	if err := a.UseCases.CancelEmailChange.Do(r.Context(), caller); err != nil {
		return err
	}
	return writeJSON(w, http.StatusAccepted, emptyObject{})
}

type emailChangeWire struct {
	Email    string `json:"email"`
	Account  string `json:"account"`  // the masked email of the account
	SignedIn bool   `json:"signedIn"` // to the account
}

// showEmailChange changes nothing, so a program that opens the links in emails confirms nothing.
func (a *api) showEmailChange(w http.ResponseWriter, r *http.Request) error {
	req, err := decodeBody[tokenWire](r)
	if err != nil {
		return err
	}
	var change security.EmailChangeSummary
	err = a.callWithinLimits(r, addressLimits(r, unknownLinksPerAddress), func() (err error) {
		change, err = a.UseCases.ShowEmailChange.Do(r.Context(), string(req.Token))
		return err
	})
	if err != nil {
		return err
	}
	return writeJSON(w, http.StatusOK, emailChangeWire{change.NewEmail, change.MaskedEmail, change.IsOfCaller})
}

// confirmEmailChange remembers the browser again, because the change makes all browsers of the user unknown.
func (a *api) confirmEmailChange(w http.ResponseWriter, r *http.Request, caller identity.Identity) error {
	req, err := decodeBody[tokenWire](r)
	if err != nil {
		return err
	}
	var user account.User
	err = a.callWithinLimits(r, addressLimits(r, unknownLinksPerAddress), func() (err error) {
		user, err = a.UseCases.ConfirmEmailChange.Do(r.Context(), caller, string(req.Token))
		return err
	})
	if err != nil {
		return err
	}
	a.rememberUser(w, r, user)
	return writeJSON(w, http.StatusOK, emailWire{user.Email})
}

// showUndo changes nothing, so a program that opens the links in emails undoes nothing.
func (a *api) showUndo(w http.ResponseWriter, r *http.Request) error {
	req, err := decodeBody[tokenWire](r)
	if err != nil {
		return err
	}
	var email string
	err = a.callWithinLimits(r, addressLimits(r, unknownLinksPerAddress), func() (err error) {
		email, err = a.UseCases.ShowUndo.Do(r.Context(), string(req.Token))
		return err
	})
	if err != nil {
		return err
	}
	return writeJSON(w, http.StatusOK, emailWire{email})
}

// undoChange does not make the browser a known one: the link proves access to the mailbox only, and an older second factor may
// still be required.
func (a *api) undoChange(w http.ResponseWriter, r *http.Request) error {
	req, err := decodeBody[passwordResetWire](r)
	if err != nil {
		return err
	}
	var user account.User
	err = a.callWithinLimits(r, addressLimits(r, unknownLinksPerAddress), func() (err error) {
		user, err = a.UseCases.UndoChange.Do(r.Context(), string(req.Token), req.Password, req.PasswordRepeat)
		return err
	})
	if err != nil {
		return err
	}
	return writeJSON(w, http.StatusOK, emailWire{user.Email})
}
