package accounts

import (
	"context"
	"log/slog"
	"slices"
	"time"

	"github.com/vc-admin/diy/app/internal/ids"
	"github.com/vc-admin/diy/domain/account"
	"github.com/vc-admin/diy/domain/audit"
	"github.com/vc-admin/diy/domain/fault"
	"github.com/vc-admin/diy/ports/clock"
	"github.com/vc-admin/diy/ports/identity"
	"github.com/vc-admin/diy/ports/storage"
)

// VerifyEmail verifies an email address when a user opens the link in the verification email. The link only proves access
// to the mailbox: another person may have registered the address and chosen the password. The link therefore verifies the
// address only in the browser that registered it.
type VerifyEmail struct{ verifier registrationVerifier }

// Do verifies the token's user if isRegisteringBrowser reports that the user was registered in this browser. It returns
// the email address if this call has verified it, and reports whether the user is now verified. For an unverified user
// ShowRegistration returns the reason: the user can confirm the registration with its password, or reject it; the
// registration was replaced; or another one with the same name or address was verified first. Do returns NotFound when
// the token is unknown or too old.
func (u *VerifyEmail) Do(ctx context.Context, token string, isRegisteringBrowser func(account.User) bool) (
	email string, isVerified bool, err error,
) {
	user, err := u.verifier.findOrReplaced(ctx, token)
	switch {
	case err != nil:
		return "", false, err
	case user.IsVerified():
		return "", true, nil
	case user.IsReplaced() || !isRegisteringBrowser(user):
		return "", false, nil
	}
	err = u.verifier.verify(ctx, user)
	switch {
	case fault.Is(err, fault.Duplicate):
		return "", false, nil
	case err != nil:
		return "", false, err
	}
	return user.Email, true, nil
}

// ShowRegistration shows the registration of a verification link.
type ShowRegistration struct {
	verifier registrationVerifier
	store    interface {
		storage.Organisations
		storage.SignUps
	}
}

// LinkedRegistration is the registration of a verification link.
type LinkedRegistration struct {
	User         account.User
	Organisation account.Organisation
	// TakenFields contains "org" if the organisation's name belongs to a registration that was verified first, and
	// "email" if the address does. It is empty for a verified registration.
	TakenFields []string
}

// Do returns the registration. It returns NotFound when the token is unknown or too old.
func (u *ShowRegistration) Do(ctx context.Context, token string) (LinkedRegistration, error) {
	user, err := u.verifier.findOrReplaced(ctx, token)
	if err != nil {
		return LinkedRegistration{}, err
	}
	org, err := u.store.Organisation(ctx, user.OrganisationID)
	if err != nil {
		return LinkedRegistration{}, fault.ReplaceNotFound(err, account.ErrUnknownLink())
	}
	registration := LinkedRegistration{User: user, Organisation: org}
	if user.IsVerified() || user.IsReplaced() {
		return registration, nil
	}
	err = u.store.CheckAvailable(ctx, org.Name, user.Email)
	if err != nil && !fault.Is(err, fault.Duplicate) {
		return LinkedRegistration{}, err
	}
	for _, field := range fault.FieldsOf(err) {
		registration.TakenFields = append(registration.TakenFields, field.Name)
	}
	return registration, nil
}

// ConfirmRegistration verifies a registration by its password. It is for users who open the link in another browser than
// the one in which they registered.
type ConfirmRegistration struct {
	verifier  registrationVerifier
	store     storage.Organisations
	passwords identity.Passwords
	starter   sessionStarter
}

// Do verifies the token's user and signs the user in; see SignIn for isKnownBrowser. If orgName is not empty, it becomes
// the organisation's name, in case another registration with the earlier name was verified first. Do returns NotFound
// when the token is unknown or too old, Credentials for a wrong password, Invalid for an invalid name, and Duplicate when
// a verified registration has the name or the address.
func (u *ConfirmRegistration) Do(
	ctx context.Context, token, password, orgName string, isKnownBrowser func(account.User) bool,
) error {
	user, err := u.verifier.find(ctx, token)
	if err != nil {
		return err
	}
	matches, err := u.passwords.Verify(ctx, password, user.PasswordHash)
	if err != nil {
		return err
	}
	if !matches {
		return fault.New(fault.Credentials, "This is not the password chosen at registration.")
	}
	if err := u.rename(ctx, user, orgName); err != nil {
		return err
	}
	if err := u.verifier.verify(ctx, user); err != nil {
		return err
	}
	return u.starter.start(ctx, user, isKnownBrowser(user), identity.PasswordMethod)
}

// rename changes the name of the organisation of an unverified user, unless the name is empty.
func (u *ConfirmRegistration) rename(ctx context.Context, user account.User, orgName string) error {
	if orgName == "" || user.IsVerified() {
		return nil
	}
	orgName, err := account.NormaliseOrganisationName(orgName)
	if err != nil {
		return err
	}
	ctx = audit.WithActor(ctx, audit.User(user.ID))
	_, err = u.store.UpdateOrganisation(ctx, user.OrganisationID, func(o *account.Organisation) error {
		o.Name = orgName
		return nil
	})
	return fault.ReplaceNotFound(err, account.ErrUnknownLink())
}

