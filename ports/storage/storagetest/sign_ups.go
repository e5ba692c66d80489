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

var signUpScenarios = []scenario{
	{"CreateSignUp stores every field", testSignUpStoresEveryField},
	{"CreateSignUp stores Unicode and truncates times", testSignUpStoresUnicode},
	{"CreateSignUp stores a sign-up without optional fields", testSignUpWithoutOptionalFields},
	{"CreateSignUp with a taken name or email returns Duplicate", testSignUpWithTakenNames},
	{"CreateSignUp stores nothing when it fails", testFailedSignUp},
	{"only one of several concurrent sign-ups with the same email succeeds", testConcurrentSignUps},
}

func testSignUpStoresEveryField(t *testing.T, h Harness) {
	s := h.Open(t)
	signUp := newSignUp("ada")
	signUp.Organisation = fullOrganisation(signUp.Organisation)
	requireNoZeroFields(t, signUp)
	require.NoError(t, s.CreateSignUp(t.Context(), signUp))
	requireSignUp(t, s, signUp)
}

// testSignUpStoresUnicode also stores a time with nanoseconds in another zone, and checks that the store returns it in
// UTC with microseconds.
func testSignUpStoresUnicode(t *testing.T, h Harness) {
	s := h.Open(t)
	signUp := newSignUp("ada")
	signUp.Organisation.Name = "Clínica Ñandú · 東京 🩺 e\u0301 'quoted' \"twice\" %_\\"
	signUp.Organisation.Address = account.Address{
		Line1: "Straße 1\u00a0b", Line2: "Ⅳ", City: "Łódź", State: "Āwhina", PostalCode: "٢٠٠٠", Country: "PL",
	}
	signUp.User.FirstName, signUp.User.LastName = "Zoë", "Đặng 王"
	signUp.Email = mail.Message{
		To: "zoe@example.test", Subject: "Überprüfen ✉", Text: "žluťoučký\r\n👩🏽‍⚕️", HTML: "<b>&nbsp;ß</b>",
	}
	want := signUp
	signUp.User.CreatedAt = noon.Add(999 * time.Nanosecond).In(time.FixedZone("east", 5*60*60+45*60))
	require.NoError(t, s.CreateSignUp(t.Context(), signUp))
	requireSignUp(t, s, want)
}

func testSignUpWithoutOptionalFields(t *testing.T, h Harness) {
	s := h.Open(t)
	signUp := newSignUp("ada")
	signUp.Organisation.Choice, signUp.Organisation.Currency, signUp.Organisation.Address.Line2 = account.Choice{}, "", ""
	signUp.User.VerifiedAt = time.Time{}
	signUp.User.FirstSignInAt = time.Time{}
	require.NoError(t, s.CreateSignUp(t.Context(), signUp))
	requireSignUp(t, s, signUp)
	storeSignUp(t, s, "another") // also without a customer
}

// requireSignUp requires the store to contain the sign-up, and the outbox to contain only its unclaimed email.
func requireSignUp(t *testing.T, s storage.Store, want storage.SignUp) {
	t.Helper()
	requireSignUpAfterAttempt(t, s, want, want.Organisation.CreatedAt, 1)
}

// requireSignUpAfterAttempt does the same as requireSignUp, but claims the email at now and requires this claim to be
// the given attempt.
func requireSignUpAfterAttempt(t *testing.T, s storage.Store, want storage.SignUp, now time.Time, attempt int) {
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

// testSignUpWithTakenNames checks that the comparison ignores case and outer spaces, but not accents.
func testSignUpWithTakenNames(t *testing.T, h Harness) {
	s := h.Open(t)
	firstSignUp := newSignUp("first")
	firstSignUp.Organisation.Name, firstSignUp.User.Email = "École Żabka", "zoe@example.test"
	require.NoError(t, s.CreateSignUp(t.Context(), firstSignUp))

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
			err := s.CreateSignUp(t.Context(), withNameAndEmail(newSignUp(tt.name), tt.org, tt.email))
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
func withNameAndEmail(signUp storage.SignUp, org, email string) storage.SignUp {
	if org != "" {
		signUp.Organisation.Name = org
	}
	if email != "" {
		signUp.User.Email = email
	}
	return signUp
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

// testFailedSignUp makes each statement of the sign-up fail.
func testFailedSignUp(t *testing.T, h Harness) {
	for _, tt := range []struct {
		name       string
		invalidate func(signUp *storage.SignUp, firstSignUp storage.SignUp)
		code       fault.Code
	}{
		{"taken name", func(signUp *storage.SignUp, firstSignUp storage.SignUp) {
			signUp.Organisation.Name = firstSignUp.Organisation.Name
		}, fault.Duplicate},
		{"taken email", func(signUp *storage.SignUp, firstSignUp storage.SignUp) {
			signUp.User.Email = firstSignUp.User.Email
		}, fault.Duplicate},
		{"stored token", func(signUp *storage.SignUp, firstSignUp storage.SignUp) {
			signUp.Verification.TokenHash = firstSignUp.Verification.TokenHash
		}, fault.Conflict},
		{"two live subscriptions", func(signUp *storage.SignUp, _ storage.SignUp) {
			signUp.Organisation.Billing.Subscriptions = []billing.Subscription{
				newSubscription("b", billing.Active, noon), newSubscription("a", billing.Active, noon),
			}
		}, fault.Conflict},
	} {
		t.Run(tt.name, func(t *testing.T) {
			s := h.Open(t)
			firstSignUp, signUp := storeSignUp(t, s, "first"), newSignUp("second")
			tt.invalidate(&signUp, firstSignUp)
			requireFault(t, tt.code, s.CreateSignUp(t.Context(), signUp))
			requireNotStored(t, s, newSignUp("second"), firstSignUp)
		})
	}
}

// requireNotStored requires that the store has no row of the failed sign-up, and that the first sign-up is unchanged.
func requireNotStored(t *testing.T, s storage.Store, failedSignUp, firstSignUp storage.SignUp) {
	t.Helper()
	_, err := s.Organisation(t.Context(), failedSignUp.Organisation.ID)
	requireFault(t, fault.NotFound, err)
	_, err = s.User(t.Context(), failedSignUp.User.ID)
	requireFault(t, fault.NotFound, err)
	_, err = s.UserByEmail(t.Context(), failedSignUp.User.Email)
	requireFault(t, fault.NotFound, err)
	_, err = s.Verification(t.Context(), failedSignUp.Verification.TokenHash)
	requireFault(t, fault.NotFound, err)
	requireSignUp(t, s, firstSignUp)
	require.NoError(t, s.CreateSignUp(t.Context(), failedSignUp), "the failed sign-up has taken no name")
}

func testConcurrentSignUps(t *testing.T, h Harness) {
	s := h.Open(t)
	errs := make([]error, workers)
	h.runConcurrently(t, s, func(worker int, store storage.Store) {
		errs[worker] = store.CreateSignUp(t.Context(), sameEmailSignUp(worker))
	})

	var winners []storage.SignUp
	for worker, err := range errs {
		if err == nil {
			winners = append(winners, sameEmailSignUp(worker))
			continue
		}
		requireDuplicate(t, err, "email")
	}
	require.Len(t, winners, 1)
	requireSignUp(t, s, winners[0])
}

// sameEmailSignUp returns the sign-up of a worker. The sign-ups of all workers have the same email address.
func sameEmailSignUp(worker int) storage.SignUp {
	signUp := newSignUp("worker-" + strconv.Itoa(worker))
	signUp.User.Email = "wanted@example.test"
	return signUp
}
