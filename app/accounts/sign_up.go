package accounts

import (
	"context"

	"github.com/vc-admin/diy/app/internal/accountemails"
	"github.com/vc-admin/diy/app/internal/ids"
	"github.com/vc-admin/diy/app/internal/newpassword"
	"github.com/vc-admin/diy/domain/account"
	"github.com/vc-admin/diy/domain/catalogue"
	"github.com/vc-admin/diy/domain/fault"
	"github.com/vc-admin/diy/ports/clock"
	"github.com/vc-admin/diy/ports/identity"
	"github.com/vc-admin/diy/ports/storage"
)

// SignUp registers an organisation with its first user and sends the verification email. The customer
// at the payment provider is created when the email address is verified.
type SignUp struct {
	catalogue *catalogue.Catalogue
	store     storage.SignUps
	passwords identity.Passwords
	rules     newpassword.Rules
	clock     clock.Clock
	writer    accountemails.Writer
}

// maxReplacedRegistrations limits how many registrations with the name, and how many with the address, are compared with
// the browser. The others are kept until they expire, which is harmless.
const maxReplacedRegistrations = 20

// Do stores the registration in one transaction and returns the new user. It replaces a currency that has no prices by
// the catalogue's default. It also replaces unverified registrations of the same name or address that were made in this
// browser, so that a mistyped name or address can be corrected; isRegisteringBrowser reports whether the user was
// registered in it, and may be nil. If fields are invalid, or the plan is unknown or disabled, Do returns Invalid with
// all invalid fields. It returns Duplicate when a verified registration has the organisation's name or the email
// address.
func (u *SignUp) Do(
	ctx context.Context, reg account.Registration, isRegisteringBrowser func(account.User) bool,
) (account.User, error) {
	reg = reg.Normalise()
	if reg.Currency != "" && !u.catalogue.SupportsCurrency(reg.Currency) {
		reg.Currency = u.catalogue.DefaultCurrency()
	}
	if err := u.check(reg); err != nil {
		return account.User{}, err
	}
	passwordHash, err := u.passwords.Hash(ctx, reg.Password)
	if err != nil {
		return account.User{}, err
	}
	signUp := u.newSignUp(reg, passwordHash)
	unverifiedUsers, err := u.store.UnverifiedUsers(ctx, reg.Org, reg.Email, maxReplacedRegistrations)
	if err != nil {
		return account.User{}, err
	}
	for _, user := range unverifiedUsers {
		if isRegisteringBrowser != nil && isRegisteringBrowser(user) {
			signUp.Replaces = append(signUp.Replaces, user.ID)
		}
	}
	return signUp.User, u.store.CreateSignUp(ctx, signUp)
}

// check validates the registration, the password and the plan.
func (u *SignUp) check(reg account.Registration) error {
	var fields fault.Fields
	fields.AddFrom(reg.Validate())
	user := account.User{FirstName: reg.FirstName, LastName: reg.LastName, Email: reg.Email}
	u.rules.Check(&fields, reg.Password, newpassword.ContextOf(user, reg.Org))
	if !reg.Choice.IsZero() {
		plan, ok := u.catalogue.Plan(reg.Choice.Product)
		fields.Check(ok, "product", "Unknown plan")
		fields.Check(!plan.Disabled, "product", "This plan is sold by our sales team. Please contact us")
	}
	return fields.Err()
}

func (u *SignUp) newSignUp(reg account.Registration, passwordHash string) storage.SignUp {
	now := u.clock.Now()
	org := account.Organisation{
		ID: ids.New("org"), Name: reg.Org, ContactEmail: reg.Email, MemberEmails: []string{reg.Email}, Phone: reg.Phone,
		Address: reg.Address, Currency: reg.Currency, Choice: reg.Choice, CreatedAt: now,
	}
	user := account.User{
		ID: ids.New("usr"), OrganisationID: org.ID, FirstName: reg.FirstName, LastName: reg.LastName, Phone: reg.Phone,
		Email: reg.Email, PasswordHash: passwordHash, CreatedAt: now,
	}
	verification, email := u.writer.NewVerification(user, now)
	return storage.SignUp{
		Organisation: org, User: user, Verification: verification, Email: email,
	}
}
