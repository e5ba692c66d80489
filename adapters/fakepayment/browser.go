package fakepayment

import (
	"encoding/json"
	"net/http"
)

// Browser is the handler of what a browser does at the provider; the package comment describes
// it. It wants to be mounted with http.StripPrefix.
func (p *Provider) Browser() http.Handler {
	mux := http.NewServeMux()
	mux.Handle("POST /payment_methods", answering(p.postPaymentMethod))
	mux.Handle("GET /intents/{secret}", answering(p.getIntent))
	mux.Handle("POST /intents/{secret}/confirm", answering(p.postConfirm))
	mux.Handle("/payment_methods", refusing(notAllowed("POST")))
	mux.Handle("/intents/{secret}", refusing(notAllowed("GET")))
	mux.Handle("/intents/{secret}/confirm", refusing(notAllowed("POST")))
	mux.Handle("/", refusing(noSuch("path")))
	return mux
}

func (p *Provider) postPaymentMethod(r *http.Request) (any, error) {
	var in struct {
		Card           *cardBody      `json:"card"`
		BillingDetails map[string]any `json:"billing_details"`
	}
	if err := decode(r, &in); err != nil {
		return nil, err
	}
	if in.Card == nil {
		return nil, invalid("card is required")
	}
	made, err := p.CreatePaymentMethod(r.Context(), CardEntry(*in.Card))
	return paymentMethodBody{
		ID: made.ID, Object: "payment_method", Type: "card", Card: shownCard(made.Card),
	}, err
}

func (p *Provider) getIntent(r *http.Request) (any, error) {
	found, with, err := p.look(r.Context(), r.PathValue("secret"))
	return bodyOf(found, with), err
}

func (p *Provider) postConfirm(r *http.Request) (any, error) {
	var in struct {
		Outcome Outcome `json:"outcome"`
		CardID  string  `json:"payment_method"`
	}
	if err := decode(r, &in); err != nil {
		return nil, err
	}
	if in.Outcome != NoOutcome && in.Outcome != Complete && in.Outcome != Fail {
		return nil, invalid("outcome must be complete or fail")
	}
	after, with, err := p.confirm(r.Context(), Confirmation{
		ClientSecret: r.PathValue("secret"), Outcome: in.Outcome, CardID: in.CardID,
	})
	if err != nil && after.ID != "" {
		err = &intentError{cause: err, intent: bodyOf(after, with)}
	}
	return bodyOf(after, with), err
}

// answering writes what the handler returns.
func answering(do func(*http.Request) (any, error)) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		r.Body = http.MaxBytesReader(w, r.Body, bodyLimit)
		body, err := do(r)
		if err != nil {
			refusing(err).ServeHTTP(w, r)
			return
		}
		write(w, http.StatusOK, body)
	})
}

func write(w http.ResponseWriter, status int, body any) {
	text, err := json.Marshal(body)
	if err != nil {
		panic(err) // strings and numbers always have a JSON form
	}
	w.Header().Set("Content-Type", "application/json")
	w.Header().Set("Cache-Control", "no-store")
	w.Header().Set("X-Content-Type-Options", "nosniff")
	w.WriteHeader(status)
	_, _ = w.Write(append(text, '\n')) // whoever asked has gone; nobody is left to tell
}
