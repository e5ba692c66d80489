package app

import (
	"cmp"
	"context"
	"crypto/rand"
	"log/slog"

	"github.com/vc-admin/diy/app/accounts"
	"github.com/vc-admin/diy/app/auditlog"
	"github.com/vc-admin/diy/app/emails"
	"github.com/vc-admin/diy/app/internal/billingsync"
	"github.com/vc-admin/diy/app/internal/operation"
	"github.com/vc-admin/diy/app/internal/trialcards"
	"github.com/vc-admin/diy/app/members"
	"github.com/vc-admin/diy/app/notices"
	"github.com/vc-admin/diy/app/operators"
	"github.com/vc-admin/diy/app/privacy"
	"github.com/vc-admin/diy/app/security"
	"github.com/vc-admin/diy/domain/catalogue"
	"github.com/vc-admin/diy/ports/clock"
	"github.com/vc-admin/diy/ports/identity"
	"github.com/vc-admin/diy/ports/mail"
	"github.com/vc-admin/diy/ports/payment"
	"github.com/vc-admin/diy/ports/storage"
)

// Ports contains the dependencies of the use cases.
//
// A front end needs only the ports of the use cases that it calls. Subscriptions need Store, Provider and Clock. Only the
// use cases of packages accounts, security and members use Sessions, Passwords, Codes and Passkeys, and only DeliverMail
// uses Mail. In a front end that calls none of these use cases, these ports may be nil.
type Ports struct {
	Store     storage.Store
	Provider  payment.Provider
	Clock     clock.Clock
	Catalogue *catalogue.Catalogue // nil means catalogue.Default()
	Log       *slog.Logger         // nil means slog.Default()

	Sessions  identity.Sessions
	Passwords identity.Passwords
	Codes     identity.OneTimeCodes // for two-step verification
	Passkeys  identity.Passkeys     // nil if browsers have no passkeys for PublicURL
	Mail      mail.Sender
	PublicURL string // prefix of the links in emails, without a slash at the end
	Brand     string // the product's name in emails
	// PostalAddress contains the lines of the sender's name, address and email at the end of emails. If it is empty, emails end
	// with Brand.
	PostalAddress []string
	// NoBillingEmails turns the emails about invoices off, for a provider that sends them itself.
	NoBillingEmails bool
	// OptionalRenewalReminders lets recipients turn off the emails that remind of a renewal.
	OptionalRenewalReminders bool
	// PreferenceKey signs the links to the preferences in emails. Servers with the same key accept each other's links. If
	// it is nil, New generates a key.
	PreferenceKey []byte
	// ReturnURL is the page to which a page of the provider, or of the bank, sends customers back. The page must call
	// DescribeUser, which refreshes our copy, because the return of a customer does not prove a payment.
	ReturnURL string
	// MethodReturnURL is the page to which a provider with its own payment page sends customers back after they saved a
	// payment method without paying.
	MethodReturnURL string

	// KeepYears is the number of years for which the invoices of an erased organisation are kept after the year of the last one.
	// 0 means privacy.DefaultKeepYears.
	KeepYears int

	// QuoteKey signs quotes. Servers with the same key accept each other's quotes. If it is nil, New generates a key.
	QuoteKey []byte
	// StateKey signs what the browser keeps between the steps of a change of the user's factors, and hashes the codes with which
	// operators verify callers. Servers with the same key accept each other's states and codes. If it is nil, New generates a key.
	StateKey []byte
	// TrialCardKey hashes the fingerprints of the cards with which trials begin. Servers on a database must have the same
	// key. If it is nil, New generates a key.
	TrialCardKey []byte
	// RefuseTrialCards gives each card one trial. Otherwise operators see which organisations had a trial with the same card.
	RefuseTrialCards bool
	// OnQuoteDifference is called when the charged amount differs from the quoted one. It may be nil.
	OnQuoteDifference func()
}

// SecurityUseCases names the embedded use cases of package security.
type SecurityUseCases = security.UseCases

// MemberUseCases names the embedded use cases of package members.
type MemberUseCases = members.UseCases

// AuditLogUseCases names the embedded use cases of package auditlog.
type AuditLogUseCases = auditlog.UseCases

// OperatorUseCases names the embedded use cases of package operators.
type OperatorUseCases = operators.UseCases

// PrivacyUseCases names the embedded use cases of package privacy.
type PrivacyUseCases = privacy.UseCases

