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

// disputeHandler opens and closes disputes at the fake provider, as cardholders and banks do. It also lifts holds,
// because `diy hold` can't open the provider's file while the server runs.
type disputeHandler struct {
	provider        *fakepayment.Provider
	liftHoldUseCase *app.LiftHold
}

func newDisputeHandler(provider *fakepayment.Provider, useCases *app.UseCases) *disputeHandler {
	return &disputeHandler{provider, useCases.LiftHold}
}

// disputeRoutes serves the handler under /dev/disputes.
func disputeRoutes(h *disputeHandler) func(chi.Router) {
	return func(r chi.Router) { r.Method(http.MethodPost, "/dev/disputes", h) }
}

// disputeRequest is the body of a request.
type disputeRequest struct {
	Invoice string `json:"invoice"` // the invoice's number
	Action  string `json:"action"`  // open, won, lost or lift
}

// disputeResponse describes the customer after the request.
type disputeResponse struct {
	Hold       string `json:"hold"` // "" or disputed
	Credit     string `json:"credit"`
	HeldCredit string `json:"heldCredit"`
}

// ServeHTTP changes the dispute of an invoice, delivers the events and responds with the customer. The request needs
// the header X-Requested-With: XMLHttpRequest, because a page of another site can't send it.
func (h *disputeHandler) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	response, err := h.changeDispute(r)
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

// changeDispute changes the dispute as the request demands and returns the response.
func (h *disputeHandler) changeDispute(r *http.Request) (disputeResponse, error) {
	if r.Header.Get("X-Requested-With") != "XMLHttpRequest" {
		return disputeResponse{}, fault.New(fault.Forbidden, "The header X-Requested-With: XMLHttpRequest is missing.")
	}
	var req disputeRequest
	if err := json.NewDecoder(r.Body).Decode(&req); err != nil {
		return disputeResponse{}, fault.New(fault.Invalid, `The body must be {"invoice": "A1B2C3D4-0001", "action": "open"}.`)
	}
	inv, err := h.findInvoice(r.Context(), req.Invoice)
	if err == nil {
		err = h.applyAction(r.Context(), inv, req.Action)
	}
	if err == nil {
		err = h.provider.Drain(r.Context())
	}
	if err != nil {
		return disputeResponse{}, err
	}
	c, err := h.provider.Customer(r.Context(), inv.CustomerID)
	return disputeResponse{string(c.Hold), c.Credit.String(), c.HeldCredit.String()}, err
}

// findInvoice returns the invoice with the number.
func (h *disputeHandler) findInvoice(ctx context.Context, number string) (inv fakepayment.InvoiceRecord, err error) {
	err = h.provider.Read(ctx, func(s fakepayment.Snapshot) error {
		var ok bool
		if inv, ok = s.InvoiceByNumber(number); !ok {
			return fault.Newf(fault.NotFound, "There is no invoice %q.", number)
		}
		return nil
	})
	return inv, err
}

// applyAction applies the action to the dispute of the invoice.
func (h *disputeHandler) applyAction(ctx context.Context, inv fakepayment.InvoiceRecord, action string) error {
	switch action {
	case "open":
		return h.provider.Dispute(ctx, inv.ID)
	case "won", "lost":
		return h.provider.CloseDispute(ctx, inv.ID, action == "won")
	case "lift":
		return h.liftHold(ctx, inv.CustomerID)
	}
	return fault.New(fault.Invalid, "The action must be open, won, lost or lift.")
}

// liftHold lifts the hold of the customer's organisation.
func (h *disputeHandler) liftHold(ctx context.Context, customerID string) error {
	var organisationID string
	err := h.provider.Read(ctx, func(s fakepayment.Snapshot) error {
		c, _ := s.Customer(customerID)
		organisationID = c.OrganisationID
		return nil
	})
	if err == nil {
		_, err = h.liftHoldUseCase.Do(ctx,
			app.LiftHoldRequest{OrganisationID: organisationID, Operator: "developer", Reason: "through /dev/disputes"})
	}
	return err
}
