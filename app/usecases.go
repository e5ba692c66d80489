package app

import (
	"log/slog"

	"github.com/vc-admin/diy/domain/catalogue"
	"github.com/vc-admin/diy/ports/clock"
	"github.com/vc-admin/diy/ports/identity"
	"github.com/vc-admin/diy/ports/mail"
	"github.com/vc-admin/diy/ports/payment"
	"github.com/vc-admin/diy/ports/storage"
)

// Ports is everything the use cases stand on.
type Ports struct {
	Catalogue *catalogue.Catalogue
	Store     storage.Store
	Provider  payment.Provider
	Sessions  identity.Sessions
	Passwords identity.Passwords
	Mail      mail.Sender
	Clock     clock.Clock
	Log       *slog.Logger
	PublicURL string // where people reach the product, without a slash at the end
	Brand     string // the product's name in emails
}

// UseCases is all the product does.
type UseCases struct {
	SignUp              *SignUp
	VerifyEmail         *VerifyEmail
	ShowRegistration    *ShowRegistration
	ConfirmRegistration *ConfirmRegistration
	RejectRegistration  *RejectRegistration
	ResendVerification  *ResendVerification
	ForgotPassword      *ForgotPassword
	ResetPassword       *ResetPassword
	AnswerEmailRequests *AnswerEmailRequests
	SignIn              *SignIn
	SignOut             *SignOut
	DescribeUser        *DescribeUser
	ShowOrganisation    *ShowOrganisation
	NewCustomer         *NewCustomer
	ShowCustomer        *ShowCustomer
	ListCards           *ListCards
	AddCard             *AddCard
	SetDefaultCard      *SetDefaultCard
	DeleteCard          *DeleteCard
	Subscribe           *Subscribe
	ChangePlan          *ChangePlan
	PayOpenInvoice      *PayOpenInvoice
	CancelPendingChange *CancelPendingChange
	ListSubscriptions   *ListSubscriptions
	ReceiveEvent        *ReceiveEvent
	DeliverMail         *DeliverMail
	Reconcile           *Reconcile
	CheckLicenses       *CheckLicenses
	GrantDevLicense     *GrantDevLicense
	TidyCards           *TidyCards
	Sweep               *Sweep
}

// New joins the use cases with their ports.
func New(p Ports) *UseCases {
	emails := verificationEmails{clock: p.Clock, publicURL: p.PublicURL, brand: p.Brand}
	sync := &syncBilling{store: p.Store, provider: p.Provider, clock: p.Clock, log: p.Log}
	attempts := paymentAttempts{store: p.Store, clock: p.Clock, log: p.Log}
	steps := steps{provider: p.Provider, attempts: attempts, sync: sync}
	takeover := &takeover{store: p.Store, provider: p.Provider, steps: steps, sync: sync, clock: p.Clock}
	ops := operations{store: p.Store, clock: p.Clock, takeover: takeover, log: p.Log}
	bill := overdueBill{store: p.Store, clock: p.Clock, steps: steps, sync: sync, log: p.Log}
	cards := savedCards{store: p.Store, provider: p.Provider, ops: ops, sync: sync, clock: p.Clock, log: p.Log}
	customer := &NewCustomer{store: p.Store, provider: p.Provider, ops: ops}
	passwords := passwordEmails{publicURL: p.PublicURL, brand: p.Brand}
	registered := registrations{store: p.Store, clock: p.Clock, customer: customer, log: p.Log}
	return &UseCases{
		SignUp:              &SignUp{catalogue: p.Catalogue, store: p.Store, passwords: p.Passwords, clock: p.Clock, emails: emails},
		VerifyEmail:         &VerifyEmail{registrations: registered},
		ShowRegistration:    &ShowRegistration{registrations: registered, store: p.Store},
		ConfirmRegistration: &ConfirmRegistration{registrations: registered, passwords: p.Passwords, sessions: p.Sessions},
		RejectRegistration:  &RejectRegistration{registrations: registered, store: p.Store},
		ResendVerification:  &ResendVerification{store: p.Store, clock: p.Clock},
		ForgotPassword:      &ForgotPassword{store: p.Store, clock: p.Clock},
		ResetPassword: &ResetPassword{store: p.Store, registrations: registered, passwords: p.Passwords,
			sessions: p.Sessions, clock: p.Clock, emails: passwords},
		AnswerEmailRequests: &AnswerEmailRequests{store: p.Store, clock: p.Clock, emails: emails, passwords: passwords},
		SignIn:              &SignIn{users: p.Store, passwords: p.Passwords, sessions: p.Sessions, clock: p.Clock},
		SignOut:             &SignOut{sessions: p.Sessions},
		DescribeUser:        &DescribeUser{store: p.Store, clock: p.Clock, sync: sync, log: p.Log},
		ShowOrganisation:    &ShowOrganisation{store: p.Store},
		NewCustomer:         customer,
		ShowCustomer:        &ShowCustomer{store: p.Store, customer: customer, cards: cards},
		ListCards:           &ListCards{store: p.Store, provider: p.Provider, cards: cards},
		AddCard:             &AddCard{store: p.Store, provider: p.Provider, ops: ops, bill: bill, cards: cards},
		SetDefaultCard:      &SetDefaultCard{store: p.Store, provider: p.Provider, ops: ops, bill: bill, cards: cards},
		DeleteCard:          &DeleteCard{store: p.Store, ops: ops, steps: steps},
		Subscribe:           &Subscribe{catalogue: p.Catalogue, store: p.Store, provider: p.Provider, ops: ops, steps: steps, sync: sync, cards: cards},
		ChangePlan:          &ChangePlan{catalogue: p.Catalogue, store: p.Store, provider: p.Provider, ops: ops, steps: steps, sync: sync},
		PayOpenInvoice:      &PayOpenInvoice{provider: p.Provider, ops: ops, steps: steps, sync: sync},
		CancelPendingChange: &CancelPendingChange{provider: p.Provider, ops: ops, steps: steps, sync: sync},
		ListSubscriptions:   &ListSubscriptions{store: p.Store, provider: p.Provider},
		ReceiveEvent:        &ReceiveEvent{store: p.Store, provider: p.Provider, clock: p.Clock, sync: sync, log: p.Log},
		DeliverMail:         &DeliverMail{outbox: p.Store, sender: p.Mail, clock: p.Clock, log: p.Log},
		Reconcile:           &Reconcile{store: p.Store, takeover: takeover, customer: customer, log: p.Log},
		CheckLicenses:       &CheckLicenses{store: p.Store, provider: p.Provider, clock: p.Clock, sync: sync, log: p.Log},
		GrantDevLicense:     &GrantDevLicense{catalogue: p.Catalogue, store: p.Store},
		TidyCards:           &TidyCards{store: p.Store, cards: cards, clock: p.Clock},
		Sweep:               &Sweep{store: p.Store, clock: p.Clock, log: p.Log},
	}
}
