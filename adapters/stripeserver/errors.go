package stripeserver

import (
	"encoding/json"
	"errors"
	"fmt"
	"maps"
	"net/http"

	"github.com/vc-admin/diy/adapters/fakepayment"
	"github.com/vc-admin/diy/domain/fault"
)

// object is a JSON object of Stripe's API.
type object map[string]any

// response is a complete response.
type response struct {
	Status int
	Body   object
}

func (res response) write(w http.ResponseWriter) {
	text, err := json.Marshal(res.Body)
	if err != nil {
		panic(err) // strings and numbers can always be encoded
	}
	w.Header().Set("Content-Type", "application/json")
	w.WriteHeader(res.Status)
	_, _ = w.Write(append(text, '\n')) // the client has disconnected
}

// apiError is an error in Stripe's form.
type apiError struct {
	status int
	kind   string
	code   string
	param  string
	text   string
	more   object // further fields, such as decline_code or payment_intent
}

// Error returns the message.
func (e *apiError) Error() string { return e.text }

func invalidRequest(code, param, text string) *apiError {
	return &apiError{status: http.StatusBadRequest, kind: "invalid_request_error", code: code, param: param, text: text}
}

func unauthorised(text string) *apiError {
	return &apiError{status: http.StatusUnauthorized, kind: "invalid_request_error", text: text}
}

// notFound returns the 404 error for an id in the path.
func notFound(kind, id, param string) *apiError {
	e := noSuchObject(kind, id, param)
	e.status = http.StatusNotFound
	return e
}

// noSuchObject returns the 400 error for an id in a parameter.
func noSuchObject(kind, id, param string) *apiError {
	const longest = 100
	if len(id) > longest {
		id = id[:longest] + "...(truncated)"
	}
	return invalidRequest("resource_missing", param, fmt.Sprintf("No such %s: '%s'", kind, id))
}

// unsupported refuses a parameter that Stripe accepts and the fake provider does not support.
func unsupported(param, value string) *apiError {
	return invalidRequest("local_stripe_unsupported", param,
		fmt.Sprintf("This local Stripe does not know %s=%s.", param, value))
}

// errorResponse returns the response for an error.
func errorResponse(err error) response {
	e := toAPIError(err)
	body := object{"type": e.kind, "message": e.text}
	if e.code != "" {
		body["code"] = e.code
		body["doc_url"] = "https://stripe.com/docs/error-codes/" + e.code
	}
	if e.param != "" {
		body["param"] = e.param
	}
	maps.Copy(body, e.more)
	return response{Status: e.status, Body: object{"error": body}}
}

// toAPIError maps the provider's errors to Stripe's. Endpoints that report more details create
// their errors themselves.
func toAPIError(err error) *apiError {
	if apiErr, ok := errors.AsType[*apiError](err); ok {
		return apiErr
	}
	switch fault.CodeOf(err) {
	case fault.Declined:
		why, _ := fakepayment.CardErrorOf(err)
		return cardError(why)
	case fault.NotFound:
		return &apiError{status: http.StatusNotFound, kind: "invalid_request_error", code: "resource_missing",
			text: fault.MessageOf(err)}
	case fault.Invalid, fault.Conflict:
		return invalidRequest("", "", fault.MessageOf(err))
	}
	return &apiError{status: http.StatusInternalServerError, kind: "api_error", text: "An unknown error occurred"}
}

func cardError(why fakepayment.CardError) *apiError {
	e := &apiError{
		status: http.StatusPaymentRequired, kind: "card_error", code: why.Code, param: why.Param, text: why.Message,
		more: object{},
	}
	if why.DeclineCode != "" {
		e.more["decline_code"] = why.DeclineCode
	}
	return e
}
