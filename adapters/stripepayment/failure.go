package stripepayment

import (
	"errors"
	"fmt"
	"log/slog"
	"net/http"
	"net/url"

	"github.com/stripe/stripe-go/v85"

	"github.com/vc-admin/diy/ports/payment"
)

// failure is what may be logged of a request that failed. Stripe's own message is left out,
// because it can quote what was sent; so are the objects that come with it, which hold client
// secrets.
type failure struct {
	status      int
	kind        stripe.ErrorType
	code        stripe.ErrorCode
	declineCode stripe.DeclineCode
	param       string
	requestID   string
	network     error // when there was no answer
}

func failureOf(err error) failure {
	if refusal, is := errors.AsType[*stripe.Error](err); is {
		return failure{
			status: refusal.HTTPStatusCode, kind: refusal.Type, code: refusal.Code,
			declineCode: refusal.DeclineCode, param: refusal.Param, requestID: refusal.RequestID,
		}
	}
	// The outer error has the whole address in it, query and all.
	if sending, is := errors.AsType[*url.Error](err); is {
		return failure{network: sending.Err}
	}
	// What the library says of an answer it can't read quotes the answer.
	return failure{network: errors.New("the answer was not readable")}
}

// Error is the text for logs.
func (f failure) Error() string {
	if f.network != nil {
		return "stripe: " + f.network.Error()
	}
	return fmt.Sprintf("stripe: status %d, type %s, code %s, param %s, request %s", f.status, f.kind, f.code, f.param, f.requestID)
}

// Unwrap is what went wrong on the way, if it did.
func (f failure) Unwrap() error { return f.network }

// LogValue is the failure for a log line, part by part.
func (f failure) LogValue() slog.Value {
	if f.network != nil {
		return slog.StringValue(f.network.Error())
	}
	return slog.GroupValue(
		slog.Int("status", f.status), slog.String("type", string(f.kind)), slog.String("code", string(f.code)),
		slog.String("decline_code", string(f.declineCode)), slog.String("param", f.param),
	)
}

// Is finds the port's words for a key that Stripe does not take in the failure.
func (f failure) Is(target error) bool { return target == payment.ErrKeyRefused && f.keyRefused() }

func (f failure) keyRefused() bool {
	return f.status == http.StatusUnauthorized || f.status == http.StatusForbidden
}

// missing reports whether Stripe has no such thing.
func (f failure) missing() bool {
	return f.status != 0 && (f.code == stripe.ErrorCodeResourceMissing || f.status == 404)
}

// refused reports whether Stripe understood the request and will never fulfil it as it is.
func (f failure) refused() bool {
	return f.status == 400 && f.kind == stripe.ErrorTypeInvalidRequest && !f.missing()
}
