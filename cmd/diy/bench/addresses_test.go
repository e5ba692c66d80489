package bench

import (
	"fmt"
	"net/http"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/vc-admin/diy/adapters/sqlstorage"
	"github.com/vc-admin/diy/domain/account"
	"github.com/vc-admin/diy/ports/identity"
)

// Addresses of the measured requests.
const (
	usedAddress       = "ann@clinic.example" // of a verified user
	unverifiedAddress = "eve@clinic.example" // of a registration
	unusedAddress     = "new@clinic.example"
)

// BenchmarkAddresses compares the durations of requests with the address of a verified user and with one that is unused. A
// client must not be able to distinguish the two by their duration. A registration with a used address is not measured, because
// its response, which the specification words, says that the address is used.
func BenchmarkAddresses(b *testing.B) {
	forEachDatabase(b, func(b *testing.B, kind string, newDatabase func(*testing.B) string) {
		database := newDatabase(b)
		store := openStore(b, database)
		visitor := newClient(b, startServer(b, database))
		storeVerifiedUser(b, store, visitor, usedAddress)
		signUp(b, visitor, unverifiedAddress)
		owner := visitor.withSession(createSession(b, store, storeVerifiedUser(b, store, visitor, "owner@clinic.example")))

		reportRows(b, func(b *testing.B) []row {
			var rows []row
			for _, r := range []struct {
				name    string
				client  *client
				path    string
				status  int
				rounds  int
				address string
				body    func(address string) map[string]any
			}{
				{"sign-in, wrong password", visitor, "/auth/login", http.StatusUnauthorized, 200, usedAddress, wrongLogin},
				{"sign-in, unverified", visitor, "/auth/login", http.StatusUnauthorized, 200, unverifiedAddress, wrongLogin},
				{"forgotten password", visitor, "/vc-admin/auth/password/forgot", http.StatusAccepted, 400, usedAddress, emailBody},
				{"another verification", visitor, "/vc-admin/auth/verify/resend", http.StatusAccepted, 400, usedAddress, emailBody},
				{"invitation", owner, "/vc-admin/org/members/invite", http.StatusAccepted, 400, usedAddress, func(address string) map[string]any {
					return map[string]any{"email": address, "role": account.ReadingMember}
				}},
				{"new email", owner, "/vc-admin/user/email", http.StatusAccepted, 400, usedAddress, emailBody},
			} {
				measure := func(address string) float64 {
					return milliseconds(measureDuration(b, func() error {
						status, body, err := r.client.post(b.Context(), r.path, r.body(address))
						return checkStatus(r.status, status, body, err)
					}))
				}
				medians := compare(r.rounds, func() float64 { return measure(r.address) }, func() float64 { return measure(unusedAddress) })
				rows = append(rows, row{
					name: r.name + ", used email, " + kind, result: fmt.Sprintf("%.2f ms", medians.server),
					baseline: fmt.Sprintf("%.2f ms with an unused one", medians.baseline), ratio: medians.ratio, target: between(0.9, 1.1),
				})
			}
			return rows
		})
	})
}

func wrongLogin(address string) map[string]any {
	return map[string]any{"username": address, "password": "Wrong-pass-1"}
}

func emailBody(address string) map[string]any { return map[string]any{"email": address} }

// storeVerifiedUser signs a user up, verifies the address in the database, and returns the identity of a session.
func storeVerifiedUser(b *testing.B, store *sqlstorage.Store, c *client, address string) identity.Identity {
	b.Helper()
	signUp(b, c, address)
	user, err := store.UserByEmail(b.Context(), address)
	require.NoError(b, err)
	_, err = store.UpdateUser(b.Context(), user.ID, func(u *account.User) error {
		u.Verify(u.CreatedAt)
		return nil
	})
	require.NoError(b, err)
	return identity.Identity{UserID: user.ID, OrganisationID: user.OrganisationID, Role: account.Owner}
}

func signUp(b *testing.B, c *client, address string) {
	b.Helper()
	name, _, _ := strings.Cut(address, "@")
	status, body, err := c.post(b.Context(), "/vc-admin/signup", registrationBody("Clinic "+name, address))
	require.NoError(b, checkStatus(http.StatusCreated, status, body, err))
}
