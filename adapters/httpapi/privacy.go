package httpapi

import (
	"encoding/json"
	"net/http"
	"time"

	"github.com/go-chi/chi/v5"

	"github.com/vc-admin/diy/app/privacy"
	"github.com/vc-admin/diy/ports/identity"
)

// privacyRoutes adds the routes with which owners export and delete the organisation's data.
func (a *api) privacyRoutes(r chi.Router) {
	r.Get("/vc-admin/org/privacy", a.requireUser(a.showPrivacy))
	r.Post("/vc-admin/org/privacy/export",
		a.requireUser(a.withBudget(providerRead, a.withRateLimits(perOrganisation(exportsPerOrganisation), a.exportData))))
	r.Post("/vc-admin/org/privacy/erasure/request",
		a.requireUser(a.withRateLimits(perOrganisation(erasuresPerOrganisation), a.requestErasure)))
	r.Post("/vc-admin/org/privacy/erasure/withdraw",
		a.requireUser(a.withRateLimits(perOrganisation(erasuresPerOrganisation), a.withdrawErasure)))
}

type privacyWire struct {
	Organisation string       `json:"organisation"`
	Erasure      *erasureWire `json:"erasure"`             // null without a request
	Obstacle     string       `json:"obstacle,omitempty"`  // why the data can't be erased now
	KeepUntil    *time.Time   `json:"keepUntil,omitempty"` // nil without an invoice
}

type erasureWire struct {
	RequestedAt time.Time `json:"requestedAt"`
	DueAt       time.Time `json:"dueAt"`
}

func toPrivacyWire(s privacy.Status) privacyWire {
	wire := privacyWire{Organisation: s.Organisation, Obstacle: s.Obstacle}
	if !s.Erasure.RequestedAt.IsZero() {
		wire.Erasure = &erasureWire{RequestedAt: s.Erasure.RequestedAt, DueAt: s.Erasure.DueAt}
	}
	if !s.KeepUntil.IsZero() {
		wire.KeepUntil = &s.KeepUntil
	}
	return wire
}

func (a *api) showPrivacy(w http.ResponseWriter, r *http.Request, caller identity.Identity) error {
	status, err := a.UseCases.ShowPrivacy.Do(r.Context(), caller)
	if err != nil {
		return err
	}
	return writeJSON(w, http.StatusOK, toPrivacyWire(status))
}

// exportData responds with the file that the web app saves.
func (a *api) exportData(w http.ResponseWriter, r *http.Request, caller identity.Identity) error {
	export, err := a.UseCases.ExportData.Do(r.Context(), caller)
	if err != nil {
		return err
	}
	text, err := json.MarshalIndent(export, "", "  ")
	if err != nil {
		return err
	}
	w.Header().Set("Content-Disposition", `attachment; filename="organisation-data.json"`)
	w.Header().Set("Content-Type", "application/json")
	_, err = w.Write(text)
	return err
}

func (a *api) requestErasure(w http.ResponseWriter, r *http.Request, caller identity.Identity) error {
	req, err := decodeBody[struct {
		Confirmation string `json:"confirmation"`
	}](r)
	if err != nil {
		return err
	}
	status, err := a.UseCases.RequestErasure.Do(r.Context(), caller, req.Confirmation)
	if err != nil {
		return err
	}
	return writeJSON(w, http.StatusOK, toPrivacyWire(status))
}

func (a *api) withdrawErasure(w http.ResponseWriter, r *http.Request, caller identity.Identity) error {
	status, err := a.UseCases.WithdrawErasure.Do(r.Context(), caller)
	if err != nil {
		return err
	}
	return writeJSON(w, http.StatusOK, toPrivacyWire(status))
}
