package payment

import "errors"

var (
	// ErrKeyRetired is in the chain of the Conflict for a request whose key was retired, see Fence.
	// Another server has taken over the operation: the caller must stop, and must not send the request
	// under another key.
	ErrKeyRetired = errors.New("the key of this request was retired")

	// ErrCustomerDeleted is in the chain of a NotFound for a customer that was deleted at the provider.
	ErrCustomerDeleted = errors.New("the customer was deleted at the provider")

	// ErrKeyRefused is in the chain of an error that reports that the provider refuses the server's API
	// key: it is wrong, was revoked, or lacks a permission. A retry can't succeed.
	ErrKeyRefused = errors.New("the provider refuses the API key")
)
