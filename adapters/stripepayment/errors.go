package stripepayment

import (
	"cmp"
	"context"
	"errors"
	"log/slog"
	"net/http"

	"github.com/stripe/stripe-go/v85"

	"github.com/vc-admin/diy/domain/fault"
)

// fault turns what the library returns into a fault and logs it under the name of what was to be
// done. nil stays nil, and what is a fault already stays as it is.
func (p *Provider) fault(ctx context.Context, doing string, err error) error {
	if err == nil {
		return nil
	}
	if _, is := errors.AsType[*fault.Error](err); is {
		return err
	}
	why := failureOf(err)
	out := translate(why, err)
	p.Log.Log(ctx, levelOf(out.Code, why), "stripe refused or failed",
		"doing", doing, "fault", out.Code, "stripe_request", why.requestID, "failure", why)
	return out
}

// translate is the one table from Stripe's errors to ours.
func translate(why failure, err error) *fault.Error {
	switch {
	case why.network != nil:
		return unavailable(why)
	case why.kind == stripe.ErrorTypeCard:
		return fault.Wrap(why, fault.Declined, cardMessage(err))
	case why.keyRefused():
		return fault.Wrap(why, fault.Unavailable, "The payment provider does not let us in at the moment. Please try again later.")
	case why.status == http.StatusConflict, why.status == http.StatusTooManyRequests, why.status >= http.StatusInternalServerError:
		return unavailable(why)
	case why.kind == stripe.ErrorTypeIdempotency:
		return fault.Wrap(why, fault.Conflict, "This key was used for another request.")
	case why.missing():
		return fault.Wrap(why, fault.NotFound, "The payment provider has no such thing.")
	}
	return fault.Wrap(why, fault.Invalid, "The payment provider does not accept this request.")
}

// cardMessage is Stripe's sentence for the card's holder.
func cardMessage(err error) string {
	refusal, _ := errors.AsType[*stripe.Error](err)
	return cmp.Or(refusal.Msg, "Your card was declined.")
}

func unavailable(cause error) *fault.Error {
	return fault.Wrap(cause, fault.Unavailable, "The payment provider did not answer. Please try again.")
}

// levelOf is how much somebody should care: a key that does not work is a matter for the operator
// at once, a request Stripe does not accept is a defect of ours, a declined card is daily life.
func levelOf(code fault.Code, why failure) slog.Level {
	switch {
	case why.keyRefused():
		return slog.LevelError
	case code == fault.Unavailable, code == fault.Invalid:
		return slog.LevelWarn
	}
	return slog.LevelInfo
}
