package storagetest

import (
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/vc-admin/diy/domain/account"
	"github.com/vc-admin/diy/domain/billing"
	"github.com/vc-admin/diy/domain/catalogue"
	"github.com/vc-admin/diy/domain/fault"
	"github.com/vc-admin/diy/ports/storage"
)

var registrationScenarios = []scenario{
	{"DeleteRegistration deletes all rows", testDeleteRegistration},
	{"DeleteRegistration of a verified user, a subscriber or a licensee returns Conflict", testDeleteRegistrationConflict},
	{"DeleteRegistration deletes password resets", testDeleteRegistrationWithResets},
	{"SweepRegistrations deletes expired registrations", testSweepRegistrations},
	{"CreateSignup replaces expired registrations", testSignupReplacesExpired},
	{"only one of several concurrent sign-ups replaces an expired registration", testConcurrentSignupsReplaceExpired},
	{"concurrent deletion and verification do not both succeed", testConcurrentDeleteAndVerify},
}

func newUnverifiedSignup(name string) storage.Signup {
	signup := newSignup(name)
	signup.User.VerifiedAt = time.Time{}
	return signup
}

func createSignup(t *testing.T, s storage.Store, signup storage.Signup) storage.Signup {
	t.Helper()
	require.NoError(t, s.CreateSignup(t.Context(), signup))
	return signup
}

// requireDeleted requires that no row of the sign-up exists.
func requireDeleted(t *testing.T, s storage.Store, signup storage.Signup) {
	t.Helper()
	_, err := s.Organisation(t.Context(), signup.Organisation.ID)
	requireFault(t, fault.NotFound, err)
	_, err = s.User(t.Context(), signup.User.ID)
	requireFault(t, fault.NotFound, err)
	_, err = s.Verification(t.Context(), signup.Verification.TokenHash)
	requireFault(t, fault.NotFound, err)
}

func testDeleteRegistration(t *testing.T, h Harness) {
	s := h.Open(t)
	ada, bob := createSignup(t, s, newUnverifiedSignup("ada")), createSignup(t, s, newUnverifiedSignup("bob"))
	secondToken := account.Verification{TokenHash: "second", UserID: ada.User.ID, ExpiresAt: noon.Add(time.Hour)}
	require.NoError(t, s.AddVerification(t.Context(), secondToken, newMessage(ada.User.Email), noon))
	beginOperation(t, s, newOperation("customer", ada.Organisation.ID, billing.CustomerOperation, noon))

	deletedOrg, err := s.DeleteRegistration(t.Context(), ada.User.ID)

	require.NoError(t, err)
	require.Equal(t, ada.Organisation, deletedOrg)
	requireDeleted(t, s, ada)
	_, err = s.Verification(t.Context(), "second")
	requireFault(t, fault.NotFound, err)
	require.Empty(t, pendingOperations(t, s))
	requireSignup(t, s, bob) // also requires that the outbox contains only bob's email
	_, err = s.DeleteRegistration(t.Context(), ada.User.ID)
	requireFault(t, fault.NotFound, err)
	createSignup(t, s, withNameAndEmail(newUnverifiedSignup("ada again"), ada.Organisation.Name, ada.User.Email))
}

func testDeleteRegistrationConflict(t *testing.T, h Harness) {
	s := h.Open(t)
	verifiedUser := newSignup("verified")
	subscriber, licensee := newUnverifiedSignup("subscriber"), newUnverifiedSignup("licensee")
	subscriber.Organisation.Billing.Subscriptions = []billing.Subscription{newSubscription("sub", billing.Canceled, noon)}
	licensee.Organisation.Billing.DevLicense = &billing.License{
		ID: "dev", Price: catalogue.PriceRef{Product: "standard", Interval: catalogue.Monthly, Currency: "EUR"},
		Status: billing.Active,
	}
	for _, signup := range []storage.Signup{verifiedUser, subscriber, licensee} {
		createSignup(t, s, signup)
		_, err := s.DeleteRegistration(t.Context(), signup.User.ID)
		requireFault(t, fault.Conflict, err)
		orgs, err := s.SweepRegistrations(t.Context(), noon.AddDate(1, 0, 0), 10)
		require.NoError(t, err)
		require.Empty(t, orgs)
		duplicate := withNameAndEmail(newUnverifiedSignup("new "+signup.User.ID), signup.Organisation.Name, signup.User.Email)
		duplicate.ExpiryCutoff = noon.AddDate(1, 0, 0)
		requireDuplicate(t, s.CreateSignup(t.Context(), duplicate), "org", "email")
		requireUser(t, s, signup.User)
	}
}

