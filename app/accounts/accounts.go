package accounts

import (
	"context"
	"log/slog"

	"github.com/vc-admin/diy/app/emails"
	"github.com/vc-admin/diy/app/internal/accountemails"
	"github.com/vc-admin/diy/app/internal/newpassword"
	"github.com/vc-admin/diy/domain/catalogue"
	"github.com/vc-admin/diy/ports/clock"
	"github.com/vc-admin/diy/ports/identity"
	"github.com/vc-admin/diy/ports/storage"
)

// Ports contains the dependencies of the use cases.
type Ports struct {
	Store interface {
		storage.SignUps
		storage.Verifications
		storage.Users
		storage.Organisations
		storage.Memberships
		storage.PasswordResets
		storage.Credentials
		storage.EmailRequests
		storage.AuditLog
	}
	Catalogue *catalogue.Catalogue
	Passwords identity.Passwords
	Sessions  identity.Sessions
	Codes     identity.OneTimeCodes
	Passkeys  identity.Passkeys // nil if browsers have no passkeys for the public URL
	StateKey  []byte            // signs states; servers with the same key accept each other's states
	Clock     clock.Clock
	Log       *slog.Logger
	PublicURL string        // prefix of the links in emails, without a slash at the end
	Sender    emails.Sender // name and address of the sender of all emails
	// CreateCustomer creates the organisation's customer at the payment provider. It is called when the first email
	// address of the organisation is verified.
	CreateCustomer func(ctx context.Context, organisationID string) error
	// MarkReachable is called when a user opens a link that was sent to the email address.
	MarkReachable func(ctx context.Context, email string)
}

// UseCases contains the use cases of the package.
type UseCases struct {
	SignUp              *SignUp
	VerifyEmail         *VerifyEmail
	ShowRegistration    *ShowRegistration
	ConfirmRegistration *ConfirmRegistration
	RejectRegistration  *RejectRegistration
	ResendVerification  *ResendVerification
	ForgotPassword      *ForgotPassword
	ResetPassword       *ResetPassword
	SendRequestedEmails *SendRequestedEmails
	RenewLink           *RenewLink // for operators
	SignIn              *SignIn
	RequestPasskey      *RequestPasskey
	SignInWithPasskey   *SignInWithPasskey
	SignOut             *SignOut
	// RecordRefusedSignIns is background work.
	RecordRefusedSignIns *RecordRefusedSignIns
}

// New returns the use cases, connected with the ports. It calls no port.
func New(p Ports) UseCases {
	writer := accountemails.Writer{PublicURL: p.PublicURL, Sender: p.Sender}
	starter := sessionStarter{store: p.Store, sessions: p.Sessions, clock: p.Clock, writer: writer, log: p.Log}
	verifier := registrationVerifier{
		store: p.Store, clock: p.Clock, createCustomer: p.CreateCustomer, markReachable: p.MarkReachable, log: p.Log,
	}
	rules := newpassword.Rules{Passwords: p.Passwords, Product: p.Sender.Brand}
	checker := secondFactorChecker{store: p.Store, codes: p.Codes, clock: p.Clock, writer: writer}
	refused := &refusedSignIns{}
	requester := emailRequester{store: p.Store, clock: p.Clock}
	return UseCases{
		SignUp: &SignUp{
			catalogue: p.Catalogue, store: p.Store, passwords: p.Passwords, rules: rules, clock: p.Clock, writer: writer,
		},
		VerifyEmail:         &VerifyEmail{verifier: verifier},
		ShowRegistration:    &ShowRegistration{verifier: verifier, store: p.Store},
		ConfirmRegistration: &ConfirmRegistration{verifier: verifier, store: p.Store, passwords: p.Passwords, starter: starter},
		RejectRegistration:  &RejectRegistration{verifier: verifier, store: p.Store, log: p.Log},
		ResendVerification:  &ResendVerification{requester: requester},
		ForgotPassword:      &ForgotPassword{requester: requester},
		ResetPassword: &ResetPassword{store: p.Store, verifier: verifier, passwords: p.Passwords, rules: rules,
			sessions: p.Sessions, clock: p.Clock, writer: writer, log: p.Log},
		SendRequestedEmails: &SendRequestedEmails{store: p.Store, clock: p.Clock, writer: writer},
		RenewLink:           &RenewLink{store: p.Store, clock: p.Clock, writer: writer},
		SignIn: &SignIn{store: p.Store, passwords: p.Passwords, checker: checker, starter: starter, refused: refused, clock: p.Clock,
			log: p.Log},
		RequestPasskey: &RequestPasskey{passkeys: p.Passkeys, clock: p.Clock, key: p.StateKey},
		SignInWithPasskey: &SignInWithPasskey{
			store: p.Store, passkeys: p.Passkeys, starter: starter, refused: refused, clock: p.Clock, log: p.Log, key: p.StateKey,
		},
		RecordRefusedSignIns: &RecordRefusedSignIns{refused: refused, store: p.Store},
		SignOut:              &SignOut{sessions: p.Sessions},
	}
}
