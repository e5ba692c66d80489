package security

import (
	"log/slog"

	"github.com/vc-admin/diy/app/emails"
	"github.com/vc-admin/diy/app/internal/accountemails"
	"github.com/vc-admin/diy/app/internal/newpassword"
	"github.com/vc-admin/diy/ports/clock"
	"github.com/vc-admin/diy/ports/identity"
	"github.com/vc-admin/diy/ports/storage"
)

// Ports contains the dependencies of the use cases.
type Ports struct {
	Store interface {
		storage.Credentials
		storage.Users
		storage.Organisations
		storage.Memberships
		storage.Teams
		storage.AuditLog
	}
	Sessions  identity.Sessions
	Passwords identity.Passwords
	Codes     identity.OneTimeCodes
	Passkeys  identity.Passkeys // nil if browsers have no passkeys for the public URL
	Clock     clock.Clock
	PublicURL string        // prefix of the links in emails, without a slash at the end
	Sender    emails.Sender // name and address of the sender of all emails
	StateKey  []byte        // signs states; servers with the same key accept each other's states
	Log       *slog.Logger
}

// UseCases contains the use cases of the package.
type UseCases struct {
	ShowAccount        *ShowAccount
	EditProfile        *EditProfile
	ChangePassword     *ChangePassword
	RequestEmailChange *RequestEmailChange
	CancelEmailChange  *CancelEmailChange
	ShowEmailChange    *ShowEmailChange
	ConfirmEmailChange *ConfirmEmailChange
	ShowUndo           *ShowUndo
	UndoChange         *UndoChange
	EndSession         *EndSession
	EndOtherSessions   *EndOtherSessions
	StartTwoStep       *StartTwoStep
	ConfirmTwoStep     *ConfirmTwoStep
	TurnOffTwoStep     *TurnOffTwoStep
	// For operators.
	EndUserSessions    *EndUserSessions
	RemoveUserPasskeys *RemoveUserPasskeys
	ResetTwoStep       *ResetTwoStep

	StartPasskey  *StartPasskey
	AddPasskey    *AddPasskey
	RenamePasskey *RenamePasskey
	RemovePasskey *RemovePasskey
}

// New returns the use cases, connected with the ports. It calls no port.
func New(p Ports) UseCases {
	writer := accountemails.Writer{PublicURL: p.PublicURL, Sender: p.Sender}
	updater := credentialsUpdater{store: p.Store, clock: p.Clock, writer: writer}
	operator := userOperator{updater: updater, store: p.Store}
	finder := undoFinder{store: p.Store, updater: updater}
	rules := newpassword.Rules{Passwords: p.Passwords, Product: p.Sender.Brand}
	return UseCases{
		ShowAccount:    &ShowAccount{store: p.Store, sessions: p.Sessions},
		EditProfile:    &EditProfile{store: p.Store},
		ChangePassword: &ChangePassword{updater: updater, store: p.Store, passwords: p.Passwords, rules: rules, log: p.Log},

		RequestEmailChange: &RequestEmailChange{updater: updater, users: p.Store},
		CancelEmailChange:  &CancelEmailChange{updater: updater},
		ShowEmailChange:    &ShowEmailChange{store: p.Store, sessions: p.Sessions, updater: updater},
		ConfirmEmailChange: &ConfirmEmailChange{updater: updater},
		ShowUndo:           &ShowUndo{finder: finder},
		UndoChange: &UndoChange{
			finder: finder, passwords: p.Passwords, rules: rules, sessions: p.Sessions, log: p.Log,
		},

		EndSession:       &EndSession{sessions: p.Sessions, clock: p.Clock},
		EndOtherSessions: &EndOtherSessions{sessions: p.Sessions, clock: p.Clock},
		StartTwoStep: &StartTwoStep{
			store: p.Store, codes: p.Codes, clock: p.Clock, issuer: p.Sender.Brand, key: p.StateKey,
		},
		ConfirmTwoStep: &ConfirmTwoStep{updater: updater, codes: p.Codes, key: p.StateKey},
		TurnOffTwoStep: &TurnOffTwoStep{updater: updater},

		EndUserSessions:    &EndUserSessions{operator: operator},
		RemoveUserPasskeys: &RemoveUserPasskeys{operator: operator},
		ResetTwoStep:       &ResetTwoStep{operator: operator, teams: p.Store},
		StartPasskey:       &StartPasskey{store: p.Store, passkeys: p.Passkeys, clock: p.Clock, key: p.StateKey},
		AddPasskey:         &AddPasskey{updater: updater, passkeys: p.Passkeys, key: p.StateKey},
		RenamePasskey:      &RenamePasskey{store: p.Store, clock: p.Clock},
		RemovePasskey:      &RemovePasskey{updater: updater},
	}
}
