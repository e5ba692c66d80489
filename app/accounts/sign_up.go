package accounts

import (
	"context"

	"github.com/vc-admin/diy/app/internal/ids"
	"github.com/vc-admin/diy/domain/account"
	"github.com/vc-admin/diy/domain/catalogue"
	"github.com/vc-admin/diy/domain/fault"
	"github.com/vc-admin/diy/ports/clock"
	"github.com/vc-admin/diy/ports/identity"
	"github.com/vc-admin/diy/ports/storage"
)

// tooCommon is the message for one of the most common passwords.
const tooCommon = "This password is too common and easily guessed"

// SignUp registers an organisation with its first user and sends the verification email. The customer
// at the payment provider is created when the email address is verified.
type SignUp struct {
	catalogue *catalogue.Catalogue
	store     storage.Signups
	passwords identity.Passwords
	clock     clock.Clock
	emails    accountEmails
}

// Do stores the registration in one transaction and returns the new user. It replaces a currency without
// prices by the catalogue's default, and a registration that was not verified in time. Invalid with all
// invalid fields, among them a plan that is unknown or disabled; Duplicate when the organisation's name
// or the email address is taken.
func (u *SignUp) Do(ctx context.Context, in account.Registration) (account.User, error) {
	in = in.Normalised()
	if in.Currency != "" && !u.catalogue.Supports(in.Currency) {
		in.Currency = u.catalogue.DefaultCurrency()
	}
	if err := u.check(in); err != nil {
		return account.User{}, err
	}
	passwordHash, err := u.passwords.Hash(ctx, in.Password)
	if err != nil {
		return account.User{}, err
	}
	signup := u.signup(in, passwordHash)
	return signup.User, u.store.CreateSignup(ctx, signup)
}

// check validates the registration, the password and the plan.
func (u *SignUp) check(in account.Registration) error {
	var fields fault.Fields
	for _, broken := range fault.FieldsOf(in.Validate()) {
		fields.Add(broken.Name, broken.Message)
	}
	fields.Check(!u.passwords.Common(in.Password), "password", tooCommon)
	if !in.Choice.None() {
		plan, known := u.catalogue.Plan(in.Choice.Product)
		fields.Check(known, "product", "Unknown plan")
		fields.Check(!plan.Disabled, "product", "This plan is sold by our sales team. Please contact us")
	}
	return fields.Err()
}

func (u *SignUp) signup(in account.Registration, passwordHash string) storage.Signup {
	now := u.clock.Now()
	org := account.Organisation{
		ID: ids.New("org"), Name: in.Org, ContactEmail: in.Email, Phone: in.Phone, Address: in.Address,
		Currency: in.Currency, Choice: in.Choice, CreatedAt: now,
	}
	user := account.User{
		ID: ids.New("usr"), OrganisationID: org.ID, FirstName: in.FirstName, LastName: in.LastName,
		Email: in.Email, PasswordHash: passwordHash, CreatedAt: now,
	}
	verification, email := u.emails.newVerification(user, now)
	return storage.Signup{
		Organisation: org, User: user, Verification: verification, Email: email,
		ExpiryCutoff: now.Add(-account.VerificationLifetime),
	}
}
