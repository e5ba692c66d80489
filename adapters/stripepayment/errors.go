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

// fault converts an error of Stripe's library to a fault and logs it with the name of the
// operation. It returns nil for nil, and faults unchanged.
func (p *Provider) fault(ctx context.Context, operation string, err error) error {
	if err == nil {
		return nil
	}
	if _, ok := errors.AsType[*fault.Error](err); ok {
		return err
	}
	f := failureOf(err)
	out := toFault(f, err)
	p.Log.Log(ctx, logLevel(out.Code, f), "stripe request failed",
		"operation", operation, "fault", out.Code, "stripe_request", f.requestID, "failure", f)
	return out
}

// toFault maps Stripe's errors to fault codes.
func toFault(f failure, err error) *fault.Error {
	switch {
	case f.network != nil:
		return unavailable(f)
	case f.kind == stripe.ErrorTypeCard:
		return fault.Wrap(f, fault.Declined, cardMessage(err))
	case f.keyRefused():
		return fault.Wrap(f, fault.Unavailable,
			"The payment provider refuses our access at the moment. Please try again later.")
	case f.status == http.StatusConflict, f.status == http.StatusTooManyRequests, f.status >= http.StatusInternalServerError:
		return unavailable(f)
	case f.kind == stripe.ErrorTypeIdempotency:
		return fault.Wrap(f, fault.Conflict, "This key was used for another request.")
	case f.isMissing():
		return fault.Wrap(f, fault.NotFound, "The payment provider does not know this object.")
	}
	return fault.Wrap(f, fault.Invalid, "The payment provider does not accept this request.")
}

// cardMessage returns Stripe's message for the card's holder.
func cardMessage(err error) string {
	refusal, _ := errors.AsType[*stripe.Error](err)
	return cmp.Or(refusal.Msg, "Your card was declined.")
}

func unavailable(cause error) *fault.Error {
	return fault.Wrap(cause, fault.Unavailable, "The payment provider did not answer. Please try again.")
}

// logLevel returns Error for a refused API key, which the operator must fix, Warn for outages and
// for requests that Stripe does not accept, which are defects, and Info for the rest, such as
// declined cards.
func logLevel(code fault.Code, f failure) slog.Level {
	switch {
	case f.keyRefused():
		return slog.LevelError
	case code == fault.Unavailable, code == fault.Invalid:
		return slog.LevelWarn
	}
	return slog.LevelInfo
}

// failure holds the parts of an error that may be logged. It leaves out Stripe's message, which can
// quote the request, and the objects in the response, which contain client secrets.
type failure struct {
	status      int
	kind        stripe.ErrorType
	code        stripe.ErrorCode
	declineCode stripe.DeclineCode
	param       string
	requestID   string
	network     error // set if there was no response
}

func failureOf(err error) failure {
	if refusal, ok := errors.AsType[*stripe.Error](err); ok {
		return failure{
			status: refusal.HTTPStatusCode, kind: refusal.Type, code: refusal.Code,
			declineCode: refusal.DeclineCode, param: refusal.Param, requestID: refusal.RequestID,
		}
	}
	// the outer error contains the full URL with its query
	if sending, ok := errors.AsType[*url.Error](err); ok {
		return failure{network: sending.Err}
	}
	// the library's error quotes the response
	return failure{network: errors.New("the response was not readable")}
}

// Error returns the text for logs.
func (f failure) Error() string {
	if f.network != nil {
		return "stripe: " + f.network.Error()
	}
	return fmt.Sprintf("stripe: status %d, type %s, code %s, param %s, request %s", f.status, f.kind, f.code, f.param,
		f.requestID)
}

// Unwrap returns the network error, if that was the cause.
func (f failure) Unwrap() error { return f.network }

// LogValue returns the fields for a log line.
func (f failure) LogValue() slog.Value {
	if f.network != nil {
		return slog.StringValue(f.network.Error())
	}
	return slog.GroupValue(
		slog.Int("status", f.status), slog.String("type", string(f.kind)), slog.String("code", string(f.code)),
		slog.String("decline_code", string(f.declineCode)), slog.String("param", f.param),
	)
}

// Is matches payment.ErrKeyRefused if Stripe refused the API key.
func (f failure) Is(target error) bool { return target == payment.ErrKeyRefused && f.keyRefused() }

func (f failure) keyRefused() bool {
	return f.status == http.StatusUnauthorized || f.status == http.StatusForbidden
}

// isMissing reports whether the requested object does not exist.
func (f failure) isMissing() bool {
	return f.status != 0 && (f.code == stripe.ErrorCodeResourceMissing || f.status == 404)
}

// isRefused reports whether the request is valid in form and Stripe will not execute it.
func (f failure) isRefused() bool {
	return f.status == 400 && f.kind == stripe.ErrorTypeInvalidRequest && !f.isMissing()
}

// idPattern matches every id of Stripe's.
var idPattern = regexp.MustCompile(`^[A-Za-z0-9_]{1,255}$`)

// checkID returns NotFound for a string that can't be an id. It must not reach Stripe, where it
// could change the path or the query.
func checkID(text, what string) error {
	if idPattern.MatchString(text) {
		return nil
	}
	return errNotFound(what)
}

func errNotFound(what string) error { return fault.New(fault.NotFound, "There is no such "+what+".") }
