package storagetest

import (
	"strconv"
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
	{"DeleteRegistration keeps an organisation with other members", testDeleteRegistrationWithMembers},
	{"DeleteRegistration deletes password resets", testDeleteRegistrationWithResets},
	{"SweepRegistrations deletes expired registrations", testSweepRegistrations},
	{"unverified registrations reserve neither name nor email", testUnverifiedReserveNothing},
	{"CreateSignUp replaces unverified registrations", testSignUpReplacesUnverified},
	{"one of several concurrent verifications with the same name or email succeeds", testConcurrentVerifications},
	{"a verification and a replacement at the same time do not both succeed", testConcurrentVerifyAndReplace},
	{"concurrent deletion and verification do not both succeed", testConcurrentDeleteAndVerify},
}

func newUnverifiedSignUp(name string) storage.SignUp {
	signUp := newSignUp(name)
	signUp.User.VerifiedAt = time.Time{}
	return signUp
}

func createSignUp(t *testing.T, s storage.Store, signUp storage.SignUp) storage.SignUp {
	t.Helper()
	require.NoError(t, s.CreateSignUp(t.Context(), signUp))
	return signUp
}

// requireDeleted requires that no row of the sign-up exists.
func requireDeleted(t *testing.T, s storage.Store, signUp storage.SignUp) {
	t.Helper()
	_, err := s.Organisation(t.Context(), signUp.Organisation.ID)
	requireFault(t, fault.NotFound, err)
	_, err = s.User(t.Context(), signUp.User.ID)
	requireFault(t, fault.NotFound, err)
	_, err = s.Verification(t.Context(), signUp.Verification.TokenHash)
	requireFault(t, fault.NotFound, err)
}

func testDeleteRegistration(t *testing.T, h Harness) {
	s := h.Open(t)
	ada, bob := createSignUp(t, s, newUnverifiedSignUp("ada")), createSignUp(t, s, newUnverifiedSignUp("bob"))
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
	requireSignUp(t, s, bob) // also requires that the outbox contains only bob's email
	_, err = s.DeleteRegistration(t.Context(), ada.User.ID)
	requireFault(t, fault.NotFound, err)
	createSignUp(t, s, withNameAndEmail(newUnverifiedSignUp("ada again"), ada.Organisation.Name, ada.User.Email))
}

func testDeleteRegistrationConflict(t *testing.T, h Harness) {
	s := h.Open(t)
	verifiedUser := newSignUp("verified")
	subscriber, licensee := newUnverifiedSignUp("subscriber"), newUnverifiedSignUp("licensee")
	subscriber.Organisation.Billing.Subscriptions = []billing.Subscription{newSubscription("sub", billing.Canceled, noon)}
	licensee.Organisation.Billing.DevLicense = &billing.License{
		ID: "dev", Price: catalogue.PriceRef{Product: "standard", Interval: catalogue.Monthly, Currency: "EUR"},
		Status: billing.Active,
	}
	for _, signUp := range []storage.SignUp{verifiedUser, subscriber, licensee} {
		createSignUp(t, s, signUp)
		_, err := s.DeleteRegistration(t.Context(), signUp.User.ID)
		requireFault(t, fault.Conflict, err)
		orgs, err := s.SweepRegistrations(t.Context(), noon.AddDate(1, 0, 0), 10)
		require.NoError(t, err)
		require.Empty(t, orgs)
		requireUser(t, s, signUp.User)
	}
}

func testDeleteRegistrationWithMembers(t *testing.T, h Harness) {
	s := h.Open(t)
	ada, ben := createSignUp(t, s, newUnverifiedSignUp("ada")), createSignUp(t, s, newSignUp("ben"))
	join(t, s, ben.User, "ada", account.Owner)
	_, err := s.DeleteRegistration(t.Context(), ada.User.ID)
	requireFault(t, fault.Conflict, err)
	orgs, err := s.SweepRegistrations(t.Context(), noon.AddDate(1, 0, 0), 10)
	require.NoError(t, err)
	require.Empty(t, orgs)
	memberships, err := s.Memberships(t.Context(), ben.User.ID)
	require.NoError(t, err)
	require.Len(t, memberships, 2)
}

