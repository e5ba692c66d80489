package account

import (
	"fmt"
	"slices"
	"time"
	"unicode/utf8"

	"github.com/vc-admin/diy/domain/fault"
)

const (
	// MaxPasskeys is the number of passkeys that a user can have.
	MaxPasskeys = 10
	// ChallengeLifetime is the time in which a browser responds to a request of WebAuthn.
	ChallengeLifetime = 5 * time.Minute
	// maxAuthenticatorName is the number of characters of the name of an authenticator.
	maxAuthenticatorName = 50
)

// Passkey is a credential of WebAuthn.
type Passkey struct {
	CredentialID   string   // in base64url
	PublicKey      []byte   // in COSE
	SignCount      uint32   // the authenticator's counter, which is always 0 for many
	BackupEligible bool     // whether the passkey can be copied to other devices of the user
	Transports     []string // how browsers reach the authenticator
}

// UsedChallenge records that a challenge was used, so that its response is accepted once.
type UsedChallenge struct {
	Hash      string
	ExpiresAt time.Time
}

// Passkeys returns the passkeys, in the order of their creation.
func (c *Credentials) Passkeys() (passkeys []Passkey) {
	for _, a := range c.Authenticators {
		if a.Kind == PasskeyAuthenticator {
			passkeys = append(passkeys, a.Passkey)
		}
	}
	return passkeys
}

// AddPasskey adds a passkey. It returns Conflict if there are MaxPasskeys or the passkey was added before, and Invalid
// with the field "name" for a name that is empty or too long.
func (c *Credentials) AddPasskey(a Authenticator) error {
	name, err := normaliseAuthenticatorName(a.Name)
	if err != nil {
		return err
	}
	passkeys := c.Passkeys()
	switch {
	case len(passkeys) >= MaxPasskeys:
		return fault.Newf(fault.Conflict, "You have %d passkeys. Please remove one first.", MaxPasskeys)
	case slices.ContainsFunc(passkeys, func(p Passkey) bool { return p.CredentialID == a.Passkey.CredentialID }):
		return fault.New(fault.Conflict, "You have added this passkey before.")
	}
	a.Kind, a.Name = PasskeyAuthenticator, name
	c.Authenticators = append(slices.Clone(c.Authenticators), a)
	c.User.SecurityRevision++
	return nil
}

// RenamePasskey changes the name of a passkey. It returns NotFound for an unknown id, and Invalid as AddPasskey does.
func (c *Credentials) RenamePasskey(id, name string) error {
	name, err := normaliseAuthenticatorName(name)
	if err != nil {
		return err
	}
	a := c.passkey(func(a Authenticator) bool { return a.ID == id })
	if a == nil {
		return errUnknownPasskey()
	}
	a.Name = name
	return nil
}

// RemovePasskey removes a passkey. It returns NotFound for an unknown id, and Conflict for the only passkey if two-step
// verification is on without an app: only the recovery codes would be left.
func (c *Credentials) RemovePasskey(id string) error {
	if c.passkey(func(a Authenticator) bool { return a.ID == id }) == nil {
		return errUnknownPasskey()
	}
	if c.User.HasTwoStep() && c.AuthenticatorApp() == nil && len(c.Passkeys()) == 1 {
		return fault.New(fault.Conflict, "Two-step verification needs this passkey. Please add another one, or turn it off first.")
	}
	c.Authenticators = slices.DeleteFunc(slices.Clone(c.Authenticators), func(a Authenticator) bool { return a.ID == id })
	c.User.SecurityRevision++
	return nil
}

// RemovePasskeys removes all passkeys. It returns false if there are none.
func (c *Credentials) RemovePasskeys() bool {
	if len(c.Passkeys()) == 0 {
		return false
	}
	c.Authenticators = slices.DeleteFunc(slices.Clone(c.Authenticators), func(a Authenticator) bool {
		return a.Kind == PasskeyAuthenticator
	})
	c.User.SecurityRevision++
	return true
}

// PasskeyByCredential returns the authenticator with the credential, or nil.
func (c *Credentials) PasskeyByCredential(credentialID string) *Authenticator {
	return c.passkey(func(a Authenticator) bool { return a.Passkey.CredentialID == credentialID })
}

func (c *Credentials) passkey(matches func(Authenticator) bool) *Authenticator {
	for i, a := range c.Authenticators {
		if a.Kind == PasskeyAuthenticator && matches(a) {
			return &c.Authenticators[i]
		}
	}
	return nil
}

func normaliseAuthenticatorName(name string) (string, error) {
	name = clean(name)
	var fields fault.Fields
	fields.Check(name != "", "name", "Please enter a name.")
	fields.Check(utf8.RuneCountInString(name) <= maxAuthenticatorName, "name",
		fmt.Sprintf("Please enter at most %d characters.", maxAuthenticatorName))
	return name, fields.Err()
}

// ErrNoPasskeys returns the error for a public URL for which browsers have no passkeys.
func ErrNoPasskeys() error {
	return fault.New(fault.Unsupported, "Passkeys can't be used on this website.")
}

func errUnknownPasskey() error {
	return fault.New(fault.NotFound, "There is no such passkey.")
}
