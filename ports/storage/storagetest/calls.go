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
		{"OperationMade", func(ctx context.Context, s storage.Store) error {
			return second(s.OperationMade(ctx, storage.Made{OrganisationID: in.Organisation.ID, Kind: billing.SubscriptionOperation}))
		}},
		{"PendingOperation", func(ctx context.Context, s storage.Store) error {
			return second(s.PendingOperation(ctx, in.Organisation.ID, billing.SubscriptionOperation))
		}},
		{"PendingOperations", func(ctx context.Context, s storage.Store) error {
			return second(s.PendingOperations(ctx, 0, 10))
		}},
		{"NewCards", func(ctx context.Context, s storage.Store) error { return second(s.NewCards(ctx, in.Organisation.ID)) }},
		{"EventHandled", func(ctx context.Context, s storage.Store) error {
			return second(s.EventHandled(ctx, "handled"))
		}},
	}
}

// writes are all calls that change something.
func writes(in storage.Signup, emailID string) []call {
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
			return s.AddVerification(ctx, v, message("new"), noon)
		}},
		{"SweepVerifications", func(ctx context.Context, s storage.Store) error {
			return s.SweepVerifications(ctx, noon.AddDate(1, 0, 0))
		}},
		{"DeleteRegistration", func(ctx context.Context, s storage.Store) error {
			return second(s.DeleteRegistration(ctx, unverified("unverified").User.ID))
		}},
		{"SweepRegistrations", func(ctx context.Context, s storage.Store) error {
			return second(s.SweepRegistrations(ctx, noon.AddDate(1, 0, 0), 10))
		}},
		{"AddPasswordReset", func(ctx context.Context, s storage.Store) error {
			return s.AddPasswordReset(ctx, passwordReset("new", in.User.ID), message("new"), noon)
		}},
		{"UsePasswordReset", func(ctx context.Context, s storage.Store) error {
			return second(s.UsePasswordReset(ctx, "reset", message("new"), noon, setPassword("changed")))
		}},
		{"SweepPasswordResets", func(ctx context.Context, s storage.Store) error {
			return s.SweepPasswordResets(ctx, noon.AddDate(1, 0, 0))
		}},
		{"AddEmailRequest", func(ctx context.Context, s storage.Store) error {
			return s.AddEmailRequest(ctx, storage.EmailRequest{Kind: storage.VerificationEmail, RequestedAt: noon})
		}},
		{"ClaimEmailRequest", func(ctx context.Context, s storage.Store) error {
			return second(s.ClaimEmailRequest(ctx, noon.AddDate(1, 0, 0), noon.AddDate(2, 0, 0)))
		}},
		{"FinishEmailRequest", func(ctx context.Context, s storage.Store) error { return s.FinishEmailRequest(ctx, "1") }},
		{"BeginOperation", func(ctx context.Context, s storage.Store) error {
			return second(s.BeginOperation(ctx, operation("new", in.Organisation.ID, billing.SubscriptionOperation, noon)))
		}},
		{"SettleOperation", func(ctx context.Context, s storage.Store) error {
			return second(s.SettleOperation(ctx, "pending", "changed", noon))
		}},
		{"BeginPaymentAttempt", func(ctx context.Context, s storage.Store) error {
			return s.BeginPaymentAttempt(ctx, paymentAttempt("new", in.Organisation.ID, "in_1", "card", noon),
				func([]billing.PaymentAttempt) error { return nil })
		}},
		{"RecordHardDecline", func(ctx context.Context, s storage.Store) error { return s.RecordHardDecline(ctx, "attempt") }},
		{"SweepPaymentAttempts", func(ctx context.Context, s storage.Store) error {
			return s.SweepPaymentAttempts(ctx, noon.AddDate(1, 0, 0))
		}},
		{"NoteNewCard", func(ctx context.Context, s storage.Store) error {
			return s.NoteNewCard(ctx, newCard("pm_new", in.Organisation.ID, noon))
		}},
		{"ForgetNewCard", func(ctx context.Context, s storage.Store) error {
			return s.ForgetNewCard(ctx, in.Organisation.ID, "pm_noted")
		}},
		{"ClaimNewCards", func(ctx context.Context, s storage.Store) error {
			return second(s.ClaimNewCards(ctx, noon.AddDate(1, 0, 0), noon.AddDate(2, 0, 0)))
		}},
		{"ClaimEmails", func(ctx context.Context, s storage.Store) error {
			return second(s.ClaimEmails(ctx, noon.Add(24*time.Hour), noon.Add(48*time.Hour), 10))
		}},
		{"FinishEmail", func(ctx context.Context, s storage.Store) error { return s.FinishEmail(ctx, emailID) }},
		{"PostponeEmail", func(ctx context.Context, s storage.Store) error {
			return s.PostponeEmail(ctx, emailID, noon)
		}},
		{"RecordEvent", func(ctx context.Context, s storage.Store) error {
			return s.RecordEvent(ctx, "new", "customer", noon)
		}},
	}
}

func second[T any](_ T, err error) error { return err }

// furnished is a store in which every read finds something, with the sign-up and the email
// that it holds; the email has been claimed once.
func furnished(t *testing.T, h Harness) (s storage.Store, in storage.Signup, emailID string) {
	t.Helper()
	s = h.Open(t)
	in = signup("ada")
	in.Organisation = fullOrganisation(in.Organisation)
	require.NoError(t, s.CreateSignup(t.Context(), in))
	begun(t, s, operation("settled", in.Organisation.ID, billing.SubscriptionOperation, noon))
	settled(t, s, "settled", "card", noon)
	begun(t, s, operation("pending", in.Organisation.ID, billing.SubscriptionOperation, noon))
	require.NoError(t, s.RecordEvent(t.Context(), "handled", "customer", noon))
	begin(t, s, paymentAttempt("attempt", in.Organisation.ID, "in_1", "card", noon))
	note(t, s, newCard("pm_noted", in.Organisation.ID, noon))
	return s, in, claim(t, s, noon, 1)[0].ID
}

// requireFurnished wants a store to be as furnished left it.
func requireFurnished(t *testing.T, s storage.Store, in storage.Signup) {
	t.Helper()
	for _, c := range reads(in) {
		require.NoError(t, c.do(t.Context(), s), c.name)
	}
	require.Equal(t, []billing.Operation{operation("pending", in.Organisation.ID, billing.SubscriptionOperation, noon)}, pending(t, s))
	handled, err := s.EventHandled(t.Context(), "new")
	require.NoError(t, err)
	require.False(t, handled)
	requireNewCards(t, s, in.Organisation.ID, newCard("pm_noted", in.Organisation.ID, noon))
	require.Equal(t, []billing.PaymentAttempt{paymentAttempt("attempt", in.Organisation.ID, "in_1", "card", noon)},
		begin(t, s, paymentAttempt("look", in.Organisation.ID, "in_1", "card", noon)))
	require.Empty(t, claim(t, s, noon.Add(time.Hour-time.Microsecond), 10))
	requireSignupAt(t, s, in, noon.Add(time.Hour), 2)
}
