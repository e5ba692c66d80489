package account

import (
	"time"

	"github.com/vc-admin/diy/domain/fault"
)

const (
	// VerificationLifetime is the time after a registration in which its email address can be verified. Every
	// verification link expires then, including one that is sent later.
	VerificationLifetime = 48 * time.Hour
	// EmailConfirmationLifetime is the time for which a link that confirms a billing email is valid.
	EmailConfirmationLifetime = 48 * time.Hour
	// PasswordResetLifetime is the time for which a password reset link is valid.
	PasswordResetLifetime = time.Hour
)

// User is a person who signs in. A Membership gives the user a role in an organisation.
type User struct {
	ID             string
	OrganisationID string // of the membership that was used last; a sign-in selects it
	FirstName      string
	LastName       string
	Phone          string // may be empty
	Email          string // lower case; unique by EmailKey among verified users
	PasswordHash   string // encoded with its own parameters
	VerifiedAt     time.Time
	FirstSignInAt  time.Time // zero before the first sign-in
	CreatedAt      time.Time
	ReplacedAt     time.Time // zero unless a later sign-up corrected this registration before it was verified

	// SecurityRevision increases with every change of the credentials. A change ends the other sessions and voids sign-ins,
	// links and states that began before it.
	SecurityRevision int64
	TwoStepSince     time.Time // zero unless the password needs a second factor
	// The consecutive wrong codes, see Credentials.CheckSecondFactor.
	WrongCodes, WrongCodesOfKnownBrowsers int

	// EmailUnreachable reports that the mail server has refused Email permanently. Only
	// storage.Users.UserWithOrganisation sets it.
	EmailUnreachable bool
	// HasOtherOrganisations reports that the user is a member of several organisations. Only
	// storage.Users.UserWithOrganisation sets it.
	HasOtherOrganisations bool
}

// Profile contains the data that users can change without authenticating again.
type Profile struct {
	FirstName string
	LastName  string
	Phone     string // may be empty
}

// Normalise returns the profile in its stored form, or an Invalid fault with a message for each invalid field.
func (p Profile) Normalise() (Profile, error) {
	p = Profile{FirstName: clean(p.FirstName), LastName: clean(p.LastName), Phone: cleanPhone(p.Phone)}
	var f fault.Fields
	addMessage(&f, "firstName", checkName(p.FirstName), firstNameMessages)
	addMessage(&f, "lastName", checkName(p.LastName), lastNameMessages)
	f.Check(p.Phone == "" || checkPhone(p.Phone) == valid, "phone", "Invalid contact details")
	return p, f.Err()
}

// SetProfile replaces the user's profile with a normalised one.
func (u *User) SetProfile(p Profile) {
	u.FirstName, u.LastName, u.Phone = p.FirstName, p.LastName, p.Phone
}

// IsVerified reports whether the user has proved that the email address is theirs.
func (u User) IsVerified() bool { return !u.VerifiedAt.IsZero() }

// Verify records that the email address was verified. A second call keeps the first time.
func (u *User) Verify(now time.Time) {
	if !u.IsVerified() {
		u.VerifiedAt = now
	}
}

// SignIn records a sign-in. It returns true if the user must be notified, because the browser is unknown and the user has
// signed in before.
func (u *User) SignIn(now time.Time, isKnownBrowser bool) (notify bool) {
	if u.FirstSignInAt.IsZero() {
		u.FirstSignInAt = now
		return false
	}
	return !isKnownBrowser
}

// RegistrationExpiresAt returns when a registration that is not verified expires.
func (u User) RegistrationExpiresAt() time.Time { return u.CreatedAt.Add(VerificationLifetime) }

// IsReplaced reports whether a later sign-up corrected this registration before it was verified.
func (u User) IsReplaced() bool { return !u.ReplacedAt.IsZero() }

// IsRegistrationExpired reports whether the email address can't be verified any more: it was not verified within
// VerificationLifetime, or the registration was replaced.
func (u User) IsRegistrationExpired(now time.Time) bool {
	return !u.IsVerified() && (u.IsReplaced() || !now.Before(u.RegistrationExpiresAt()))
}

// ResetPassword replaces the password and raises the SecurityRevision. It also verifies the email address, because the
// link was sent to that address. A second factor stays. Only the first reset after a wrong code allows more wrong codes,
// because the reset proves nothing but access to the mailbox.
func (u *User) ResetPassword(passwordHash string, now time.Time) {
	u.PasswordHash = passwordHash
	u.WrongCodes = countAfterReset(u.WrongCodes)
	u.WrongCodesOfKnownBrowsers = countAfterReset(u.WrongCodesOfKnownBrowsers)
	u.SecurityRevision++
	u.Verify(now)
}

// ChangePassword replaces the password and raises the SecurityRevision. It resets the counts of wrong codes, because the
// user has signed in and knows the password.
func (u *User) ChangePassword(passwordHash string) {
	u.PasswordHash = passwordHash
	u.WrongCodes, u.WrongCodesOfKnownBrowsers = 0, 0
	u.SecurityRevision++
}

// Verification is a link that verifies an email address. Only the hash of its token is stored, so that a copy of the
// database verifies no address.
type Verification struct {
	TokenHash string
	UserID    string
	ExpiresAt time.Time
}

// IsExpired reports whether the link has expired.
func (v Verification) IsExpired(now time.Time) bool { return !now.Before(v.ExpiresAt) }

// EmailConfirmation is a link that confirms the billing email of an organisation. Only the hash of its token is stored.
// The link has no effect after another billing email was entered.
type EmailConfirmation struct {
	TokenHash      string
	OrganisationID string
	Email          string
	ExpiresAt      time.Time
}

// IsExpired reports whether the link has expired.
func (c EmailConfirmation) IsExpired(now time.Time) bool { return !now.Before(c.ExpiresAt) }

// ErrUnknownLink returns the NotFound error for a link that is unknown, has expired or is void.
func ErrUnknownLink() error {
	return fault.New(fault.NotFound, "This link is unknown or too old.")
}

// PasswordReset is a link that resets a password. Only the hash of its token is stored.
type PasswordReset struct {
	TokenHash string
	UserID    string
	ExpiresAt time.Time
}

// IsExpired reports whether the link has expired.
func (r PasswordReset) IsExpired(now time.Time) bool { return !now.Before(r.ExpiresAt) }

// ValidateNewPassword returns nil for a password that follows the policy and was repeated, otherwise
// an Invalid fault with a message for "password", "password_repeat" or both.
func ValidateNewPassword(password, repeat string) error {
	var f fault.Fields
	checkPassword(&f, password)
	switch {
	case repeat == "":
		f.Add("password_repeat", "Confirmation of Password is required")
	case repeat != password:
		f.Add("password_repeat", "Passwords did not match")
	}
	return f.Err()
}
