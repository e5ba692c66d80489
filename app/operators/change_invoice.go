package operators

import (
	"context"
	"log/slog"

	"github.com/vc-admin/diy/app/internal/operation"
	"github.com/vc-admin/diy/app/internal/timeouts"
	"github.com/vc-admin/diy/domain/account"
	"github.com/vc-admin/diy/domain/audit"
	"github.com/vc-admin/diy/domain/fault"
	"github.com/vc-admin/diy/ports/payment"
	"github.com/vc-admin/diy/ports/storage"
)

// invoiceChanger makes changes of a provider that collects by invoice. The provider stores the entry of the audit log in the
// transaction of the change, so a change needs no operation: there is none without its entry, and no entry without its change.
type invoiceChanger struct {
	store     storage.AuditLog
	transfers payment.Transfers // nil if the provider does not collect by invoice
	refresh   func(ctx context.Context, organisationID string) (account.Organisation, error)
	log       *slog.Logger
}

// invoiceChange makes a change of the provider.
type invoiceChange func(ctx context.Context, confirm payment.Confirm) error

// preview returns the effect of a change, or the reason why the provider refuses it. It changes nothing.
func (c invoiceChanger) preview(
	ctx context.Context, organisationID string, change invoiceChange, describe func(payment.TransferChange) Effect,
) (effect Effect, err error) {
	if err := Require(ctx, MayChangeInvoices); err != nil {
		return Effect{}, err
	}
	if c.transfers == nil {
		return Effect{}, errNoTransfers()
	}
	isDescribed, canceled := false, fault.New(fault.Conflict, "The change is only previewed.")
	err = change(ctx, func(change payment.TransferChange) (audit.Entry, error) {
		if err := checkOrganisation(change, organisationID); err != nil {
			return audit.Entry{}, err
		}
		effect, isDescribed = describe(change), true
		return audit.Entry{}, canceled
	})
	if !isDescribed {
		return Effect{}, err
	}
	return effect, c.recordView(ctx, organisationID)
}

// recordView stores that the operator has seen the figures of the organisation's invoices.
func (c invoiceChanger) recordView(ctx context.Context, organisationID string) error {
	return c.store.AddAuditEntries(ctx, audit.Entry{OrganisationID: organisationID, Kind: audit.OperatorViewed})
}

// checkOrganisation returns NotFound unless the change is one of the organisation, or the organisation is "".
func checkOrganisation(change payment.TransferChange, organisationID string) error {
	if organisationID != "" && organisationID != change.OrganisationID {
		return fault.New(fault.NotFound, "The organisation has no such invoice.")
	}
	return nil
}

// run makes the change with its entry. The OrganisationID of the request can be "". data returns the data of the entry. A repeat
// with the same key changes nothing.
func (c invoiceChanger) run(
	ctx context.Context, kind audit.Kind, req ActionRequest, change invoiceChange, describe func(payment.TransferChange) Effect,
	data func(payment.TransferChange) audit.Data,
) error {
	if c.transfers == nil {
		return errNoTransfers()
	}
	act := func(req ActionRequest) error { return c.makeChange(ctx, kind, req, change, describe, data) }
	if req.OrganisationID != "" {
		return actOnce(ctx, c.store, req, act)
	}
	req, err := req.check() // commands name no organisation, and use each key once
	if err != nil {
		return err
	}
	return act(req)
}

func (c invoiceChanger) makeChange(
	ctx context.Context, kind audit.Kind, req ActionRequest, change invoiceChange, describe func(payment.TransferChange) Effect,
	data func(payment.TransferChange) audit.Data,
) error {
	ctx, cancel := operation.Detach(ctx, timeouts.Request)
	defer cancel()
	var entry audit.Entry
	err := change(ctx, func(change payment.TransferChange) (audit.Entry, error) {
		if err := checkOrganisation(change, req.OrganisationID); err != nil {
			return audit.Entry{}, err
		}
		if err := req.checkFigures(describe(change)); err != nil {
			return audit.Entry{}, err
		}
		entry = *req.entry(ctx, kind)
		entry.OrganisationID, entry.Subject = change.OrganisationID, audit.Code(change.After.ID)
		entry.Data = mergeData(entry.Data, data(change))
		return entry, nil
	})
	if err == nil && entry.Kind != "" { // otherwise the transfer was recorded before
		req.OrganisationID = entry.OrganisationID
		logAction(ctx, c.log, kind, req)
		c.refreshCopy(ctx, entry.OrganisationID)
	}
	return err
}

// refreshCopy reads the change from the provider. It only logs a failure, because the provider also reports the change to its
// worker.
func (c invoiceChanger) refreshCopy(ctx context.Context, organisationID string) {
	if _, err := c.refresh(ctx, organisationID); err != nil {
		c.log.WarnContext(ctx, "change of an invoice not read yet", "org", organisationID, "error", err)
	}
}

// describeInvoice returns the figures of the invoice before a change.
func describeInvoice(change payment.TransferChange) (e Effect) {
	inv := change.Before
	e.add("Invoice", inv.Number+" of "+inv.CustomerName)
	e.add("Total", inv.Total.FormatWithCode())
	e.add("Paid", inv.Paid.FormatWithCode())
	if inv.Refunded.Minor() != 0 {
		e.add("Refunded", inv.Refunded.FormatWithCode())
	}
	e.add("Owed", inv.Balance.FormatWithCode())
	e.add("Credit of the customer", inv.Credit.FormatWithCode())
	return e
}

