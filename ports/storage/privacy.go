package storage

import (
	"context"
	"time"

	"github.com/vc-admin/diy/domain/account"
	"github.com/vc-admin/diy/domain/audit"
	"github.com/vc-admin/diy/domain/billing"
	"github.com/vc-admin/diy/ports/mail"
)

// Privacy exports and erases the data of organisations, and keeps their invoices.
type Privacy interface {
	// ExportOrganisation returns the data of an organisation and its members, or NotFound. It contains no credentials, and no
	// names of operators.
	ExportOrganisation(ctx context.Context, organisationID string) (Export, error)
	// ErasureState returns the state that decides whether an organisation can be erased, or NotFound for an unknown
	// organisation.
	ErasureState(ctx context.Context, organisationID string) (ErasureState, error)
	// RequestErasure stores the request with its emails and the entry of the audit log, unless check returns an error for the
	// current state. It returns Conflict if a request is stored already.
	RequestErasure(ctx context.Context, e account.Erasure, check func(ErasureState) error, emails []mail.Message, entry audit.Entry) error
	// WithdrawErasure deletes the request and stores the emails and the entry. It returns NotFound without a request.
	WithdrawErasure(ctx context.Context, organisationID string, now time.Time, emails []mail.Message, entry audit.Entry) error
	// DueErasures returns the requests that are due, in the order of their organisations. afterOrganisationID is the last
	// organisation of the previous page, "" for the first page.
	DueErasures(ctx context.Context, now time.Time, afterOrganisationID string, limit int) ([]account.Erasure, error)
	// EraseOrganisation deletes the organisation with everything that belongs to it, and the users who are members of no other
	// organisation, unless check returns an error for the current state. In the same transaction it stores the kept invoices,
	// the emails and the entry. The audit log keeps its entries without their notes. The name and the addresses can be used
	// again. It returns NotFound for an unknown organisation.
	EraseOrganisation(ctx context.Context, e OrganisationErasure, check func(ErasureState) error) error
	// KeptInvoices returns the kept invoices with the number, which several organisations can have.
	KeptInvoices(ctx context.Context, number string) ([]KeptInvoice, error)
	// SweepKeptInvoices deletes the invoices that are kept until now or an earlier time, and returns their number.
	SweepKeptInvoices(ctx context.Context, now time.Time) (int, error)
}

// Export contains the rows of an organisation by the name of their table. A row contains strings, numbers, booleans, times,
// nil and documents as json.RawMessage, by the name of the column.
type Export map[string][]map[string]any

// ErasureState is the state of an organisation that decides whether it can be erased.
type ErasureState struct {
	Organisation       account.Organisation
	Invoices           []billing.Invoice
	IsOperationPending bool
	Erasure            account.Erasure // zero without a request
}

// OrganisationErasure names the organisation to erase, and contains the records that EraseOrganisation stores.
type OrganisationErasure struct {
	OrganisationID string
	At             time.Time
	Invoices       []KeptInvoice
	Emails         []mail.Message
	Entry          audit.Entry
}

// KeptInvoice is an invoice of an erased organisation.
type KeptInvoice struct {
	OrganisationID string
	CustomerID     string          // at the payment provider, which has the document
	Invoice        billing.Invoice // as Summary returns it
	Addressee      billing.Buyer
	KeepUntil      time.Time
}
