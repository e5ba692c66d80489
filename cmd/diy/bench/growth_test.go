package bench

import (
	"context"
	"fmt"
	"math/rand/v2"
	"net/http"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/vc-admin/diy/adapters/sqlstorage"
	"github.com/vc-admin/diy/adapters/sqlstorage/seed"
	"github.com/vc-admin/diy/domain/account"
	"github.com/vc-admin/diy/domain/fault"
	"github.com/vc-admin/diy/ports/identity"
)

// smallDatabaseSize is the number of organisations in the smaller database.
const smallDatabaseSize = 1000

// BenchmarkGrowth compares the 99th percentiles of requests to a database of a million organisations with
// those to a database of a thousand.
func BenchmarkGrowth(b *testing.B) {
	forEachDatabase(b, func(b *testing.B, kind string, newDatabase func(*testing.B) string) {
		provider := newStripe(b)
		small := newPopulatedServer(b, provider, newDatabase(b), smallDatabaseSize)
		large := newPopulatedServer(b, provider, newDatabase(b), *largeDatabaseSize)
		reportRows(b, func(b *testing.B) []row {
			var rows []row
			for _, r := range frequentRequests {
				medians := compare(r.rounds, func() float64 { return milliseconds(large.measureP99(b, r.count, r.do)) },
					func() float64 { return milliseconds(small.measureP99(b, r.count, r.do)) })
				rows = append(rows, row{
					target: r.target, name: fmt.Sprintf("%s at %d organisations, p99, %s", r.name, *largeDatabaseSize, kind),
					result:   fmt.Sprintf("%.2f ms", medians.server),
					baseline: fmt.Sprintf("%.2f ms at %d", medians.baseline, smallDatabaseSize), ratio: medians.ratio,
				})
			}
			return rows
		})
	})
}

// frequentRequests are the most frequent requests of users, other services and the provider.
var frequentRequests = []struct {
	name   string
	rounds int
	count  int // in a round
	target bound
	do     func(*populatedServer, context.Context) error
}{
	{"user detail", 15, 200, atMost(1.5), (*populatedServer).requestUserDetail},
	{"organisation detail", 15, 200, atMost(1.5), (*populatedServer).requestOrganisationDetail},
	{"event intake", 9, 200, atMost(1.5), (*populatedServer).deliverEvent},
	{"sign-in", 5, 40, atMost(1.5), (*populatedServer).signInWithWrongPassword},
	// This row has no target, because a small database fits into memory, which saves a fraction of a millisecond.
	{"look-up of a sign-in", 15, 200, bound{}, (*populatedServer).lookUpEmails},
	{"sign-up with existing names", 5, 40, atMost(1.5), (*populatedServer).signUpExisting},
	{"storing a sign-up", 9, 200, atMost(1.5), (*populatedServer).storeSignUp},
}

// populatedServer is a server with many organisations.
type populatedServer struct {
	*client
	size              int
	store             *sqlstorage.Store
	detailConnections []*connection // user details of signed-in users
	orgConnections    []*connection // organisation details of the same users
	events            *eventSource
}

// signedInUsers is the number of users who request their details.
const signedInUsers = 100

func newPopulatedServer(b *testing.B, provider *stripe, database string, size int) *populatedServer {
	b.Helper()
	require.NoError(b, seed.Fill(b.Context(), database, size, time.Now()))
	s := &populatedServer{size: size, store: openStore(b, database)}
	s.events = newEventSource(b, provider, storeOrganisations(b, provider, s.store, 64, true))
	s.client = newClient(b, startServer(b, database, provider.settings()...))
	for range signedInUsers {
		i := s.randomOrganisationNumber()
		orgID := seed.OrganisationID(i)
		user := s.withSession(createSession(b, s.store, identity.Identity{UserID: seed.UserID(i), OrganisationID: orgID}))
		s.detailConnections = append(s.detailConnections, newConnection(b, user.newGetRequest(b, "/vc-admin/user/detail")))
		s.orgConnections = append(s.orgConnections, newConnection(b, user.newGetRequest(b, "/vc-admin/org/detail/"+orgID)))
	}
	return s
}

func (s *populatedServer) measureP99(b *testing.B, count int, do func(*populatedServer, context.Context) error) time.Duration {
	b.Helper()
	var durations samples
	for range count {
		durations = append(durations, measureDuration(b, func() error { return do(s, b.Context()) }))
	}
	return durations.quantile(0.99)
}

func (s *populatedServer) randomOrganisationNumber() int { return 1 + rand.IntN(s.size) }

func (s *populatedServer) requestUserDetail(context.Context) error {
	return s.detailConnections[rand.IntN(signedInUsers)].sendRequest()
}

func (s *populatedServer) requestOrganisationDetail(context.Context) error {
	return s.orgConnections[rand.IntN(signedInUsers)].sendRequest()
}

func (s *populatedServer) deliverEvent(ctx context.Context) error {
	return s.deliver(ctx, s.events.next())
}

// signInWithWrongPassword tries to sign in with a wrong password.
func (s *populatedServer) signInWithWrongPassword(ctx context.Context) error {
	status, body, err := s.post(ctx, "/auth/login",
		map[string]string{"username": seed.UserEmail(s.randomOrganisationNumber()), "password": "Wrong-pass-1"})
	return checkStatus(http.StatusUnauthorized, status, body, err)
}

// lookUpEmails finds the accounts of a known and of an unknown email address, as a sign-in does.
func (s *populatedServer) lookUpEmails(ctx context.Context) error {
	if _, err := s.store.UserByEmail(ctx, seed.UserEmail(s.randomOrganisationNumber())); err != nil {
		return err
	}
	_, err := s.store.UserByEmail(ctx, "unknown@practice.example")
	return checkFault(fault.NotFound, err)
}

// storeSignUp stores a registration, as a sign-up does.
func (s *populatedServer) storeSignUp(ctx context.Context) error {
	number := newRegistrationNumber()
	id := "new_" + number
	return s.store.CreateSignUp(ctx,
		newSignUp(account.Organisation{ID: id, Name: "New " + number, CreatedAt: time.Now()}, id, number+"@new.example"))
}

// signUpExisting registers an organisation and an email that exist.
func (s *populatedServer) signUpExisting(ctx context.Context) error {
	i := s.randomOrganisationNumber()
	status, body, err := s.post(ctx, "/vc-admin/signup", registrationBody(seed.OrganisationName(i), seed.UserEmail(i)))
	return checkStatus(http.StatusBadRequest, status, body, err)
}

// checkFault returns nil if err is a fault with the code, otherwise an error.
func checkFault(want fault.Code, err error) error {
	if fault.Is(err, want) {
		return nil
	}
	return fmt.Errorf("%s expected: %w", want, err)
}