// describeResult returns the figures of the invoice before and after a change.
func describeResult(change payment.TransferChange) (e Effect) {
	if t := change.Transfer; t.Reference != "" {
		e.add("Transfer", t.Reference)
		e.add("Amount", t.Amount.FormatWithCode())
	}
	e.Figures = append(e.Figures, describeInvoice(change).Figures...)
	before, after := change.Before, change.After
	e.add("Owed afterwards", after.Balance.FormatWithCode())
	e.add("Credit afterwards", after.Credit.FormatWithCode())
	if before.SubscriptionStatus != after.SubscriptionStatus {
		e.add("Plan afterwards", string(after.SubscriptionStatus))
		if before.SubscriptionStatus.Live() && !after.SubscriptionStatus.Live() {
			e.Warning = "The plan ends at once. This can’t be undone: the customer has to subscribe again."
		}
	}
	return e
}

// numberData returns the data of an entry about an invoice.
func numberData(change payment.TransferChange) audit.Data {
	return audit.Data{"number": audit.Code(change.After.Number)}
}

// VoidInvoice voids an open invoice.
type VoidInvoice struct{ changer invoiceChanger }

// Preview returns the effect, or Conflict if the invoice is not open.
func (u *VoidInvoice) Preview(ctx context.Context, organisationID, number string) (Effect, error) {
	return u.changer.preview(ctx, organisationID, u.change(number, nil), describeResult)
}

// Do voids the invoice with the number. See payment.Transfers for the errors. The OrganisationID of the request can be "".
func (u *VoidInvoice) Do(ctx context.Context, req ActionRequest, number string) (inv payment.InvoiceInfo, err error) {
	if err := Require(ctx, MayChangeInvoices); err != nil {
		return inv, err
	}
	err = u.changer.run(ctx, audit.OperatorVoidedInvoice, req, u.change(number, &inv), describeResult, numberData)
	return inv, err
}

// change returns the change, which stores the invoice in out unless out is nil.
func (u *VoidInvoice) change(number string, out *payment.InvoiceInfo) invoiceChange {
	return func(ctx context.Context, confirm payment.Confirm) error {
		return resultInto(out)(u.changer.transfers.VoidInvoice(ctx, number, confirm))
	}
}

// resultInto returns a function that copies a result to out, unless out is nil, and returns its error.
func resultInto[T any](out *T) func(T, error) error {
	return func(value T, err error) error {
		if out != nil {
			*out = value
		}
		return err
	}
}

// ReverseTransfer undoes the record of a transfer.
type ReverseTransfer struct{ changer invoiceChanger }

// Preview returns the effect, or Conflict if the transfer can't be reversed.
func (u *ReverseTransfer) Preview(ctx context.Context, organisationID, reference string) (Effect, error) {
	return u.changer.preview(ctx, organisationID, u.change(reference, nil), describeResult)
}

// Do reverses the transfer with the reference. See payment.Transfers for the errors. The OrganisationID of the request can be "".
func (u *ReverseTransfer) Do(ctx context.Context, req ActionRequest, reference string) (inv payment.InvoiceInfo, err error) {
	if err := Require(ctx, MayChangeInvoices); err != nil {
		return inv, err
	}
	err = u.changer.run(ctx, audit.OperatorReversedTransfer, req, u.change(reference, &inv), describeResult, numberData)
	return inv, err
}

func (u *ReverseTransfer) change(reference string, out *payment.InvoiceInfo) invoiceChange {
	return func(ctx context.Context, confirm payment.Confirm) error {
		return resultInto(out)(u.changer.transfers.ReverseTransfer(ctx, reference, confirm))
	}
}

// ApproveOrders approves an organisation, so that it can pay by invoice.
type ApproveOrders struct {
	changer invoiceChanger
	store   storage.Organisations
}

// Approval is the result of ApproveOrders.
type Approval struct {
	Organisation account.Organisation
	StartedCount int // of the orders
}

// Preview returns the orders that the approval starts.
func (u *ApproveOrders) Preview(ctx context.Context, organisationID string) (Effect, error) {
	return u.changer.preview(ctx, organisationID, u.change(organisationID, &Approval{}), describeOrders)
}

// Do approves the organisation and starts its orders.
func (u *ApproveOrders) Do(ctx context.Context, req ActionRequest) (approval Approval, err error) {
	if err := Require(ctx, MayChangeInvoices); err != nil {
		return Approval{}, err
	}
	err = u.changer.run(ctx, audit.OperatorAllowedInvoices, req, u.change(req.OrganisationID, &approval), describeOrders,
		func(payment.TransferChange) audit.Data { return nil })
	return approval, err
}

func (u *ApproveOrders) change(organisationID string, out *Approval) invoiceChange {
	return func(ctx context.Context, confirm payment.Confirm) (err error) {
		if out.Organisation, err = u.store.Organisation(ctx, organisationID); err != nil {
			return err
		}
		out.StartedCount, err = u.changer.transfers.ApproveOrganisation(ctx, organisationID, confirm)
		return err
	}
}

func describeOrders(change payment.TransferChange) (e Effect) {
	for _, order := range change.Orders {
		e.add("Order of "+order.OrderedAt.Format("2 January 2006"), order.Price.PriceID())
	}
	if len(change.Orders) == 0 {
		e.Warning = "No order waits. Later orders start without an approval."
	}
	return e
}
