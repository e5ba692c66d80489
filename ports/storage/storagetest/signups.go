package storagetest

import (
	"slices"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/vc-admin/diy/domain/account"
	"github.com/vc-admin/diy/domain/billing"
	"github.com/vc-admin/diy/domain/fault"
	"github.com/vc-admin/diy/ports/mail"
	"github.com/vc-admin/diy/ports/storage"
)

var signupScenarios = []scenario{
	{"CreateSignup stores every field", testSignupStoresEveryField},
	{"CreateSignup stores Unicode and truncates times", testSignupStoresUnicode},
	{"CreateSignup stores a sign-up without optional fields", testSignupWithoutOptionalFields},
	{"CreateSignup with a taken name or email returns Duplicate", testSignupWithTakenNames},
	{"CreateSignup stores nothing when it fails", testFailedSignup},
	{"only one of several concurrent sign-ups with the same email succeeds", testConcurrentSignups},
}

func testSignupStoresEveryField(t *testing.T, h Harness) {
	s := h.Open(t)
	signup := newSignup("ada")
	signup.Organisation = fullOrganisation(signup.Organisation)
	requireNoZeroFields(t, signup)
	require.NoError(t, s.CreateSignup(t.Context(), signup))
	requireSignup(t, s, signup)
}

// testSignupStoresUnicode also stores a time with nanoseconds in another zone, and checks that the store returns it in
// UTC with microseconds.
func testSignupStoresUnicode(t *testing.T, h Harness) {
	s := h.Open(t)
	signup := newSignup("ada")
	signup.Organisation.Name = "Clínica Ñandú · 東京 🩺 e\u0301 'quoted' \"twice\" %_\\"
	signup.Organisation.Address = account.Address{
		Line1: "Straße 1\u00a0b", Line2: "Ⅳ", City: "Łódź", State: "Āwhina", PostalCode: "٢٠٠٠", Country: "PL",
	}
	signup.User.FirstName, signup.User.LastName = "Zoë", "Đặng 王"
	signup.Email = mail.Message{
		To: "zoe@example.test", Subject: "Überprüfen ✉", Text: "žluťoučký\r\n👩🏽‍⚕️", HTML: "<b>&nbsp;ß</b>",
	}
	want := signup
	signup.User.CreatedAt = noon.Add(999 * time.Nanosecond).In(time.FixedZone("east", 5*60*60+45*60))
	require.NoError(t, s.CreateSignup(t.Context(), signup))
	requireSignup(t, s, want)
}

func testSignupWithoutOptionalFields(t *testing.T, h Harness) {
	s := h.Open(t)
	signup := newSignup("ada")
	signup.Organisation.Choice, signup.Organisation.Currency, signup.Organisation.Address.Line2 = account.Choice{}, "", ""
	signup.User.VerifiedAt = time.Time{}
	signup.User.FirstSignInAt = time.Time{}
	require.NoError(t, s.CreateSignup(t.Context(), signup))
	requireSignup(t, s, signup)
	signUp(t, s, "another") // also without a customer
}

// requireSignup requires the store to contain the sign-up, and the outbox to contain only its unclaimed email.
func requireSignup(t *testing.T, s storage.Store, want storage.Signup) {
	t.Helper()
	requireSignupAfterAttempt(t, s, want, want.Organisation.CreatedAt, 1)
}

// requireSignupAfterAttempt does the same as requireSignup, but claims the email at now and requires this claim to be
// the given attempt.
func requireSignupAfterAttempt(t *testing.T, s storage.Store, want storage.Signup, now time.Time, attempt int) {
	t.Helper()
	requireOrganisation(t, s, want.Organisation)
	requireUser(t, s, want.User)
	token, err := s.Verification(t.Context(), want.Verification.TokenHash)
	require.NoError(t, err)
	require.Equal(t, want.Verification, token)
	emails := claimEmails(t, s, now, 2)
	require.Len(t, emails, 1)
	want.Email.ID = emails[0].ID
	require.Equal(t, want.Email, emails[0].Message)
	require.Equal(t, attempt, emails[0].Attempts)
}

// testSignupWithTakenNames checks that the comparison ignores case and outer spaces, but not accents.
func testSignupWithTakenNames(t *testing.T, h Harness) {
	s := h.Open(t)
	firstSignup := newSignup("first")
	firstSignup.Organisation.Name, firstSignup.User.Email = "École Żabka", "zoe@example.test"
	require.NoError(t, s.CreateSignup(t.Context(), firstSignup))

	for _, tt := range []struct {
		name, org, email string
		wantFields       []string
	}{
		{"the same name", "École Żabka", "", []string{"org"}},
		{"the name in capitals", "ÉCOLE ŻABKA", "", []string{"org"}},
		{"the name in lower case", "école żabka", "", []string{"org"}},
		{"the name between spaces", " \t\u00a0École Żabka\u2003\n", "", []string{"org"}},
		{"the same email", "", "zoe@example.test", []string{"email"}},
		{"the email in capitals", "", "ZOE@Example.TEST", []string{"email"}},
		{"the email between spaces", "", "  zoe@example.test ", []string{"email"}},
		{"both", "école Żabka", "Zoe@example.test", []string{"org", "email"}},
		{"a name without its accents", "Ecole Zabka", "", nil},
	} {
		t.Run(tt.name, func(t *testing.T) {
			err := s.CreateSignup(t.Context(), withNameAndEmail(newSignup(tt.name), tt.org, tt.email))
			if tt.wantFields == nil {
				require.NoError(t, err)
				return
			}
			requireDuplicate(t, err, tt.wantFields...)
		})
	}
}

