package httpapi_test

import (
	"net/http"
	"regexp"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/vc-admin/diy/domain/account"
)

// paymentSecret matches the client secrets of the fake provider, which have the form of Stripe's.
var paymentSecret = regexp.MustCompile(`[a-z]+_\w+_secret_\w+`)

// setRole replaces the role of the user with the email in all organisations.
func (s *testServer) setRole(t *testing.T, email string, role account.Role) {
	t.Helper()
	_, err := s.store.Pools()["writes"].ExecContext(t.Context(),
		"UPDATE memberships SET role = ? WHERE user_id = (SELECT id FROM users WHERE email = ?)", string(role), email)
	require.NoError(t, err)
}

// TestReadingMember_GetsNoPaymentSecrets reads while a card has to be authenticated, for a trial and for a first payment.
func TestReadingMember_GetsNoPaymentSecrets(t *testing.T) {
	const email = "ada@sunrise.example"
	for name, body := range map[string]map[string]any{
		"trial":         priceBody("standard_yearly", "yearly"),
		"first payment": disableTrial(priceBody("standard_yearly", "yearly")),
	} {
		t.Run(name, func(t *testing.T) {
			s := newTestServer(t)
			b := s.signUp(t, "Sunrise Clinic", email)
			body["paymentMethodId"] = b.createCard("4000002760003184")
			require.Equal(t, http.StatusOK, b.trySubscribe(body).Status)
			read := func() (bodies string) {
				for _, res := range []response{
					b.post("/vc-admin/org/subscription/list", nil), b.post("/vc-admin/org/invoices/list", nil),
					b.post("/vc-admin/org/customer", nil), b.get("/vc-admin/user/detail"), b.get("/vc-admin/org/billing"),
				} {
					require.Equal(t, http.StatusOK, res.Status, "%s", res.Body)
					bodies += string(res.Body)
				}
				return bodies
			}
			for _, role := range []account.Role{account.Owner, account.BillingMember} {
				s.setRole(t, email, role)
				assert.Regexp(t, paymentSecret, read(), role)
			}

			s.setRole(t, email, account.ReadingMember)

			assert.NotRegexp(t, paymentSecret, read())
		})
	}
}
