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

// response contains the status and the body of a response.
type response struct {
	Status int
	Body   object
}

func (res response) write(w http.ResponseWriter) {
	body, err := json.Marshal(res.Body)
	if err != nil {
		panic(err) // strings and numbers can always be encoded
	}
	w.Header().Set("Content-Type", "application/json")
	w.WriteHeader(res.Status)
	_, _ = w.Write(append(body, '\n')) // fails if the client has disconnected
}

// apiError is an error in Stripe's form.
type apiError struct {
	status    int
	errorType string
	code      string
	param     string
	message   string
	fields    object // further fields, such as decline_code or payment_intent
}

// Error returns the message.
func (e *apiError) Error() string { return e.message }

func invalidRequestError(code, param, message string) *apiError {
	return &apiError{
		status: http.StatusBadRequest, errorType: "invalid_request_error", code: code, param: param, message: message,
	}
}

func unauthorisedError(message string) *apiError {
	return &apiError{status: http.StatusUnauthorized, errorType: "invalid_request_error", message: message}
}

// notFoundError returns the 404 error for an unknown id in the path.
func notFoundError(objectType, id, param string) *apiError {
	e := unknownReferenceError(objectType, id, param)
	e.status = http.StatusNotFound
	return e
}

// unknownReferenceError returns the 400 error for an unknown id in a parameter.
func unknownReferenceError(objectType, id, param string) *apiError {
	const maxLength = 100
	if len(id) > maxLength {
		id = id[:maxLength] + "...(truncated)"
	}
	return invalidRequestError("resource_missing", param, fmt.Sprintf("No such %s: '%s'", objectType, id))
}

// unsupportedError returns the error for a parameter that Stripe accepts and this server does not support.
func unsupportedError(param, value string) *apiError {
	return invalidRequestError("local_stripe_unsupported", param,
		fmt.Sprintf("This local Stripe does not know %s=%s.", param, value))
}

// errorResponse returns the response for an error.
func errorResponse(err error) response {
	e := toAPIError(err)
	body := object{"type": e.errorType, "message": e.message}
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
		return &apiError{status: http.StatusNotFound, errorType: "invalid_request_error", code: "resource_missing",
			message: fault.MessageOf(err)}
	case fault.Invalid, fault.Conflict:
		return invalidRequestError("", "", fault.MessageOf(err))
	}
	return &apiError{status: http.StatusInternalServerError, errorType: "api_error", message: "An unknown error occurred"}
}

// cardError returns the 402 error for a declined card.
func cardError(cardErr fakepayment.CardError) *apiError {
	e := &apiError{
		status: http.StatusPaymentRequired, errorType: "card_error", code: cardErr.Code, param: cardErr.Param,
		message: cardErr.Message,
		fields:  object{},
	}
	maps.Copy(e.fields, declineFields(cardErr))
	return e
}

// declineFields returns the fields of an error that only declines have.
func declineFields(cardErr fakepayment.CardError) object {
	fields := object{}
	if cardErr.DeclineCode != "" {
		fields["decline_code"] = cardErr.DeclineCode
	}
	if cardErr.AdviceCode != "" {
		fields["advice_code"] = cardErr.AdviceCode
	}
	return fields
}
