package bench

import (
	"context"
	"fmt"
	"math/rand/v2"
	"net/http"
	"runtime"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/vc-admin/diy/adapters/sqlstorage"
	"github.com/vc-admin/diy/adapters/sqlstorage/seed"
	"github.com/vc-admin/diy/adapters/systemclock"
	"github.com/vc-admin/diy/app/operators"
	"github.com/vc-admin/diy/domain/account"
	"github.com/vc-admin/diy/ports/identity"
	"github.com/vc-admin/diy/ports/storage"
)

// consoleBenchmark is a database with many organisations and the use cases of operators.
type consoleBenchmark struct {
	operators.UseCases
	size int
}

func newConsoleBenchmark(b *testing.B, database string, size int) consoleBenchmark {
	b.Helper()
	require.NoError(b, seed.Fill(b.Context(), database, size, time.Now()))
	store := openStore(b, database)
	return consoleBenchmark{operators.New(operators.Ports{Store: store, Clock: systemclock.New()}), size}
}

// find searches and requires the number of matches.
func (c consoleBenchmark) find(ctx context.Context, query string, matches int) error {
	found, err := c.FindOrganisations.Do(ctx, query)
	if err == nil && (found.TimedOut || len(found.Matches) != matches) {
		err = fmt.Errorf("%q finds %d organisations instead of %d", query, len(found.Matches), matches)
	}
	return err
}

// consoleRequests are what operators do most. The limits are the figures of the design, with a million organisations.
var consoleRequests = []struct {
	name                 string
	maxSQLite, maxServer time.Duration // the latter on PostgreSQL
	do                   func(ctx context.Context, c consoleBenchmark, i int) error
}{
	{"email", time.Millisecond, 6 * time.Millisecond, func(ctx context.Context, c consoleBenchmark, i int) error {
		return c.find(ctx, seed.UserEmail(i), 1)
	}},
	{"invoice number", time.Millisecond, 6 * time.Millisecond, func(ctx context.Context, c consoleBenchmark, i int) error {
		return c.find(ctx, seed.InvoiceNumber(i), 1)
	}},
	{"name and last four", 2 * time.Millisecond, 7 * time.Millisecond, func(ctx context.Context, c consoleBenchmark, i int) error {
		return c.find(ctx, seed.OrganisationName(i)+" "+seed.LastFour(i), 1)
	}},
	{"two common words", 5 * time.Millisecond, 25 * time.Millisecond, func(ctx context.Context, c consoleBenchmark, _ int) error {
		return c.find(ctx, "practice ann", 25)
	}},
	{"organisation page", 5 * time.Millisecond, 25 * time.Millisecond, func(ctx context.Context, c consoleBenchmark, i int) error {
		_, err := c.ViewOrganisation.Do(ctx, seed.OrganisationID(i))
		return err
	}},
}

// BenchmarkOperatorsConsole compares the medians of searches and views of operators at two sizes of the database.
func BenchmarkOperatorsConsole(b *testing.B) {
	forEachDatabase(b, func(b *testing.B, kind string, newDatabase func(*testing.B) string) {
		small := newConsoleBenchmark(b, newDatabase(b), smallDatabaseSize)
		large := newConsoleBenchmark(b, newDatabase(b), *consoleDatabaseSize)
		ctx := operators.WithOperator(b.Context(), operators.CommandLine("bench"))
		reportRows(b, func(b *testing.B) []row {
			var rows []row
			for _, r := range consoleRequests {
				limit := r.maxSQLite
				if kind != "SQLite" {
					limit = r.maxServer
				}
				measure := func(c consoleBenchmark) float64 {
					var durations samples
					for range 20 {
						i := 1 + rand.IntN(c.size)
						durations = append(durations, measureDuration(b, func() error { return r.do(ctx, c, i) }))
					}
					return milliseconds(durations.median())
				}
				medians := compare(9, func() float64 { return measure(large) }, func() float64 { return measure(small) })
				rows = append(rows, row{
					name:     fmt.Sprintf("console: %s at %d organisations, %s", r.name, *consoleDatabaseSize, kind),
					result:   fmt.Sprintf("%.2f ms", medians.server),
					baseline: fmt.Sprintf("%s (%.2f ms at %d)", limit, medians.baseline, smallDatabaseSize),
					ratio:    medians.server / milliseconds(limit), target: atMost(1),
				})
			}
			return rows
		})
	})
}

// BenchmarkOperatorsAuditLog compares the rates of sign-ins and sign-ups with those of a server whose database discards the
// entries of the audit log. The statement that inserts an entry is a part of both.
func BenchmarkOperatorsAuditLog(b *testing.B) {
	forEachDatabase(b, func(b *testing.B, kind string, newDatabase func(*testing.B) string) {
		database, unaudited := newDatabase(b), newDatabase(b)
		discardAuditEntries(b, kind, unaudited)
		with, without := newClient(b, startServer(b, database)), newClient(b, startServer(b, unaudited))
		emails := map[*client][]string{}
		for c, url := range map[*client]string{with: database, without: unaudited} {
			for range concurrentConnections {
				emails[c] = append(emails[c], c.registerVerified(b, url))
			}
		}
		signIns := func(c *client) func() float64 {
			return func() float64 {
				return measureRate(b, concurrentConnections, time.Second, func(i int) error {
					status, body, err := c.post(b.Context(), "/auth/login", map[string]string{"username": emails[c][i], "password": password})
					return checkStatus(http.StatusOK, status, body, err)
				})
			}
		}
		signUps := func(c *client) func() float64 {
			return func() float64 {
				return measureRate(b, 8*runtime.GOMAXPROCS(0), time.Second, func(int) error {
					_, status, err := c.register(b.Context())
					return checkStatus(http.StatusCreated, status, nil, err)
				})
			}
		}
		reportRows(b, func(*testing.B) []row {
			newRow := func(name string, medians comparison) row {
				return row{
					name: name + " with the audit log, " + kind, result: formatRate(medians.server),
					baseline: formatRate(medians.baseline) + " without its row", ratio: medians.ratio, target: atLeast(0.95),
				}
			}
			return []row{
				newRow("sign-ins", compare(9, signIns(with), signIns(without))),
				newRow("sign-ups", compare(9, signUps(with), signUps(without))),
			}
		})
	})
}

