package operators

import (
	"log/slog"

	"github.com/vc-admin/diy/app/auditlog"
	"github.com/vc-admin/diy/app/security"
	"github.com/vc-admin/diy/ports/clock"
	"github.com/vc-admin/diy/ports/storage"
)

// Ports contains the dependencies of the use cases.
type Ports struct {
	Store storage.Store
	Clock clock.Clock
	Log   *slog.Logger
	// AuditLog contains the use cases of the audit log itself.
	AuditLog auditlog.UseCases
	// EndUserSessions signs a user out everywhere.
	EndUserSessions *security.EndUserSessions
}

// UseCases contains the use cases of the package.
type UseCases struct {
	FindOrganisations *FindOrganisations
	ViewOrganisation  *ViewOrganisation
	ShowTimeline      *ShowTimeline
	ShowAttention     *ShowAttention
	ShowWork          *ShowWork
	ShowAuditLog      *ShowAuditLog
	ExportEntries     *ExportEntries
	EndSessions       *EndSessions
	FindAction        *FindAction
}

// New returns the use cases, connected with the ports. It calls no port.
func New(p Ports) UseCases {
	return UseCases{
		FindOrganisations: &FindOrganisations{store: p.Store},
		ViewOrganisation:  &ViewOrganisation{store: p.Store},
		ShowTimeline:      &ShowTimeline{store: p.Store},
		ShowAttention:     &ShowAttention{store: p.Store},
		ShowWork:          &ShowWork{store: p.Store},
		ShowAuditLog:      &ShowAuditLog{store: p.Store},
		ExportEntries:     &ExportEntries{export: p.AuditLog.ExportAuditLog},
		EndSessions:       &EndSessions{store: p.Store, end: p.EndUserSessions},
		FindAction:        &FindAction{store: p.Store},
	}
}
