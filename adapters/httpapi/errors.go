package httpapi

import (
	"context"
	"errors"
	"fmt"
	"net/http"
	"strconv"
	"strings"
	"time"

	"github.com/vc-admin/diy/app"
	"github.com/vc-admin/diy/domain/account"
	"github.com/vc-admin/diy/domain/billing"
	"github.com/vc-admin/diy/domain/fault"
	"github.com/vc-admin/diy/ports/payment"
)

// apiError is the body of every error response.
type apiError struct {
	status     int
	retryAfter time.Duration     // the Retry-After header; 0 for none
	Name       string            `json:"name"`
	Message    string            `json:"message"`
	Fields     map[string]string `json:"fields,omitempty"`
	Quote      any               `json:"quote,omitempty"`      // *currentPaymentWire or *quoteWire
	Next       *nextActionWire   `json:"next,omitempty"`       // authenticates a card before it is saved
	InProgress bool              `json:"inProgress,omitempty"` // an earlier request or payment has no known outcome yet

	Organisation *organisationNameWire `json:"organisation,omitempty"` // of the session, with ERRORGANISATION
}

// Error implements error.
func (e *apiError) Error() string { return e.Name + ": " + e.Message }

var (
	errNoRoute          = &apiError{status: http.StatusNotFound, Name: "ERRNOTFOUND", Message: "There is nothing here."}
	errMethodNotAllowed = &apiError{status: http.StatusMethodNotAllowed, Name: "ERRMETHOD", Message: "This can't be done here."}
	errTooLarge         = &apiError{status: http.StatusRequestEntityTooLarge, Name: "ERRTOOLARGE", Message: "The request is too large."}
	errMediaType        = &apiError{status: http.StatusUnsupportedMediaType, Name: "ERRMEDIATYPE", Message: "The request must be JSON."}
	errXSRF             = &apiError{
		status: http.StatusForbidden, Name: "ERRXSRF", Message: "Your session has changed. Please reload the page and try again.",
	}
	errProviderBusy = &apiError{
		status: http.StatusServiceUnavailable, Name: "ERRPROVIDER", retryAfter: 2 * time.Second,
		Message: "The payment service is busy. Please try again in a moment!",
	}
	errInternal = &apiError{
		status: http.StatusInternalServerError, Name: "ERRINTERNAL",
		Message: "Something went wrong on our side. Please try again later!",
	}
)

// errNameUnsupported is the name of the error for a request that the payment provider can't execute.
const errNameUnsupported = "ERRUNSUPPORTED"

// organisationNameWire names an organisation.
type organisationNameWire struct {
	ID   string `json:"id"`
	Name string `json:"name"`
}

// otherOrganisationError returns the error for a request of a page that shows another organisation than the session's.
func otherOrganisationError(org account.Organisation) error {
	return &apiError{
		status: http.StatusConflict, Name: "ERRORGANISATION", Message: "You switched to " + org.Name + ".",
		Organisation: &organisationNameWire{ID: org.ID, Name: org.Name},
	}
}

// jsonError returns the error for a body that can't be decoded.
func jsonError(message string) error {
	return &apiError{status: http.StatusBadRequest, Name: "ERRJSON", Message: message}
}

// rateLimitError returns the error for a request that can be repeated after wait.
func rateLimitError(wait time.Duration) error {
	return &apiError{
		status: http.StatusTooManyRequests, Name: "ERRRATE", retryAfter: wait,
		Message: "That was tried too often. Please try again in " + formatWait(wait) + ".",
	}
}

// formatWait formats a wait of up to a minute in seconds and a longer one in minutes, rounded up.
func formatWait(wait time.Duration) string {
	n, unit := ceilDiv(wait, time.Minute), "minute"
	if wait <= time.Minute {
		n, unit = ceilDiv(wait, time.Second), "second"
	}
	if n != 1 {
		unit += "s"
	}
	return fmt.Sprintf("%d %s", n, unit)
}

func ceilDiv(d, unit time.Duration) int { return int((d + unit - 1) / unit) }