// discardAuditEntries makes the database discard all entries of the audit log.
func discardAuditEntries(b *testing.B, kind, database string) {
	b.Helper()
	statements := []string{"CREATE TRIGGER discard BEFORE INSERT ON audit BEGIN SELECT RAISE(IGNORE); END"}
	if kind != "SQLite" {
		statements = []string{
			"CREATE FUNCTION discard() RETURNS trigger LANGUAGE plpgsql AS 'BEGIN RETURN NULL; END'",
			"CREATE TRIGGER discard BEFORE INSERT ON audit FOR EACH ROW EXECUTE FUNCTION discard()",
		}
	}
	for _, statement := range statements {
		_, err := openStore(b, database).Pools()["writes"].ExecContext(b.Context(), statement)
		require.NoError(b, err)
	}
}

// registerVerified signs a user up whose email is verified in the database.
func (c *client) registerVerified(b *testing.B, database string) (email string) {
	b.Helper()
	email, status, err := c.register(b.Context())
	require.NoError(b, checkStatus(http.StatusCreated, status, nil, err))
	store := openStore(b, database)
	user, err := store.UserByEmail(b.Context(), email)
	require.NoError(b, err)
	_, err = store.UpdateUser(b.Context(), user.ID, func(u *account.User) error {
		u.VerifiedAt = time.Now()
		return nil
	})
	require.NoError(b, err)
	return email
}

// The statements of the session check, as SQL on both databases: with the membership, and as it would be without.
const (
	sessionWithMembership = `SELECT s.user_id, m.role FROM sessions s
		JOIN memberships m ON m.user_id = s.user_id AND m.organisation_id = s.organisation_id WHERE s.token_hash = 'hash_10000500'`
	sessionAlone = `SELECT s.user_id, s.organisation_id FROM sessions s WHERE s.token_hash = 'hash_10000500'`
)

// BenchmarkOperatorsSessions compares the session check with the membership to one without, and a switch of the organisation
// with the request of a user's details. Both are one request.
func BenchmarkOperatorsSessions(b *testing.B) {
	forEachDatabase(b, func(b *testing.B, kind string, newDatabase func(*testing.B) string) {
		database := newDatabase(b)
		require.NoError(b, seed.Fill(b.Context(), database, smallDatabaseSize, time.Now()))
		store := openStore(b, database)
		organisations := []string{seed.OrganisationID(1), seed.OrganisationID(2)}
		joinOrganisation(b, store, seed.UserID(1), organisations[1])
		caller := identity.Identity{UserID: seed.UserID(1), OrganisationID: organisations[0]}
		user := newClient(b, startServer(b, database)).withSession(createSession(b, store, caller))
		detail := newConnection(b, user.newGetRequest(b, "/vc-admin/user/detail"))
		lookUp := func(statement string) func() float64 {
			return func() float64 {
				return measureRate(b, 1, time.Second/2, func(int) error {
					var userID, other string
					return store.Pools()["reads"].QueryRowContext(b.Context(), statement).Scan(&userID, &other)
				})
			}
		}
		switches := 0
		switchOrganisation := func() float64 {
			var durations samples
			for range 50 {
				switches++
				durations = append(durations, measureDuration(b, func() error {
					status, body, err := user.post(b.Context(), "/vc-admin/user/organisation", map[string]string{"id": organisations[switches%2]})
					return checkStatus(http.StatusOK, status, body, err)
				}))
			}
			return milliseconds(durations.median())
		}
		readDetail := func() float64 {
			var durations samples
			for range 50 {
				durations = append(durations, measureDuration(b, detail.sendRequest))
			}
			return milliseconds(durations.median())
		}
		reportRows(b, func(*testing.B) []row {
			joins := compare(9, lookUp(sessionWithMembership), lookUp(sessionAlone))
			requests := compare(5, switchOrganisation, readDetail)
			return []row{{
				name: "look-up of a session with the membership, " + kind, result: formatRate(joins.server),
				baseline: formatRate(joins.baseline) + " without it", ratio: joins.ratio, target: atLeast(0.5),
			}, {
				name: "switch of the organisation, one request, " + kind, result: fmt.Sprintf("%.2f ms", requests.server),
				baseline: fmt.Sprintf("%.2f ms for user details", requests.baseline), ratio: requests.ratio,
			}}
		})
	})
}

// joinOrganisation makes a user a member of another organisation.
func joinOrganisation(b *testing.B, store *sqlstorage.Store, userID, organisationID string) {
	b.Helper()
	_, err := store.UpdateTeam(b.Context(), organisationID, time.Now(), func(team *account.Team) (storage.TeamEffects, error) {
		team.Members = append(team.Members, account.Member{Membership: account.Membership{
			UserID: userID, OrganisationID: organisationID, Role: account.Owner, JoinedAt: time.Now(), LastUsedAt: time.Now(),
		}})
		return storage.TeamEffects{}, nil
	})
	require.NoError(b, err)
}
