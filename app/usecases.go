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
	Brand     string // the product's name in letters
}

// UseCases is all the product does.
type UseCases struct {
	SignUp             *SignUp
	VerifyEmail        *VerifyEmail
	ResendVerification *ResendVerification
	SignIn             *SignIn
	SignOut            *SignOut
	DescribeUser       *DescribeUser
	ShowOrganisation   *ShowOrganisation
	NewCustomer        *NewCustomer
	ShowCustomer       *ShowCustomer
	ListCards          *ListCards
	AddCard            *AddCard
	SetDefaultCard     *SetDefaultCard
	DeleteCard         *DeleteCard
	Subscribe          *Subscribe
	ChangePlan         *ChangePlan
	ListSubscriptions  *ListSubscriptions
	ReceiveEvent       *ReceiveEvent
	DeliverMail        *DeliverMail
	Reconcile          *Reconcile
	CheckLicenses      *CheckLicenses
	GrantDevLicense    *GrantDevLicense
	Sweep              *Sweep
}

// New joins the use cases with their ports.
func New(p Ports) *UseCases {
	letters := verificationLetters{clock: p.Clock, publicURL: p.PublicURL, brand: p.Brand}
	sync := &syncBilling{store: p.Store, provider: p.Provider, clock: p.Clock, log: p.Log}
	settle := settler{store: p.Store, customers: p.Provider, sync: sync}
	ops := operations{store: p.Store, clock: p.Clock, settle: settle, log: p.Log}
	bill := overdueBill{provider: p.Provider, clock: p.Clock, sync: sync, log: p.Log}
	customer := &NewCustomer{store: p.Store, provider: p.Provider, ops: ops}
	return &UseCases{
		SignUp: &SignUp{catalogue: p.Catalogue, store: p.Store, passwords: p.Passwords,
			clock: p.Clock, letters: letters, customer: customer, log: p.Log},
		VerifyEmail:        &VerifyEmail{store: p.Store, clock: p.Clock},
		ResendVerification: &ResendVerification{store: p.Store, clock: p.Clock, letters: letters},
		SignIn:             &SignIn{users: p.Store, passwords: p.Passwords, sessions: p.Sessions},
		SignOut:            &SignOut{sessions: p.Sessions},
		DescribeUser:       &DescribeUser{store: p.Store, clock: p.Clock, sync: sync, log: p.Log},
		ShowOrganisation:   &ShowOrganisation{store: p.Store},
		NewCustomer:        customer,
		ShowCustomer:       &ShowCustomer{store: p.Store, customer: customer},
		ListCards:          &ListCards{store: p.Store, provider: p.Provider},
		AddCard:            &AddCard{store: p.Store, provider: p.Provider, ops: ops, bill: bill},
		SetDefaultCard:     &SetDefaultCard{store: p.Store, provider: p.Provider, ops: ops, bill: bill},
		DeleteCard:         &DeleteCard{store: p.Store, provider: p.Provider, ops: ops, sync: sync},
		Subscribe:          &Subscribe{catalogue: p.Catalogue, store: p.Store, provider: p.Provider, ops: ops, sync: sync},
		ChangePlan:         &ChangePlan{catalogue: p.Catalogue, provider: p.Provider, ops: ops, sync: sync},
		ListSubscriptions:  &ListSubscriptions{store: p.Store, provider: p.Provider},
		ReceiveEvent:       &ReceiveEvent{store: p.Store, provider: p.Provider, clock: p.Clock, sync: sync, log: p.Log},
		DeliverMail:        &DeliverMail{outbox: p.Store, sender: p.Mail, clock: p.Clock, log: p.Log},
		Reconcile:          &Reconcile{store: p.Store, clock: p.Clock, settle: settle, customer: customer, log: p.Log},
		CheckLicenses:      &CheckLicenses{store: p.Store, provider: p.Provider, clock: p.Clock, sync: sync, log: p.Log},
		GrantDevLicense:    &GrantDevLicense{catalogue: p.Catalogue, store: p.Store},
		Sweep:              &Sweep{store: p.Store, clock: p.Clock},
	}
}