// UseCases contains all use cases of the product.
type UseCases struct {
	accounts.UseCases
	SecurityUseCases
	MemberUseCases
	AuditLogUseCases
	OperatorUseCases
	PrivacyUseCases
	DescribeUser                   *DescribeUser
	ListOrganisations              *ListOrganisations
	ShowOrganisation               *ShowOrganisation
	CreateCustomer                 *CreateCustomer
	ShowCustomer                   *ShowCustomer
	ListCards                      *ListCards
	AddCard                        *AddCard
	SetUpMethod                    *SetUpMethod
	SetDefaultCard                 *SetDefaultCard
	DeleteCard                     *DeleteCard
	ShowBillingDetails             *ShowBillingDetails
	EditBillingDetails             *EditBillingDetails
	ShowBillingEmailConfirmation   *ShowBillingEmailConfirmation
	ConfirmBillingEmail            *ConfirmBillingEmail
	ResendBillingEmailConfirmation *ResendBillingEmailConfirmation
	ShowEmailPreferences           *notices.ShowEmailPreferences
	GetEmailPreferencesToken       *notices.GetEmailPreferencesToken
	EditEmailPreferences           *notices.EditEmailPreferences
	Unsubscribe                    *notices.Unsubscribe
	ListUnreachableEmails          *notices.ListUnreachableEmails
	ListInvoices                   *ListInvoices
	DownloadInvoicePDF             *DownloadInvoicePDF
	DownloadCreditNotePDF          *DownloadCreditNotePDF
	ReportTransfer                 *ReportTransfer
	Subscribe                      *Subscribe
	ChangePlan                     *ChangePlan
	PayOpenInvoice                 *PayOpenInvoice
	QuotePrice                     *QuotePrice
	CancelPendingChange            *CancelPendingChange
	CancelScheduledChange          *CancelScheduledChange
	EndSubscription                *EndSubscription
	ResumeSubscription             *ResumeSubscription
	ShowBilling                    *ShowBilling
	ListSubscriptions              *ListSubscriptions
	ReceiveEvent                   *ReceiveEvent
	DeliverMail                    *notices.DeliverMail
	Reconcile                      *Reconcile
	RefreshBilling                 *RefreshBilling
	ListHolds                      *ListHolds
	ShowHold                       *ShowHold
	Sweep                          *Sweep
}

// newNoticeUseCases returns the use cases for emails about billing.
func (p Ports) newNoticeUseCases() notices.UseCases {
	return notices.New(notices.Ports{
		Store: p.Store, Customers: p.Provider, Documents: p.Provider, Catalogue: p.Catalogue, Mail: p.Mail, Clock: p.Clock, Log: p.Log,
		PublicURL: p.PublicURL, Sender: p.emailSender(),
		PreferenceKey: p.PreferenceKey, OptionalRenewalReminders: p.OptionalRenewalReminders,
		Capabilities: p.capabilities(),
	})
}

// capabilities returns the provider's capabilities. It returns none if there is no provider, as in some operator commands.
func (p Ports) capabilities() payment.Capabilities {
	if p.Provider == nil {
		return payment.Capabilities{}
	}
	return p.Provider.Capabilities()
}

// markReachable removes the mark that the email address is unreachable, if there is one.
func (p Ports) markReachable(ctx context.Context, email string) {
	notices.MarkReachable(ctx, p.Store, p.Log, email)
}

// emailSender returns the sender of all emails.
func (p Ports) emailSender() emails.Sender {
	return emails.Sender{Brand: p.Brand, Address: p.PostalAddress}
}

// withGeneratedKeys returns the ports with a generated key for each key that is missing.
func (p Ports) withGeneratedKeys() Ports {
	for _, key := range []*[]byte{&p.QuoteKey, &p.PreferenceKey, &p.StateKey, &p.TrialCardKey} {
		if len(*key) == 0 {
			*key = []byte(rand.Text())
		}
	}
	return p
}

