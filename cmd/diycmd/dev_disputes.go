package diycmd

import (
	"context"
	"crypto/rand"
	"encoding/json"
	"net/http"

	"github.com/go-chi/chi/v5"

	"github.com/vc-admin/diy/adapters/enginepayment"
	"github.com/vc-admin/diy/adapters/fakegateway"
	"github.com/vc-admin/diy/adapters/fakepayment"
	"github.com/vc-admin/diy/adapters/httpapi"
	"github.com/vc-admin/diy/app"
	"github.com/vc-admin/diy/app/operators"
	"github.com/vc-admin/diy/domain/audit"
	"github.com/vc-admin/diy/domain/billing"
	"github.com/vc-admin/diy/domain/fault"
	"github.com/vc-admin/diy/domain/money"
	"github.com/vc-admin/diy/ports/payment"
)

// disputeHandler opens and closes disputes at a fake provider, as cardholders and banks do. It also lifts holds,
// because `diy hold` can't open the provider's file while the server runs.
type disputeHandler struct {
	simulator       disputeSimulator
	provider        customerReader
	liftHoldUseCase *operators.LiftHold
}

// disputeSimulator opens and decides disputes of payments at a fake provider.
type disputeSimulator interface {
	// findPayment returns the payment of the invoice with the number.
	findPayment(ctx context.Context, invoiceNumber string) (disputablePayment, error)
	// openDispute and closeDispute change the dispute of the payment and deliver the events.
	openDispute(ctx context.Context, p disputablePayment) error
	closeDispute(ctx context.Context, p disputablePayment, won bool) error
}

// disputablePayment identifies the payment of an invoice.
type disputablePayment struct {
	id             string // by which the bank identifies the payment
	customerID     string
	organisationID string
}

type customerReader interface {
	Customer(ctx context.Context, id string) (billing.Customer, error)
}

func newDisputeHandler(provider *fakepayment.Provider, useCases *app.UseCases) *disputeHandler {
	return &disputeHandler{fakePaymentSimulator{provider}, provider, useCases.LiftHold}
}

// disputeRoutes serves the handler under /dev/disputes, unless it is nil.
func disputeRoutes(h *disputeHandler) func(chi.Router) {
	return func(r chi.Router) {
		if h != nil {
			r.Method(http.MethodPost, "/dev/disputes", h)
		}
	}
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
	response, err := h.changeFromBody(r)
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

// changeFromBody decodes the request and changes the dispute.
func (h *disputeHandler) changeFromBody(r *http.Request) (disputeResponse, error) {
	if r.Header.Get("X-Requested-With") != "XMLHttpRequest" {
		return disputeResponse{}, fault.New(fault.Forbidden, "The header X-Requested-With: XMLHttpRequest is missing.")
	}
	var req disputeRequest
	if err := json.NewDecoder(r.Body).Decode(&req); err != nil {
		return disputeResponse{}, fault.New(fault.Invalid, `The body must be {"invoice": "A1B2C3D4-0001", "action": "open"}.`)
	}
	return h.change(r.Context(), req.Invoice, req.Action)
}

// change applies the action to the payment of the invoice with the number, and returns the customer.
func (h *disputeHandler) change(ctx context.Context, invoiceNumber, action string) (disputeResponse, error) {
	p, err := h.simulator.findPayment(ctx, invoiceNumber)
	if err == nil {
		err = h.applyAction(ctx, p, action)
	}
	if err != nil {
		return disputeResponse{}, err
	}
	c, err := h.provider.Customer(ctx, p.customerID)
	return disputeResponse{string(c.Hold), c.Credit.String(), c.HeldCredit.String()}, err
}

// applyAction applies the action to the dispute of the payment, or lifts the hold of the customer's organisation.
func (h *disputeHandler) applyAction(ctx context.Context, p disputablePayment, action string) error {
	switch action {
	case "open":
		return h.simulator.openDispute(ctx, p)
	case "won", "lost":
		return h.simulator.closeDispute(ctx, p, action == "won")
	case "lift":
		ctx = operators.WithOperator(ctx, operators.CommandLine("developer"))
		err := h.liftHoldUseCase.Do(ctx, operators.ActionRequest{
			OrganisationID: p.organisationID, Key: "act_" + rand.Text(), Reason: audit.DisputeSettled, Ticket: "none",
			Note: "through /dev/disputes",
		})
		return err
	}
	return fault.New(fault.Invalid, "The action must be open, won, lost or lift.")
}

// fakePaymentSimulator is the disputeSimulator of the fake provider. Its payments have the ids of their invoices.
type fakePaymentSimulator struct{ provider *fakepayment.Provider }

func (b fakePaymentSimulator) findPayment(ctx context.Context, invoiceNumber string) (p disputablePayment, err error) {
	err = b.provider.Read(ctx, func(s fakepayment.Snapshot) error {
		inv, ok := s.InvoiceByNumber(invoiceNumber)
		if !ok {
			return fault.Newf(fault.NotFound, "There is no invoice %q.", invoiceNumber)
		}
		c, _ := s.Customer(inv.CustomerID)
		p = disputablePayment{inv.ID, inv.CustomerID, c.OrganisationID}
		return nil
	})
	return p, err
}

func (b fakePaymentSimulator) openDispute(ctx context.Context, p disputablePayment) error {
	if err := b.provider.Dispute(ctx, p.id); err != nil {
		return err
	}
	return b.provider.Drain(ctx)
}

func (b fakePaymentSimulator) closeDispute(ctx context.Context, p disputablePayment, won bool) error {
	if err := b.provider.CloseDispute(ctx, p.id, won); err != nil {
		return err
	}
	return b.provider.Drain(ctx)
}

// fakeGatewaySimulator is the disputeSimulator of the fake gateway. Its payments have the references of the gateway.
type fakeGatewaySimulator struct {
	provider     *enginepayment.Provider
	gateway      *fakegateway.Provider
	receiveEvent *app.ReceiveEvent
}

// newGatewayDisputeHandler returns the handler for a provider that bills with the fake gateway, or nil for another provider.
func newGatewayDisputeHandler(provider payment.Provider, useCases *app.UseCases) *disputeHandler {
	engine, gateway, ok := fakeGatewayOf(provider)
	if !ok {
		return nil
	}
	return &disputeHandler{fakeGatewaySimulator{engine, gateway, useCases.ReceiveEvent}, provider, useCases.LiftHold}
}

func (b fakeGatewaySimulator) findPayment(ctx context.Context, invoiceNumber string) (disputablePayment, error) {
	p, err := b.provider.PaymentOfInvoice(ctx, invoiceNumber)
	return disputablePayment{p.Ref, p.CustomerID, p.OrganisationID}, err
}

func (b fakeGatewaySimulator) openDispute(ctx context.Context, p disputablePayment) error {
	if _, err := b.gateway.Dispute(p.id, money.Amount{}); err != nil {
		return err
	}
	return b.deliverLatestEvent(ctx)
}

func (b fakeGatewaySimulator) closeDispute(ctx context.Context, p disputablePayment, won bool) error {
	if err := b.gateway.CloseDispute(p.id, won); err != nil {
		return err
	}
	return b.deliverLatestEvent(ctx)
}

func (b fakeGatewaySimulator) deliverLatestEvent(ctx context.Context) error {
	deliveries := b.gateway.Deliveries()
	return b.receiveEvent.Do(ctx, deliveries[len(deliveries)-1])
}
