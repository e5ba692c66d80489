package fakeapi

import (
	"encoding/json"
	"net/http"
	"slices"
)

// apiError is an error response.
type apiError struct {
	Code   int           `json:"code"`
	Errors []errorReason `json:"errors"`
}

type errorReason struct {
	Reason string            `json:"reason"`
	Links  map[string]string `json:"links,omitempty"`
}

func refuse(code int, reason string) *apiError {
	return &apiError{code, []errorReason{{Reason: reason}}}
}

var notFound = refuse(http.StatusNotFound, "resource_not_found")

// Handler serves the API and the page.
func (b *Bank) Handler() http.Handler {
	mux := http.NewServeMux()
	mux.HandleFunc("POST /customers", serve(b, "customers", b.createCustomer))
	mux.HandleFunc("GET /customers/{id}", serve(b, "customers", b.customer))
	mux.HandleFunc("PUT /customers/{id}", serve(b, "customers", b.updateCustomer))
	mux.HandleFunc("POST /billing_requests", serve(b, "billing_requests", b.createBillingRequest))
	mux.HandleFunc("GET /billing_requests", serve(b, "billing_requests", b.listBillingRequests))
	mux.HandleFunc("GET /billing_requests/{id}", serve(b, "billing_requests", b.billingRequest))
	mux.HandleFunc("POST /billing_requests/{id}/actions/cancel", serve(b, "billing_requests", b.cancelBillingRequest))
	mux.HandleFunc("POST /billing_request_flows", serve(b, "billing_request_flows", b.createFlow))
	mux.HandleFunc("GET /billing_request_flows/{id}", serve(b, "billing_request_flows", b.flow))
	mux.HandleFunc("POST /payments", serve(b, "payments", b.createPayment))
	mux.HandleFunc("GET /payments", serve(b, "payments", b.listPayments))
	mux.HandleFunc("GET /payments/{id}", serve(b, "payments", b.payment))
	mux.HandleFunc("POST /payments/{id}/actions/cancel", serve(b, "payments", b.cancelPayment))
	mux.HandleFunc("GET /mandates/{id}", serve(b, "mandates", b.mandate))
	mux.HandleFunc("POST /mandates/{id}/actions/cancel", serve(b, "mandates", b.cancelMandate))
	mux.HandleFunc("GET /customer_bank_accounts/{id}", serve(b, "customer_bank_accounts", b.bankAccount))
	mux.HandleFunc("POST /refunds", serve(b, "refunds", b.createRefund))
	mux.HandleFunc("GET /refunds", serve(b, "refunds", b.listRefunds))
	mux.HandleFunc("GET /refunds/{id}", serve(b, "refunds", b.refund))
	mux.HandleFunc("GET /events", serve(b, "events", b.listEvents))
	mux.HandleFunc("GET /flow/{id}", b.showPage)
	mux.HandleFunc("POST /flow/{id}", b.grant)
	return mux
}

