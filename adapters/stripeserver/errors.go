package stripeserver

import (
	"errors"
	"fmt"
	"maps"
	"net/http"

	"github.com/vc-admin/diy/adapters/fakepayment"
	"github.com/vc-admin/diy/domain/fault"
)

// apiError is a refusal in Stripe's form.
type apiError struct {
	status int
	kind   string
	code   string
	param  string
	text   string
	more   object // decline_code, payment_intent and the like
}

// Error is the message.
func (e *apiError) Error() string { return e.text }

func invalidRequest(code, param, text string) *apiError {
	return &apiError{status: http.StatusBadRequest, kind: "invalid_request_error", code: code, param: param, text: text}
}

func unauthorised(text string) *apiError {
	return &apiError{status: http.StatusUnauthorized, kind: "invalid_request_error", text: text}
}

// missing is for an id in the path; missingParam for one among the parameters.
func missing(kind, id, param string) *apiError {
	e := missingParam(kind, id, param)
	e.status = http.StatusNotFound
	return e
}

func missingParam(kind, id, param string) *apiError {
	const longest = 100
	if len(id) > longest {
		id = id[:longest] + "...(truncated)"
	}
	return invalidRequest("resource_missing", param, fmt.Sprintf("No such %s: '%s'", kind, id))
}

// unsupported is no refusal of Stripe's: it could do this and the machine behind us can't.
func unsupported(param, value string) *apiError {
	return invalidRequest("local_stripe_unsupported", param, fmt.Sprintf("This local Stripe does not know %s=%s.", param, value))
}

// refusal is the answer that an error leads to.
func refusal(err error) answer {
	e := refused(err)
	body := object{"type": e.kind, "message": e.text}
	if e.code != "" {
		body["code"] = e.code
		body["doc_url"] = "https://stripe.com/docs/error-codes/" + e.code
	}
	if e.param != "" {
		body["param"] = e.param
	}
	maps.Copy(body, e.more)
	return answer{Status: e.status, Body: object{"error": body}}
}

// refused is the one table from the provider's faults to Stripe's errors. Endpoints whose errors
// say more make them themselves.
func refused(err error) *apiError {
	if own, is := errors.AsType[*apiError](err); is {
		return own
	}
	switch fault.CodeOf(err) {
	case fault.Declined:
		why, _ := fakepayment.CardErrorOf(err)
		return cardError(why)
	case fault.NotFound:
		return &apiError{status: http.StatusNotFound, kind: "invalid_request_error", code: "resource_missing", text: fault.MessageOf(err)}
	case fault.Invalid, fault.Conflict:
		return invalidRequest("", "", fault.MessageOf(err))
	}
	return &apiError{status: http.StatusInternalServerError, kind: "api_error", text: "An unknown error occurred"}
}

func cardError(why fakepayment.CardError) *apiError {
	e := &apiError{
		status: http.StatusPaymentRequired, kind: "card_error", code: why.Code, param: why.Param, text: why.Message, more: object{},
	}
	if why.DeclineCode != "" {
		e.more["decline_code"] = why.DeclineCode
	}
	return e
}
