package fakegateway

import (
	"html/template"
	"net/http"
	"slices"

	"github.com/vc-admin/diy/ports/gateway"
)

var paymentPage = template.Must(template.New("").Parse(`<!doctype html>
<html lang="en"><meta charset="utf-8"><meta name="viewport" content="width=device-width"><title>Fake bank</title>
<style>body { font: 1.1rem system-ui; max-width: 26rem; margin: 4rem auto; padding: 0 1rem }
button { font: inherit; padding: .5rem 1.5rem; margin: .25rem 0 }</style>
<main><h1>Fake bank</h1>
{{if .Open}}<p>{{if .Amount}}Pay <strong>{{.Amount}}</strong> from{{else}}Save{{end}} an account that:</p>
<form method="post">{{range .Behaviours}}<button name="account" value="{{.}}">{{.}}</button><br>{{end}}</form>
{{else}}<p>There is nothing to pay here any more.</p>{{end}}
{{if .ReturnTo}}<p><a href="{{.ReturnTo}}">Back to the shop</a></p>{{end}}</main></html>`))

// pageView is what the payment page shows.
type pageView struct {
	Open       bool
	Amount     string // "" for an account that is only saved
	Behaviours []Behaviour
	ReturnTo   string
}

// Page returns the payment page of all payments, with a button for each behaviour of an account. Its paths are the
// references of the payments. A POST request with the form value "account" presses a button, and redirects to
// Order.ReturnTo.
func (b *Bank) Page() http.Handler {
	mux := http.NewServeMux()
	mux.HandleFunc("GET /{payment}", b.showPage)
	mux.HandleFunc("POST /{payment}", b.pay)
	return mux
}

func (b *Bank) showPage(w http.ResponseWriter, r *http.Request) {
	b.lock()
	p, err := b.find(gateway.Reference{Ref: r.PathValue("payment")})
	view := pageView{Behaviours: behaviours}
	if err == nil {
		view.Open, view.ReturnTo = p.State == gateway.Open, p.returnTo
		if p.Amount.Minor() > 0 {
			view.Amount = p.Amount.FormatWithSymbol()
		}
	}
	b.mu.Unlock()
	if err != nil {
		http.NotFound(w, r)
		return
	}
	w.Header().Set("Content-Type", "text/html; charset=utf-8")
	_ = paymentPage.Execute(w, view) // fails only if the customer has left
}

func (b *Bank) pay(w http.ResponseWriter, r *http.Request) {
	b.lock()
	defer b.mu.Unlock()
	behaviour := Behaviour(r.PostFormValue("account"))
	p, err := b.find(gateway.Reference{Ref: r.PathValue("payment")})
	switch {
	case err != nil:
		http.NotFound(w, r)
		return
	case !slices.Contains(behaviours, behaviour):
		http.Error(w, "unknown account", http.StatusBadRequest)
		return
	case p.State == gateway.Open && p.URL != "":
		b.charge(p, &account{behaviour: behaviour}, true, true)
		b.recordChange(p)
	}
	http.Redirect(w, r, p.returnTo, http.StatusSeeOther)
}
