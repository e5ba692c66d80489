package app

import (
	"context"
	"log/slog"
	"time"

	"github.com/vc-admin/diy/domain/account"
	"github.com/vc-admin/diy/domain/catalogue"
	"github.com/vc-admin/diy/domain/fault"
	"github.com/vc-admin/diy/ports/clock"
	"github.com/vc-admin/diy/ports/identity"
	"github.com/vc-admin/diy/ports/storage"
)

// customerPatience is how long a sign-up waits for the payment provider before it goes on without.
const customerPatience = 5 * time.Second

// SignUp registers an organisation with its first user and sends the letter that verifies the
// e-mail address.
type SignUp struct {
	catalogue *catalogue.Catalogue
	store     storage.Signups
	passwords identity.Passwords
	clock     clock.Clock
	letters   verificationLetters
	customer  *NewCustomer
	log       *slog.Logger
}

// Do stores everything at once or nothing, and returns the new user. Faults: Invalid with every
// broken rule; Duplicate when the organisation's name or the e-mail is taken.
func (u *SignUp) Do(ctx context.Context, in account.Registration) (account.User, error) {
	in = in.Normalised()
	if err := u.check(in); err != nil {
		return account.User{}, err
	}
	passwordHash, err := u.passwords.Hash(ctx, in.Password)
	if err != nil {
		return account.User{}, err
	}
	signup := u.signup(in, passwordHash)
	if err := u.store.CreateSignup(ctx, signup); err != nil {
		return account.User{}, err
	}
	u.makeCustomer(ctx, signup.Organisation.ID)
	return signup.User, nil
}

// check adds what only the catalogue and the keeper of passwords know to the form's own rules.
func (u *SignUp) check(in account.Registration) error {
	var fields fault.Fields
	for _, broken := range fault.FieldsOf(in.Validate()) {
		fields.Add(broken.Name, broken.Message)
	}
	fields.Check(!u.passwords.Common(in.Password), "password", "This password is too common and easily guessed")
	if in.Currency != "" {
		fields.Check(u.catalogue.Supports(in.Currency), "currency", "Unknown currency")
	}
	if !in.Choice.None() {
		_, known := u.catalogue.Plan(in.Choice.Product)
		fields.Check(known, "product", "Unknown plan")
	}
	return fields.Err()
}

func (u *SignUp) signup(in account.Registration, passwordHash string) storage.Signup {
	now := u.clock.Now()
	org := account.Organisation{
		ID: newID("org"), Name: in.Org, ContactEmail: in.Email, Phone: in.Phone, Address: in.Address,
		Currency: in.Currency, Choice: in.Choice, CreatedAt: now,
	}
	user := account.User{
		ID: newID("usr"), OrganisationID: org.ID, FirstName: in.FirstName, LastName: in.LastName,
		Email: in.Email, PasswordHash: passwordHash, CreatedAt: now,
	}
	verification, letter := u.letters.compose(user)
	return storage.Signup{Organisation: org, User: user, Verification: verification, Letter: letter}
}

// makeCustomer tries to make the provider's customer in the same step. A provider that is down
// never costs a sign-up: the plans page asks again when the customer is needed.
func (u *SignUp) makeCustomer(ctx context.Context, organisationID string) {
	if _, err := u.customer.create(ctx, organisationID, customerPatience); err != nil {
		u.log.WarnContext(ctx, "customer will be made later", "org", organisationID, "error", err)
	}
}
