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

// response is a status and a body.
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
	_, _ = w.Write(append(text, '\n')) // fails if the client has disconnected
}

// apiError is an error in Stripe's form.
type apiError struct {
	status int
	kind   string
	code   string
	param  string
	text   string
	fields object // further fields, such as decline_code or payment_intent
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
	const maxLength = 100
	if len(id) > maxLength {
		id = id[:maxLength] + "...(truncated)"
	}
	return invalidRequest("resource_missing", param, fmt.Sprintf("No such %s: '%s'", kind, id))
}

// unsupported returns the error for a parameter that Stripe accepts and this server does not support.
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
	maps.Copy(body, e.fields)
	return response{Status: e.status, Body: object{"error": body}}
}

// toAPIError returns an API error unchanged, and the API error for an error of the provider. Endpoints that report more
// details create their errors themselves.
func toAPIError(err error) *apiError {
	if apiErr, ok := errors.AsType[*apiError](err); ok {
		return apiErr
	}
	switch fault.CodeOf(err) {
	case fault.Declined:
		cardErr, _ := fakepayment.CardErrorOf(err)
		return cardError(cardErr)
	case fault.NotFound:
		return &apiError{status: http.StatusNotFound, kind: "invalid_request_error", code: "resource_missing",
			text: fault.MessageOf(err)}
	case fault.Invalid, fault.Conflict:
		return invalidRequest("", "", fault.MessageOf(err))
	}
	return &apiError{status: http.StatusInternalServerError, kind: "api_error", text: "An unknown error occurred"}
}

// cardError returns the 402 error for a declined card.
func cardError(cardErr fakepayment.CardError) *apiError {
	e := &apiError{
		status: http.StatusPaymentRequired, kind: "card_error", code: cardErr.Code, param: cardErr.Param,
		text:   cardErr.Message,
		fields: object{},
	}
	if cardErr.DeclineCode != "" {
		e.fields["decline_code"] = cardErr.DeclineCode
	}
	return e
}