// RejectRegistration deletes a registration that the owner of its email address did not make.
type RejectRegistration struct {
	verifier registrationVerifier
	store    storage.SignUps
	log      *slog.Logger
}

// Do deletes the organisation, the user, the user's tokens and the user's emails in the outbox. It returns NotFound when
// the token is unknown or too old, and Conflict when the registration is verified.
func (u *RejectRegistration) Do(ctx context.Context, token string) error {
	user, err := u.verifier.find(ctx, token)
	if err != nil {
		return err
	}
	org, err := u.store.DeleteRegistration(ctx, user.ID)
	if err != nil {
		return fault.ReplaceNotFound(err, account.ErrUnknownLink())
	}
	u.log.InfoContext(ctx, "registration rejected", "org", org.ID)
	return nil
}

// maxRegistrationsOfAddress is more than the rate limit of registrations with an address allows before they expire.
const maxRegistrationsOfAddress = 1000

// findRegistrations returns the users with the address that can still be verified, the newest one first.
func findRegistrations(ctx context.Context, store storage.SignUps, email string, now time.Time) ([]account.User, error) {
	users, err := store.UnverifiedUsers(ctx, "", email, maxRegistrationsOfAddress)
	users = slices.DeleteFunc(users, func(u account.User) bool { return u.IsRegistrationExpired(now) })
	slices.SortFunc(users, func(a, b account.User) int { return b.CreatedAt.Compare(a.CreatedAt) })
	return users, err
}

// newestOfBrowser returns the first user for whom isRegisteringBrowser returns true, otherwise the zero User.
func newestOfBrowser(users []account.User, isRegisteringBrowser func(account.User) bool) account.User {
	if isRegisteringBrowser == nil {
		return account.User{}
	}
	for _, user := range users {
		if isRegisteringBrowser(user) {
			return user
		}
	}
	return account.User{}
}

// registrationVerifier finds registrations by the token in their verification email, and verifies them.
type registrationVerifier struct {
	store interface {
		storage.Verifications
		storage.Users
	}
	clock          clock.Clock
	createCustomer func(ctx context.Context, organisationID string) error
	markReachable  func(ctx context.Context, email string)
	log            *slog.Logger
}

// find returns the user of the token. It returns NotFound when the token is unknown or too old, or the registration has
// expired, was replaced or deleted.
func (v registrationVerifier) find(ctx context.Context, token string) (account.User, error) {
	user, err := v.findOrReplaced(ctx, token)
	if err == nil && user.IsReplaced() {
		return account.User{}, account.ErrUnknownLink()
	}
	return user, err
}

// findOrReplaced returns the user of the token, also if the registration was replaced.
func (v registrationVerifier) findOrReplaced(ctx context.Context, token string) (account.User, error) {
	if token == "" {
		return account.User{}, account.ErrUnknownLink()
	}
	verification, err := v.store.Verification(ctx, ids.Hash(token))
	now := v.clock.Now()
	if err == nil && verification.IsExpired(now) {
		return account.User{}, account.ErrUnknownLink()
	}
	if err != nil {
		return account.User{}, fault.ReplaceNotFound(err, account.ErrUnknownLink())
	}
	user, err := v.store.User(ctx, verification.UserID)
	if err == nil && user.IsRegistrationExpired(now) && !user.IsReplaced() {
		return account.User{}, account.ErrUnknownLink()
	}
	return user, fault.ReplaceNotFound(err, account.ErrUnknownLink())
}

// verify marks the user as verified and creates the customer at the payment provider. It returns NotFound when the
// registration was deleted or replaced, or its password was changed, after the user was read. It returns Duplicate, and
// creates no customer, when a verified registration has the same name or address.
func (v registrationVerifier) verify(ctx context.Context, user account.User) error {
	now, isNewlyVerified := v.clock.Now(), false
	_, err := v.store.UpdateUser(ctx, user.ID, func(storedUser *account.User) error {
		if storedUser.IsRegistrationExpired(now) || storedUser.SecurityRevision != user.SecurityRevision {
			return account.ErrUnknownLink()
		}
		isNewlyVerified = !storedUser.IsVerified()
		storedUser.Verify(now)
		return nil
	})
	if err != nil {
		return fault.ReplaceNotFound(err, account.ErrUnknownLink())
	}
	v.completeVerification(ctx, user, isNewlyVerified)
	return nil
}

// completeVerification marks the user's address as reachable, because the user has opened a link that was sent to the
// address. If the user is newly verified, it creates the customer. It only logs a failure, because the plans page
// requests the customer again.
func (v registrationVerifier) completeVerification(ctx context.Context, user account.User, isNewlyVerified bool) {
	v.markReachable(ctx, user.Email)
	if !isNewlyVerified {
		return
	}
	if err := v.createCustomer(ctx, user.OrganisationID); err != nil {
		v.log.WarnContext(ctx, "customer not created yet", "org", user.OrganisationID, "error", err)
	}
}