// New returns the use cases, connected with the ports. It calls no port except Provider.Capabilities.
//
//nolint:funlen // one line for each use case
func New(p Ports) *UseCases {
	p.Catalogue = cmp.Or(p.Catalogue, catalogue.Default())
	capabilities := p.capabilities()
	p.Catalogue = capabilities.Offer(p.Catalogue)
	p.Log = cmp.Or(p.Log, slog.Default())
	p = p.withGeneratedKeys()
	noticeUseCases := p.newNoticeUseCases()
	if p.NoBillingEmails {
		noticeUseCases.Writer = nil
	}
	trialCards := trialcards.Guard{Store: p.Store, Clock: p.Clock, Log: p.Log, Key: p.TrialCardKey, OneTrialPerCard: p.RefuseTrialCards}
	composer := billingsync.Composer{
		Store: p.Store, Provider: p.Provider, Clock: p.Clock, Log: p.Log, Writer: noticeUseCases.Writer,
		TrialCards: trialCards,
	}
	sync := billingsync.New(p.Store, p.Provider, p.Clock, p.Log, composer)
	ops := operation.New(operation.Ports{
		Store: p.Store, Provider: p.Provider, Capabilities: capabilities, Sync: sync, Clock: p.Clock, Log: p.Log,
		TrialCards: trialCards, ReturnURL: p.ReturnURL, MethodReturnURL: p.MethodReturnURL,
	})
	defaultCardChanger := defaultCardChanger{
		ops: ops, overdueInvoicePayer: overdueInvoicePayer{store: p.Store, clock: p.Clock, sync: sync, log: p.Log},
	}
	subscriptionChanger := subscriptionChanger{provider: p.Provider, ops: ops, sync: sync}
	quoter := quoter{
		catalogue: p.Catalogue,
		provider:  p.Provider, capabilities: capabilities, clock: p.Clock, log: p.Log, key: p.QuoteKey,
		onDifference: p.OnQuoteDifference,
	}
	importer := detailsImporter{store: p.Store, provider: p.Provider, log: p.Log}
	detailsUpdater := detailsUpdater{store: p.Store, ops: ops, importer: importer, log: p.Log}
	createCustomer := &CreateCustomer{
		store: p.Store, provider: p.Provider, ops: ops, detailsUpdater: detailsUpdater, log: p.Log,
	}
	securityUseCases := security.New(security.Ports{
		Store: p.Store, Sessions: p.Sessions, Passwords: p.Passwords, Codes: p.Codes, Passkeys: p.Passkeys,
		Clock: p.Clock, PublicURL: p.PublicURL, Sender: p.emailSender(),
		StateKey: p.StateKey, Log: p.Log,
	})
	auditLogUseCases := auditlog.New(p.Store, p.Clock, p.Log)
	showHold := &ShowHold{store: p.Store, provider: p.Provider, sync: sync}
	privacyUseCases := privacy.New(privacy.Ports{
		Store: p.Store, Provider: p.Provider, Clock: p.Clock, Log: p.Log, PublicURL: p.PublicURL, Sender: p.emailSender(),
		KeepYears: p.KeepYears,
	})
	accountUseCases := p.newAccountUseCases(createCustomer)
	memberUseCases := members.New(members.Ports{
		Store: p.Store, Sessions: p.Sessions, Passwords: p.Passwords, Clock: p.Clock, PublicURL: p.PublicURL,
		Sender: p.emailSender(), MarkReachable: p.markReachable,
	})
	u := &UseCases{
		UseCases:         accountUseCases,
		SecurityUseCases: securityUseCases,
		MemberUseCases:   memberUseCases,
		AuditLogUseCases: auditLogUseCases,
		OperatorUseCases: operators.New(operators.Ports{
			Store: p.Store, Clock: p.Clock, Log: p.Log, AuditLog: auditLogUseCases, Provider: p.Provider, Capabilities: capabilities,
			Catalogue: p.Catalogue, Operations: ops, Refresh: showHold.refresh, EndUserSessions: securityUseCases.EndUserSessions,
			PublicURL: p.PublicURL, Sender: p.emailSender(), CallerKey: p.StateKey,
			RenewLink: accountUseCases.RenewLink, RenewInvitation: memberUseCases.RenewInvitation, Privacy: privacyUseCases,
		}),
		PrivacyUseCases: privacyUseCases,
		DescribeUser: &DescribeUser{
			store: p.Store, provider: p.Provider, capabilities: capabilities, sync: sync, log: p.Log,
		},
		ListOrganisations:     &ListOrganisations{store: p.Store},
		ShowOrganisation:      &ShowOrganisation{store: p.Store},
		CreateCustomer:        createCustomer,
		ShowCustomer:          &ShowCustomer{store: p.Store, createCustomer: createCustomer},
		ListCards:             &ListCards{store: p.Store, provider: p.Provider, trialCards: trialCards},
		AddCard:               &AddCard{defaultCardChanger: defaultCardChanger, createCustomer: createCustomer},
		SetUpMethod:           &SetUpMethod{store: p.Store, ops: ops},
		SetDefaultCard:        &SetDefaultCard{defaultCardChanger},
		DeleteCard:            &DeleteCard{store: p.Store, provider: p.Provider, ops: ops},
		ListInvoices:          &ListInvoices{store: p.Store, provider: p.Provider},
		DownloadInvoicePDF:    &DownloadInvoicePDF{store: p.Store, provider: p.Provider},
		DownloadCreditNotePDF: &DownloadCreditNotePDF{store: p.Store, provider: p.Provider},
		ReportTransfer:        &ReportTransfer{store: p.Store, clock: p.Clock},
		Subscribe: &Subscribe{
			catalogue: p.Catalogue, capabilities: capabilities, provider: p.Provider, ops: ops, sync: sync, quoter: quoter,
			oneTrialPerCard: p.RefuseTrialCards,
		},
		ChangePlan:            &ChangePlan{catalogue: p.Catalogue, ops: ops, sync: sync, quoter: quoter},
		PayOpenInvoice:        &PayOpenInvoice{provider: p.Provider, capabilities: capabilities, ops: ops, sync: sync},
		QuotePrice:            &QuotePrice{catalogue: p.Catalogue, sync: sync, quoter: quoter},
		CancelPendingChange:   &CancelPendingChange{subscriptionChanger},
		CancelScheduledChange: &CancelScheduledChange{subscriptionChanger},
		EndSubscription: &EndSubscription{
			changer: subscriptionChanger, capabilities: capabilities, store: p.Store, clock: p.Clock, log: p.Log,
		},
		ResumeSubscription: &ResumeSubscription{subscriptionChanger},
		ShowBilling: &ShowBilling{
			store: p.Store, provider: p.Provider, capabilities: capabilities, sync: sync, clock: p.Clock,
		},
		ListSubscriptions: &ListSubscriptions{store: p.Store, provider: p.Provider},
		ReceiveEvent:      &ReceiveEvent{store: p.Store, provider: p.Provider, clock: p.Clock, sync: sync, importer: importer, log: p.Log},
		Reconcile: &Reconcile{
			store: p.Store, ops: ops, createCustomer: createCustomer, detailsUpdater: detailsUpdater, log: p.Log,
		},
		RefreshBilling: &RefreshBilling{
			store: p.Store, provider: p.Provider, clock: p.Clock, sync: sync, detailsUpdater: detailsUpdater,
			changer: subscriptionChanger, composer: composer, log: p.Log,
		},
		ListHolds: &ListHolds{store: p.Store},
		ShowHold:  showHold,
		Sweep:     &Sweep{store: p.Store, clock: p.Clock, log: p.Log},
	}
	u.addNoticeUseCases(noticeUseCases)
	u.addBillingDetailsUseCases(p, createCustomer, detailsUpdater)
	return u
}

