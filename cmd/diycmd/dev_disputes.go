package diycmd

import (
	"context"
	"encoding/json"
	"net/http"

	"github.com/go-chi/chi/v5"

	"github.com/vc-admin/diy/adapters/fakepayment"
	"github.com/vc-admin/diy/adapters/httpapi"
	"github.com/vc-admin/diy/app"
	"github.com/vc-admin/diy/domain/fault"
)

// disputeControl opens and ends disputes at the fake provider, as cardholders and banks do, and lifts holds, as
// operators do with `diy hold`, which needs the provider's file for itself.
type disputeControl struct {
	provider *fakepayment.Provider
	lift     *app.LiftHold
}

func newDisputeControl(provider *fakepayment.Provider, useCases *app.UseCases) *disputeControl {
	return &disputeControl{provider, useCases.LiftHold}
}

// disputeRoutes serves the control.
func disputeRoutes(control *disputeControl) func(chi.Router) {
	return func(r chi.Router) { r.Method(http.MethodPost, "/dev/disputes", control) }
}

// disputeRequest is the body of a request.
type disputeRequest struct {
	Invoice string `json:"invoice"` // its number
	Action  string `json:"action"`  // open, won, lost or lift
}

// disputeResponse describes the customer afterwards.
type disputeResponse struct {
	Hold       string `json:"hold"` // "" or disputed
	Credit     string `json:"credit"`
	HeldCredit string `json:"heldCredit"`
}

// ServeHTTP changes the dispute of an invoice, delivers the events and responds with the customer. The request needs
// the header X-Requested-With: XMLHttpRequest, because a page of another site can't send it.
func (d *disputeControl) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	response, err := d.handle(r)
	if err != nil {
		httpapi.WriteError(w, err)
		return
	}
	w.Header().Set("Content-Type", "application/json")
	w.Header().Set("Cache-Control", "no-store")
	if err := json.NewEncoder(w).Encode(response); err != nil {
		return // the client has disconnected
	}
}

func (d *disputeControl) handle(r *http.Request) (disputeResponse, error) {
	if r.Header.Get("X-Requested-With") != "XMLHttpRequest" {
		return disputeResponse{}, fault.New(fault.Forbidden, "The header X-Requested-With: XMLHttpRequest is missing.")
	}
	var req disputeRequest
	if err := json.NewDecoder(r.Body).Decode(&req); err != nil {
		return disputeResponse{}, fault.New(fault.Invalid, `The body must be {"invoice": "A1B2C3D4-0001", "action": "open"}.`)
	}
	inv, err := d.find(r.Context(), req.Invoice)
	if err == nil {
		err = d.change(r.Context(), inv, req.Action)
	}
	if err == nil {
		err = d.provider.Drain(r.Context())
	}
	if err != nil {
		return disputeResponse{}, err
	}
	c, err := d.provider.Customer(r.Context(), inv.Customer)
	return disputeResponse{string(c.Hold), c.Credit.String(), c.HeldCredit.String()}, err
}

// find returns the invoice with the number.
func (d *disputeControl) find(ctx context.Context, number string) (found fakepayment.InvoiceRecord, err error) {
	err = d.provider.Read(ctx, func(s fakepayment.Snapshot) error {
		var known bool
		if found, known = s.InvoiceByNumber(number); !known {
			return fault.Newf(fault.NotFound, "There is no invoice %q.", number)
		}
		return nil
	})
	return found, err
}

func (d *disputeControl) change(ctx context.Context, inv fakepayment.InvoiceRecord, action string) error {
	switch action {
	case "open":
		return d.provider.Dispute(ctx, inv.ID)
	case "won", "lost":
		return d.provider.CloseDispute(ctx, inv.ID, action == "won")
	case "lift":
		return d.liftHold(ctx, inv.Customer)
	}
	return fault.New(fault.Invalid, "The action must be open, won, lost or lift.")
}

func (d *disputeControl) liftHold(ctx context.Context, customerID string) error {
	var organisationID string
	err := d.provider.Read(ctx, func(s fakepayment.Snapshot) error {
		c, _ := s.Customer(customerID)
		organisationID = c.Organisation
		return nil
	})
	if err == nil {
		_, err = d.lift.Do(ctx,
			app.LiftHoldRequest{OrganisationID: organisationID, Operator: "developer", Reason: "through /dev/disputes"})
	}
	return err
}
