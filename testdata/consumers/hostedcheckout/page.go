package main

import (
	"context"
	"html/template"
	"net/http"

	"github.com/vc-admin/diy/adapters/fakepayment"
	"github.com/vc-admin/diy/domain/billing"
	"github.com/vc-admin/diy/domain/fault"
	"github.com/vc-admin/diy/ports/payment"
)

// The bank accounts of customers, kept as test cards of the fake provider.
const (
	payingAccount    = "4242424242424242"
	decliningAccount = "4000000000000341"
)

// site returns the provider's web site: the payment page, which is not part of the application.
func (p *provider) site() http.Handler {
	mux := http.NewServeMux()
	mux.HandleFunc("GET /checkout/{subscription}/{invoice}", p.showCheckout)
	mux.HandleFunc("POST /checkout/{subscription}/{invoice}", p.checkOut)
	return mux
}

var checkoutPage = template.Must(template.New("").Parse(`<!doctype html>
<html lang="en"><meta charset="utf-8"><meta name="viewport" content="width=device-width"><title>Hosted Pay</title>
<style>:root { color-scheme: light dark; font: 1.1rem system-ui } body { max-width: 26rem; margin: 4rem auto; padding: 0 1rem }
button { font: inherit; padding: .5rem 1.5rem }</style>
<main><h1>Hosted Pay</h1>
{{if .Amount}}<p>Pay <strong>{{.Amount}}</strong> from your bank account ••42. Later invoices are collected from it as well.</p>
<form method="post">
<button name="action" value="pay">Pay</button> <button name="action" value="decline">Decline</button>
<button name="action" value="cancel">Cancel</button>
</form>{{else}}<p>There is nothing to pay here any more.</p>{{end}}
{{if .ReturnTo}}<p><a href="{{.ReturnTo}}">Back to the shop</a></p>{{end}}</main></html>`))

func (p *provider) showCheckout(w http.ResponseWriter, r *http.Request) {
	var view struct{ Amount, ReturnTo string }
	s, payable := p.payable(r)
	if payable {
		view.Amount = s.LatestInvoice.AmountDue.FormatWithSymbol()
	}
	view.ReturnTo = p.returnAddress(r)
	w.Header().Set("Content-Type", "text/html; charset=utf-8")
	_ = checkoutPage.Execute(w, view) // fails only if the customer has left
}

func (p *provider) checkOut(w http.ResponseWriter, r *http.Request) {
	account := map[string]string{"pay": payingAccount, "decline": decliningAccount}[r.FormValue("action")]
	if s, payable := p.payable(r); payable && account != "" {
		if err := p.charge(r.Context(), s, account); err != nil && !fault.Is(err, fault.Declined) {
			http.Error(w, fault.MessageOf(err), http.StatusConflict)
			return
		}
	}
	http.Redirect(w, r, p.returnAddress(r), http.StatusSeeOther)
}

// payable returns the subscription of the page, and whether its invoice can be paid now.
func (p *provider) payable(r *http.Request) (billing.Subscription, bool) {
	s, err := p.Provider.Subscription(r.Context(), r.PathValue("subscription"))
	open := err == nil && s.Next.Kind == billing.NewPaymentMethod && s.Next.InvoiceID == r.PathValue("invoice")
	return s, open
}

// charge debits the account. If that succeeds, the account is saved as the customer's mandate.
func (p *provider) charge(ctx context.Context, s billing.Subscription, account string) error {
	m, err := p.CreatePaymentMethod(ctx, fakepayment.CardEntry{Number: account, ExpMonth: 12, ExpYear: p.Clock.Now().Year() + 50, CVC: "123"})
	if err != nil {
		return err
	}
	if _, err := p.Confirm(ctx, fakepayment.Confirmation{ClientSecret: s.LatestInvoice.Payment.ClientSecret, MethodID: m.ID}); err != nil {
		return err
	}
	_, err = p.SetDefaultCard(ctx, payment.SavedCard{Key: "mandate-" + m.ID, CustomerID: s.CustomerID, MethodID: m.ID})
	return err
}

func (p *provider) returnAddress(r *http.Request) string {
	p.mu.Lock()
	defer p.mu.Unlock()
	return p.returnTo[r.PathValue("subscription")]
}
