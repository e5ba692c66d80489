package account

import (
	"crypto/sha256"
	"crypto/subtle"
	"encoding/hex"
	"slices"
	"strings"
	"time"

	"github.com/vc-admin/diy/domain/fault"
)

const (
	// CodeStep is the time for which an authenticator app shows a code.
	CodeStep = 30 * time.Second
	// codeDrift is the number of steps by which the clock of an authenticator app may differ.
	codeDrift = 1
	// RecoveryCodeCount is the number of recovery codes that a user gets.
	RecoveryCodeCount = 10
	// RecoveryCodeLength is the number of base32 characters of a recovery code, which contain 120 bits.
	RecoveryCodeLength = 24
	// MaxWrongCodes is the number of consecutive wrong codes after which the password must be reset.
	MaxWrongCodes = 50
	// maxWrongCodesInTotal is the count after which resets of the password do not help any more, because the person who
	// enters the codes may read the user's mailbox. Support can then reset two-step verification.
	maxWrongCodesInTotal = 2 * MaxWrongCodes
)

// Credentials contain a user with the authenticators, recovery codes and links with which the user signs in.
type Credentials struct {
	User           User
	Authenticators []Authenticator // in the order of their creation
	RecoveryCodes  []string        // the hashes of the unused codes
	PasswordResets []PasswordReset // the unused links; some may have expired
	EmailChange    *EmailChange    // the pending change of the email address; nil for none
	Undos          []Undo          // the links in the order of their hashes
}

// ResetPassword uses the link with the hash of its token. It returns false if the link can't be used any more. The second
// factor stays as it is.
func (c *Credentials) ResetPassword(tokenHash, passwordHash string, now time.Time) bool {
	canUse := slices.ContainsFunc(c.PasswordResets, func(r PasswordReset) bool {
		return r.TokenHash == tokenHash && !r.IsExpired(now)
	})
	if canUse {
		c.User.ResetPassword(passwordHash, now)
	}
	return canUse
}

// AuthenticatorKind is a kind of authenticator.
type AuthenticatorKind string

// The kinds of authenticators.
const (
	AuthenticatorApp     AuthenticatorKind = "totp" // computes one-time codes
	PasskeyAuthenticator AuthenticatorKind = "passkey"
)

// Authenticator is a user's authenticator app or passkey.
type Authenticator struct {
	ID         string
	Kind       AuthenticatorKind
	Name       string
	CreatedAt  time.Time
	LastUsedAt time.Time // zero before the first use
	Secret     string    // of an AuthenticatorApp, in base32
	LastStep   int64     // of the last code that was accepted, so that no code is accepted twice
	Passkey    Passkey   // of a PasskeyAuthenticator
}

// HasTwoStep reports whether the password needs a second factor.
func (u User) HasTwoStep() bool { return !u.TwoStepSince.IsZero() }

// CodeAt computes the one-time code of a secret in a step, which is the number of CodeSteps since 1970.
type CodeAt func(secret string, step int64) (string, error)

// SecondFactor is the outcome of CheckSecondFactor.
type SecondFactor string

// The outcomes. The accepted ones have the values of the identity.Method constants.
const (
	AppCode       SecondFactor = "totp"
	RecoveryCode  SecondFactor = "recovery_code"
	WrongCode     SecondFactor = "wrong"
	UsedCode      SecondFactor = "used"     // was accepted before, or an older one; not counted as wrong
	TooManyErrors SecondFactor = "too_many" // no code is accepted until the password is reset

	// LockedByErrors means that no code is accepted until support resets two-step verification, or the user changes the
	// password in a session.
	LockedByErrors SecondFactor = "locked"
)

// IsAccepted reports whether the user can be signed in.
func (f SecondFactor) IsAccepted() bool { return f == AppCode || f == RecoveryCode }

// CheckSecondFactor compares the code with the codes of the authenticator app and with the recovery codes. An accepted
// code is used up. Wrong codes are counted separately for known browsers, so that a person who only knows the password
// can't lock out the user's own browsers.
func (c *Credentials) CheckSecondFactor(code string, now time.Time, isKnownBrowser bool, codeAt CodeAt) (SecondFactor, error) {
	if block := c.User.CodeBlock(isKnownBrowser); block != "" {
		return block, nil
	}
	count := c.User.wrongCodes(isKnownBrowser)
	outcome, err := c.useAppCode(code, now, codeAt)
	switch {
	case err != nil || outcome == UsedCode:
		return outcome, err
	case outcome == AppCode:
		*count = 0
		return AppCode, nil
	case c.useRecoveryCode(code):
		*count = 0
		return RecoveryCode, nil
	}
	*count++
	return WrongCode, nil
}