// testSweepRegistrations also checks that SweepRegistrations keeps registrations created after the cutoff.
func testSweepRegistrations(t *testing.T, h Harness) {
	s := h.Open(t)
	for i, name := range []string{"third", "first", "second", "later"} {
		signup := newUnverifiedSignup(name)
		signup.User.CreatedAt = noon.Add([]time.Duration{0, -2 * time.Hour, -time.Hour, time.Microsecond}[i])
		createSignup(t, s, signup)
	}
	deleteEmails(t, s)
	var names []string
	for range 3 {
		orgs, err := s.SweepRegistrations(t.Context(), noon, 2)
		require.NoError(t, err)
		for _, org := range orgs {
			names = append(names, org.Name)
		}
	}
	require.Equal(t, []string{"Practice of first", "Practice of second", "Practice of third"}, names)
	want := newUnverifiedSignup("later").User
	want.CreatedAt = noon.Add(time.Microsecond)
	requireUser(t, s, want)
}

// testSignupReplacesExpired signs up with the name of one expired registration and the email address of another.
func testSignupReplacesExpired(t *testing.T, h Harness) {
	s := h.Open(t)
	nameOwner, emailOwner := createSignup(t, s, newUnverifiedSignup("name")), createSignup(t, s, newUnverifiedSignup("email"))
	unexpiredSignup := newUnverifiedSignup("unexpired")
	unexpiredSignup.User.CreatedAt = noon.Add(time.Microsecond)
	createSignup(t, s, unexpiredSignup)
	signup := withNameAndEmail(newUnverifiedSignup("wanted"), nameOwner.Organisation.Name, emailOwner.User.Email)

	signup.ExpiryCutoff = noon.Add(-time.Microsecond)
	requireDuplicate(t, s.CreateSignup(t.Context(), signup), "org", "email")
	requireUser(t, s, nameOwner.User)
	signup.ExpiryCutoff = noon
	requireDuplicate(t, s.CreateSignup(t.Context(), withNameAndEmail(signup, "", unexpiredSignup.User.Email)), "email")
	createSignup(t, s, signup)

	requireDeleted(t, s, nameOwner)
	requireDeleted(t, s, emailOwner)
	requireUser(t, s, unexpiredSignup.User)
	requireUser(t, s, signup.User)
}

// testConcurrentSignupsReplaceExpired also lets workers sweep the registration at the same time.
func testConcurrentSignupsReplaceExpired(t *testing.T, h Harness) {
	s := h.Open(t)
	expiredSignup := createSignup(t, s, withNameAndEmail(newUnverifiedSignup("ada"), "", "wanted@example.test"))
	deleteEmails(t, s)
	errs := make([]error, workers)
	h.runConcurrently(t, s, func(worker int, store storage.Store) {
		if worker%4 == 0 {
			_, errs[worker] = store.SweepRegistrations(t.Context(), noon, 10)
			return
		}
		signup := sameEmailSignup(worker)
		signup.User.VerifiedAt, signup.User.CreatedAt, signup.ExpiryCutoff = time.Time{}, noon.Add(time.Hour), noon
		errs[worker] = store.CreateSignup(t.Context(), signup)
	})

	successes := 0
	for worker, err := range errs {
		switch {
		case worker%4 == 0:
			require.NoError(t, err)
		case err == nil:
			successes++
		default:
			requireDuplicate(t, err, "email")
		}
	}
	require.Equal(t, 1, successes)
	requireDeleted(t, s, expiredSignup)
}

func testConcurrentDeleteAndVerify(t *testing.T, h Harness) {
	s := h.Open(t)
	signup := createSignup(t, s, newUnverifiedSignup("ada"))
	errs := make([]error, workers)
	h.runConcurrently(t, s, func(worker int, store storage.Store) {
		if worker%2 == 0 {
			_, errs[worker] = store.DeleteRegistration(t.Context(), signup.User.ID)
			return
		}
		_, errs[worker] = store.UpdateUser(t.Context(), signup.User.ID, func(u *account.User) error {
			u.Verify(noon)
			return nil
		})
	})

	user, err := s.User(t.Context(), signup.User.ID)
	isVerified := err == nil
	deletions := 0
	for worker, err := range errs {
		switch {
		case err == nil && worker%2 == 0:
			deletions++
		case worker%2 == 0 && isVerified:
			assert.Equal(t, fault.Conflict, fault.CodeOf(err))
		case err != nil:
			assert.Equal(t, fault.NotFound, fault.CodeOf(err))
		default:
			assert.True(t, isVerified, "a verification that succeeded is kept")
		}
	}
	if isVerified {
		assert.True(t, user.IsVerified())
		assert.Zero(t, deletions)
		return
	}
	assert.Equal(t, 1, deletions)
	requireDeleted(t, s, signup)
}

func testDeleteRegistrationWithResets(t *testing.T, h Harness) {
	s := h.Open(t)
	signup := createSignup(t, s, newUnverifiedSignup("ada"))
	require.NoError(t,
		s.AddPasswordReset(t.Context(), newPasswordReset("token", signup.User.ID), newMessage("reset@example.test"), noon))

	_, err := s.DeleteRegistration(t.Context(), signup.User.ID)

	require.NoError(t, err)
	_, err = s.PasswordReset(t.Context(), "token")
	requireFault(t, fault.NotFound, err)
	require.Empty(t, claimEmails(t, s, noon, 10))
}