// serve returns the handler of a request whose body and response contain the resource under its name. It holds mu during
// fn, and refuses a POST request whose Idempotency-Key has created a resource before.
func serve[T, R any](b *Bank, resource string, fn func(*http.Request, T) (R, *apiError)) http.HandlerFunc {
	return func(w http.ResponseWriter, r *http.Request) {
		if r.Header.Get("Authorization") != "Bearer "+b.config.AccessToken {
			respond(w, http.StatusUnauthorized, "error", refuse(http.StatusUnauthorized, "access_token_not_active"))
			return
		}
		var body map[string]T
		if r.ContentLength != 0 && json.NewDecoder(r.Body).Decode(&body) != nil {
			respond(w, http.StatusBadRequest, "error", refuse(http.StatusBadRequest, "invalid_json"))
			return
		}
		b.lock()
		defer b.mu.Unlock()
		key := resource + " " + r.Header.Get("Idempotency-Key")
		if id, used := b.keys[key]; used && r.Header.Get("Idempotency-Key") != "" {
			conflict := refuse(http.StatusConflict, "idempotent_creation_conflict")
			conflict.Errors[0].Links = map[string]string{"conflicting_resource_id": id}
			respond(w, http.StatusConflict, "error", conflict)
			return
		}
		response, refusal := fn(r, body[resource])
		if refusal != nil {
			respond(w, refusal.Code, "error", refusal)
			return
		}
		if created, ok := any(response).(interface{ id() string }); ok && r.Header.Get("Idempotency-Key") != "" {
			b.keys[key] = created.id()
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

// read returns the resource with the id of the request's path.
func read[T any](r *http.Request, list []*T, id func(*T) string) (*T, *apiError) {
	found := find(list, func(resource *T) bool { return id(resource) == r.PathValue("id") })
	if found == nil {
		return nil, notFound
	}
	return found, nil
}

func (b *Bank) createCustomer(_ *http.Request, c *customer) (*customer, *apiError) {
	c.ID = b.newID("CU")
	b.customers = append(b.customers, c)
	return c, nil
}

func (b *Bank) customer(r *http.Request, _ *customer) (*customer, *apiError) {
	return read(r, b.customers, (*customer).id)
}

func (b *Bank) updateCustomer(r *http.Request, change *customer) (*customer, *apiError) {
	c, refusal := b.customer(r, nil)
	if refusal == nil {
		c.Name, c.Email = change.Name, change.Email
	}
	return c, refusal
}

func (b *Bank) createPayment(_ *http.Request, req *payment) (*payment, *apiError) {
	m := find(b.mandates, func(m *mandate) bool { return m.ID == req.Links.Mandate })
	switch {
	case m == nil:
		return nil, notFound
	case m.Status != "active":
		return nil, refuse(http.StatusUnprocessableEntity, "mandate_is_inactive")
	case req.Amount <= 0:
		return nil, refuse(http.StatusUnprocessableEntity, "must be greater than 0")
	}
	return b.collect(m, req.Amount, req.Currency, req.Description, req.Metadata), nil
}

func (b *Bank) payment(r *http.Request, _ *payment) (*payment, *apiError) {
	return read(r, b.payments, (*payment).id)
}

func (b *Bank) listPayments(r *http.Request, _ *payment) (list []*payment, _ *apiError) {
	for _, p := range slices.Backward(b.payments) {
		if p.customer == r.FormValue("customer") {
			list = append(list, p)
		}
	}
	return list, nil
}

func (b *Bank) cancelPayment(r *http.Request, _ *payment) (*payment, *apiError) {
	p, refusal := read(r, b.payments, (*payment).id)
	if refusal != nil {
		return nil, refusal
	}
	if p.Status != "pending_submission" {
		return nil, refuse(http.StatusUnprocessableEntity, "cancellation_failed")
	}
	b.move(p, "cancelled", details{})
	return p, nil
}

func (b *Bank) mandate(r *http.Request, _ *mandate) (*mandate, *apiError) {
	return read(r, b.mandates, func(m *mandate) string { return m.ID })
}

func (b *Bank) cancelMandate(r *http.Request, _ *mandate) (*mandate, *apiError) {
	m, refusal := b.mandate(r, nil)
	if refusal != nil {
		return nil, refusal
	}
	if m.Status == "cancelled" {
		return nil, refuse(http.StatusUnprocessableEntity, "cancellation_failed")
	}
	m.Status = "cancelled"
	b.record("mandates", "cancelled", map[string]string{"mandate": m.ID}, details{})
	return m, nil
}

func (b *Bank) bankAccount(r *http.Request, _ *bankAccount) (*bankAccount, *apiError) {
	return read(r, b.accounts, func(a *bankAccount) string { return a.ID })
}

func (b *Bank) createRefund(_ *http.Request, req *refund) (*refund, *apiError) {
	p := find(b.payments, func(p *payment) bool { return p.ID == req.Links.Payment })
	switch {
	case p == nil:
		return nil, notFound
	case p.Status != "confirmed" && p.Status != "paid_out":
		return nil, refuse(http.StatusUnprocessableEntity, "refund_payment_invalid_state")
	case req.Amount <= 0 || req.Amount > p.Amount-p.Refunded:
		return nil, refuse(http.StatusUnprocessableEntity, "refund_amount_exceeds_payment")
	}
	req.ID, req.Status, req.created = b.newID("RF"), "pending_submission", b.config.Clock.Now()
	p.Refunded += req.Amount
	b.refunds = append(b.refunds, req)
	b.record("refunds", "created", map[string]string{"refund": req.ID, "payment": p.ID}, details{})
	return req, nil
}

func (b *Bank) refund(r *http.Request, _ *refund) (*refund, *apiError) {
	return read(r, b.refunds, (*refund).id)
}

func (b *Bank) listRefunds(r *http.Request, _ *refund) (list []*refund, _ *apiError) {
	for _, refunded := range b.refunds {
		if refunded.Links.Payment == r.FormValue("payment") {
			list = append(list, refunded)
		}
	}
	return list, nil
}

// RefundByHand refunds a part of a payment in the dashboard, and reports whether that is possible.
func (b *Bank) RefundByHand(paymentID string, amount int64) bool {
	b.lock()
	defer b.mu.Unlock()
	req := &refund{Amount: amount}
	req.Links.Payment = paymentID
	_, refusal := b.createRefund(nil, req)
	return refusal == nil
}