// errorResponses maps fault codes to statuses and error names.
var errorResponses = map[fault.Code]struct {
	status int
	name   string
}{
	fault.Invalid:         {http.StatusBadRequest, "ERRVALIDATION"},
	fault.Duplicate:       {http.StatusBadRequest, "ERRDUPLICATE"},
	fault.Credentials:     {http.StatusUnauthorized, "ERRCREDENTIALS"},
	fault.SecondFactor:    {http.StatusUnauthorized, "ERRSECONDFACTOR"},
	fault.WrongCode:       {http.StatusUnauthorized, "ERRCODE"},
	fault.Unauthenticated: {http.StatusUnauthorized, "ERRUNAUTHENTICATED"},
	fault.Declined:        {http.StatusPaymentRequired, "ERRCARD"},
	fault.Unverified:      {http.StatusForbidden, "ERRUNVERIFIED"},
	fault.Forbidden:       {http.StatusForbidden, "ERRFORBIDDEN"},
	fault.Reauthenticate:  {http.StatusForbidden, "ERRREAUTHENTICATE"},
	fault.NotFound:        {http.StatusNotFound, "ERRNOTFOUND"},
	fault.Conflict:        {http.StatusConflict, "ERRCONFLICT"},
	fault.RateLimited:     {http.StatusTooManyRequests, "ERRRATE"},
	fault.Unsupported:     {http.StatusConflict, errNameUnsupported},
	fault.Unavailable:     {http.StatusServiceUnavailable, "ERRPROVIDER"},
}

// toAPIError converts any error to a response. The response contains neither causes nor details of internal errors.
func toAPIError(err error) *apiError {
	if e, ok := errors.AsType[*apiError](err); ok {
		return e
	}
	if e, ok := errors.AsType[*app.OpenPaymentError](err); ok {
		return toOpenPaymentError(e)
	}
	if e, ok := errors.AsType[*app.QuoteError](err); ok {
		return toQuoteError(e)
	}
	if e, ok := errors.AsType[*payment.AuthenticationError](err); ok {
		return &apiError{
			status: http.StatusPaymentRequired, Name: "ERRCARD", Message: fault.MessageOf(e), Next: toNextActionWire(e.Next),
		}
	}
	response, ok := errorResponses[fault.CodeOf(err)]
	if !ok {
		return errInternal
	}
	e := &apiError{
		status: response.status, Name: response.name, Message: fault.MessageOf(err), retryAfter: fault.RetryAfterOf(err),
	}
	e.InProgress = errors.Is(err, billing.ErrInProgress) || errors.Is(err, payment.ErrKeyRetired)
	for _, field := range fault.FieldsOf(err) {
		if e.Fields == nil {
			e.Fields = map[string]string{}
		}
		e.Fields[field.Name] = field.Message
	}
	return e
}

// WriteError writes an error response. Handlers outside of this package use it.
func WriteError(w http.ResponseWriter, err error) {
	e := toAPIError(err)
	w.Header().Set("Cache-Control", "no-store")
	if e.retryAfter > 0 {
		w.Header().Set("Retry-After", strconv.Itoa(ceilDiv(e.retryAfter, time.Second)))
	}
	_ = writeJSON(w, e.status, e) // an apiError can always be encoded
}

// logAndWriteError writes an error response. It logs errors with status 500 or more, unless the client has canceled the
// request. It logs requests that the provider doesn't support as information, because any customer can send them. It adds
// the sales address to the message for an organisation on hold.
func (a *api) logAndWriteError(w http.ResponseWriter, r *http.Request, err error) {
	e := toAPIError(err)
	if errors.Is(err, billing.ErrOnHold) && a.Site.SalesEmail != "" {
		e.Message = strings.TrimSuffix(e.Message, ".") + ": " + a.Site.SalesEmail + "."
	}
	switch {
	case e.status >= http.StatusInternalServerError && !errors.Is(r.Context().Err(), context.Canceled):
		a.Log.ErrorContext(r.Context(), "request failed", "route", routePattern(r), "error", err)
	case e.Name == errNameUnsupported:
		a.Log.InfoContext(r.Context(), "request not supported", "route", routePattern(r), "error", err)
	}
	WriteError(w, e)
}
