package stripepayment

import (
	"context"
	"errors"
	"time"

	"github.com/stripe/stripe-go/v85"

	"github.com/vc-admin/diy/domain/fault"
	"github.com/vc-admin/diy/ports/payment"
)

const (
	// metaRetired is the last key that was retired for a customer. Its value has no meaning: what
	// counts is that Stripe has carried out a request under that key.
	metaRetired = "retired"
	// defaultLongestRequest is how long Stripe may work on a request. Its own libraries wait 80 seconds.
	defaultLongestRequest = 2 * time.Minute
)

// stepKeys are the suffixes of the keys that one request of the port may use besides its own.
var stepKeys = []string{"attach", "default", "mark", "void"}

// Retire uses the key for an update of the customer's metadata. Stripe accepts a key only for the
// endpoint and the parameters that it was first used with, so the request that it was meant for
// gets an idempotency_error from then on. The update has to be carried out, because Stripe keeps no
// result of a request that fails validation.
func (p *Provider) Retire(ctx context.Context, in payment.Retirement) error {
	if err := checkKey(in.Key); err != nil {
		return err
	}
	if err := known(in.CustomerID, "customer"); err != nil {
		return err
	}
	if err := p.retire(ctx, in.CustomerID, in.Key); err != nil {
		return err
	}
	for _, step := range stepKeys {
		err := p.retire(ctx, in.CustomerID, *keyFor(in.Key, step))
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
	return payment.Capabilities{Entry: payment.EntryCardField, LongestRequest: p.LongestRequest}
}

// keyFault is fault for a request with a key. When Stripe says that the key was used for something
// else, retiring it once more tells whether it was retired: only then does Stripe repeat its
// answer.
func (p *Provider) keyFault(ctx context.Context, doing, customerID, key string, err error) error {
	out := p.fault(ctx, doing, err)
	if why, is := errors.AsType[failure](out); !is || why.kind != stripe.ErrorTypeIdempotency {
		return out
	}
	switch again := p.retire(ctx, customerID, key); {
	case again == nil:
		return fault.Wrap(payment.ErrKeyRetired, fault.Conflict, "This request was given up.")
	case fault.Is(again, fault.Unavailable):
		return again
	}
	return out
}

// keyFaultOf is keyFault where only the subscription is known.
func (p *Provider) keyFaultOf(ctx context.Context, doing, subscriptionID, key string, err error) error {
	if failureOf(err).kind != stripe.ErrorTypeIdempotency {
		return p.fault(ctx, doing, err)
	}
	found, lost := p.subscription(ctx, subscriptionID)
	if lost != nil {
		return lost
	}
	return p.keyFault(ctx, doing, found.Customer.ID, key, err)
}
