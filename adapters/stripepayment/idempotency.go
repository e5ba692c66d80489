package stripepayment

import (
	"context"
	"crypto/rand"
	"errors"

	"github.com/stripe/stripe-go/v85"

	"github.com/vc-admin/diy/domain/fault"
	"github.com/vc-admin/diy/ports/payment"
)

// metaRetiredKey holds the key that was last retired for the customer. The value is never read. Retire writes it to send
// Stripe a request with the key.
const metaRetiredKey = "retired"

// stepSuffixes contains the suffixes of the step keys that Retire retires together with the key of the request.
var stepSuffixes = []string{"attach", "cancel", "default", "mark", "pay", "release", "schedule", "tax-id", "void"}

// maxKeyLength leaves room for the suffixes of stepKey. Stripe's limit is 255.
const maxKeyLength = 200

// checkKey returns Invalid if the key is missing or too long.
func checkKey(key string) error {
	if key == "" || len(key) > maxKeyLength {
		return fault.New(fault.Invalid, "A request that changes something needs a key.")
	}
	return nil
}

// stepKey returns the key for a further step of a request. Stripe accepts each key for one endpoint only.
func stepKey(key, suffix string) string { return key + "-" + suffix }

// newKey returns a random key for a request to which the caller gave no key. Stripe executes the request once, however
// often retryTransport sends it. A repetition of the whole operation has another key and is executed again.
func newKey() string { return "once-" + rand.Text() }

// Retire updates the customer's metadata once with the key, and once with the key of each further step of the request.
// Stripe accepts a key only for the endpoint and the parameters of its first request, so the request itself fails with
// an idempotency_error from then on. The update must succeed, because Stripe stores no response to a request that fails
// validation. Retire ignores that the key of an executed step can't be retired.
func (p *Provider) Retire(ctx context.Context, req payment.Retirement) error {
	if err := checkKey(req.Key); err != nil {
		return err
	}
	if err := checkID(req.CustomerID, "customer"); err != nil {
		return err
	}
	if err := p.retireKey(ctx, req.CustomerID, req.Key); err != nil {
		return err
	}
	for _, suffix := range stepSuffixes {
		err := p.retireKey(ctx, req.CustomerID, stepKey(req.Key, suffix))
		if err != nil && !fault.Is(err, fault.Conflict) {
			return err
		}
	}
	return nil
}

// retireKey retires one key. It returns Conflict if the key was used for another request.
func (p *Provider) retireKey(ctx context.Context, customerID, key string) error {
	params := &stripe.CustomerUpdateParams{Metadata: newMetadata(metaRetiredKey, key)}
	params.SetIdempotencyKey(key)
	customer, err := p.stripe.V1Customers.Update(ctx, customerID, params)
	switch {
	case err != nil:
		return p.logFault(ctx, "retire key", err)
	case customer.Deleted:
		return errCustomerDeleted()
	}
	return nil
}

// logKeyFault logs and converts an error of a request with a key, as logFault does. If Stripe reports that the key was
// used for another request, logKeyFault tries to retire the key to find out why. If the key was retired before, Stripe
// replays the response to that update, and the result is ErrKeyRetired. Otherwise Stripe refuses the key again.
func (p *Provider) logKeyFault(ctx context.Context, operation, customerID, key string, err error) error {
	faultErr := p.logFault(ctx, operation, err)
	if f, ok := errors.AsType[failure](faultErr); !ok || f.errorType != stripe.ErrorTypeIdempotency {
		return faultErr
	}
	switch retireErr := p.retireKey(ctx, customerID, key); {
	case retireErr == nil:
		return fault.Wrap(payment.ErrKeyRetired, fault.Conflict, "This request was given up.")
	case fault.Is(retireErr, fault.Unavailable):
		return retireErr
	}
	return faultErr
}

// logKeyFaultOfSubscription does what logKeyFault does for callers that know only the subscription. It reads the
// customer's id only if logKeyFault needs it.
func (p *Provider) logKeyFaultOfSubscription(ctx context.Context, operation, subscriptionID, key string, err error) error {
	if failureOf(err).errorType != stripe.ErrorTypeIdempotency {
		return p.logFault(ctx, operation, err)
	}
	sub, readErr := p.readSubscription(ctx, subscriptionID)
	if readErr != nil {
		return readErr
	}
	return p.logKeyFault(ctx, operation, sub.Customer.ID, key, err)
}
