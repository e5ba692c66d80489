package fakeapi

import (
	"encoding/json"
	"net/http"
	"slices"
)

// apiError is the content of an error response.
type apiError struct {
	Code   int           `json:"code"`
	Errors []errorReason `json:"errors"`
}

type errorReason struct {
	Reason string            `json:"reason"`
	Links  map[string]string `json:"links,omitempty"`
}

func newError(code int, reason string) *apiError {
	return &apiError{code, []errorReason{{Reason: reason}}}
}

var errNotFound = newError(http.StatusNotFound, "resource_not_found")

// Handler serves the API and the page.
func (s *Server) Handler() http.Handler {
	mux := http.NewServeMux()
	mux.HandleFunc("POST /customers", serve(s, "customers", s.createCustomer))
	mux.HandleFunc("GET /customers/{id}", serve(s, "customers", s.customer))
	mux.HandleFunc("PUT /customers/{id}", serve(s, "customers", s.updateCustomer))
	mux.HandleFunc("POST /billing_requests", serve(s, "billing_requests", s.createBillingRequest))
	mux.HandleFunc("GET /billing_requests", serve(s, "billing_requests", s.listBillingRequests))
	mux.HandleFunc("GET /billing_requests/{id}", serve(s, "billing_requests", s.billingRequest))
	mux.HandleFunc("POST /billing_requests/{id}/actions/cancel", serve(s, "billing_requests", s.cancelBillingRequest))
	mux.HandleFunc("POST /billing_request_flows", serve(s, "billing_request_flows", s.createFlow))
	mux.HandleFunc("GET /billing_request_flows/{id}", serve(s, "billing_request_flows", s.flow))
	mux.HandleFunc("POST /payments", serve(s, "payments", s.createPayment))
	mux.HandleFunc("GET /payments", serve(s, "payments", s.listPayments))
	mux.HandleFunc("GET /payments/{id}", serve(s, "payments", s.payment))
	mux.HandleFunc("POST /payments/{id}/actions/cancel", serve(s, "payments", s.cancelPayment))
	mux.HandleFunc("GET /mandates/{id}", serve(s, "mandates", s.mandate))
	mux.HandleFunc("POST /mandates/{id}/actions/cancel", serve(s, "mandates", s.cancelMandate))
	mux.HandleFunc("GET /customer_bank_accounts/{id}", serve(s, "customer_bank_accounts", s.bankAccount))
	mux.HandleFunc("POST /refunds", serve(s, "refunds", s.createRefund))
	mux.HandleFunc("GET /refunds", serve(s, "refunds", s.listRefunds))
	mux.HandleFunc("GET /refunds/{id}", serve(s, "refunds", s.refund))
	mux.HandleFunc("GET /events", serve(s, "events", s.listEvents))
	mux.HandleFunc("GET /flow/{id}", s.showPage)
	mux.HandleFunc("POST /flow/{id}", s.chooseAccount)
	return mux
}

// serve returns a handler that calls fn with the request's body and responds with the result of fn. Body and response
// contain the resource under its name. The handler locks the server during fn, and refuses a request if a resource was
// created with its Idempotency-Key.
func serve[T, R any](s *Server, resource string, fn func(*http.Request, T) (R, *apiError)) http.HandlerFunc {
	return func(w http.ResponseWriter, r *http.Request) {
		if r.Header.Get("Authorization") != "Bearer "+s.config.AccessToken {
			respond(w, http.StatusUnauthorized, "error", newError(http.StatusUnauthorized, "access_token_not_active"))
			return
		}
		var body map[string]T
		if r.ContentLength != 0 && json.NewDecoder(r.Body).Decode(&body) != nil {
			respond(w, http.StatusBadRequest, "error", newError(http.StatusBadRequest, "invalid_json"))
			return
		}
		s.lockAndAdvance()
		defer s.mu.Unlock()
		key := resource + " " + r.Header.Get("Idempotency-Key")
		if id, isUsed := s.keys[key]; isUsed && r.Header.Get("Idempotency-Key") != "" {
			conflict := newError(http.StatusConflict, "idempotent_creation_conflict")
			conflict.Errors[0].Links = map[string]string{"conflicting_resource_id": id}
			respond(w, http.StatusConflict, "error", conflict)
			return
		}
		response, refusal := fn(r, body[resource])
		if refusal != nil {
			respond(w, refusal.Code, "error", refusal)
			return
		}
		if res, ok := any(response).(interface{ id() string }); ok && r.Header.Get("Idempotency-Key") != "" {
			s.keys[key] = res.id()
		}
		respond(w, http.StatusOK, resource, response)
	}
}

func (c *customer) id() string       { return c.ID }
func (r *billingRequest) id() string { return r.ID }
func (f *flow) id() string           { return f.ID }
func (p *payment) id() string        { return p.ID }
func (r *refund) id() string         { return r.ID }

func respond(w http.ResponseWriter, status int, resource string, value any) {
	w.Header().Set("Content-Type", "application/json")
	w.WriteHeader(status)
	_ = json.NewEncoder(w).Encode(map[string]any{resource: value}) // fails only if the client has left
}

