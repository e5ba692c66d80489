package storagetest

import (
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/vc-admin/diy/domain/account"
	"github.com/vc-admin/diy/domain/fault"
)

func updateKeepsIdentity(t *testing.T, h Harness) {
	s := h.Open(t)
	o := signedUp(t, s, "ada").Organisation
	o.Phone = "changed"
	stored := update(t, s, o.ID, func(kept *account.Organisation) {
		kept.ID, kept.CreatedAt, kept.Phone = "another", noon.Add(time.Hour), "changed"
	})
	require.Equal(t, o, stored)
	requireOrganisation(t, s, o)
	_, err := s.Organisation(t.Context(), "another")
	requireFault(t, fault.NotFound, err)
}
