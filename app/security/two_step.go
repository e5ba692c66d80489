package security

import (
	"context"
	"crypto/rand"
	"time"

	"github.com/vc-admin/diy/app/emails"
	"github.com/vc-admin/diy/app/internal/ids"
	"github.com/vc-admin/diy/app/internal/states"
	"github.com/vc-admin/diy/domain/account"
	"github.com/vc-admin/diy/domain/fault"
	"github.com/vc-admin/diy/ports/clock"
	"github.com/vc-admin/diy/ports/identity"
	"github.com/vc-admin/diy/ports/storage"
)

// twoStepLifetime is the time in which a user scans the QR code and saves the recovery codes.
const twoStepLifetime = 10 * time.Minute

// StartTwoStep creates the secret of an authenticator app and recovery codes.
type StartTwoStep struct {
	store  storage.Credentials
	codes  identity.OneTimeCodes
	clock  clock.Clock
	issuer string
	key    []byte
}

// TwoStepSetup contains what the user saves before ConfirmTwoStep.
type TwoStepSetup struct {
	Secret        string   // for the authenticator app, in base32; "" without an app
	QRCode        []string // see identity.OneTimeCodes; nil without an app
	RecoveryCodes []string // nil if only an app is added
	State         string   // for ConfirmTwoStep
}

// Do returns a new setup and stores nothing. If withoutApp is set, the setup has only recovery codes. Otherwise it has an
// authenticator app, and recovery codes unless two-step verification is on already. Do returns Conflict for a user who
// has no passkey and wants to turn on two-step verification without an app, and for one who has an app and wants to add
// one.
func (u *StartTwoStep) Do(ctx context.Context, caller identity.Identity, withoutApp bool) (TwoStepSetup, error) {
	now := u.clock.Now()
	if err := caller.RequireFresh(now); err != nil {
		return TwoStepSetup{}, err
	}
	credentials, err := u.store.Credentials(ctx, caller.UserID)
	if err != nil {
		return TwoStepSetup{}, fault.ReplaceNotFound(err, identity.ErrSignedOut())
	}
	return u.newSetup(credentials, withoutApp, now)
}

func (u *StartTwoStep) newSetup(credentials account.Credentials, withoutApp bool, now time.Time) (setup TwoStepSetup, err error) {
	user := credentials.User
	if err := checkNewSetup(credentials, withoutApp); err != nil {
		return TwoStepSetup{}, err
	}
	s := states.State{
		Purpose: states.TwoStep, UserID: user.ID, Revision: user.SecurityRevision, ExpiresAt: now.Add(twoStepLifetime),
	}
	if !withoutApp {
		setup.Secret = u.codes.NewSecret()
		if setup.QRCode, err = u.codes.QRCode(setup.Secret, u.issuer, user.Email); err != nil {
			return TwoStepSetup{}, err
		}
		s.Secret = setup.Secret
	}
	if withoutApp || !user.HasTwoStep() {
		for range account.RecoveryCodeCount {
			code := rand.Text()[:account.RecoveryCodeLength]
			setup.RecoveryCodes = append(setup.RecoveryCodes, code)
			s.RecoveryCodes = append(s.RecoveryCodes, account.HashRecoveryCode(code))
		}
	}
	setup.State, err = s.Sign(u.key)
	return setup, err
}

// checkNewSetup returns the reason against a setup, or nil.
func checkNewSetup(credentials account.Credentials, withoutApp bool) error {
	isOn := credentials.User.HasTwoStep()
	if withoutApp && !isOn && len(credentials.Passkeys()) == 0 {
		return account.ErrNeedsPasskey()
	}
	if !withoutApp && isOn {
		return credentials.CheckNewApp()
	}
	return nil
}

// ConfirmTwoStep turns two-step verification on. If it is on, ConfirmTwoStep replaces the recovery codes or adds an
// authenticator app.
type ConfirmTwoStep struct {
	updater credentialsUpdater
	codes   identity.OneTimeCodes
	key     []byte
}

// Do stores the setup of the state and returns the changed user. The code is that of the authenticator app, and is
// ignored for a setup without an app. Do returns NotFound for a state that is unknown, too old or was used, and Invalid with
// the field "code" for a wrong code.
func (u *ConfirmTwoStep) Do(ctx context.Context, caller identity.Identity, stateText, code string) (account.User, error) {
	now := u.updater.clock.Now()
	if err := caller.RequireFresh(now); err != nil {
		return account.User{}, err
	}
	s, err := states.Read(u.key, stateText, states.TwoStep, now)
	if err != nil {
		return account.User{}, err
	}
	if s.Secret == "" {
		return u.confirmWithoutApp(ctx, caller, s, now)
	}
	step, err := account.MatchCode(s.Secret, code, now, u.codes.CodeAt)
	if err != nil {
		return account.User{}, err
	}
	if step == 0 {
		var fields fault.Fields
		fields.Add("code", "The code is not right. Please enter the code that your app shows now.")
		return account.User{}, fields.Err()
	}
	app := account.Authenticator{
		ID: ids.New("auth"), Kind: account.AuthenticatorApp, Name: "Authenticator app", CreatedAt: now,
		Secret: s.Secret, LastStep: step,
	}
	newEmail, store := emails.TwoStepOn, func(c *account.Credentials) error { return c.TurnOnTwoStep(&app, s.RecoveryCodes, now) }
	if len(s.RecoveryCodes) == 0 {
		newEmail, store = emails.AppAdded, func(c *account.Credentials) error { return c.AddAuthenticatorApp(app) }
	}
	return u.updater.updateUndoable(ctx, caller, newEmail, func(c *account.Credentials) error {
		if err := s.Check(c.User); err != nil {
			return err
		}
		return store(c)
	})
}

// confirmWithoutApp stores the recovery codes of the state, and turns two-step verification on if it is off. The state
// has the user's current security revision, so that two-step verification was neither turned on nor off since the state
// was signed.
func (u *ConfirmTwoStep) confirmWithoutApp(
	ctx context.Context, caller identity.Identity, s states.State, now time.Time,
) (account.User, error) {
	credentials, err := u.updater.store.Credentials(ctx, caller.UserID)
	if err != nil {
		return account.User{}, fault.ReplaceNotFound(err, identity.ErrSignedOut())
	}
	if credentials.User.HasTwoStep() {
		return u.updater.update(ctx, caller, emails.NewRecoveryCodes, func(c *account.Credentials) error {
			if err := s.Check(c.User); err != nil {
				return err
			}
			return c.RenewRecoveryCodes(s.RecoveryCodes)
		})
	}
	return u.updater.updateUndoable(ctx, caller, emails.TwoStepOnWithPasskey, func(c *account.Credentials) error {
		if err := s.Check(c.User); err != nil {
			return err
		}
		return c.TurnOnTwoStep(nil, s.RecoveryCodes, now)
	})
}

// TurnOffTwoStep turns two-step verification off.
type TurnOffTwoStep struct{ updater credentialsUpdater }

// Do removes the authenticator app and the recovery codes, and returns the changed user. It returns Conflict if two-step
// verification is off.
func (u *TurnOffTwoStep) Do(ctx context.Context, caller identity.Identity) (account.User, error) {
	return u.updater.update(ctx, caller, emails.TwoStepOff, (*account.Credentials).TurnOffTwoStep)
}