// MustReportWrongCode reports whether the user gets an email about the wrong code that was counted last: the first one of
// unknown browsers, and the one after which no code is accepted.
func (u User) MustReportWrongCode(isKnownBrowser bool) bool {
	return !isKnownBrowser && u.WrongCodes == 1 || u.CodeBlock(isKnownBrowser) != ""
}

// CodeBlock returns the reason for which no code is accepted: TooManyErrors, LockedByErrors, or "" if codes are accepted.
// Known browsers have a counter of their own.
func (u User) CodeBlock(isKnownBrowser bool) SecondFactor {
	switch count := *u.wrongCodes(isKnownBrowser); {
	case count >= maxWrongCodesInTotal:
		return LockedByErrors
	case count == MaxWrongCodes:
		return TooManyErrors
	default:
		return ""
	}
}

// wrongCodes returns the counter of wrong codes for known or for unknown browsers.
func (u *User) wrongCodes(isKnownBrowser bool) *int {
	if isKnownBrowser {
		return &u.WrongCodesOfKnownBrowsers
	}
	return &u.WrongCodes
}

// countAfterReset returns the count of wrong codes after a reset of the password. A reset grants the second half of
// maxWrongCodesInTotal once. Only an accepted code sets the count to 0 again.
func countAfterReset(count int) int {
	if count == 0 {
		return 0
	}
	return max(count, MaxWrongCodes+1)
}

// useAppCode compares the code with those of the authenticator app in the step of now and in those next to it. It returns
// AppCode for a code that is newer than the last accepted one, UsedCode for one that is not, and otherwise WrongCode.
func (c *Credentials) useAppCode(code string, now time.Time, codeAt CodeAt) (SecondFactor, error) {
	app := c.AuthenticatorApp()
	if app == nil {
		return WrongCode, nil
	}
	step, err := MatchCode(app.Secret, code, now, codeAt)
	switch {
	case err != nil:
		return "", err
	case step == 0:
		return WrongCode, nil
	case !app.isNewStep(step, now):
		return UsedCode, nil
	}
	app.LastStep, app.LastUsedAt = step, now
	return AppCode, nil
}

// isNewStep reports whether no code of the step or a later one was accepted. It ignores a last step in the future, which
// was stored while the clock was wrong.
func (a Authenticator) isNewStep(step int64, now time.Time) bool {
	return step > a.LastStep || a.LastStep > stepAt(now)+codeDrift
}

func stepAt(now time.Time) int64 { return now.Unix() / int64(CodeStep/time.Second) }

// MatchCode returns the step of the code: that of now or one next to it. It returns 0 for a wrong code.
func MatchCode(secret, code string, now time.Time, codeAt CodeAt) (int64, error) {
	code = strings.Map(dropSeparators, code)
	current, match := stepAt(now), int64(0)
	for step := current - codeDrift; step <= current+codeDrift; step++ {
		want, err := codeAt(secret, step)
		if err != nil {
			return 0, err
		}
		if subtle.ConstantTimeCompare([]byte(want), []byte(code)) == 1 {
			match = step
		}
	}
	return match, nil
}

// dropSeparators removes the characters that separate the groups of a code.
func dropSeparators(r rune) rune {
	if r == ' ' || r == '-' || r == '\u00a0' || r == '\t' {
		return -1
	}
	return r
}

func (c *Credentials) useRecoveryCode(code string) bool {
	i := slices.Index(c.RecoveryCodes, HashRecoveryCode(code))
	if i < 0 {
		return false
	}
	c.RecoveryCodes = slices.Delete(slices.Clone(c.RecoveryCodes), i, i+1)
	return true
}

// HashRecoveryCode returns the hash of a recovery code, ignoring case, spaces and hyphens. A code is random and long, so
// that a fast hash suffices.
func HashRecoveryCode(code string) string {
	sum := sha256.Sum256([]byte(strings.ToUpper(strings.Map(dropSeparators, code))))
	return hex.EncodeToString(sum[:])
}

// AuthenticatorApp returns the authenticator app, or nil if there is none.
func (c *Credentials) AuthenticatorApp() *Authenticator {
	for i := range c.Authenticators {
		if c.Authenticators[i].Kind == AuthenticatorApp {
			return &c.Authenticators[i]
		}
	}
	return nil
}

