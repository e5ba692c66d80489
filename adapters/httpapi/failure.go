package httpapi

import (
	"errors"
	"net/http"
	"strconv"
	"time"

	"github.com/vc-admin/diy/app"
	"github.com/vc-admin/diy/domain/fault"
)

// failure is how every error looks on the wire.
type failure struct {
	status     int
	retryAfter time.Duration     // when trying again may help; 0 when that can't be said
	Name       string            `json:"name"`
	Message    string            `json:"message"`
	Fields     map[string]string `json:"fields,omitempty"`
	Quote      *quoteWire        `json:"quote,omitempty"`
}

// Error makes a failure usable where only this package can know what went wrong.
func (f *failure) Error() string { return f.Name + ": " + f.Message }

var (
	errNoRoute      = &failure{status: http.StatusNotFound, Name: "ERRNOTFOUND", Message: "There is nothing here."}
	errMethod       = &failure{status: http.StatusMethodNotAllowed, Name: "ERRMETHOD", Message: "This can't be done here."}
	errTooLarge     = &failure{status: http.StatusRequestEntityTooLarge, Name: "ERRTOOLARGE", Message: "The request is too large."}
	errMediaType    = &failure{status: http.StatusUnsupportedMediaType, Name: "ERRMEDIATYPE", Message: "The request must be JSON."}
	errXSRF         = &failure{status: http.StatusForbidden, Name: "ERRXSRF", Message: "Your session has changed. Please reload the page and try again."}
	errProviderBusy = &failure{
		status: http.StatusServiceUnavailable, Name: "ERRPROVIDER", retryAfter: 2 * time.Second,
		Message: "The payment service is busy. Please try again in a moment!",
	}
	errDefect = &failure{status: http.StatusInternalServerError, Name: "ERRINTERNAL", Message: "Something went wrong on our side. Please try again later!"}
)

func errJSON(message string) error {
	return &failure{status: http.StatusBadRequest, Name: "ERRJSON", Message: message}
}

// wireOf is the one table from fault codes to the wire.
var wireOf = map[fault.Code]struct {
	status int
	name   string
}{
	fault.Invalid:         {http.StatusBadRequest, "ERRVALIDATION"},
	fault.Duplicate:       {http.StatusBadRequest, "ERRDUPLICATE"},
	fault.Credentials:     {http.StatusUnauthorized, "ERRCREDENTIALS"},
	fault.Unauthenticated: {http.StatusUnauthorized, "ERRUNAUTHENTICATED"},
	fault.Declined:        {http.StatusPaymentRequired, "ERRCARD"},
	fault.Unverified:      {http.StatusForbidden, "ERRUNVERIFIED"},
	fault.Forbidden:       {http.StatusForbidden, "ERRFORBIDDEN"},
	fault.NotFound:        {http.StatusNotFound, "ERRNOTFOUND"},
	fault.Conflict:        {http.StatusConflict, "ERRCONFLICT"},
	fault.RateLimited:     {http.StatusTooManyRequests, "ERRRATE"},
	fault.Unsupported:     {http.StatusNotImplemented, "ERRUNSUPPORTED"},
	fault.Unavailable:     {http.StatusServiceUnavailable, "ERRPROVIDER"},
}

// failureOf turns any error into what the wire may say of it: no cause, and nothing at all of a
// defect of ours.
func failureOf(err error) *failure {
	if f, ok := errors.AsType[*failure](err); ok {
		return f
	}
	if _, ok := errors.AsType[*http.MaxBytesError](err); ok {
		return errTooLarge
	}
	if e, ok := errors.AsType[*app.OpenPaymentError](err); ok {
		return quoteFailure(e)
	}
	wire, known := wireOf[fault.CodeOf(err)]
	if !known {
		return errDefect
	}
	f := &failure{status: wire.status, Name: wire.name, Message: fault.MessageOf(err), retryAfter: fault.RetryAfterOf(err)}
	for _, field := range fault.FieldsOf(err) {
		if f.Fields == nil {
			f.Fields = map[string]string{}
		}
		f.Fields[field.Name] = field.Message
	}
	return f
}

// WriteFailure answers with the failure, for those who meet one outside of this package's handlers.
func WriteFailure(w http.ResponseWriter, err error) {
	f := failureOf(err)
	w.Header().Set("Cache-Control", "no-store")
	if f.retryAfter > 0 {
		w.Header().Set("Retry-After", strconv.Itoa(roundUp(f.retryAfter, time.Second)))
	}
	_ = reply(w, f.status, f) // a failure can be written as JSON
}

// fail answers with the failure and logs what a person must not see.
func (a *api) fail(w http.ResponseWriter, r *http.Request, err error) {
	f := failureOf(err)
	if f.status >= http.StatusInternalServerError {
		a.Log.ErrorContext(r.Context(), "request failed", "route", routeOf(r), "error", err)
	}
	WriteFailure(w, f)
}
