package fakepayment

import (
	"errors"
	"net/http"

	"github.com/vc-admin/diy/domain/billing"
	"github.com/vc-admin/diy/domain/fault"
)

type cardRequest struct {
	Number   string `json:"number"`
	ExpMonth int    `json:"exp_month"`
	ExpYear  int    `json:"exp_year"`
	CVC      string `json:"cvc"`
}

type cardBody struct {
	Brand    string `json:"brand"`
	Last4    string `json:"last4"`
	ExpMonth int    `json:"exp_month"`
	ExpYear  int    `json:"exp_year"`
}

type paymentMethodBody struct {
	ID     string   `json:"id"`
	Object string   `json:"object"`
	Type   string   `json:"type"`
	Card   cardBody `json:"card"`
}

type intentBody struct {
	ID           string               `json:"id"`
	Object       string               `json:"object"`
	Kind         intentKind           `json:"kind"`
	Status       billing.IntentStatus `json:"status"`
	ClientSecret string               `json:"client_secret"`
	Amount       int64                `json:"amount,omitempty"`
	Currency     string               `json:"currency,omitempty"`
	Card         *cardBody            `json:"card,omitempty"`
	PaymentError *errorBody           `json:"last_payment_error,omitempty"`
	SetupError   *errorBody           `json:"last_setup_error,omitempty"`
}

type errorBody struct {
	Type        string      `json:"type"`
	Code        string      `json:"code"`
	DeclineCode string      `json:"decline_code,omitempty"`
	Message     string      `json:"message"`
	Param       string      `json:"param,omitempty"`
	Payment     *intentBody `json:"payment_intent,omitempty"`
	Setup       *intentBody `json:"setup_intent,omitempty"`
}

func newCardBody(c billing.Card) cardBody {
	return cardBody{Brand: c.Brand, Last4: c.Last4, ExpMonth: c.ExpMonth, ExpYear: c.ExpYear}
}

func newIntentBody(pi intent, cd card) intentBody {
	out := intentBody{
		ID: pi.ID, Object: string(pi.Kind) + "_intent", Kind: pi.Kind, Status: pi.Status,
		ClientSecret: pi.Secret, Amount: pi.Amount, Currency: pi.Currency,
	}
	if cd.ID != "" {
		body := newCardBody(cd.Card)
		out.Card = &body
	}
	if pi.Kind == kindSetup {
		out.SetupError = newCardErrorBody(pi.LastError)
	} else {
		out.PaymentError = newCardErrorBody(pi.LastError)
	}
	return out
}

// newCardErrorBody converts a card error to the body of an error. It returns nil for nil.
func newCardErrorBody(e *CardError) *errorBody {
	if e == nil {
		return nil
	}
	return &errorBody{Type: "card_error", Code: e.Code, DeclineCode: e.DeclineCode, Message: e.Message, Param: e.Param}
}

// httpError is the error of a request that the browser API refuses before it calls the provider.
type httpError struct {
	status int
	allow  string // the Allow header
	body   errorBody
}

// Error returns the message.
func (e *httpError) Error() string { return e.body.Message }

func newHTTPError(status int, code, message string) *httpError {
	return &httpError{status: status, body: errorBody{Type: "invalid_request_error", Code: code, Message: message}}
}

func errInvalidRequest(message string) error {
	return newHTTPError(http.StatusBadRequest, "parameter_invalid", message)
}

func errMethodNotAllowed(allow string) error {
	e := newHTTPError(http.StatusMethodNotAllowed, "method_not_allowed", "Only "+allow+" is possible here.")
	e.allow = allow
	return e
}

// intentError adds the updated intent to an error, so that the response contains it.
type intentError struct {
	cause  error
	intent intentBody
}

// Error returns the message of the cause.
func (e *intentError) Error() string { return e.cause.Error() }

// Unwrap returns the cause.
func (e *intentError) Unwrap() error { return e.cause }

// errorResponse maps an error to a status and a body.
func errorResponse(err error) (int, errorBody) {
	if httpErr, ok := errors.AsType[*httpError](err); ok {
		return httpErr.status, httpErr.body
	}
	intentErr, ok := errors.AsType[*intentError](err)
	if !ok {
		intentErr = &intentError{}
	}
	switch fault.CodeOf(err) {
	case fault.Declined:
		cardErr, _ := CardErrorOf(err)
		return http.StatusPaymentRequired, addIntent(*newCardErrorBody(&cardErr), intentErr)
	case fault.NotFound:
		return http.StatusNotFound, newHTTPError(0, "resource_missing", fault.MessageOf(err)).body
	case fault.Conflict:
		code := string(intentErr.intent.Kind) + "_intent_unexpected_state"
		return http.StatusBadRequest, addIntent(newHTTPError(0, code, fault.MessageOf(err)).body, intentErr)
	}
	return http.StatusServiceUnavailable, errorBody{
		Type: "api_error", Code: "unavailable", Message: "The payment provider did not answer. Please try again.",
	}
}

// addIntent adds the intent of the error to the body.
func addIntent(body errorBody, intentErr *intentError) errorBody {
	switch intentErr.intent.Kind {
	case kindSetup:
		body.Setup = &intentErr.intent
	case kindPayment:
		body.Payment = &intentErr.intent
	}
	return body
}
