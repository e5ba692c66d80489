package payment

import (
	"context"
	"time"
)

// Fence stops requests that may still be on their way. Whoever takes over an operation retires the
// keys of all its requests first, so that a request that was delayed can't act beside the new
// ones, whatever the clocks of the servers say.
type Fence interface {
	// Retire stops the request with the key for good. nil means that the request has not acted and
	// never will: when it arrives after all it is refused, as Conflict with ErrKeyRetired in its
	// chain, and a further Retire is nil again. Conflict means that it has acted or is acting at
	// this moment: nothing can stop it, and it ends within Fencing.LongestRequest. NotFound means
	// that there is no such customer, so that no request for it can act. Unsupported is the answer
	// of a provider whose Fencing is Missing.
	//
	// A subscription or a plan change counts as the request; the card that comes with it may have
	// been saved before.
	Retire(ctx context.Context, in Retirement) error
	// Fencing describes what Retire can do.
	Fencing() Fencing
}

// Retirement names a request to be stopped.
type Retirement struct {
	Key        string // the key of the request
	CustomerID string // the customer that the request is about
}

// Fencing is a provider's ability to stop requests.
type Fencing struct {
	Missing string // why the provider can't retire keys; "" when it can
	// LongestRequest is how long the provider may work on a request after it has arrived. An
	// operation whose requests can't be retired is taken over only after that.
	LongestRequest time.Duration
}
