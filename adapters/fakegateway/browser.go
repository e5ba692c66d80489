package fakegateway

import (
	"cmp"
	"encoding/json"
	"net/http"

	"github.com/vc-admin/diy/adapters/testcards"
	"github.com/vc-admin/diy/domain/billing"
	"github.com/vc-admin/diy/domain/fault"
	"github.com/vc-admin/diy/ports/gateway"
)

// maxBodyBytes limits the bodies of requests from the browser.
const maxBodyBytes = 64 << 10

// testBehaviours contains the behaviours of the cards and bank accounts that the browser API accepts.
var testBehaviours = map[testcards.Behaviour]Behaviour{
	testcards.Succeeds: Pays, testcards.SucceedsOnce: PaysOnce, testcards.Authenticates: AuthenticatesOnce,
	testcards.AuthenticatesAlways: Authenticates,
	testcards.DeclinedWhenSaved:   DeclinesSaving, testcards.DeclinedAsExpired: Expired, testcards.DeclinedWhenCharged: Declines,
	testcards.InsufficientFunds: LacksFunds, testcards.DeclinedAsLost: DeclinesHard, testcards.DeclinedAsStolen: DeclinesHard,
	testcards.SucceedsLate: Pays, testcards.FailsLate: FailsLate, testcards.ReturnsLate: ReturnsLate,
}

// intentStatuses contains the status that the browser receives for each state of a payment.
var intentStatuses = map[gateway.State]billing.IntentStatus{
	gateway.Open: billing.RequiresAction, gateway.Processing: billing.Processing, gateway.Paid: billing.Succeeded,
	gateway.Failed: billing.RequiresPaymentMethod, gateway.Canceled: billing.IntentCanceled, gateway.Returned: billing.Succeeded,
}

// BrowserAPI returns the handler of the API that the fake card field of the web app calls. Mount it with http.StripPrefix.
//
//	POST /payment_methods {"card": {"number", "exp_month", "exp_year", "cvc"}}: {"id"}, a value of gateway.Order.Token
//	GET /intents/{secret}: {"status", "last_payment_error": {"message"}}
//	POST /intents/{secret}/confirm {"outcome": "complete" or "fail"}: authenticates the payment with the secret
//
// The body of an error is {"error": {"message"}}.
func (p *Provider) BrowserAPI() http.Handler {
	mux := http.NewServeMux()
	mux.HandleFunc("POST /payment_methods", respond(p.postPaymentMethod))
	mux.HandleFunc("GET /intents/{secret}", respond(p.getIntent))
	mux.HandleFunc("POST /intents/{secret}/confirm", respond(p.postConfirmation))
	return mux
}

func (p *Provider) postPaymentMethod(r *http.Request) (any, error) {
	var body struct {
		Card struct {
			Number   string `json:"number"`
			ExpMonth int    `json:"exp_month"`
			ExpYear  int    `json:"exp_year"`
			CVC      string `json:"cvc"`
		} `json:"card"`
	}
	if err := json.NewDecoder(r.Body).Decode(&body); err != nil {
		return nil, fault.New(fault.Invalid, "The body is not JSON as described.")
	}
	token, err := p.CreateTokenOfEntry(testcards.Entry(body.Card))
	if err != nil {
		return nil, err
	}
	return map[string]string{"id": token}, nil
}

// CreateTokenOfEntry returns a token for a test card or test bank account, as the card field in a browser does. It returns
// Declined for an invalid entry.
func (p *Provider) CreateTokenOfEntry(entry testcards.Entry) (string, error) {
	m, entryErr := entry.Parse(p.config.Clock.Now())
	if entryErr != nil {
		return "", fault.Wrap(entryErr, fault.Declined, entryErr.Message)
	}
	return p.createToken(&account{behaviour: testBehaviours[m.Behaviour], details: m.PaymentMethod()})
}

func (p *Provider) getIntent(r *http.Request) (any, error) {
	defer p.unlock()
	if err := p.lockAndAdvance(); err != nil {
		return nil, err
	}
	sp, err := p.findBySecret(r.PathValue("secret"))
	if err != nil {
		return nil, err
	}
	return newIntentBody(sp.Payment), nil
}

func (p *Provider) postConfirmation(r *http.Request) (any, error) {
	var body struct {
		Outcome string `json:"outcome"`
	}
	if err := json.NewDecoder(r.Body).Decode(&body); err != nil || body.Outcome != "complete" && body.Outcome != "fail" {
		return nil, fault.New(fault.Invalid, "The outcome must be complete or fail.")
	}
	payment, err := p.Authenticate(r.PathValue("secret"), body.Outcome == "complete")
	return newIntentBody(payment), err
}

type intentBody struct {
	Status    billing.IntentStatus `json:"status"`
	LastError *errorBody           `json:"last_payment_error,omitempty"`
}

type errorBody struct {
	Message string `json:"message"`
}

func newIntentBody(payment gateway.Payment) intentBody {
	body := intentBody{Status: intentStatuses[payment.State]}
	if payment.State == gateway.Failed {
		body.LastError = &errorBody{payment.Reason}
	}
	return body
}

// errorStatuses contains the HTTP status of each kind of error. The status of another error is 500.
var errorStatuses = map[fault.Code]int{
	fault.Declined: http.StatusPaymentRequired, fault.NotFound: http.StatusNotFound, fault.Invalid: http.StatusBadRequest,
	fault.Unavailable: http.StatusServiceUnavailable,
}

// respond returns a handler that writes what act returns as JSON.
func respond(act func(*http.Request) (any, error)) http.HandlerFunc {
	return func(w http.ResponseWriter, r *http.Request) {
		r.Body = http.MaxBytesReader(w, r.Body, maxBodyBytes)
		status := http.StatusOK
		body, err := act(r)
		if err != nil {
			status = cmp.Or(errorStatuses[fault.CodeOf(err)], http.StatusInternalServerError)
			body = map[string]errorBody{"error": {fault.MessageOf(err)}}
		}
		w.Header().Set("Content-Type", "application/json")
		w.Header().Set("Cache-Control", "no-store")
		w.WriteHeader(status)
		_ = json.NewEncoder(w).Encode(body) // fails only if the client has disconnected
	}
}
