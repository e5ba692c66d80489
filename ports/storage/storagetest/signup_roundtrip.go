package storagetest

import (
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/vc-admin/diy/domain/account"
	"github.com/vc-admin/diy/ports/mail"
	"github.com/vc-admin/diy/ports/storage"
)

func signupKeepsEveryField(t *testing.T, h Harness) {
	s := h.Open(t)
	in := signup("ada")
	in.Organisation = fullOrganisation(in.Organisation)
	requireFilled(t, in)
	require.NoError(t, s.CreateSignup(t.Context(), in))
	requireSignup(t, s, in)
}

// signupKeepsEveryScript also gives instants in another zone, finer than microseconds.
func signupKeepsEveryScript(t *testing.T, h Harness) {
	s := h.Open(t)
	in := signup("ada")
	in.Organisation.Name = "Clínica Ñandú · 東京 🩺 e\u0301 'quoted' \"twice\" %_\\"
	in.Organisation.Address = account.Address{
		Line1: "Straße 1\u00a0b", Line2: "Ⅳ", City: "Łódź", State: "Āwhina", PostalCode: "٢٠٠٠", Country: "PL",
	}
	in.User.FirstName, in.User.LastName = "Zoë", "Đặng 王"
	in.Email = mail.Message{
		To: "zoe@example.test", Subject: "Überprüfen ✉", Text: "žluťoučký\r\n👩🏽‍⚕️", HTML: "<b>&nbsp;ß</b>",
	}
	want := in
	in.User.CreatedAt = noon.Add(999 * time.Nanosecond).In(time.FixedZone("east", 5*60*60+45*60))
	require.NoError(t, s.CreateSignup(t.Context(), in))
	requireSignup(t, s, want)
}

func signupKeepsNothing(t *testing.T, h Harness) {
	s := h.Open(t)
	in := signup("ada")
	in.Organisation.Choice, in.Organisation.Currency, in.Organisation.Address.Line2 = account.Choice{}, "", ""
	in.User.VerifiedAt = time.Time{}
	require.NoError(t, s.CreateSignup(t.Context(), in))
	requireSignup(t, s, in)
	signedUp(t, s, "another") // that has no customer either
}

// requireSignup wants all four parts of a sign-up, its email unclaimed and the only one.
func requireSignup(t *testing.T, s storage.Store, want storage.Signup) {
	t.Helper()
	requireSignupAt(t, s, want, want.Organisation.CreatedAt, 1)
}

// requireSignupAt is requireSignup at an instant at which the email is due for another attempt.
func requireSignupAt(t *testing.T, s storage.Store, want storage.Signup, now time.Time, attempt int) {
	t.Helper()
	requireOrganisation(t, s, want.Organisation)
	requireUser(t, s, want.User)
	token, err := s.Verification(t.Context(), want.Verification.TokenHash)
	require.NoError(t, err)
	require.Equal(t, want.Verification, token)
	emails := claim(t, s, now, 2)
	require.Len(t, emails, 1)
	require.Equal(t, want.Email, emails[0].Message)
	require.Equal(t, attempt, emails[0].Attempts)
}
