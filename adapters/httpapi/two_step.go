package httpapi

import (
	"net/http"

	"github.com/go-chi/chi/v5"

	"github.com/vc-admin/diy/ports/identity"
)

// factorRoutes adds the routes about the factors with which the user signs in.
func (a *api) factorRoutes(r chi.Router) {
	limits := perUser(factorsPerUser)
	r.Post("/vc-admin/user/two-step/start", a.requireUser(a.withRateLimits(limits, a.startTwoStep)))
	r.Post("/vc-admin/user/two-step/confirm", a.requireUser(a.withRateLimits(limits, a.confirmTwoStep)))
	r.Post("/vc-admin/user/two-step/off", a.requireUser(a.withRateLimits(limits, a.turnOffTwoStep)))
	r.Post("/vc-admin/user/passkeys/options", a.requireUser(a.withRateLimits(limits, a.startPasskey)))
	r.Post("/vc-admin/user/passkeys/add", a.requireUser(a.withRateLimits(limits, a.addPasskey)))
	r.Post("/vc-admin/user/passkeys/edit", a.requireUser(a.withRateLimits(limits, a.renamePasskey)))
	r.Post("/vc-admin/user/passkeys/del", a.requireUser(a.withRateLimits(limits, a.removePasskey)))
}

type twoStepSetupWire struct {
	Secret string   `json:"secret,omitempty"`
	QRCode []string `json:"qr,omitempty"`
	Codes  []string `json:"codes"`
	State  string   `json:"state"`
}

func (a *api) startTwoStep(w http.ResponseWriter, r *http.Request, caller identity.Identity) error {
	req, err := decodeOptionalBody[struct {
		WithoutApp bool `json:"withoutApp"`
	}](r)
	if err != nil {
		return err
	}
	setup, err := a.UseCases.StartTwoStep.Do(r.Context(), caller, req.WithoutApp)
	if err != nil {
		return err
	}
	return writeJSON(w, http.StatusOK, twoStepSetupWire{
		Secret: setup.Secret, QRCode: setup.QRCode, Codes: append([]string{}, setup.RecoveryCodes...), State: setup.State,
	})
}

// confirmTwoStep remembers the browser again, because the change makes all browsers of the user unknown.
func (a *api) confirmTwoStep(w http.ResponseWriter, r *http.Request, caller identity.Identity) error {
	req, err := decodeBody[struct {
		State string `json:"state"`
		Code  string `json:"code"`
	}](r)
	if err != nil {
		return err
	}
	user, err := a.UseCases.ConfirmTwoStep.Do(r.Context(), caller, req.State, req.Code)
	return a.respondToFactorChange(w, r, user, err)
}

func (a *api) turnOffTwoStep(w http.ResponseWriter, r *http.Request, caller identity.Identity) error {
	user, err := a.UseCases.TurnOffTwoStep.Do(r.Context(), caller)
	return a.respondToFactorChange(w, r, user, err)
}