// withNameAndEmail returns the sign-up with the name of the organisation and the email address of the user, unless they are
// empty.
func withNameAndEmail(signup storage.Signup, org, email string) storage.Signup {
	if org != "" {
		signup.Organisation.Name = org
	}
	if email != "" {
		signup.User.Email = email
	}
	return signup
}

// requireDuplicate requires a Duplicate with the fields and a message that mentions only these fields.
func requireDuplicate(t *testing.T, err error, wantFields ...string) {
	t.Helper()
	requireFault(t, fault.Duplicate, err)
	var fields []string
	for _, f := range fault.FieldsOf(err) {
		assert.NotEmpty(t, f.Message)
		fields = append(fields, f.Name)
	}
	require.Equal(t, wantFields, fields)
	var faultErr *fault.Error
	require.ErrorAs(t, err, &faultErr)
	for _, word := range []string{"org", "email"} {
		contains := strings.Contains(faultErr.Message, word)
		assert.Equal(t, slices.Contains(wantFields, word), contains, "%q and %q", faultErr.Message, word)
	}
}

// testFailedSignup makes each statement of the sign-up fail.
func testFailedSignup(t *testing.T, h Harness) {
	for _, tt := range []struct {
		name       string
		invalidate func(signup *storage.Signup, firstSignup storage.Signup)
		code       fault.Code
	}{
		{"taken name", func(signup *storage.Signup, firstSignup storage.Signup) {
			signup.Organisation.Name = firstSignup.Organisation.Name
		}, fault.Duplicate},
		{"taken email", func(signup *storage.Signup, firstSignup storage.Signup) {
			signup.User.Email = firstSignup.User.Email
		}, fault.Duplicate},
		{"stored token", func(signup *storage.Signup, firstSignup storage.Signup) {
			signup.Verification.TokenHash = firstSignup.Verification.TokenHash
		}, fault.Conflict},
		{"two live subscriptions", func(signup *storage.Signup, _ storage.Signup) {
			signup.Organisation.Billing.Subscriptions = []billing.Subscription{
				newSubscription("b", billing.Active, noon), newSubscription("a", billing.Active, noon),
			}
		}, fault.Conflict},
	} {
		t.Run(tt.name, func(t *testing.T) {
			s := h.Open(t)
			firstSignup, signup := signUp(t, s, "first"), newSignup("second")
			tt.invalidate(&signup, firstSignup)
			requireFault(t, tt.code, s.CreateSignup(t.Context(), signup))
			requireNotStored(t, s, newSignup("second"), firstSignup)
		})
	}
}

// requireNotStored requires that the store has no row of the failed sign-up, and that the first sign-up is unchanged.
func requireNotStored(t *testing.T, s storage.Store, failedSignup, firstSignup storage.Signup) {
	t.Helper()
	_, err := s.Organisation(t.Context(), failedSignup.Organisation.ID)
	requireFault(t, fault.NotFound, err)
	_, err = s.User(t.Context(), failedSignup.User.ID)
	requireFault(t, fault.NotFound, err)
	_, err = s.UserByEmail(t.Context(), failedSignup.User.Email)
	requireFault(t, fault.NotFound, err)
	_, err = s.Verification(t.Context(), failedSignup.Verification.TokenHash)
	requireFault(t, fault.NotFound, err)
	requireSignup(t, s, firstSignup)
	require.NoError(t, s.CreateSignup(t.Context(), failedSignup), "the failed sign-up has taken no name")
}

func testConcurrentSignups(t *testing.T, h Harness) {
	s := h.Open(t)
	errs := make([]error, workers)
	h.runConcurrently(t, s, func(worker int, store storage.Store) {
		errs[worker] = store.CreateSignup(t.Context(), sameEmailSignup(worker))
	})

	var winners []storage.Signup
	for worker, err := range errs {
		if err == nil {
			winners = append(winners, sameEmailSignup(worker))
			continue
		}
		requireDuplicate(t, err, "email")
	}
	require.Len(t, winners, 1)
	requireSignup(t, s, winners[0])
}

// sameEmailSignup returns the sign-up of a worker. The sign-ups of all workers have the same email address.
func sameEmailSignup(worker int) storage.Signup {
	signup := newSignup("worker-" + strconv.Itoa(worker))
	signup.User.Email = "wanted@example.test"
	return signup
}
