package model

import (
	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"

	"github.com/vc-admin/diy/app"
	"github.com/vc-admin/diy/domain/billing"
)

// someServer is one of the two.
func (h *house) someServer(t *rapid.T) *app.UseCases {
	return rapid.SampledFrom(h.servers).Draw(t, "server")
}

// someOrg is one of the organisations.
func (h *house) someOrg(t *rapid.T) *org {
	if len(h.orgs) == 0 {
		t.Skip("nobody has signed up yet")
	}
	return rapid.SampledFrom(h.orgs).Draw(t, "org")
}

// account is our copy, as it is stored.
func (h *house) account(t *rapid.T, o *org) *billing.Account {
	found, err := h.Store.Organisation(t.Context(), o.who.OrganisationID)
	require.NoError(t, err)
	return &found.Billing
}

// inDoubt reports whether something is going on that nobody knows the end of yet.
func (h *house) inDoubt(t *rapid.T, o *org) bool {
	if h.late.Load() {
		return true
	}
	pending, err := h.Store.PendingOperations(t.Context(), 0, 100)
	require.NoError(t, err)
	for _, op := range pending {
		if op.OrganisationID == o.who.OrganisationID {
			return true
		}
	}
	return false
}
