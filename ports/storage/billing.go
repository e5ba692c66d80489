package storage

import (
	"context"
	"time"

	"github.com/vc-admin/diy/domain/account"
	"github.com/vc-admin/diy/domain/audit"
	"github.com/vc-admin/diy/domain/billing"
	"github.com/vc-admin/diy/ports/mail"
)

// Invoices stores copies of the provider's invoices.
type Invoices interface {
	// Invoices returns the stored invoices of an organisation, newest first. Each invoice has a single line with
	// its description and total, which replaces the provider's lines. CreditUsed, Refunded, Credited and Returned
	// are the zero Amount, without a currency, if the invoice was stored without them. Returned is also the zero
	// Amount if nothing was returned.
	Invoices(ctx context.Context, organisationID string) ([]billing.Invoice, error)
	// Notices returns the notices of an organisation that were ever queued, in the order of EmailsDueAt. Notices with
	// the same time are in the order of their kinds, so that HoldLifted precedes PaymentReturned. It returns the notices
	// of the kinds, or all notices without a kind.
	Notices(ctx context.Context, organisationID string, kinds ...billing.NoticeKind) ([]billing.Notice, error)
	// UpdateBilling updates the organisation as UpdateOrganisation does, and stores the invoices and notices in the
	// same transaction. It adds the entries of billing.InvoiceEntries to the audit log.
	UpdateBilling(ctx context.Context, id string, update BillingUpdate,
		change func(*account.Organisation) error) (account.Organisation, error)
}

// BillingUpdate contains the data that UpdateBilling stores besides the organisation.
type BillingUpdate struct {
	Invoices    []billing.Invoice // replace the stored invoices with the same ids
	Notices     []QueuedNotice    // notices that were queued before are ignored
	EmailsDueAt time.Time         // the time at which the emails of the notices are due, before their delays
	Entries     []audit.Entry     // further entries of the audit log about the update
}

// QueuedNotice is a notice with its emails.
type QueuedNotice struct {
	Notice billing.Notice
	Emails []mail.Message
	Delay  time.Duration // after BillingUpdate.EmailsDueAt
}

// EndFeedback stores why customers ended their subscriptions.
type EndFeedback interface {
	// RecordEndFeedback stores why a subscription was ended. It replaces an earlier record of the subscription. It
	// returns NotFound for an unknown organisation.
	RecordEndFeedback(ctx context.Context, f billing.EndFeedback) error
	// EndFeedback returns the records of an organisation, newest first.
	EndFeedback(ctx context.Context, organisationID string) ([]billing.EndFeedback, error)
	// SweepEndFeedback deletes the comments of records that are older than the given time. It keeps the reasons.
	SweepEndFeedback(ctx context.Context, before time.Time) error
}
