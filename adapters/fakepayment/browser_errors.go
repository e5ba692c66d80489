package fakepayment

import (
	"errors"
	"net/http"

	"github.com/vc-admin/diy/domain/fault"
)

// errorBody is the wire form of an error.
type errorBody struct {
	Type        string      `json:"type"`
	Code        string      `json:"code"`
	DeclineCode string      `json:"decline_code,omitempty"`
	Message     string      `json:"message"`
	Param       string      `json:"param,omitempty"`
	Payment     *intentBody `json:"payment_intent,omitempty"`
	Setup       *intentBody `json:"setup_intent,omitempty"`
}

// httpError is a refusal of the browser face itself.
type httpError struct {
	status int
	allow  string
	body   errorBody
}

// Error is the message.
func (e *httpError) Error() string { return e.body.Message }

func requestError(status int, code, message string) *httpError {
	return &httpError{status: status, body: errorBody{Type: "invalid_request_error", Code: code, Message: message}}
}

func invalid(message string) error {
	return requestError(http.StatusBadRequest, "parameter_invalid", message)
}

func noSuch(what string) error {
	return requestError(http.StatusNotFound, "resource_missing", "There is no such "+what+".")
}

func notAllowed(allow string) error {
	e := requestError(http.StatusMethodNotAllowed, "method_not_allowed", "Only "+allow+" is possible here.")
	e.allow = allow
	return e
}

// intentError is a refusal that comes with the intent as it then is.
type intentError struct {
	cause  error
	intent intentBody
}

// Error is the cause's.
func (e *intentError) Error() string { return e.cause.Error() }

// Unwrap is the cause.
func (e *intentError) Unwrap() error { return e.cause }

// refusing writes the error.
func refusing(err error) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) {
		status, body := asAnswer(err)
		if own, is := errors.AsType[*httpError](err); is && own.allow != "" {
			w.Header().Set("Allow", own.allow)
		}
		write(w, status, map[string]errorBody{"error": body})
	})
}

// asAnswer is the one place where errors become answers.
func asAnswer(err error) (int, errorBody) {
	if own, is := errors.AsType[*httpError](err); is {
		return own.status, own.body
	}
	of, is := errors.AsType[*intentError](err)
	if !is {
		of = &intentError{}
	}
	switch fault.CodeOf(err) {
	case fault.Declined:
		return http.StatusPaymentRequired, withIntent(cardError(err), of)
	case fault.NotFound:
		return http.StatusNotFound, requestError(0, "resource_missing", fault.MessageOf(err)).body
	case fault.Conflict:
		code := string(of.intent.Kind) + "_intent_unexpected_state"
		return http.StatusBadRequest, withIntent(requestError(0, code, fault.MessageOf(err)).body, of)
	}
	return http.StatusServiceUnavailable, errorBody{Type: "api_error", Code: "unavailable", Message: "The payment provider did not answer. Please try again."}
}

func cardError(err error) errorBody {
	why, _ := errors.AsType[*problem](err)
	return *errorOf(why)
}

func errorOf(p *problem) *errorBody {
	if p == nil {
		return nil
	}
	return &errorBody{Type: "card_error", Code: p.Code, DeclineCode: p.DeclineCode, Message: p.Message, Param: p.Param}
}

func withIntent(body errorBody, of *intentError) errorBody {
	switch of.intent.Kind {
	case kindSetup:
		body.Setup = &of.intent
	case kindPayment:
		body.Payment = &of.intent
	}
	return body
}
