package account

import (
	"cmp"
	"slices"
	"time"
)

// Membership gives a user a role in an organisation.
type Membership struct {
	UserID           string
	OrganisationID   string
	OrganisationName string // only storage.Memberships sets it
	Role             Role
	JoinedAt         time.Time
	LastUsedAt       time.Time
}

// SortByLastUse sorts the memberships of a user, the one that was used last first.
func SortByLastUse(memberships []Membership) {
	slices.SortFunc(memberships, func(a, b Membership) int {
		return cmp.Or(b.LastUsedAt.Compare(a.LastUsedAt), cmp.Compare(a.OrganisationID, b.OrganisationID))
	})
}
