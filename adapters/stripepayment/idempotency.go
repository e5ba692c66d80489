package stripepayment

import (
	"context"
	"crypto/rand"
	"errors"
	"time"

	"github.com/stripe/stripe-go/v85"

	"github.com/vc-admin/diy/domain/fault"
	"github.com/vc-admin/diy/ports/payment"
)

const (
	// metaRetired holds the last key that was retired for a customer. Only the execution of the
	// request under that key matters; the value has no meaning.
	metaRetired = "retired"
	// defaultLongestRequest is an upper bound for how long Stripe works on a request. Stripe's
	// libraries wait 80 seconds.
	defaultLongestRequest = 2 * time.Minute
)

// stepKeys are the suffixes of the keys that a request uses besides its own.
var stepKeys = []string{"attach", "default", "mark", "release", "schedule", "tax-id", "void"}

// maxKeyLength leaves room for the suffixes of keyFor; Stripe's limit is 255.
const maxKeyLength = 200

// checkKey returns Invalid if the key is missing or too long.
func checkKey(key string) error {
	if key == "" || len(key) > maxKeyLength {
		return fault.New(fault.Invalid, "A request that changes something needs a key.")
	}
	return nil
}

// keyFor returns the key for a further step of a request, because Stripe accepts a key for one
// endpoint only.
func keyFor(key, suffix string) *string {
	key += "-" + suffix
	return &key
}

// newKey returns a key for a request that may be repeated by others: it only protects the attempts
// of this request.
func newKey() string { return "once-" + rand.Text() }

// Retire uses the key to update the customer's metadata. Stripe accepts a key only for the endpoint
// and the parameters of its first request, so the request that it was meant for fails with an
// idempotency_error from then on. The update must be executed, because Stripe stores no result for
// a request that fails validation.
func (p *Provider) Retire(ctx context.Context, req payment.Retirement) error {
	if err := checkKey(req.Key); err != nil {
		return err
	}
	if err := checkID(req.CustomerID, "customer"); err != nil {
		return err
	}
	if err := p.retire(ctx, req.CustomerID, req.Key); err != nil {
		return err
	}
	for _, suffix := range stepKeys {
		err := p.retire(ctx, req.CustomerID, *keyFor(req.Key, suffix))
		if err != nil && !fault.Is(err, fault.Conflict) {
			return err
		}
	}
	return nil
}

func (p *Provider) retire(ctx context.Context, customerID, key string) error {
	params := &stripe.CustomerUpdateParams{Metadata: metadata(metaRetired, key)}
	params.SetIdempotencyKey(key)
	changed, err := p.stripe.V1Customers.Update(ctx, customerID, params)
	switch {
	case err != nil:
		return p.fault(ctx, "retire key", err)
	case changed.Deleted:
		return errDeleted()
	}
	return nil
}

// Capabilities reports that nothing is missing.
func (p *Provider) Capabilities() payment.Capabilities {
	return payment.Capabilities{
		Entry: payment.EntryCardField, LongestRequest: p.LongestRequest,
		Missing: map[payment.Capability]string{payment.MethodPage: "cards are entered in the field of Stripe Elements"},
	}
}

// keyFault converts an error of a request with a key. If Stripe reports that the key was used for
// another request, it retires the key again: Stripe replays that response if the key was retired,
// and refuses it otherwise.
func (p *Provider) keyFault(ctx context.Context, operation, customerID, key string, err error) error {
	out := p.fault(ctx, operation, err)
	if f, ok := errors.AsType[failure](out); !ok || f.kind != stripe.ErrorTypeIdempotency {
		return out
	}
	switch retireErr := p.retire(ctx, customerID, key); {
	case retireErr == nil:
		return fault.Wrap(payment.ErrKeyRetired, fault.Conflict, "This request was given up.")
	case fault.Is(retireErr, fault.Unavailable):
		return retireErr
	}
	return out
}

// keyFaultOf is like keyFault, for callers that know only the subscription.
func (p *Provider) keyFaultOf(ctx context.Context, operation, subscriptionID, key string, err error) error {
	if failureOf(err).kind != stripe.ErrorTypeIdempotency {
		return p.fault(ctx, operation, err)
	}
	found, readErr := p.subscription(ctx, subscriptionID)
	if readErr != nil {
		return readErr
	}
	return p.keyFault(ctx, operation, found.Customer.ID, key, err)
}
