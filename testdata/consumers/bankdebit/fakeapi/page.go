package fakeapi

import (
	"html/template"
	"net/http"
	"slices"
	"strconv"

	"github.com/vc-admin/diy/domain/money"
)

func (b *Bank) createBillingRequest(_ *http.Request, req *billingRequest) (*billingRequest, *apiError) {
	if find(b.customers, func(c *customer) bool { return c.ID == req.Links.Customer }) == nil {
		return nil, notFound
	}
	req.ID, req.Status = b.newID("BRQ"), "pending"
	b.requests = append(b.requests, req)
	b.recordRequest(req, "created")
	return req, nil
}

func (b *Bank) recordRequest(req *billingRequest, action string) {
	b.record("billing_requests", action, map[string]string{"billing_request": req.ID}, refusals[action])
}

// refusals are the details of events about billing requests, by their action.
var refusals = map[string]details{
	"bank_authorisation_denied": {"authorisation_denied", "Your bank declined the payment."},
}

func (b *Bank) billingRequest(r *http.Request, _ *billingRequest) (*billingRequest, *apiError) {
	return read(r, b.requests, (*billingRequest).id)
}

func (b *Bank) listBillingRequests(r *http.Request, _ *billingRequest) (list []*billingRequest, _ *apiError) {
	for _, req := range slices.Backward(b.requests) {
		if req.Links.Customer == r.FormValue("customer") {
			list = append(list, req)
		}
	}
	return list, nil
}

func (b *Bank) cancelBillingRequest(r *http.Request, _ *billingRequest) (*billingRequest, *apiError) {
	req, refusal := b.billingRequest(r, nil)
	if refusal != nil {
		return nil, refusal
	}
	if req.Status != "pending" {
		return nil, refuse(http.StatusUnprocessableEntity, "cancellation_failed")
	}
	req.Status = "cancelled"
	b.recordRequest(req, "cancelled")
	return req, nil
}

func (b *Bank) createFlow(_ *http.Request, f *flow) (*flow, *apiError) {
	req := find(b.requests, func(req *billingRequest) bool { return req.ID == f.Links.BillingRequest })
	if req == nil || req.Status != "pending" {
		return nil, refuse(http.StatusUnprocessableEntity, "billing_request_not_pending")
	}
	f.ID = b.newID("BRF")
	f.URL = b.config.URL + "/flow/" + f.ID
	b.flows = append(b.flows, f)
	return f, nil
}

func (b *Bank) flow(r *http.Request, _ *flow) (*flow, *apiError) {
	return read(r, b.flows, (*flow).id)
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

func (b *Bank) showPage(w http.ResponseWriter, r *http.Request) {
	b.lock()
	f, req := b.flowOf(r)
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
	b.mu.Unlock()
	if f == nil {
		http.NotFound(w, r)
		return
	}
	w.Header().Set("Content-Type", "text/html; charset=utf-8")
	_ = page.Execute(w, view) // fails only if the customer has left
}

// flowOf returns the flow of a page and its billing request, nil if there is none.
func (b *Bank) flowOf(r *http.Request) (*flow, *billingRequest) {
	f := find(b.flows, func(f *flow) bool { return f.ID == r.PathValue("id") })
	if f == nil {
		return nil, nil
	}
	return f, find(b.requests, func(req *billingRequest) bool { return req.ID == f.Links.BillingRequest })
}

// grant creates a mandate for the account that the customer has chosen, and a payment if the billing request is for one.
func (b *Bank) grant(w http.ResponseWriter, r *http.Request) {
	behaviour := Behaviour(r.PostFormValue("account"))
	b.lock()
	defer b.mu.Unlock()
	f, req := b.flowOf(r)
	if f == nil || !slices.Contains(behaviours, behaviour) {
		http.NotFound(w, r)
		return
	}
	refused := behaviour == Refused || behaviour == Empty && req.Payment != nil
	if req.Status == "pending" && refused {
		b.recordRequest(req, "bank_authorisation_denied")
	} else if req.Status == "pending" {
		b.fulfil(req, behaviour)
	}
	http.Redirect(w, r, f.RedirectURI, http.StatusSeeOther)
}

func (b *Bank) fulfil(req *billingRequest, behaviour Behaviour) {
	number := slices.Index(behaviours, behaviour)
	account := &bankAccount{
		ID: b.newID("BA"), BankName: "Test Bank", Ending: strconv.Itoa(40 + number), Fingerprint: "account " + string(behaviour), behaviour: behaviour,
	}
	m := &mandate{ID: b.newID("MD"), Status: "active"}
	m.Links.Account, m.Links.Customer = account.ID, req.Links.Customer
	b.accounts, b.mandates = append(b.accounts, account), append(b.mandates, m)
	req.Status, req.Links.Mandate = "fulfilled", m.ID
	if req.Payment != nil {
		p := b.collect(m, req.Payment.Amount, req.Payment.Currency, req.Payment.Description, req.Payment.Metadata)
		req.Links.Payment = p.ID
	}
	b.recordRequest(req, "fulfilled")
}
