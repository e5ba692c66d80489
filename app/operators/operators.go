package operators

import (
	"log/slog"

	"github.com/vc-admin/diy/ports/clock"
	"github.com/vc-admin/diy/ports/storage"
)

// Ports contains the dependencies of the use cases.
type Ports struct {
	Store storage.Store
	Clock clock.Clock
	Log   *slog.Logger
}

// UseCases contains the use cases of the package.
type UseCases struct {
	FindOrganisations *FindOrganisations
	ViewOrganisation  *ViewOrganisation
}

// New returns the use cases, connected with the ports. It calls no port.
func New(p Ports) UseCases {
	return UseCases{
		FindOrganisations: &FindOrganisations{store: p.Store},
		ViewOrganisation:  &ViewOrganisation{store: p.Store},
	}
}