// findByPath returns the resource with the id in the path of the request.
func findByPath[T any](r *http.Request, list []*T, id func(*T) string) (*T, *apiError) {
	found := find(list, func(resource *T) bool { return id(resource) == r.PathValue("id") })
	if found == nil {
		return nil, errNotFound
	}
	return found, nil
}

func (s *Server) createCustomer(_ *http.Request, c *customer) (*customer, *apiError) {
	c.ID = s.newID("CU")
	s.customers = append(s.customers, c)
	return c, nil
}

func (s *Server) customer(r *http.Request, _ *customer) (*customer, *apiError) {
	return findByPath(r, s.customers, (*customer).id)
}

func (s *Server) updateCustomer(r *http.Request, update *customer) (*customer, *apiError) {
	c, refusal := s.customer(r, nil)
	if refusal == nil {
		c.Name, c.Email = update.Name, update.Email
	}
	return c, refusal
}

func (s *Server) createPayment(_ *http.Request, req *payment) (*payment, *apiError) {
	m := find(s.mandates, func(m *mandate) bool { return m.ID == req.Links.Mandate })
	switch {
	case m == nil:
		return nil, errNotFound
	case m.Status != "active":
		return nil, newError(http.StatusUnprocessableEntity, "mandate_is_inactive")
	case req.Amount <= 0:
		return nil, newError(http.StatusUnprocessableEntity, "must be greater than 0")
	}
	return s.charge(m, req.Amount, req.Currency, req.Description, req.Metadata), nil
}

func (s *Server) payment(r *http.Request, _ *payment) (*payment, *apiError) {
	return findByPath(r, s.payments, (*payment).id)
}

func (s *Server) listPayments(r *http.Request, _ *payment) (list []*payment, _ *apiError) {
	for _, p := range slices.Backward(s.payments) {
		if p.customer == r.FormValue("customer") {
			list = append(list, p)
		}
	}
	return list, nil
}

func (s *Server) cancelPayment(r *http.Request, _ *payment) (*payment, *apiError) {
	p, refusal := findByPath(r, s.payments, (*payment).id)
	if refusal != nil {
		return nil, refusal
	}
	if p.Status != "pending_submission" {
		return nil, newError(http.StatusUnprocessableEntity, "cancellation_failed")
	}
	s.setStatus(p, "cancelled", eventDetails{})
	return p, nil
}

func (s *Server) mandate(r *http.Request, _ *mandate) (*mandate, *apiError) {
	return findByPath(r, s.mandates, func(m *mandate) string { return m.ID })
}

func (s *Server) cancelMandate(r *http.Request, _ *mandate) (*mandate, *apiError) {
	m, refusal := s.mandate(r, nil)
	if refusal != nil {
		return nil, refusal
	}
	if m.Status == "cancelled" {
		return nil, newError(http.StatusUnprocessableEntity, "cancellation_failed")
	}
	m.Status = "cancelled"
	s.recordEvent("mandates", "cancelled", map[string]string{"mandate": m.ID}, eventDetails{})
	return m, nil
}

func (s *Server) bankAccount(r *http.Request, _ *bankAccount) (*bankAccount, *apiError) {
	return findByPath(r, s.accounts, func(a *bankAccount) string { return a.ID })
}

func (s *Server) createRefund(_ *http.Request, req *refund) (*refund, *apiError) {
	p := find(s.payments, func(p *payment) bool { return p.ID == req.Links.Payment })
	switch {
	case p == nil:
		return nil, errNotFound
	case p.Status != "confirmed" && p.Status != "paid_out":
		return nil, newError(http.StatusUnprocessableEntity, "refund_payment_invalid_state")
	case req.Amount <= 0 || req.Amount > p.Amount-p.Refunded:
		return nil, newError(http.StatusUnprocessableEntity, "refund_amount_exceeds_payment")
	}
	req.ID, req.Status, req.createdAt = s.newID("RF"), "pending_submission", s.config.Clock.Now()
	p.Refunded += req.Amount
	s.refunds = append(s.refunds, req)
	s.recordEvent("refunds", "created", map[string]string{"refund": req.ID, "payment": p.ID}, eventDetails{})
	return req, nil
}

func (s *Server) refund(r *http.Request, _ *refund) (*refund, *apiError) {
	return findByPath(r, s.refunds, (*refund).id)
}

func (s *Server) listRefunds(r *http.Request, _ *refund) (list []*refund, _ *apiError) {
	for _, refund := range s.refunds {
		if refund.Links.Payment == r.FormValue("payment") {
			list = append(list, refund)
		}
	}
	return list, nil
}

// RefundByHand refunds a part of a payment, as an operator does in the dashboard, and reports whether that succeeded.
func (s *Server) RefundByHand(paymentID string, amount int64) bool {
	s.lockAndAdvance()
	defer s.mu.Unlock()
	req := &refund{Amount: amount}
	req.Links.Payment = paymentID
	_, refusal := s.createRefund(nil, req)
	return refusal == nil
}
