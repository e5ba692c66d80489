package httpapi

import (
	"encoding/json"
	"net/http"

	"github.com/vc-admin/diy/app/accounts"
	"github.com/vc-admin/diy/domain/account"
	"github.com/vc-admin/diy/ports/identity"
)

// passkeyRequestWire contains the options with which a browser creates or uses a passkey.
type passkeyRequestWire struct {
	Options json.RawMessage `json:"options"`
	State   string          `json:"state"`
}

func (a *api) requestPasskey(w http.ResponseWriter, r *http.Request) error {
	var response passkeyRequestWire
	err := a.callWithinLimits(r, addressLimits(r, passkeyRequestsPerAddress), func() error {
		options, state, err := a.UseCases.RequestPasskey.Do()
		response = passkeyRequestWire{options, state}
		return err
	})
	if err != nil {
		return err
	}
	return writeJSON(w, http.StatusOK, response)
}

// signInWithPasskey has its own rate limit, so that wrong passwords from the same address do not prevent it. Signatures
// can't be guessed.
func (a *api) signInWithPasskey(w http.ResponseWriter, r *http.Request) error {
	req, err := decodeBody[struct {
		State        string          `json:"state"`
		Credential   json.RawMessage `json:"credential"`
		Organisation string          `json:"organisation"`
	}](r)
	if err != nil {
		return err
	}
	var user account.User
	err = a.callWithinLimits(r, addressLimits(r, passkeySignInsPerAddress), func() error {
		login := accounts.PasskeyLogin{
			State: req.State, Response: req.Credential, OrganisationID: req.Organisation, Network: auditNetwork(r),
		}
		return a.UseCases.SignInWithPasskey.Do(r.Context(), login, a.newUserRecordingCheck(r, &user))
	})
	if err != nil {
		return err
	}
	a.rememberUser(w, r, user)
	return writeJSON(w, http.StatusOK, emptyObject{})
}

func (a *api) startPasskey(w http.ResponseWriter, r *http.Request, caller identity.Identity) error {
	options, state, err := a.UseCases.StartPasskey.Do(r.Context(), caller)
	if err != nil {
		return err
	}
	return writeJSON(w, http.StatusOK, passkeyRequestWire{options, state})
}

// addPasskey remembers the browser again, because the change makes all browsers of the user unknown.
func (a *api) addPasskey(w http.ResponseWriter, r *http.Request, caller identity.Identity) error {
	req, err := decodeBody[struct {
		State      string          `json:"state"`
		Credential json.RawMessage `json:"credential"`
		Name       string          `json:"name"`
	}](r)
	if err != nil {
		return err
	}
	user, err := a.UseCases.AddPasskey.Do(r.Context(), caller, req.State, req.Name, req.Credential)
	return a.respondToFactorChange(w, r, user, err)
}

type passkeyChangeWire struct {
	ID   string `json:"id"`
	Name string `json:"name"`
}

func (a *api) renamePasskey(w http.ResponseWriter, r *http.Request, caller identity.Identity) error {
	req, err := decodeBody[passkeyChangeWire](r)
	if err != nil {
		return err
	}
	if err := a.UseCases.RenamePasskey.Do(r.Context(), caller, req.ID, req.Name); err != nil {
		return err
	}
	return writeJSON(w, http.StatusOK, emptyObject{})
}

func (a *api) removePasskey(w http.ResponseWriter, r *http.Request, caller identity.Identity) error {
	req, err := decodeBody[passkeyChangeWire](r)
	if err != nil {
		return err
	}
	user, err := a.UseCases.RemovePasskey.Do(r.Context(), caller, req.ID)
	return a.respondToFactorChange(w, r, user, err)
}
