package storagetest

import (
	"context"
	"slices"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/vc-admin/diy/domain/account"
	"github.com/vc-admin/diy/domain/billing"
	"github.com/vc-admin/diy/domain/fault"
	"github.com/vc-admin/diy/ports/mail"
	"github.com/vc-admin/diy/ports/storage"
)

var failureScenarios = []scenario{
	{"calls with an ended context return Unavailable and change nothing", testEndedContext},
	{"updates return Unavailable and change nothing when the context ends", testContextEndsDuringUpdate},
	{"calls on a closed store return Unavailable", testClosedStore},
	{"data is kept when a store is closed and opened again", testReopen},
}

// methodCall calls a method of the port with arguments for which it succeeds.
type methodCall struct {
	name string
	call func(ctx context.Context, s storage.Store) error
}

// readCalls returns calls of methods that change nothing, with arguments for the stored sign-up.
func readCalls(signUp storage.SignUp) []methodCall {
	return []methodCall{
		{"Ready", func(ctx context.Context, s storage.Store) error { return s.Ready(ctx) }},
		{"Organisation", func(ctx context.Context, s storage.Store) error {
			return errorOf(s.Organisation(ctx, signUp.Organisation.ID))
		}},
		{"OrganisationByCustomer", func(ctx context.Context, s storage.Store) error {
			return errorOf(s.OrganisationByCustomer(ctx, "customer"))
		}},
		{"User", func(ctx context.Context, s storage.Store) error { return errorOf(s.User(ctx, signUp.User.ID)) }},
		{"Team", func(ctx context.Context, s storage.Store) error {
			return errorOf(s.Team(ctx, signUp.Organisation.ID))
		}},
		{"Memberships", func(ctx context.Context, s storage.Store) error {
			_, err := s.Memberships(ctx, signUp.User.ID)
			return err
		}},
		{"UserWithOrganisation", func(ctx context.Context, s storage.Store) error {
			_, _, err := s.UserWithOrganisation(ctx, signUp.User.ID, signUp.Organisation.ID)
			return err
		}},
		{"UserByEmail", func(ctx context.Context, s storage.Store) error {
			return errorOf(s.UserByEmail(ctx, signUp.User.Email))
		}},
		{"Verification", func(ctx context.Context, s storage.Store) error {
			return errorOf(s.Verification(ctx, signUp.Verification.TokenHash))
		}},
		{"OperationSucceeded", func(ctx context.Context, s storage.Store) error {
			return errorOf(s.OperationSucceeded(ctx,
				storage.OperationQuery{OrganisationID: signUp.Organisation.ID, Kind: billing.SubscriptionOperation}))
		}},
		{"PendingOperation", func(ctx context.Context, s storage.Store) error {
			return errorOf(s.PendingOperation(ctx, signUp.Organisation.ID, billing.SubscriptionOperation))
		}},
		{"PendingOperations", func(ctx context.Context, s storage.Store) error {
			return errorOf(s.PendingOperations(ctx, 0, 10))
		}},
		{"EventHandled", func(ctx context.Context, s storage.Store) error {
			return errorOf(s.EventHandled(ctx, "handled"))
		}},
	}
}

