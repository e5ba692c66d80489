package flowtest

import (
	"context"
	"regexp"

	"github.com/stretchr/testify/require"

	"github.com/vc-admin/diy/adapters/fakepayment"
	"github.com/vc-admin/diy/app"
	"github.com/vc-admin/diy/domain/account"
	"github.com/vc-admin/diy/ports/identity"
)

// The embedded provider's cards; see its package comment.
const (
	Visa         = "4242424242424242"
	Mastercard   = "5555555555554444"
	AsksHolder   = "4000002500003155"
	NotSaved     = "4000000000000002"
	NeverCharged = "4000000000000341"
)

// Visit is one browser's session.
type Visit struct {
	who      identity.Identity
	signedIn bool
}

// Start signs in.
func (v *Visit) Start(_ context.Context, who identity.Identity) error {
	v.who, v.signedIn = who, true
	return nil
}

// Current is who is signed in.
func (v *Visit) Current(context.Context) (identity.Identity, bool) { return v.who, v.signedIn }

// End signs out.
func (v *Visit) End(context.Context) error {
	*v = Visit{}
	return nil
}

// plainPasswords are for tests in which nobody signs in: they cost no time.
type plainPasswords struct{}

// Common knows of no common password.
func (plainPasswords) Common(string) bool { return false }

// Hash keeps the password as it is.
func (plainPasswords) Hash(_ context.Context, password string) (string, error) { return password, nil }

// Verify compares.
func (plainPasswords) Verify(_ context.Context, password, hash string) (bool, error) {
	return password == hash, nil
}

// Registration is what somebody of that name fills in: an email or more, in lower case.
func Registration(name string) account.Registration {
	return account.Registration{
		FirstName: "Ann", LastName: "Lee", Org: "Practice of " + name, Email: name + "@example.com", Password: "Secret123",
		Phone: "+61 2 9000 0000", Currency: "AUD",
		Address: account.Address{Line1: "1 Long Road", City: "Sydney", State: "NSW", PostalCode: "2000", Country: "AU"},
	}
}

// Member signs an organisation up, verifies it and returns its user, as if signed in.
func (w *World) Member(server *app.UseCases, name string) identity.Identity {
	w.t.Helper()
	user, err := server.SignUp.Do(w.t.Context(), Registration(name))
	require.NoError(w.t, err)
	w.Verify(server, user.Email)
	return identity.Identity{UserID: user.ID, OrganisationID: user.OrganisationID}
}

var verificationLink = regexp.MustCompile(`/vc-admin/auth/verify\?token=(\w+)`)

// Verify opens the link of the newest verification email to the address, in the browser that
// registered. The server at which it is opened may be another than the one that sends the email.
func (w *World) Verify(server *app.UseCases, email string) {
	w.t.Helper()
	_, _, err := server.VerifyEmail.Do(w.t.Context(), w.VerificationToken(email), func(string) bool { return true })
	require.NoError(w.t, err)
}

// VerificationToken delivers the emails that wait and returns the token of the newest verification
// email to the address.
func (w *World) VerificationToken(email string) string {
	w.t.Helper()
	post := w.Server(w.Store, w.Bank)
	_, err := post.AnswerEmailRequests.Do(w.t.Context())
	require.NoError(w.t, err)
	_, err = post.DeliverMail.Do(w.t.Context())
	require.NoError(w.t, err)
	for _, sent := range w.Mailbox.Emails() {
		if found := verificationLink.FindStringSubmatch(sent.Text); sent.To == email && found != nil {
			return found[1]
		}
	}
	require.Fail(w.t, "no verification email", email)
	return ""
}

// Card is the id of a payment method that a browser made of the number.
func (w *World) Card(number string) string {
	w.t.Helper()
	made, err := w.Bank.CreatePaymentMethod(w.t.Context(), fakepayment.CardEntry{
		Number: number, ExpMonth: 12, ExpYear: 2040, CVC: "123",
	})
	require.NoError(w.t, err)
	return made.ID
}
