package billing

import (
	"time"

	"github.com/vc-admin/diy/domain/fault"
)

// reminderPause is the time after a transfer report in which the customer gets no reminder about the invoice. A bank
// transfer usually arrives within this time.
const reminderPause = 5 * 24 * time.Hour

// TransferReport records that the customer reported having paid an invoice by bank transfer. It is no evidence of a
// payment: the invoice stays open.
type TransferReport struct {
	InvoiceID string // "" for no report
	At        time.Time
}

// ReportTransfer records at the time now that the customer has paid the invoice by bank transfer. It returns Conflict
// unless the invoice is the one that the customer is to pay next, with instructions for the transfer. A report that is
// repeated while the reminders are paused changes nothing. The Revision stays the same, because the provider has
// reported nothing.
func (a *Account) ReportTransfer(invoiceID string, now time.Time) error {
	next := a.NextAction()
	if invoiceID == "" || next.InvoiceID != invoiceID || !next.isOutsideBrowser() {
		return fault.New(fault.Conflict, "This invoice can't be paid by bank transfer now.")
	}
	if now.Before(a.TransferReport.RemindersPausedUntil(invoiceID)) {
		return nil
	}
	a.TransferReport = TransferReport{InvoiceID: invoiceID, At: now}
	a.CheckAt = earlierCheck(now, a.CheckAt, a.TransferReport.RemindersPausedUntil(invoiceID))
	return nil
}

// RemindersPausedUntil returns the time before which the customer gets no reminder about the invoice. It returns the zero
// time if the report is about another invoice.
func (r TransferReport) RemindersPausedUntil(invoiceID string) time.Time {
	if invoiceID == "" || r.InvoiceID != invoiceID {
		return time.Time{}
	}
	return r.At.Add(reminderPause)
}
