package storagetest

import (
	"context"
	"slices"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/vc-admin/diy/domain/account"
	"github.com/vc-admin/diy/domain/fault"
)

func cancelledCallsChangeNothing(t *testing.T, h Harness) {
	s, in, emailID := furnished(t, h)
	over, cancel := context.WithCancel(t.Context())
	cancel()
	for _, c := range slices.Concat(reads(in), writes(in, emailID)) {
		t.Run(c.name, func(t *testing.T) { requireFault(t, fault.Unavailable, c.do(over, s)) })
	}
	requireFurnished(t, s, in)
}

// cancelledUpdateChangesNothing has the time run out when the work is half done.
func cancelledUpdateChangesNothing(t *testing.T, h Harness) {
	s, in, _ := furnished(t, h)
	for _, change := range []func(*account.Organisation){ruin, func(*account.Organisation) {}} {
		ctx, cancel := context.WithCancel(t.Context())
		_, err := s.UpdateOrganisation(ctx, in.Organisation.ID, func(o *account.Organisation) error {
			change(o)
			cancel()
			return nil
		})
		requireFault(t, fault.Unavailable, err)
	}
	ctx, cancel := context.WithCancel(t.Context())
	_, err := s.UpdateUser(ctx, in.User.ID, func(u *account.User) error {
		u.FirstName = "changed"
		cancel()
		return nil
	})
	requireFault(t, fault.Unavailable, err)
	require.NoError(t, s.Ready(t.Context()))
	requireFurnished(t, s, in)
}