// addNoticeUseCases adds the use cases for emails about billing.
func (u *UseCases) addNoticeUseCases(n notices.UseCases) {
	u.DeliverMail, u.ListUnreachableEmails = n.DeliverMail, n.ListUnreachableEmails
	u.GetEmailPreferencesToken = n.GetEmailPreferencesToken
	u.ShowEmailPreferences, u.EditEmailPreferences, u.Unsubscribe = n.ShowEmailPreferences, n.EditEmailPreferences, n.Unsubscribe
}

// addBillingDetailsUseCases adds the use cases for billing details.
func (u *UseCases) addBillingDetailsUseCases(p Ports, createCustomer *CreateCustomer, detailsUpdater detailsUpdater) {
	emailConfirmer := emailConfirmer{
		store: p.Store, clock: p.Clock, publicURL: p.PublicURL, sender: p.emailSender(), markReachable: p.markReachable,
	}
	u.ShowBillingDetails = &ShowBillingDetails{store: p.Store, importer: detailsUpdater.importer}
	u.EditBillingDetails = &EditBillingDetails{
		store: p.Store, createCustomer: createCustomer, detailsUpdater: detailsUpdater, emailConfirmer: emailConfirmer,
	}
	u.ShowBillingEmailConfirmation = &ShowBillingEmailConfirmation{store: p.Store, emailConfirmer: emailConfirmer}
	u.ConfirmBillingEmail = &ConfirmBillingEmail{store: p.Store, emailConfirmer: emailConfirmer, detailsUpdater: detailsUpdater}
	u.ResendBillingEmailConfirmation = &ResendBillingEmailConfirmation{store: p.Store, emailConfirmer: emailConfirmer}
}

// newAccountUseCases returns the use cases for registering and signing in.
func (p Ports) newAccountUseCases(createCustomer *CreateCustomer) accounts.UseCases {
	return accounts.New(accounts.Ports{
		Store: p.Store, Catalogue: p.Catalogue, Passwords: p.Passwords, Sessions: p.Sessions, Codes: p.Codes, Clock: p.Clock, Log: p.Log,
		Passkeys: p.Passkeys, StateKey: p.StateKey,
		PublicURL: p.PublicURL, Sender: p.emailSender(), MarkReachable: p.markReachable,
		CreateCustomer: func(ctx context.Context, organisationID string) error {
			_, err := createCustomer.create(ctx, organisationID, emailConfirmationTimeout)
			return err
		},
	})
}
