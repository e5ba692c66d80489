package payment

import "errors"

// ErrKeyRetired is in the chain of the Conflict that answers a request whose key was retired, see
// Fence. Another server has taken over the operation: the caller must stop, and must not send
// anything under another key.
var ErrKeyRetired = errors.New("the key of this request was retired")

// ErrCustomerDeleted is in the chain of a NotFound that is about a customer the provider had and
// somebody deleted.
var ErrCustomerDeleted = errors.New("the customer was deleted at the provider")

// ErrKeyRefused is in the chain of an error that says that the provider does not take our key: it is
// wrong, was revoked, or may not do what was asked. No other try with it will go better.
var ErrKeyRefused = errors.New("the provider does not take our key")
