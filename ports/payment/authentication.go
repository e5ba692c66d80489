package payment

import (
	"github.com/vc-admin/diy/domain/billing"
	"github.com/vc-admin/diy/domain/fault"
)

// AuthenticationError is the Declined of AddCard for a card that its bank saves only after the customer has authenticated
// it. When the browser has completed Next, AddCard with the same MethodID saves the card.
type AuthenticationError struct {
	Next billing.NextAction // ConfirmSetup with the Secret, or Redirect with the URL
}

// Error returns the message for the customer.
func (e *AuthenticationError) Error() string { return e.Unwrap().Error() }

// Unwrap returns the Declined.
func (e *AuthenticationError) Unwrap() error {
	return fault.New(fault.Declined, "Your bank wants you to approve this card before it is saved.")
}
