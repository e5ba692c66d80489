package stripepayment

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"log/slog"
	"net/http"
	"net/url"
	"regexp"

	"github.com/stripe/stripe-go/v85"

	"github.com/vc-admin/diy/domain/fault"
	"github.com/vc-admin/diy/ports/payment"
)

// logFault logs an error of Stripe's library with the name of the operation and returns the fault for it. It returns nil
// for nil, and a fault unchanged without logging it.
func (p *Provider) logFault(ctx context.Context, operation string, err error) error {
	if err == nil {
		return nil
	}
	if _, ok := errors.AsType[*fault.Error](err); ok {
		return err
	}
	f := failureOf(err)
	faultErr := newFault(f, err)
	p.Log.Log(ctx, logLevel(faultErr.Code, f), "stripe request failed",
		"operation", operation, "fault", faultErr.Code, "stripe_request", f.requestID, "failure", f)
	return faultErr
}

// newFault returns the fault for an error of Stripe's library. f is the failure of the error, see failureOf.
func newFault(f failure, err error) *fault.Error {
	switch {
	case f.networkErr != nil:
		return errUnavailable(f)
	case f.errorType == stripe.ErrorTypeCard:
		return fault.Wrap(f, fault.Declined, cardMessage(err))
	case f.isAPIKeyRefused():
		return fault.Wrap(f, fault.Unavailable,
			"The payment provider refuses our access at the moment. Please try again later.")
	case f.status == http.StatusConflict, f.status == http.StatusTooManyRequests, f.status >= http.StatusInternalServerError:
		return errUnavailable(f)
	case f.errorType == stripe.ErrorTypeIdempotency:
		return fault.Wrap(f, fault.Conflict, "This key was used for another request.")
	case f.isMissing():
		return fault.Wrap(f, fault.NotFound, "The payment provider does not know this object.")
	}
	return fault.Wrap(f, fault.Invalid, "The payment provider does not accept this request.")
}

// cardMessage returns Stripe's message for the cardholder.
func cardMessage(err error) string {
	stripeErr, _ := errors.AsType[*stripe.Error](err)
	return cmp.Or(stripeErr.Msg, "Your card was declined.")
}

func errUnavailable(cause error) *fault.Error {
	return fault.Wrap(cause, fault.Unavailable, "The payment provider did not answer. Please try again.")
}

// logLevel returns Error for a refused API key, which an operator must correct. It returns Warn for an outage, and for a
// request that Stripe does not accept, which is a defect. It returns Info for other faults, such as a declined card.
func logLevel(code fault.Code, f failure) slog.Level {
	switch {
	case f.isAPIKeyRefused():
		return slog.LevelError
	case code == fault.Unavailable, code == fault.Invalid:
		return slog.LevelWarn
	}
	return slog.LevelInfo
}

// failure contains the parts of an error that may be logged. It leaves out Stripe's message, which can quote the request,
// and the objects in the response, which contain client secrets.
type failure struct {
	status      int
	errorType   stripe.ErrorType
	code        stripe.ErrorCode
	declineCode stripe.DeclineCode
	param       string
	requestID   string
	networkErr  error // set if there was no readable response
}

// failureOf returns the parts of an error of Stripe's library that may be logged.
func failureOf(err error) failure {
	if stripeErr, ok := errors.AsType[*stripe.Error](err); ok {
		return failure{
			status: stripeErr.HTTPStatusCode, errorType: stripeErr.Type, code: stripeErr.Code,
			declineCode: stripeErr.DeclineCode, param: stripeErr.Param, requestID: stripeErr.RequestID,
		}
	}
	if urlErr, ok := errors.AsType[*url.Error](err); ok {
		return failure{networkErr: urlErr.Err} // the outer error contains the URL with its query
	}
	return failure{networkErr: errors.New("the response was not readable")} // the library's error quotes the response
}

// Error returns the text for logs.
func (f failure) Error() string {
	if f.networkErr != nil {
		return "stripe: " + f.networkErr.Error()
	}
	return fmt.Sprintf("stripe: status %d, type %s, code %s, param %s, request %s", f.status, f.errorType, f.code, f.param,
		f.requestID)
}

// Unwrap returns the network error, or nil if Stripe has responded.
func (f failure) Unwrap() error { return f.networkErr }

// LogValue returns the fields for a log line.
func (f failure) LogValue() slog.Value {
	if f.networkErr != nil {
		return slog.StringValue(f.networkErr.Error())
	}
	return slog.GroupValue(
		slog.Int("status", f.status), slog.String("type", string(f.errorType)), slog.String("code", string(f.code)),
		slog.String("decline_code", string(f.declineCode)), slog.String("param", f.param),
	)
}

// Is matches payment.ErrAPIKeyRefused if Stripe refused the API key.
func (f failure) Is(target error) bool {
	return target == payment.ErrAPIKeyRefused && f.isAPIKeyRefused()
}

func (f failure) isAPIKeyRefused() bool {
	return f.status == http.StatusUnauthorized || f.status == http.StatusForbidden
}

// isMissing reports whether the requested object does not exist.
func (f failure) isMissing() bool {
	return f.status != 0 && (f.code == stripe.ErrorCodeResourceMissing || f.status == http.StatusNotFound)
}

// isRefused reports whether Stripe has refused to execute the request, for example because of the state of an object.
func (f failure) isRefused() bool {
	return f.status == http.StatusBadRequest && f.errorType == stripe.ErrorTypeInvalidRequest && !f.isMissing()
}

// idPattern matches all ids of Stripe's objects.
var idPattern = regexp.MustCompile(`^[A-Za-z0-9_]{1,255}$`)

// checkID returns NotFound for a string that can't be an id. Such a string could change the path or the query of a
// request, so it must not be sent.
func checkID(id, objectName string) error {
	if idPattern.MatchString(id) {
		return nil
	}
	return errNotFound(objectName)
}

func errNotFound(objectName string) error {
	return fault.New(fault.NotFound, "There is no such "+objectName+".")
}