// TurnOnTwoStep adds the authenticator app and replaces the recovery codes. If app is nil, the user signs in with a
// passkey, and the password needs a recovery code. It returns Conflict if two-step verification is already on, and
// without an app and a passkey.
func (c *Credentials) TurnOnTwoStep(app *Authenticator, recoveryCodes []string, now time.Time) error {
	if c.User.HasTwoStep() {
		return fault.New(fault.Conflict, "Two-step verification is already on.")
	}
	if app == nil && len(c.Passkeys()) == 0 {
		return ErrNeedsPasskey()
	}
	if app != nil {
		c.Authenticators = append(slices.Clone(c.Authenticators), *app)
	}
	c.RecoveryCodes = slices.Clone(recoveryCodes)
	c.User.TwoStepSince = now
	c.User.WrongCodes, c.User.WrongCodesOfKnownBrowsers = 0, 0
	c.User.SecurityRevision++
	return nil
}

// AddAuthenticatorApp adds the app to two-step verification that was turned on without one. The recovery codes stay valid,
// because the app replaces none of them. It returns the error of CheckNewApp.
func (c *Credentials) AddAuthenticatorApp(app Authenticator) error {
	if err := c.CheckNewApp(); err != nil {
		return err
	}
	c.Authenticators = append(slices.Clone(c.Authenticators), app)
	c.User.SecurityRevision++
	return nil
}

// CheckNewApp returns Conflict unless AddAuthenticatorApp can add an app: if two-step verification is off, or there is an app.
func (c *Credentials) CheckNewApp() error {
	switch {
	case !c.User.HasTwoStep():
		return errTwoStepOff()
	case c.AuthenticatorApp() != nil:
		return fault.New(fault.Conflict, "You have an authenticator app already.")
	}
	return nil
}

func errTwoStepOff() error { return fault.New(fault.Conflict, "Two-step verification is off.") }

// ErrNeedsPasskey returns the error for two-step verification with neither an authenticator app nor a passkey.
func ErrNeedsPasskey() error {
	return fault.New(fault.Conflict, "Two-step verification without an app needs a passkey. Please add one first.")
}

// TurnOffTwoStep removes the authenticator app and the recovery codes. It returns Conflict if two-step verification is
// off.
func (c *Credentials) TurnOffTwoStep() error {
	if !c.User.HasTwoStep() {
		return fault.New(fault.Conflict, "Two-step verification is already off.")
	}
	c.Authenticators = slices.DeleteFunc(slices.Clone(c.Authenticators), func(a Authenticator) bool {
		return a.Kind == AuthenticatorApp
	})
	c.RecoveryCodes = nil
	c.User.TwoStepSince = time.Time{}
	c.User.WrongCodes, c.User.WrongCodesOfKnownBrowsers = 0, 0
	c.User.SecurityRevision++
	return nil
}

// ResetTwoStep turns two-step verification off, removes all passkeys and makes the password unusable. It returns Conflict,
// and changes nothing, if two-step verification is off.
func (c *Credentials) ResetTwoStep() error {
	if err := c.TurnOffTwoStep(); err != nil {
		return err
	}
	c.RemovePasskeys()
	c.User.PasswordHash = "" // matches no password
	return nil
}

// SignOutEverywhere raises the SecurityRevision, so that all sessions of the user end.
func (c *Credentials) SignOutEverywhere() { c.User.SecurityRevision++ }

// RenewRecoveryCodes replaces the recovery codes. It returns Conflict if two-step verification is off.
func (c *Credentials) RenewRecoveryCodes(hashes []string) error {
	if !c.User.HasTwoStep() {
		return errTwoStepOff()
	}
	c.RecoveryCodes = slices.Clone(hashes)
	c.User.SecurityRevision++
	return nil
}

// FreshFor is the time after an authentication in which a user may change how the account is protected.
const FreshFor = 15 * time.Minute

// freshTolerance is the difference between the clocks of two servers that does not matter for freshness.
const freshTolerance = time.Minute

// RequireFresh returns a Reauthenticate fault unless the user has authenticated within FreshFor before now. An
// authentication in the future, made before a clock was set back, is not fresh.
func RequireFresh(authenticatedAt, now time.Time) error {
	age := now.Sub(authenticatedAt)
	if age >= FreshFor || age < -freshTolerance {
		return fault.New(fault.Reauthenticate, "Please confirm that it is you.")
	}
	return nil
}
