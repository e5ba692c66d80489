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

// account is a bank account of a customer. Its number is the number of a test card or test bank account of the fake
// provider.
type account struct{ Number, Name string }

// The accounts that the customer can choose.
var accounts = []account{
	{"4242424242424242", "••42"},
	{"5555555555554444", "••44"},
	{"6000000000056819", "••19, pays after three days"},
	{"6000000000059110", "••10, fails after three days"},
	{"6000000000094406", "••06, is returned after ten days"},
	{decliningAccount, "••41, refuses every payment"},
}

const decliningAccount = "4000000000000341"

// pageData is the data of the page template.
type pageData struct {
	Amount   string // to be paid; "" to save an account only
	Accounts []account
	Open     bool // whether the page can be completed
	ReturnTo string
}

// site returns the provider's web site, which is not part of the application. It has a page that pays an invoice, and a
// page that saves an account without a payment.
func (p *provider) site() http.Handler {
	mux := http.NewServeMux()
	mux.HandleFunc("GET /checkout/{subscription}/{invoice}", p.showCheckout)
	mux.HandleFunc("POST /checkout/{subscription}/{invoice}", p.completeCheckout)
	mux.HandleFunc("GET /method/{secret}", p.showMethod)
	mux.HandleFunc("POST /method/{secret}", p.saveMethod)
	return mux
}

var page = template.Must(template.New("").Parse(`<!doctype html>
<html lang="en"><meta charset="utf-8"><meta name="viewport" content="width=device-width"><title>Hosted Pay</title>
<style>:root { color-scheme: light dark; font: 1.1rem system-ui } body { max-width: 26rem; margin: 4rem auto; padding: 0 1rem }
button, select { font: inherit; padding: .5rem 1rem }</style>
<main><h1>Hosted Pay</h1>
{{if .Open}}<p>{{if .Amount}}Pay <strong>{{.Amount}}</strong> from your bank account. Later invoices are collected from it as well.
{{- else}}Save your bank account. Nothing is charged now; later invoices are collected from it.{{end}}</p>
<form method="post">
<p><label>Bank account <select name="account">
{{range .Accounts}}<option value="{{.Number}}">{{.Name}}</option>{{end}}</select></label></p>
<button name="action" value="accept">{{if .Amount}}Pay{{else}}Save{{end}}</button>
<button name="action" value="decline">Decline</button>
<button name="action" value="cancel">Cancel</button>
</form>{{else}}<p>There is nothing to do here any more.</p>{{end}}
{{if .ReturnTo}}<p><a href="{{.ReturnTo}}">Back to the shop</a></p>{{end}}</main></html>`))

func writePage(w http.ResponseWriter, data pageData) {
	data.Accounts = accounts
	w.Header().Set("Content-Type", "text/html; charset=utf-8")
	_ = page.Execute(w, data) // fails only if the customer has disconnected
}

func (p *provider) showCheckout(w http.ResponseWriter, r *http.Request) {
	data := pageData{ReturnTo: p.returnURL(r.PathValue("subscription"))}
	if s, ok := p.openCheckout(r); ok {
		data.Open, data.Amount = true, s.LatestInvoice.AmountDue.FormatWithSymbol()
	}
	writePage(w, data)
}

func (p *provider) completeCheckout(w http.ResponseWriter, r *http.Request) {
	number := map[string]string{"accept": r.FormValue("account"), "decline": decliningAccount}[r.FormValue("action")]
	if s, ok := p.openCheckout(r); ok && number != "" {
		if err := p.charge(r.Context(), s, number); err != nil && !fault.Is(err, fault.Declined) {
			http.Error(w, fault.MessageOf(err), http.StatusConflict)
			return
		}
	}
	http.Redirect(w, r, p.returnURL(r.PathValue("subscription")), http.StatusSeeOther)
}

// openCheckout returns the subscription of the page, and whether its invoice can be paid now.
func (p *provider) openCheckout(r *http.Request) (s billing.Subscription, isPayable bool) {
	s, err := p.Provider.Subscription(r.Context(), r.PathValue("subscription"))
	isPayable = err == nil && s.Next.Kind == billing.NewPaymentMethod && s.Next.InvoiceID == r.PathValue("invoice")
	return s, isPayable
}

// charge debits the account. If that succeeds, the account is saved as the customer's mandate.
func (p *provider) charge(ctx context.Context, s billing.Subscription, number string) error {
	id, err := p.payOrSetUp(ctx, s.LatestInvoice.Payment.ClientSecret, number)
	if err == nil {
		_, err = p.SetDefaultCard(ctx, payment.SavedCardRequest{Key: "mandate-" + id, CustomerID: s.CustomerID, MethodID: id})
	}
	return err
}

func (p *provider) showMethod(w http.ResponseWriter, r *http.Request) {
	setup, err := p.Intent(r.Context(), r.PathValue("secret"))
	writePage(w, pageData{Open: err == nil && setup.Status != billing.Succeeded, ReturnTo: p.returnURL(r.PathValue("secret"))})
}

// saveMethod saves a mandate for the account and makes it the default one, unless the page was completed before.
func (p *provider) saveMethod(w http.ResponseWriter, r *http.Request) {
	secret := r.PathValue("secret")
	if r.FormValue("action") == "accept" {
		if _, err := p.payOrSetUp(r.Context(), secret, r.FormValue("account")); err != nil {
			http.Error(w, fault.MessageOf(err), http.StatusConflict)
			return
		}
	}
	http.Redirect(w, r, p.returnURL(secret), http.StatusSeeOther)
}

// payOrSetUp creates a payment method for the account, confirms the payment or the setup with it, and returns its id.
func (p *provider) payOrSetUp(ctx context.Context, secret, number string) (id string, err error) {
	method, err := p.CreatePaymentMethod(ctx, fakepayment.CardEntry{
		Number: number, ExpMonth: 12, ExpYear: p.Now().Year() + 50, CVC: "123",
	})
	if err == nil {
		_, err = p.Confirm(ctx, fakepayment.Confirmation{ClientSecret: secret, MethodID: method.ID})
	}
	return method.ID, err
}

// returnURL returns the URL to which the page of a subscription or a setup sends the customer back.
func (p *provider) returnURL(key string) string {
	p.mu.Lock()
	defer p.mu.Unlock()
	return p.returnTo[key]
}
