package sqlstorage

import (
	"context"
	"time"

	"github.com/jmoiron/sqlx"

	"github.com/vc-admin/diy/domain/account"
	"github.com/vc-admin/diy/domain/billing"
	"github.com/vc-admin/diy/domain/fault"
	"github.com/vc-admin/diy/ports/storage"
)

var (
	invoiceTable     = newTable[invoiceRow]("invoices")
	upsertInvoiceSQL = invoiceTable.insertSQL() + " ON CONFLICT (organisation_id, id) DO UPDATE SET " +
		invoiceTable.upsertAssignments("id", "organisation_id")
	selectInvoicesSQL = invoiceTable.selectSQL("WHERE organisation_id = ? ORDER BY created_at DESC, id DESC")

	noticeTable      = newTable[noticeRow]("notices")
	insertNoticeSQL  = noticeTable.insertSQL() + " ON CONFLICT DO NOTHING"
	selectNoticesSQL = noticeTable.selectSQL("WHERE organisation_id = ?" + orderNoticesSQL)

	selectNoticesOfKindsSQL = noticeTable.selectSQL("WHERE organisation_id = ? AND kind IN (?)" + orderNoticesSQL)
)

const (
	selectInvoiceDocumentSQL = "SELECT document FROM invoices WHERE organisation_id = ? AND id = ?"
	orderNoticesSQL          = " ORDER BY queued_at, kind, subject_id, period"
)

// invoiceRow is an invoice as a document, beside the columns that order and identify it.
type invoiceRow struct {
	OrganisationID string    `db:"organisation_id"`
	ID             string    `db:"id"`
	CreatedAt      timestamp `db:"created_at"`
	Document       string    `db:"document"` // JSON of billing.Invoice.Summary
}

func newInvoiceRow(organisationID string, inv billing.Invoice) invoiceRow {
	return invoiceRow{organisationID, inv.ID, newTimestamp(inv.CreatedAt), marshalDocument(inv.Summary())}
}

type noticeRow struct {
	OrganisationID string    `db:"organisation_id"`
	Kind           string    `db:"kind"`
	SubjectID      string    `db:"subject_id"`
	Period         string    `db:"period"`
	QueuedAt       timestamp `db:"queued_at"`
}

// Invoices implements storage.Invoices.
func (s *Store) Invoices(ctx context.Context, organisationID string) ([]billing.Invoice, error) {
	invoices, err := s.reader().listInvoices(ctx, organisationID)
	return invoices, s.toFault(err)
}

func (c conn) listInvoices(ctx context.Context, organisationID string) (result []billing.Invoice, err error) {
	var rows []invoiceRow
	if err := c.list(ctx, &rows, selectInvoicesSQL, organisationID); err != nil {
		return nil, err
	}
	for _, r := range rows {
		inv, err := unmarshalDocument[billing.Invoice](r.Document)
		if err != nil {
			return nil, err
		}
		result = append(result, inv)
	}
	return result, nil
}

// Notices implements storage.Invoices.
func (s *Store) Notices(
	ctx context.Context, organisationID string, kinds ...billing.NoticeKind,
) (notices []billing.Notice, err error) {
	query, args := selectNoticesSQL, []any{organisationID}
	if len(kinds) > 0 {
		if query, args, err = sqlx.In(selectNoticesOfKindsSQL, organisationID, kinds); err != nil {
			return nil, err
		}
	}
	var rows []noticeRow
	if err := s.reader().list(ctx, &rows, query, args...); err != nil {
		return nil, s.toFault(err)
	}
	for _, r := range rows {
		notices = append(notices, billing.Notice{Kind: billing.NoticeKind(r.Kind), SubjectID: r.SubjectID, Period: r.Period})
	}
	return notices, nil
}

// UpdateBilling implements storage.Invoices.
func (s *Store) UpdateBilling(
	ctx context.Context, id string, update storage.BillingUpdate, change func(*account.Organisation) error,
) (account.Organisation, error) {
	return s.updateOrganisation(ctx, id, change, func(c conn) error {
		for _, inv := range update.Invoices {
			if err := c.saveInvoice(ctx, id, inv); err != nil {
				return err
			}
		}
		for _, notice := range update.Notices {
			if err := c.queueNotice(ctx, id, notice, update.EmailsDueAt); err != nil {
				return err
			}
		}
		return c.addAuditEntries(ctx, update.Entries...)
	})
}

// saveInvoice stores the invoice and adds entries about its changes to the audit log.
func (c conn) saveInvoice(ctx context.Context, organisationID string, inv billing.Invoice) error {
	var old billing.Invoice
	var document string
	err := c.get(ctx, "invoice", &document, selectInvoiceDocumentSQL, organisationID, inv.ID)
	if err == nil {
		old, err = unmarshalDocument[billing.Invoice](document)
	}
	if err = fault.ReplaceNotFound(err, nil); err != nil {
		return err
	}
	if err := c.save(ctx, upsertInvoiceSQL, newInvoiceRow(organisationID, inv)); err != nil {
		return err
	}
	if err := c.addNewSearchTerms(ctx, organisationID, invoiceTerms(old), invoiceTerms(inv)); err != nil {
		return err
	}
	entries := billing.InvoiceEntries(old, inv)
	for i := range entries {
		entries[i].OrganisationID = organisationID
	}
	return c.addAuditEntries(ctx, entries...)
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
		row.DueAt = newTimestamp(at.Add(notice.Delay))
		row.noticeColumns = noticeColumns{notNull(organisationID), notNull(string(n.Kind)), notNull(n.SubjectID), notNull(n.Period)}
		if err := c.save(ctx, insertEmailSQL, row); err != nil {
			return err
		}
	}
	return nil
}