// writeCalls returns calls of methods that change something.
func writeCalls(signUp storage.SignUp, emailID string) []methodCall {
	return []methodCall{
		{"CreateSignUp", func(ctx context.Context, s storage.Store) error { return s.CreateSignUp(ctx, newSignUp("new")) }},
		{"UpdateOrganisation", func(ctx context.Context, s storage.Store) error {
			return errorOf(s.UpdateOrganisation(ctx, signUp.Organisation.ID, func(o *account.Organisation) error {
				o.Phone = "changed"
				return nil
			}))
		}},
		{"ClaimBillingCheck", func(ctx context.Context, s storage.Store) error {
			return errorOf(s.ClaimBillingCheck(ctx, noon.AddDate(1, 0, 0), time.Minute))
		}},
		{"ReleaseBillingCheck", func(ctx context.Context, s storage.Store) error {
			return s.ReleaseBillingCheck(ctx, storage.Check{}, noon)
		}},
		{"UpdateUser", func(ctx context.Context, s storage.Store) error {
			return errorOf(s.UpdateUser(ctx, signUp.User.ID, func(u *account.User) error {
				u.FirstName = "changed"
				return nil
			}))
		}},
		{"UseMembership", func(ctx context.Context, s storage.Store) error {
			return s.UseMembership(ctx, signUp.User.ID, signUp.Organisation.ID, noon)
		}},
		{"UpdateTeam", func(ctx context.Context, s storage.Store) error {
			return errorOf(s.UpdateTeam(ctx, signUp.Organisation.ID, noon, func(team *account.Team) (storage.TeamEffects, error) {
				inv := account.Invitation{ID: "new", Email: "new@example.test", Role: account.Owner, TokenHash: "new"}
				return storage.TeamEffects{}, team.Invite(signUp.User.ID, inv, noon)
			}))
		}},
		{"SweepInvitations", func(ctx context.Context, s storage.Store) error { return s.SweepInvitations(ctx, noon, noon) }},
		{"AddVerification", func(ctx context.Context, s storage.Store) error {
			v := account.Verification{TokenHash: "new", UserID: signUp.User.ID, ExpiresAt: noon}
			return s.AddVerification(ctx, v, newMessage("new"), noon)
		}},
		{"SweepVerifications", func(ctx context.Context, s storage.Store) error {
			return s.SweepVerifications(ctx, noon.AddDate(1, 0, 0), noon.AddDate(2, 0, 0))
		}},
		{"DeleteRegistration", func(ctx context.Context, s storage.Store) error {
			return errorOf(s.DeleteRegistration(ctx, newUnverifiedSignUp("unverified").User.ID))
		}},
		{"SweepRegistrations", func(ctx context.Context, s storage.Store) error {
			return errorOf(s.SweepRegistrations(ctx, noon.AddDate(1, 0, 0), 10))
		}},
		{"AddPasswordReset", func(ctx context.Context, s storage.Store) error {
			return s.AddPasswordReset(ctx, newPasswordReset("new", signUp.User.ID), newMessage("new"), noon)
		}},
		{"UpdateCredentials", func(ctx context.Context, s storage.Store) error {
			return errorOf(s.UpdateCredentials(ctx, signUp.User.ID, noon, changeCredentials(func(c *account.Credentials) {
				c.User.SecurityRevision++
				c.User.Email = "new@example.test"
				c.RecoveryCodes = []string{"new"}
				c.EmailChange, c.Undos = newEmailChange("new", c.User.ID), []account.Undo{newUndo("new", c.User.ID)}
			}, newMessage("new"))))
		}},
		{"RecordSignIn", func(ctx context.Context, s storage.Store) error {
			return s.RecordSignIn(ctx, signUp.User.ID, account.SignInEntry(signUp.User, true), noon, func(u *account.User) (*mail.Message, error) {
				u.FirstSignInAt = time.Time{}
				return new(newMessage("new")), nil
			})
		}},
		{"SweepChallenges", func(ctx context.Context, s storage.Store) error {
			return s.SweepChallenges(ctx, noon.AddDate(1, 0, 0))
		}},
		{"SweepPasswordResets", func(ctx context.Context, s storage.Store) error {
			return s.SweepPasswordResets(ctx, noon.AddDate(1, 0, 0), noon.AddDate(2, 0, 0))
		}},
		{"AddEmailConfirmation", func(ctx context.Context, s storage.Store) error {
			c := newEmailConfirmation("new", noon.Add(time.Hour))
			c.OrganisationID = signUp.Organisation.ID
			return s.AddEmailConfirmation(ctx, c, newMessage("new"), noon)
		}},
		{"SweepEmailConfirmations", func(ctx context.Context, s storage.Store) error {
			return s.SweepEmailConfirmations(ctx, noon.AddDate(1, 0, 0), noon.AddDate(2, 0, 0))
		}},
		{"AddEmailRequest", func(ctx context.Context, s storage.Store) error {
			return s.AddEmailRequest(ctx, storage.EmailRequest{Kind: storage.VerificationEmail, RequestedAt: noon})
		}},
		{"ClaimEmailRequest", func(ctx context.Context, s storage.Store) error {
			return errorOf(s.ClaimEmailRequest(ctx, noon.AddDate(1, 0, 0), time.Hour))
		}},
		{"PostponeEmailRequest", func(ctx context.Context, s storage.Store) error {
			return s.PostponeEmailRequest(ctx, "1", noon)
		}},
		{"FinishEmailRequest", func(ctx context.Context, s storage.Store) error { return s.FinishEmailRequest(ctx, "1") }},
		{"BeginOperation", func(ctx context.Context, s storage.Store) error {
			return errorOf(s.BeginOperation(ctx, newOperation("new", signUp.Organisation.ID, billing.SubscriptionOperation, noon), 0))
		}},
		{"SettleOperation", func(ctx context.Context, s storage.Store) error {
			return errorOf(s.SettleOperation(ctx, "pending", billing.Settlement{Result: "changed"}, noon))
		}},
		{"BeginPaymentAttempt", func(ctx context.Context, s storage.Store) error {
			return s.BeginPaymentAttempt(ctx, newPaymentAttempt("new", signUp.Organisation.ID, "in_1", "card", noon),
				func([]billing.PaymentAttempt) error { return nil })
		}},
		{"RecordHardDecline", func(ctx context.Context, s storage.Store) error { return s.RecordHardDecline(ctx, "attempt") }},
		{"SweepPaymentAttempts", func(ctx context.Context, s storage.Store) error {
			return s.SweepPaymentAttempts(ctx, noon.AddDate(1, 0, 0))
		}},
		{"ClaimEmails", func(ctx context.Context, s storage.Store) error {
			return errorOf(s.ClaimEmails(ctx, noon.Add(24*time.Hour), time.Hour, 10))
		}},
		{"FinishEmail", func(ctx context.Context, s storage.Store) error {
			return s.FinishEmail(ctx, emailID, storage.EmailOutcome{SentAt: noon})
		}},
		{"PostponeEmail", func(ctx context.Context, s storage.Store) error {
			return s.PostponeEmail(ctx, storage.Email{ID: emailID, Attempts: 1}, noon)
		}},
		{"RecordEvent", func(ctx context.Context, s storage.Store) error {
			return s.RecordEvent(ctx, newEvent("new", noon))
		}},
		{"SweepEvents", func(ctx context.Context, s storage.Store) error {
			return errorOf(s.SweepEvents(ctx, noon.AddDate(1, 0, 0), 10))
		}},
	}
}

