package payment

import "errors"

// ErrCustomerDeleted is in the chain of a NotFound that is about a customer the provider had and
// somebody deleted.
var ErrCustomerDeleted = errors.New("the customer was deleted at the provider")
