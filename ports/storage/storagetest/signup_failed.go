package storagetest

import (
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/vc-admin/diy/domain/billing"
	"github.com/vc-admin/diy/domain/fault"
	"github.com/vc-admin/diy/ports/storage"
)

// signupLeavesNothing makes a sign-up fail at each of its parts.
func signupLeavesNothing(t *testing.T, h Harness) {
	for _, c := range []struct {
		name  string
		spoil func(in *storage.Signup, first storage.Signup)
		code  fault.Code
	}{
		{"name", func(in *storage.Signup, first storage.Signup) {
			in.Organisation.Name = first.Organisation.Name
		}, fault.Duplicate},
		{"e-mail", func(in *storage.Signup, first storage.Signup) { in.User.Email = first.User.Email }, fault.Duplicate},
		{"token", func(in *storage.Signup, first storage.Signup) {
			in.Verification.TokenHash = first.Verification.TokenHash
		}, fault.Conflict},
		{"two live subscriptions", func(in *storage.Signup, _ storage.Signup) {
			in.Organisation.Billing.Subscriptions = []billing.Subscription{
				subscription("b", billing.Active, noon), subscription("a", billing.Active, noon),
			}
		}, fault.Conflict},
	} {
		t.Run(c.name, func(t *testing.T) {
			s := h.Open(t)
			first, in := signedUp(t, s, "first"), signup("second")
			c.spoil(&in, first)
			requireFault(t, c.code, s.CreateSignup(t.Context(), in))
			requireNothingOf(t, s, signup("second"), first)
		})
	}
}

// requireNothingOf wants no part of a sign-up to be there, and the first sign-up to be whole.
func requireNothingOf(t *testing.T, s storage.Store, failed, first storage.Signup) {
	t.Helper()
	_, err := s.Organisation(t.Context(), failed.Organisation.ID)
	requireFault(t, fault.NotFound, err)
	_, err = s.User(t.Context(), failed.User.ID)
	requireFault(t, fault.NotFound, err)
	_, err = s.UserByEmail(t.Context(), failed.User.Email)
	requireFault(t, fault.NotFound, err)
	_, err = s.Verification(t.Context(), failed.Verification.TokenHash)
	requireFault(t, fault.NotFound, err)
	requireSignup(t, s, first)
	require.NoError(t, s.CreateSignup(t.Context(), failed), "its names are still free")
}
