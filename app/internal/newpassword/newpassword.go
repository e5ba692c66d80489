// Package newpassword contains the rules for passwords that users choose, wherever they choose one: at registration, at a
// reset, or in their account.
package newpassword

import (
	"github.com/vc-admin/diy/domain/account"
	"github.com/vc-admin/diy/domain/fault"
	"github.com/vc-admin/diy/domain/password"
	"github.com/vc-admin/diy/ports/identity"
)

// tooCommonMessage is the message for one of the most common passwords.
const tooCommonMessage = "This password is too common and easily guessed"

// Rules refuse passwords that are easy to guess. The policy of the specification is in domain/password.
type Rules struct {
	Passwords identity.Passwords
	Product   string // the name of the product
}

// Check adds a message for the field "password" if the password is one of the most common ones or is built from words of
// the context. It sets the Product of the context. A message that the fields contain already is kept.
func (r Rules) Check(fields *fault.Fields, newPassword string, context password.Context) {
	fields.Check(!r.Passwords.IsCommon(newPassword), "password", tooCommonMessage)
	context.Product = r.Product
	message := context.GuessMessage(newPassword)
	fields.Check(message == "", "password", message)
}

// CheckRepeated returns Invalid with a message for "password", "password_repeat" or both, unless the password follows the
// policy and the rules and was repeated.
func (r Rules) CheckRepeated(newPassword, repeat string, context password.Context) error {
	var fields fault.Fields
	fields.AddFrom(account.ValidateNewPassword(newPassword, repeat))
	r.Check(&fields, newPassword, context)
	return fields.Err()
}

// ContextOf returns the words about the user that make a password easy to guess.
func ContextOf(user account.User, organisation string) password.Context {
	return password.Context{
		Organisation: organisation, FirstName: user.FirstName, LastName: user.LastName, Email: user.Email,
	}
}
