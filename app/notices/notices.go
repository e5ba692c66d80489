package notices

import (
	"log/slog"

	"github.com/vc-admin/diy/app/emails"
	"github.com/vc-admin/diy/domain/catalogue"
	"github.com/vc-admin/diy/ports/clock"
	"github.com/vc-admin/diy/ports/mail"
	"github.com/vc-admin/diy/ports/payment"
	"github.com/vc-admin/diy/ports/storage"
)

// Ports contains the dependencies of the use cases.
type Ports struct {
	Store interface {
		storage.Outbox
		storage.Organisations
		storage.Users
		storage.Invoices
		storage.EmailPreferences
		storage.UnreachableEmails
		storage.Teams
	}
	Customers     customerReader // implemented by the payment provider, as Documents is
	Documents     documentReader
	Catalogue     *catalogue.Catalogue
	Mail          mail.Sender
	Clock         clock.Clock
	Log           *slog.Logger
	PublicURL     string        // prefix of the links in emails, without a slash at the end
	Sender        emails.Sender // name and address of the sender of all emails
	PreferenceKey []byte        // signs the links to the preferences
	// OptionalRenewalReminders lets recipients turn off reminders of a renewal.
	OptionalRenewalReminders bool
	Capabilities             payment.Capabilities // of the payment provider
}

// UseCases contains the use cases of the package and the writer of its emails.
type UseCases struct {
	Writer                   *Writer
	DeliverMail              *DeliverMail
	ShowEmailPreferences     *ShowEmailPreferences
	GetEmailPreferencesToken *GetEmailPreferencesToken
	EditEmailPreferences     *EditEmailPreferences
	Unsubscribe              *Unsubscribe
	ListUnreachableEmails    *ListUnreachableEmails
}

// New returns the use cases, connected with the ports. It calls no port.
func New(p Ports) UseCases {
	links := preferenceLinks{publicURL: p.PublicURL, key: p.PreferenceKey}
	preferences := preferenceStore{store: p.Store, links: links, optionalRenewalReminders: p.OptionalRenewalReminders}
	writer := &Writer{
		catalogue: p.Catalogue, publicURL: p.PublicURL, sender: p.Sender, links: links,
		optionalRenewalReminders: p.OptionalRenewalReminders, capabilities: p.Capabilities,
	}
	return UseCases{
		Writer: writer,
		DeliverMail: &DeliverMail{
			store: p.Store, customers: p.Customers, documents: p.Documents, mail: p.Mail, clock: p.Clock, log: p.Log, preferences: preferences,
			writer: writer,
		},
		ShowEmailPreferences: &ShowEmailPreferences{preferences},
		GetEmailPreferencesToken: &GetEmailPreferencesToken{
			store: p.Store, links: links, optionalRenewalReminders: p.OptionalRenewalReminders,
		},
		EditEmailPreferences:  &EditEmailPreferences{preferences},
		Unsubscribe:           &Unsubscribe{preferences},
		ListUnreachableEmails: &ListUnreachableEmails{p.Store},
	}
}
