package payment

import (
	"context"
	"time"

	"github.com/vc-admin/diy/domain/audit"
	"github.com/vc-admin/diy/domain/billing"
	"github.com/vc-admin/diy/domain/catalogue"
	"github.com/vc-admin/diy/domain/money"
)

// Transfers is implemented by providers that collect by invoice. Operators approve orders with it, and record the transfers that
// they find in the statement of the bank. The application reads the changed customer afterwards.
//
// A method that changes something calls its Confirm after the change and before the commit of the transaction, and stores the
// returned entry in that transaction. If Confirm returns an error, the method changes nothing and returns the error. A transfer
// that was recorded before is not confirmed again.
type Transfers interface {
	// ListInvoiceInfo returns the invoices that the filter selects, by customer and newest first. It processes nothing that is due.
	// It returns NotFound for an unknown number.
	ListInvoiceInfo(ctx context.Context, filter InvoiceFilter) ([]InvoiceInfo, error)
	// PendingOrders returns the orders that wait for ApproveOrganisation, in the order in which their customers were created.
	PendingOrders(ctx context.Context) ([]Order, error)
	// ListTransfers returns the recorded transfers of an invoice, newest first, or all transfers if number is "". It returns
	// NotFound for an unknown number.
	ListTransfers(ctx context.Context, number string) ([]RecordedTransfer, error)

	// RecordPayment records a payment of an invoice. A part payment reduces the balance. An overpayment and a payment of an invoice
	// that is not open become credit. It returns Invalid if the reference is missing, or if the amount is not positive or is in
	// another currency. It returns Conflict if the reference was recorded for another invoice or amount.
	RecordPayment(ctx context.Context, req Transfer, confirm Confirm) (TransferResult, error)
	// RecordRefund records money that was returned for a paid invoice, with the effect and the errors of Provider.Refund.
	RecordRefund(ctx context.Context, req Transfer, confirm Confirm) (TransferResult, error)
	// RecordCreditPayout records credit that was returned to the customer, such as an overpayment. It returns Conflict if the
	// customer has less credit.
	RecordCreditPayout(ctx context.Context, req Transfer, confirm Confirm) (TransferResult, error)
	// ReverseTransfer undoes the record of a transfer. The part that paid the invoice is owed again, and the part that became
	// credit is deducted from the credit. It returns NotFound for an unknown reference. It returns Conflict if the transfer was
	// reversed before, its credit was used, its plan change was made, its subscription has ended, or a later invoice was issued.
	ReverseTransfer(ctx context.Context, reference string, confirm Confirm) (InvoiceInfo, error)
	// VoidInvoice voids an open invoice. The customer owes nothing, and part payments become credit. A plan change that waits for
	// the payment is canceled. If the invoice is for the current period of a running subscription, the subscription ends.
	VoidInvoice(ctx context.Context, number string, confirm Confirm) (InvoiceInfo, error)
	// ApproveOrganisation approves an organisation, so that it can pay by invoice. It starts the subscriptions that wait for the
	// approval, and returns their number.
	ApproveOrganisation(ctx context.Context, organisationID string, confirm Confirm) (startedCount int, err error)
}

// TransfersOf returns the Transfers of the provider, or nil if it does not collect by invoice. It finds them behind wrappers that
// have a method Unwrap.
func TransfersOf(p Provider) Transfers {
	for p != nil {
		if t, ok := p.(Transfers); ok {
			return t
		}
		wrapper, ok := p.(interface{ Unwrap() Provider })
		if !ok {
			return nil
		}
		p = wrapper.Unwrap()
	}
	return nil
}

// Confirm returns the entry of the audit log about a change, or the reason why the change is canceled. It may be called several
// times, because a transaction may be repeated.
type Confirm func(TransferChange) (audit.Entry, error)

// TransferChange describes a change of Transfers.
type TransferChange struct {
	OrganisationID string
	Before, After  InvoiceInfo      // zero for an approval
	Transfer       RecordedTransfer // that is recorded or reversed; zero for other changes
	Orders         []Order          // that an approval starts
}

// InvoiceInfo is an invoice as operators see it. EndsAt is in the time zone of the customer and all other times are in
// that of the invoice. Operators and the customer therefore see the same dates.
type InvoiceInfo struct {
	ID                 string
	Number             string
	OrganisationID     string
	CustomerName       string
	Status             billing.InvoiceStatus
	Total              money.Amount // as on the invoice
	CreditUsed         money.Amount // the part of Total that credit paid; negative if the invoice added credit
	Paid               money.Amount // including refunded amounts
	Refunded           money.Amount
	Balance            money.Amount // unpaid; zero unless the invoice is open
	Credit             money.Amount // of the customer
	Created            time.Time
	DueAt              time.Time
	SubscriptionStatus billing.Status
	EndsAt             time.Time // when the subscription ends unless the invoice is paid; zero unless it is past due
}

// InvoiceFilter selects invoices. The zero filter selects the unpaid ones of all organisations.
type InvoiceFilter struct {
	All            bool   // includes paid and void invoices
	OrganisationID string // "" for all
	Number         string // selects the invoice with the number, whatever its status; the other fields are ignored
}

// Order is a subscription that waits for the approval of its organisation.
type Order struct {
	OrganisationID string
	CustomerName   string
	Price          catalogue.PriceRef
	OrderedAt      time.Time // in the customer's time zone
}

// Transfer is a bank transfer from or to a customer.
type Transfer struct {
	InvoiceNumber string // with or without its prefix and leading zeros
	Amount        money.Amount
	Reference     string // identifies the transfer in the bank's statement, so that it is recorded once
}

// TransferResult is the result of recording a transfer.
type TransferResult struct {
	InvoiceInfo
	AlreadyRecorded bool         // the transfer was recorded before, so nothing has changed
	Credited        money.Amount // the part that became credit; negative for credit that was paid out
	// A refund withdraws its amount from the customer's credit. Spent is the part that the customer had already used.
	Withdrawn, Spent money.Amount
}

// RecordedTransfer is a recorded transfer.
type RecordedTransfer struct {
	Transfer             // its amount is negative if it was sent to the customer
	RecordedAt time.Time // in the zone of the invoice
	IsReversed bool
}
