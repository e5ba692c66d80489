package operators

import (
	"cmp"
	"context"
	"slices"
	"time"

	"github.com/vc-admin/diy/domain/fault"
	"github.com/vc-admin/diy/ports/payment"
	"github.com/vc-admin/diy/ports/storage"
)

// errNoTransfers returns Unsupported if the provider does not collect by invoice.
func errNoTransfers() error {
	return fault.New(fault.Unsupported, "The payment provider does not collect by invoice.")
}

// CollectedInvoice is an invoice that a customer pays by bank transfer.
type CollectedInvoice struct {
	payment.InvoiceInfo
	ReportedAt time.Time // when the customer reported to have paid it, in the customer's time zone; zero for no report
}

// ShowTransfers returns the orders and invoices of a provider that collects by invoice.
type ShowTransfers struct {
	store     storage.Organisations
	transfers payment.Transfers // nil if the provider does not collect by invoice
}

// IsSupported reports whether the provider collects by invoice.
func (u *ShowTransfers) IsSupported() bool { return u.transfers != nil }

// Transfers contains what operators do by hand for a provider that collects by invoice.
type Transfers struct {
	Orders   []payment.Order    // that wait for an approval
	Invoices []CollectedInvoice // by customer, newest first
}

// Do returns the invoices that the filter selects, and the orders of its organisation. It returns NotFound for an unknown
// organisation or number, and Unsupported if the provider does not collect by invoice.
func (u *ShowTransfers) Do(ctx context.Context, filter payment.InvoiceFilter) (t Transfers, err error) {
	if err := Require(ctx, MayViewTransfers); err != nil {
		return t, err
	}
	if u.transfers == nil {
		return t, errNoTransfers()
	}
	if filter.OrganisationID != "" {
		if _, err := u.store.Organisation(ctx, filter.OrganisationID); err != nil {
			return t, err
		}
	}
	invoices, err := u.transfers.ListInvoiceInfo(ctx, filter)
	if err != nil {
		return t, err
	}
	if t.Invoices, err = u.addReports(ctx, invoices); err != nil {
		return t, err
	}
	t.Orders, err = u.transfers.PendingOrders(ctx)
	t.Orders = slices.DeleteFunc(t.Orders, func(o payment.Order) bool {
		return filter.OrganisationID != "" && filter.OrganisationID != o.OrganisationID
	})
	return t, err
}

// addReports adds when the customers reported to have paid the invoices.
func (u *ShowTransfers) addReports(ctx context.Context, invoices []payment.InvoiceInfo) (collected []CollectedInvoice, err error) {
	reportedAt, isRead := map[string]time.Time{}, map[string]bool{}
	for _, inv := range invoices {
		if !isRead[inv.OrganisationID] {
			isRead[inv.OrganisationID] = true
			org, err := u.store.Organisation(ctx, inv.OrganisationID)
			if err != nil && !fault.Is(err, fault.NotFound) {
				return nil, err
			}
			if report := org.Billing.TransferReport; report.InvoiceID != "" {
				reportedAt[report.InvoiceID] = org.TimeZone().In(report.At)
			}
		}
		collected = append(collected, CollectedInvoice{inv, reportedAt[inv.ID]})
	}
	return collected, nil
}

// ListTransfers returns the recorded transfers.
type ListTransfers struct{ transfers payment.Transfers }

// Do returns the transfers of the invoice with the number, newest first, or all if it is "".
func (u *ListTransfers) Do(ctx context.Context, number string) ([]payment.RecordedTransfer, error) {
	if err := Require(ctx, MayViewTransfers); err != nil {
		return nil, err
	}
	if u.transfers == nil {
		return nil, errNoTransfers()
	}
	return u.transfers.ListTransfers(ctx, number)
}

// SortByDueDate sorts the invoices: first those that customers report as paid, then by due date.
func SortByDueDate(invoices []CollectedInvoice) {
	slices.SortStableFunc(invoices, func(a, b CollectedInvoice) int {
		if a.ReportedAt.IsZero() != b.ReportedAt.IsZero() {
			if b.ReportedAt.IsZero() {
				return -1
			}
			return 1
		}
		return cmp.Or(a.DueAt.Compare(b.DueAt), cmp.Compare(a.Number, b.Number))
	})
}
