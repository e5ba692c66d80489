package sqlstorage

import (
	"context"
	"time"

	"github.com/vc-admin/diy/domain/account"
	"github.com/vc-admin/diy/domain/billing"
	"github.com/vc-admin/diy/domain/money"
	"github.com/vc-admin/diy/domain/timezone"
	"github.com/vc-admin/diy/ports/storage"
)

var (
	invoiceTable     = newTable[invoiceRow]("invoices")
	upsertInvoiceSQL = invoiceTable.insertSQL() + " ON CONFLICT (organisation_id, id) DO UPDATE SET " +
		invoiceTable.upsertAssignments("id", "organisation_id")
	selectInvoicesSQL = invoiceTable.selectSQL("WHERE organisation_id = ? ORDER BY created_at DESC, id DESC")

	noticeTable      = newTable[noticeRow]("notices")
	insertNoticeSQL  = noticeTable.insertSQL() + " ON CONFLICT DO NOTHING"
	selectNoticesSQL = noticeTable.selectSQL("WHERE organisation_id = ?")
)

// invoiceRow is an invoice without its lines. The currency is "" if the invoice has no amounts. An amount is NULL if an
// earlier version of the application did not store it. Returned is also NULL if no payment was returned.
type invoiceRow struct {
	OrganisationID string    `db:"organisation_id"`
	ID             string    `db:"id"`
	SubscriptionID string    `db:"subscription_id"`
	Number         string    `db:"number"`
	Status         string    `db:"status"`
	Currency       string    `db:"currency"`
	Total          int64     `db:"total"`
	Tax            int64     `db:"tax"`
	AmountDue      int64     `db:"amount_due"`
	AmountPaid     int64     `db:"amount_paid"`
	CreditUsed     nullInt64 `db:"credit_used"`
	Refunded       nullInt64 `db:"refunded"`
	Credited       nullInt64 `db:"credited"`
	Returned       nullInt64 `db:"returned"`
	Description    string    `db:"description"`
	CreatedAt      timestamp `db:"created_at"`
	DueAt          timestamp `db:"due_at"`
	PaidAt         timestamp `db:"paid_at"`
	NextAttemptAt  timestamp `db:"next_attempt_at"`
	TimeZone       string    `db:"time_zone"`
}

func newInvoiceRow(organisationID string, inv billing.Invoice) invoiceRow {
	row := invoiceRow{
		OrganisationID: organisationID, ID: inv.ID, SubscriptionID: inv.SubscriptionID,
		Number: inv.Number, Status: string(inv.Status), Description: inv.Description(),
		Currency: inv.Total.Currency().Code, Total: inv.Total.Minor(), Tax: inv.Tax.Minor(),
		AmountDue: inv.AmountDue.Minor(), AmountPaid: inv.AmountPaid.Minor(),
		CreatedAt: newTimestamp(inv.CreatedAt), DueAt: newTimestamp(inv.DueAt),
		PaidAt: newTimestamp(inv.PaidAt), NextAttemptAt: newTimestamp(inv.NextAttemptAt), TimeZone: string(inv.TimeZone),
	}
	row.CreditUsed, _ = amountColumns(inv.CreditUsed)
	row.Refunded, _ = amountColumns(inv.Refunded)
	row.Credited, _ = amountColumns(inv.Credited)
	row.Returned, _ = amountColumns(inv.Returned)
	return row
}

func (r invoiceRow) invoice() billing.Invoice {
	optionalAmount := func(minor nullInt64) money.Amount { return newAmount(minor, notNull(r.Currency)) }
	amount := func(minor int64) money.Amount { return optionalAmount(nullInt64{V: minor, Valid: r.Currency != ""}) }
	inv := billing.Invoice{
		ID: r.ID, Number: r.Number, SubscriptionID: r.SubscriptionID, Status: billing.InvoiceStatus(r.Status),
		Total: amount(r.Total), Tax: amount(r.Tax), AmountDue: amount(r.AmountDue), AmountPaid: amount(r.AmountPaid),
		CreditUsed: optionalAmount(r.CreditUsed), Refunded: optionalAmount(r.Refunded),
		Credited: optionalAmount(r.Credited), Returned: optionalAmount(r.Returned),
		CreatedAt: r.CreatedAt.time, DueAt: r.DueAt.time, PaidAt: r.PaidAt.time, NextAttemptAt: r.NextAttemptAt.time,
		TimeZone: timezone.Zone(r.TimeZone),
	}
	if r.Description != "" {
		inv.Lines = []billing.Line{{Description: r.Description, Amount: inv.Total}}
	}
	return inv
}

type noticeRow struct {
	OrganisationID string    `db:"organisation_id"`
	Kind           string    `db:"kind"`
	SubjectID      string    `db:"about"`
	Period         string    `db:"period"`
	QueuedAt       timestamp `db:"queued_at"`
}

// Invoices implements storage.Invoices.
func (s *Store) Invoices(ctx context.Context, organisationID string) ([]billing.Invoice, error) {
	var rows []invoiceRow
	if err := s.reader().list(ctx, &rows, selectInvoicesSQL, organisationID); err != nil {
		return nil, s.toFault(err)
	}
	var result []billing.Invoice
	for _, r := range rows {
		result = append(result, r.invoice())
	}
	return result, nil
}

// Notices implements storage.Invoices.
func (s *Store) Notices(ctx context.Context, organisationID string) ([]billing.Notice, error) {
	var rows []noticeRow
	if err := s.reader().list(ctx, &rows, selectNoticesSQL, organisationID); err != nil {
		return nil, s.toFault(err)
	}
	var result []billing.Notice
	for _, r := range rows {
		result = append(result, billing.Notice{Kind: billing.NoticeKind(r.Kind), SubjectID: r.SubjectID, Period: r.Period})
	}
	return result, nil
}

// UpdateBilling implements storage.Invoices.
func (s *Store) UpdateBilling(
	ctx context.Context, id string, update storage.BillingUpdate, change func(*account.Organisation) error,
) (account.Organisation, error) {
	return s.updateOrganisation(ctx, id, change, func(c conn) error {
		for _, inv := range update.Invoices {
			if err := c.save(ctx, upsertInvoiceSQL, newInvoiceRow(id, inv)); err != nil {
				return err
			}
		}
		for _, notice := range update.Notices {
			if err := c.queueNotice(ctx, id, notice, update.EmailsDueAt); err != nil {
				return err
			}
		}
		return nil
	})
}

// queueNotice puts the emails of a notice into the outbox, unless the notice was queued before.
func (c conn) queueNotice(ctx context.Context, organisationID string, notice storage.QueuedNotice, at time.Time) error {
	n := notice.Notice
	row := noticeRow{organisationID, string(n.Kind), n.SubjectID, n.Period, newTimestamp(at)}
	insertedRows, err := c.execNamed(ctx, insertNoticeSQL, row)
	if err != nil || insertedRows == 0 {
		return err
	}
	for _, email := range notice.Emails {
		row := newEmailColumns(email, at)
		row.noticeColumns = noticeColumns{notNull(organisationID), notNull(string(n.Kind)), notNull(n.SubjectID), notNull(n.Period)}
		if err := c.save(ctx, insertEmailSQL, row); err != nil {
			return err
		}
	}
	return nil
}