// errorOf returns only the error of a call that also returns a value.
func errorOf[T any](_ T, err error) error { return err }

// newPopulatedStore returns a store in which every read returns data. It also returns the stored sign-up,
// and the id of an email that was claimed once.
func newPopulatedStore(t *testing.T, h Harness) (s storage.Store, signUp storage.SignUp, emailID string) {
	t.Helper()
	s = h.Open(t)
	signUp = newSignUp("ada")
	signUp.Organisation = fullOrganisation(signUp.Organisation)
	require.NoError(t, s.CreateSignUp(t.Context(), signUp))
	for _, key := range []string{"settled", "pending"} {
		op := newOperation(key, signUp.Organisation.ID, billing.SubscriptionOperation, noon)
		beginOperationAt(t, s, op, signUp.Organisation.Billing.Revision)
		if key == "settled" {
			settleOperation(t, s, key, "card", noon)
		}
	}
	require.NoError(t, s.RecordEvent(t.Context(), newEvent("handled", noon)))
	beginAttempt(t, s, newPaymentAttempt("attempt", signUp.Organisation.ID, "in_1", "card", noon))
	return s, signUp, claimEmails(t, s, noon, 1)[0].ID
}

// requirePopulated requires the store to contain the same data as when newPopulatedStore returned it.
func requirePopulated(t *testing.T, h Harness, s storage.Store, signUp storage.SignUp) {
	t.Helper()
	for _, m := range readCalls(signUp) {
		require.NoError(t, m.call(t.Context(), s), m.name)
	}
	require.Equal(t,
		[]billing.Operation{newOperation("pending", signUp.Organisation.ID, billing.SubscriptionOperation, noon)},
		pendingOperations(t, s))
	isHandled, err := s.EventHandled(t.Context(), "new")
	require.NoError(t, err)
	require.False(t, isHandled)
	require.Equal(t, []billing.PaymentAttempt{newPaymentAttempt("attempt", signUp.Organisation.ID, "in_1", "card", noon)},
		beginAttempt(t, s, newPaymentAttempt("look", signUp.Organisation.ID, "in_1", "card", noon)))
	require.Empty(t, claimEmails(t, s, noon.Add(time.Hour), 10))
	h.UseClock(t, s, func() time.Time { return time.Now().Add(time.Hour) }) // the claim of the email has expired
	requireSignUpAfterAttempt(t, s, signUp, noon.Add(time.Hour), 2)
}

func testEndedContext(t *testing.T, h Harness) {
	s, signUp, emailID := newPopulatedStore(t, h)
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	for _, m := range slices.Concat(readCalls(signUp), writeCalls(signUp, emailID)) {
		t.Run(m.name, func(t *testing.T) { requireFault(t, fault.Unavailable, m.call(ctx, s)) })
	}
	requirePopulated(t, h, s, signUp)
}

// testContextEndsDuringUpdate ends the context in the middle of the transaction.
func testContextEndsDuringUpdate(t *testing.T, h Harness) {
	s, signUp, _ := newPopulatedStore(t, h)
	for _, change := range []func(*account.Organisation){changeEverything, func(*account.Organisation) {}} {
		ctx, cancel := context.WithCancel(t.Context())
		_, err := s.UpdateOrganisation(ctx, signUp.Organisation.ID, func(o *account.Organisation) error {
			change(o)
			cancel()
			return nil
		})
		requireFault(t, fault.Unavailable, err)
	}
	ctx, cancel := context.WithCancel(t.Context())
	_, err := s.UpdateUser(ctx, signUp.User.ID, func(u *account.User) error {
		u.FirstName = "changed"
		cancel()
		return nil
	})
	requireFault(t, fault.Unavailable, err)
	require.NoError(t, s.Ready(t.Context()))
	requirePopulated(t, h, s, signUp)
}

func testClosedStore(t *testing.T, h Harness) {
	if h.Close == nil {
		t.Log("Harness.Close is nil")
		return
	}
	s, signUp, emailID := newPopulatedStore(t, h)
	h.Close(t, s)
	for _, m := range slices.Concat(readCalls(signUp), writeCalls(signUp, emailID)) {
		t.Run(m.name, func(t *testing.T) { requireFault(t, fault.Unavailable, m.call(t.Context(), s)) })
	}
}

func testReopen(t *testing.T, h Harness) {
	if h.Close == nil || h.OpenShared == nil {
		t.Log("Harness.Close or Harness.OpenShared is nil")
		return
	}
	s, signUp, _ := newPopulatedStore(t, h)
	h.Close(t, s)
	requirePopulated(t, h, h.OpenShared(t, s), signUp)
}
