package operators

import (
	"context"

	"github.com/vc-admin/diy/app/auditlog"
	"github.com/vc-admin/diy/domain/audit"
	"github.com/vc-admin/diy/ports/storage"
)

// ShowAuditLog returns entries of the audit log.
type ShowAuditLog struct{ store storage.AuditLog }

// Do returns the entries of the query, after it has stored that the operator views them.
func (u *ShowAuditLog) Do(ctx context.Context, query storage.AuditQuery) ([]audit.Entry, error) {
	if err := Require(ctx, MayViewAuditLog); err != nil {
		return nil, err
	}
	view := audit.Entry{OrganisationID: query.OrganisationID, Kind: audit.OperatorViewed, Data: audit.Data{"page": "audit_log"}}
	if err := u.store.AddAuditEntries(ctx, view); err != nil {
		return nil, err
	}
	return u.store.AuditEntries(ctx, query)
}

// ExportEntries exports the audit log.
type ExportEntries struct{ export *auditlog.ExportAuditLog }

// Do calls write with each entry of the query; see auditlog.ExportAuditLog.
func (u *ExportEntries) Do(ctx context.Context, query storage.AuditQuery, format string, write func(audit.Entry) error) error {
	if err := Require(ctx, MayExportAuditLog); err != nil {
		return err
	}
	return u.export.Do(ctx, query, format, write)
}
