package storagetest

import (
	"context"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/vc-admin/diy/domain/account"
	"github.com/vc-admin/diy/domain/billing"
	"github.com/vc-admin/diy/ports/storage"
)

// call is one method of the port with arguments that would succeed.
type call struct {
	name string
	do   func(ctx context.Context, s storage.Store) error
}

// reads are all calls that change nothing; in is a sign-up that is stored.
func reads(in storage.Signup) []call {
	return []call{
		{"Ready", func(ctx context.Context, s storage.Store) error { return s.Ready(ctx) }},
		{"Organisation", func(ctx context.Context, s storage.Store) error {
			return second(s.Organisation(ctx, in.Organisation.ID))
		}},
		{"OrganisationByCustomer", func(ctx context.Context, s storage.Store) error {
			return second(s.OrganisationByCustomer(ctx, "customer"))
		}},
		{"User", func(ctx context.Context, s storage.Store) error { return second(s.User(ctx, in.User.ID)) }},
		{"UserByEmail", func(ctx context.Context, s storage.Store) error {
			return second(s.UserByEmail(ctx, in.User.Email))
		}},
		{"Verification", func(ctx context.Context, s storage.Store) error {
			return second(s.Verification(ctx, in.Verification.TokenHash))
		}},
		{"LastOperation", func(ctx context.Context, s storage.Store) error {
			return second(s.LastOperation(ctx, in.Organisation.ID, billing.SubscriptionLane))
		}},
		{"PendingOperations", func(ctx context.Context, s storage.Store) error {
			return second(s.PendingOperations(ctx, noon.AddDate(1, 0, 0), 10))
		}},
		{"EventHandled", func(ctx context.Context, s storage.Store) error {
			return second(s.EventHandled(ctx, "handled"))
		}},
	}
}

// writes are all calls that change something.
func writes(in storage.Signup, letterID string) []call {
	return []call{
		{"CreateSignup", func(ctx context.Context, s storage.Store) error { return s.CreateSignup(ctx, signup("new")) }},
		{"UpdateOrganisation", func(ctx context.Context, s storage.Store) error {
			return second(s.UpdateOrganisation(ctx, in.Organisation.ID, func(o *account.Organisation) error {
				o.Phone = "changed"
				return nil
			}))
		}},
		{"ClaimCheck", func(ctx context.Context, s storage.Store) error {
			return second(s.ClaimCheck(ctx, noon.AddDate(1, 0, 0), noon.AddDate(2, 0, 0)))
		}},
		{"UpdateUser", func(ctx context.Context, s storage.Store) error {
			return second(s.UpdateUser(ctx, in.User.ID, func(u *account.User) error {
				u.FirstName = "changed"
				return nil
			}))
		}},
		{"AddVerification", func(ctx context.Context, s storage.Store) error {
			v := account.Verification{TokenHash: "new", UserID: in.User.ID, ExpiresAt: noon}
			return s.AddVerification(ctx, v, letter("new"), noon)
		}},
		{"SweepVerifications", func(ctx context.Context, s storage.Store) error {
			return s.SweepVerifications(ctx, noon.AddDate(1, 0, 0))
		}},
		{"BeginOperation", func(ctx context.Context, s storage.Store) error {
			return second(s.BeginOperation(ctx, operation("new", in.Organisation.ID, billing.SubscriptionLane, noon)))
		}},
		{"SettleOperation", func(ctx context.Context, s storage.Store) error {
			return s.SettleOperation(ctx, "pending", "changed", noon)
		}},
		{"ClaimLetters", func(ctx context.Context, s storage.Store) error {
			return second(s.ClaimLetters(ctx, noon.Add(24*time.Hour), noon.Add(48*time.Hour), 10))
		}},
		{"FinishLetter", func(ctx context.Context, s storage.Store) error { return s.FinishLetter(ctx, letterID) }},
		{"PostponeLetter", func(ctx context.Context, s storage.Store) error {
			return s.PostponeLetter(ctx, letterID, noon)
		}},
		{"RecordEvent", func(ctx context.Context, s storage.Store) error {
			return s.RecordEvent(ctx, "new", "customer", noon)
		}},
	}
}

func second[T any](_ T, err error) error { return err }

// furnished is a store in which every read finds something, with the sign-up and the letter
// that it holds; the letter has been claimed once.
func furnished(t *testing.T, h Harness) (s storage.Store, in storage.Signup, letterID string) {
	t.Helper()
	s = h.Open(t)
	in = signup("ada")
	in.Organisation = fullOrganisation(in.Organisation)
	require.NoError(t, s.CreateSignup(t.Context(), in))
	begun(t, s, operation("settled", in.Organisation.ID, billing.SubscriptionLane, noon))
	require.NoError(t, s.SettleOperation(t.Context(), "settled", "card", noon))
	begun(t, s, operation("pending", in.Organisation.ID, billing.SubscriptionLane, noon))
	require.NoError(t, s.RecordEvent(t.Context(), "handled", "customer", noon))
	return s, in, claim(t, s, noon, 1)[0].ID
}

// requireFurnished wants a store to be as furnished left it.
func requireFurnished(t *testing.T, s storage.Store, in storage.Signup) {
	t.Helper()
	for _, c := range reads(in) {
		require.NoError(t, c.do(t.Context(), s), c.name)
	}
	require.Equal(t, []billing.Operation{operation("pending", in.Organisation.ID, billing.SubscriptionLane, noon)}, pending(t, s))
	handled, err := s.EventHandled(t.Context(), "new")
	require.NoError(t, err)
	require.False(t, handled)
	require.Empty(t, claim(t, s, noon.Add(time.Hour-time.Microsecond), 10))
	requireSignupAt(t, s, in, noon.Add(time.Hour), 2)
}