// testSweepRegistrations also checks that SweepRegistrations keeps registrations created after the cutoff.
func testSweepRegistrations(t *testing.T, h Harness) {
	s := h.Open(t)
	for i, name := range []string{"third", "first", "second", "later"} {
		signUp := newUnverifiedSignUp(name)
		signUp.User.CreatedAt = noon.Add([]time.Duration{0, -2 * time.Hour, -time.Hour, time.Microsecond}[i])
		createSignUp(t, s, signUp)
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
	want := newUnverifiedSignUp("later").User
	want.CreatedAt = noon.Add(time.Microsecond)
	requireUser(t, s, want)
}

func verify(u *account.User) error {
	u.Verify(noon)
	return nil
}

func testUnverifiedReserveNothing(t *testing.T, h Harness) {
	s := h.Open(t)
	first := createSignUp(t, s, newUnverifiedSignUp("first"))
	second := withNameAndEmail(newUnverifiedSignUp("second"), " practice OF first", "FIRST@example.test")
	second.User.CreatedAt = noon.Add(time.Second)
	createSignUp(t, s, second)
	require.NoError(t, s.CheckAvailable(t.Context(), first.Organisation.Name, first.User.Email))
	users, err := s.UnverifiedUsers(t.Context(), first.Organisation.Name, "unknown@example.test", 10)
	require.NoError(t, err)
	require.ElementsMatch(t, []account.User{first.User, second.User}, users)
	users, err = s.UnverifiedUsers(t.Context(), "unknown", first.User.Email, 1)
	require.NoError(t, err)
	require.Len(t, users, 1)
	newest, err := s.UserByEmail(t.Context(), first.User.Email)
	require.NoError(t, err)
	require.Equal(t, second.User, newest)

	verifiedUser, err := s.UpdateUser(t.Context(), first.User.ID, verify)

	require.NoError(t, err)
	storedUser, err := s.UserByEmail(t.Context(), first.User.Email)
	require.NoError(t, err)
	require.Equal(t, verifiedUser, storedUser, "the verified user precedes newer registrations")
	_, err = s.UpdateUser(t.Context(), second.User.ID, verify)
	requireDuplicate(t, err, "org", "email")
	requireUser(t, s, second.User)
	requireDuplicate(t, s.CheckAvailable(t.Context(), " practice OF first", "FIRST@example.test"), "org", "email")
	requireDuplicate(t, s.CheckAvailable(t.Context(), "another", "first@example.test"), "email")
	requireDuplicate(t, s.CreateSignUp(t.Context(),
		withNameAndEmail(newUnverifiedSignUp("third"), first.Organisation.Name, "")), "org")
	require.NoError(t, s.AddPasswordReset(t.Context(), newPasswordReset("token", second.User.ID), newMessage("reset"), noon))
	_, err = s.UpdateCredentials(t.Context(), second.User.ID, noon,
		func(c *account.Credentials) (storage.CredentialsEffects, error) {
			return storage.CredentialsEffects{}, verify(&c.User)
		})
	requireDuplicate(t, err, "org", "email")
}

func testSignUpReplacesUnverified(t *testing.T, h Harness) {
	s := h.Open(t)
	mistyped, verifiedUser := createSignUp(t, s, newUnverifiedSignUp("mistyped")), createSignUp(t, s, newSignUp("verified"))
	signUp := withNameAndEmail(newUnverifiedSignUp("corrected"), mistyped.Organisation.Name, "")
	signUp.User.CreatedAt = noon.Add(time.Second)
	signUp.Replaces = []string{verifiedUser.User.ID, mistyped.User.ID, "unknown"}
	createSignUp(t, s, signUp)

	want := mistyped.User
	want.ReplacedAt = signUp.User.CreatedAt
	requireUser(t, s, want)
	requireUser(t, s, verifiedUser.User)
	_, err := s.UserByEmail(t.Context(), mistyped.User.Email)
	requireFault(t, fault.NotFound, err)
	users, err := s.UnverifiedUsers(t.Context(), mistyped.Organisation.Name, mistyped.User.Email, 10)
	require.NoError(t, err)
	require.Equal(t, []account.User{signUp.User}, users)
	_, err = s.Verification(t.Context(), mistyped.Verification.TokenHash)
	require.NoError(t, err, "the link explains what happened")
	require.ElementsMatch(t, []string{verifiedUser.Email.To, signUp.Email.To}, recipients(claimEmails(t, s, noon, 10)))
	orgs, err := s.SweepRegistrations(t.Context(), noon, 10)
	require.NoError(t, err)
	require.Equal(t, []account.Organisation{mistyped.Organisation}, orgs)
}

func testConcurrentVerifications(t *testing.T, h Harness) {
	for name, change := range map[string]func(*storage.SignUp){
		"name":           func(s *storage.SignUp) { s.Organisation.Name = "Wanted" },
		"email":          func(s *storage.SignUp) { s.User.Email = "wanted@example.test" },
		"name and email": func(s *storage.SignUp) { s.Organisation.Name, s.User.Email = "Wanted", "wanted@example.test" },
	} {
		t.Run(name, func(t *testing.T) {
			s := h.Open(t)
			signUps := make([]storage.SignUp, workers)
			for worker := range signUps {
				signUp := newUnverifiedSignUp(strconv.Itoa(worker))
				change(&signUp)
				signUps[worker] = createSignUp(t, s, signUp)
			}
			errs := make([]error, workers)
			h.runConcurrently(t, s, func(worker int, store storage.Store) {
				_, errs[worker] = store.UpdateUser(t.Context(), signUps[worker].User.ID, verify)
			})
			successes := 0
			for worker, err := range errs {
				user, readErr := s.User(t.Context(), signUps[worker].User.ID)
				require.NoError(t, readErr)
				require.Equal(t, err == nil, user.IsVerified())
				if err == nil {
					successes++
					continue
				}
				require.Equal(t, fault.Duplicate, fault.CodeOf(err), "%v", err)
				require.NotEmpty(t, fault.FieldsOf(err))
			}
			require.Equal(t, 1, successes)
		})
	}
}

func testConcurrentVerifyAndReplace(t *testing.T, h Harness) {
	s := h.Open(t)
	signUp := createSignUp(t, s, newUnverifiedSignUp("ada"))
	errs := make([]error, workers)
	h.runConcurrently(t, s, func(worker int, store storage.Store) {
		if worker%2 == 0 {
			correction := newUnverifiedSignUp("worker-" + strconv.Itoa(worker))
			correction.Replaces = []string{signUp.User.ID}
			errs[worker] = store.CreateSignUp(t.Context(), correction)
			return
		}
		_, err := store.UpdateUser(t.Context(), signUp.User.ID, func(u *account.User) error {
			if u.IsReplaced() {
				return account.ErrUnknownLink()
			}
			return verify(u)
		})
		if !fault.Is(err, fault.NotFound) {
			errs[worker] = err
		}
	})
	for _, err := range errs {
		require.NoError(t, err)
	}
	user, err := s.User(t.Context(), signUp.User.ID)
	require.NoError(t, err)
	require.NotEqual(t, user.IsVerified(), user.IsReplaced())
}

func testConcurrentDeleteAndVerify(t *testing.T, h Harness) {
	s := h.Open(t)
	signUp := createSignUp(t, s, newUnverifiedSignUp("ada"))
	errs := make([]error, workers)
	h.runConcurrently(t, s, func(worker int, store storage.Store) {
		if worker%2 == 0 {
			_, errs[worker] = store.DeleteRegistration(t.Context(), signUp.User.ID)
			return
		}
		_, errs[worker] = store.UpdateUser(t.Context(), signUp.User.ID, func(u *account.User) error {
			u.Verify(noon)
			return nil
		})
	})

	user, err := s.User(t.Context(), signUp.User.ID)
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
	requireDeleted(t, s, signUp)
}

func testDeleteRegistrationWithResets(t *testing.T, h Harness) {
	s := h.Open(t)
	signUp := createSignUp(t, s, newUnverifiedSignUp("ada"))
	require.NoError(t,
		s.AddPasswordReset(t.Context(), newPasswordReset("token", signUp.User.ID), newMessage("reset@example.test"), noon))

	_, err := s.DeleteRegistration(t.Context(), signUp.User.ID)

	require.NoError(t, err)
	_, err = s.PasswordReset(t.Context(), "token")
	requireFault(t, fault.NotFound, err)
	require.Empty(t, claimEmails(t, s, noon, 10))
}
