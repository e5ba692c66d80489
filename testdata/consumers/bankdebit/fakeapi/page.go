package fakeapi

import (
	"html/template"
	"net/http"
	"slices"
	"strconv"

	"github.com/vc-admin/diy/domain/money"
)

func (s *Server) createBillingRequest(_ *http.Request, req *billingRequest) (*billingRequest, *apiError) {
	if find(s.customers, func(c *customer) bool { return c.ID == req.Links.Customer }) == nil {
		return nil, errNotFound
	}
	req.ID, req.Status = s.newID("BRQ"), "pending"
	s.requests = append(s.requests, req)
	s.recordRequestEvent(req, "created")
	return req, nil
}

func (s *Server) recordRequestEvent(req *billingRequest, action string) {
	s.recordEvent("billing_requests", action, map[string]string{"billing_request": req.ID}, requestDetails[action])
}

// requestDetails contains the details of events about billing requests by their action.
var requestDetails = map[string]eventDetails{
	"bank_authorisation_denied": {"authorisation_denied", "Your bank declined the payment."},
}

func (s *Server) billingRequest(r *http.Request, _ *billingRequest) (*billingRequest, *apiError) {
	return findByPath(r, s.requests, (*billingRequest).id)
}

func (s *Server) listBillingRequests(r *http.Request, _ *billingRequest) (list []*billingRequest, _ *apiError) {
	for _, req := range slices.Backward(s.requests) {
		if req.Links.Customer == r.FormValue("customer") {
			list = append(list, req)
		}
	}
	return list, nil
}

func (s *Server) cancelBillingRequest(r *http.Request, _ *billingRequest) (*billingRequest, *apiError) {
	req, refusal := s.billingRequest(r, nil)
	if refusal != nil {
		return nil, refusal
	}
	if req.Status != "pending" {
		return nil, newError(http.StatusUnprocessableEntity, "cancellation_failed")
	}
	req.Status = "cancelled"
	s.recordRequestEvent(req, "cancelled")
	return req, nil
}

func (s *Server) createFlow(_ *http.Request, f *flow) (*flow, *apiError) {
	req := find(s.requests, func(req *billingRequest) bool { return req.ID == f.Links.BillingRequest })
	if req == nil || req.Status != "pending" {
		return nil, newError(http.StatusUnprocessableEntity, "billing_request_not_pending")
	}
	f.ID = s.newID("BRF")
	f.URL = s.config.URL + "/flow/" + f.ID
	s.flows = append(s.flows, f)
	return f, nil
}

func (s *Server) flow(r *http.Request, _ *flow) (*flow, *apiError) {
	return findByPath(r, s.flows, (*flow).id)
}

var page = template.Must(template.New("").Parse(`<!doctype html>
<html lang="en"><meta charset="utf-8"><meta name="viewport" content="width=device-width"><title>Bank Debit</title>
<style>:root { color-scheme: light dark; font: 1.1rem system-ui } body { max-width: 26rem; margin: 4rem auto; padding: 0 1rem }
button { font: inherit; padding: .5rem 1.5rem; margin: .25rem 0 }</style>
<main><h1>Bank Debit</h1>
{{if .Open}}<p>{{if .Amount}}Pay <strong>{{.Amount}}</strong> by direct debit.{{else}}Set up a direct debit.{{end}} Choose your account:</p>
<form method="post">{{range .Behaviours}}<button name="account" value="{{.}}">Account that {{.}}</button><br>{{end}}</form>
{{else}}<p>There is nothing to authorise here any more.</p>{{end}}
<p><a href="{{.ReturnTo}}">Back to the shop</a></p></main></html>`))

func (s *Server) showPage(w http.ResponseWriter, r *http.Request) {
	s.lockAndAdvance()
	f, req := s.findFlow(r)
	view := struct {
		Open             bool
		Amount, ReturnTo string
		Behaviours       []Behaviour
	}{Behaviours: behaviours}
	if f != nil {
		view.Open, view.ReturnTo = req.Status == "pending", f.RedirectURI
		if req.Payment != nil {
			if amount, err := money.New(req.Payment.Amount, req.Payment.Currency); err == nil {
				view.Amount = amount.FormatWithSymbol()
			}
		}
	}
	s.mu.Unlock()
	if f == nil {
		http.NotFound(w, r)
		return
	}
	w.Header().Set("Content-Type", "text/html; charset=utf-8")
	_ = page.Execute(w, view) // fails only if the customer has left
}

// findFlow returns the flow whose page is requested and its billing request, or nil.
func (s *Server) findFlow(r *http.Request) (*flow, *billingRequest) {
	f := find(s.flows, func(f *flow) bool { return f.ID == r.PathValue("id") })
	if f == nil {
		return nil, nil
	}
	return f, find(s.requests, func(req *billingRequest) bool { return req.ID == f.Links.BillingRequest })
}

// chooseAccount creates a mandate for the account that the customer has chosen, and a payment if the billing request is for
// one.
func (s *Server) chooseAccount(w http.ResponseWriter, r *http.Request) {
	behaviour := Behaviour(r.PostFormValue("account"))
	s.lockAndAdvance()
	defer s.mu.Unlock()
	f, req := s.findFlow(r)
	if f == nil || !slices.Contains(behaviours, behaviour) {
		http.NotFound(w, r)
		return
	}
	isDenied := behaviour == AccountRefused || behaviour == InsufficientFunds && req.Payment != nil
	if req.Status == "pending" && isDenied {
		s.recordRequestEvent(req, "bank_authorisation_denied")
	} else if req.Status == "pending" {
		s.fulfil(req, behaviour)
	}
	http.Redirect(w, r, f.RedirectURI, http.StatusSeeOther)
}

// fulfil saves the account of the behaviour with a mandate, and begins the payment of the billing request.
func (s *Server) fulfil(req *billingRequest, behaviour Behaviour) {
	number := slices.Index(behaviours, behaviour)
	account := &bankAccount{
		ID: s.newID("BA"), BankName: "Test Bank", Ending: strconv.Itoa(40 + number),
		Fingerprint: "account " + string(behaviour), behaviour: behaviour,
	}
	m := &mandate{ID: s.newID("MD"), Status: "active"}
	m.Links.Account, m.Links.Customer = account.ID, req.Links.Customer
	s.accounts, s.mandates = append(s.accounts, account), append(s.mandates, m)
	req.Status, req.Links.Mandate = "fulfilled", m.ID
	if req.Payment != nil {
		p := s.charge(m, req.Payment.Amount, req.Payment.Currency, req.Payment.Description, req.Payment.Metadata)
		req.Links.Payment = p.ID
	}
	s.recordRequestEvent(req, "fulfilled")
}
