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

// smallDatabase is the number of organisations in the smaller database.
const smallDatabase = 1000

// BenchmarkGrowth compares the 99th percentiles of requests to a database of a million organisations with
// those to a database of a thousand.
func BenchmarkGrowth(b *testing.B) {
	onEachDatabase(b, func(b *testing.B, kind string, newDatabase func(*testing.B) string) {
		provider := newStripe(b)
		small := newPopulatedServer(b, provider, newDatabase(b), smallDatabase)
		large := newPopulatedServer(b, provider, newDatabase(b), *largeDatabase)
		report(b, func(b *testing.B) []row {
			var rows []row
			for _, r := range requests {
				medians := compare(r.turns, func() float64 { return milliseconds(large.p99(b, r.count, r.do)) },
					func() float64 { return milliseconds(small.p99(b, r.count, r.do)) })
				rows = append(rows, row{
					target: r.target, name: fmt.Sprintf("%s at %d organisations, p99, %s", r.name, *largeDatabase, kind),
					result:   fmt.Sprintf("%.2f ms", medians.server),
					baseline: fmt.Sprintf("%.2f ms at %d", medians.baseline, smallDatabase), ratio: medians.ratio,
				})
			}
			return rows
		})
	})
}

// requests are the most frequent requests of users, other services and the provider.
var requests = []struct {
	name   string
	turns  int
	count  int // in a turn
	target bound
	do     func(*populatedServer, context.Context) error
}{
	{"user detail", 15, 200, atMost(1.5), (*populatedServer).requestUserDetail},
	{"organisation detail", 15, 200, atMost(1.5), (*populatedServer).requestOrganisationDetail},
	{"event intake", 9, 200, atMost(1.5), (*populatedServer).deliverEvent},
	{"sign-in", 5, 40, atMost(1.5), (*populatedServer).signIn},
	// This row has no target, because a small database fits into memory, which saves a fraction of a millisecond.
	{"look-up of a sign-in", 15, 200, bound{}, (*populatedServer).lookUpEmails},
	{"sign-up with existing names", 5, 40, atMost(1.5), (*populatedServer).signUpDuplicate},
	{"storing a sign-up", 9, 200, atMost(1.5), (*populatedServer).storeSignUp},
}

// populatedServer is a server with many organisations.
type populatedServer struct {
	*client
	size    int
	store   *sqlstorage.Store
	details []*connection // user details of signed-in users
	orgs    []*connection // organisation details of the same users
	events  *eventSource
}

// signedInUsers is the number of users who request their details.
const signedInUsers = 100

func newPopulatedServer(b *testing.B, provider *stripe, database string, size int) *populatedServer {
	b.Helper()
	require.NoError(b, seed.Fill(b.Context(), database, size, time.Now()))
	s := &populatedServer{size: size, store: openStore(b, database)}
	s.events = newEventSource(b, provider, newOrganisations(b, provider, s.store, 64, true))
	s.client = newClient(b, startServer(b, database, provider.settings()...))
	for range signedInUsers {
		i := s.randomOrganisation()
		user := s.withSession(signIn(b, s.store, identity.Identity{UserID: seed.UserID(i), OrganisationID: seed.OrganisationID(i)}))
		s.details = append(s.details, newConnection(b, user.get(b, "/vc-admin/user/detail")))
		s.orgs = append(s.orgs, newConnection(b, user.get(b, "/vc-admin/org/detail/"+seed.OrganisationID(i))))
	}
	return s
}

func (s *populatedServer) p99(b *testing.B, count int, do func(*populatedServer, context.Context) error) time.Duration {
	b.Helper()
	var durations samples
	for range count {
		durations = append(durations, measure(b, func() error { return do(s, b.Context()) }))
	}
	return durations.quantile(0.99)
}

func (s *populatedServer) randomOrganisation() int { return 1 + rand.IntN(s.size) }

func (s *populatedServer) requestUserDetail(context.Context) error {
	return s.details[rand.IntN(signedInUsers)].do()
}

func (s *populatedServer) requestOrganisationDetail(context.Context) error {
	return s.orgs[rand.IntN(signedInUsers)].do()
}

func (s *populatedServer) deliverEvent(ctx context.Context) error {
	return s.deliver(ctx, s.events.next())
}

// signIn tries to sign in with a wrong password.
func (s *populatedServer) signIn(ctx context.Context) error {
	status, body, err := s.post(ctx, "/auth/login",
		map[string]string{"username": seed.UserEmail(s.randomOrganisation()), "password": "Wrong-pass-1"})
	return checkStatus(http.StatusUnauthorized, status, body, err)
}

// lookUpEmails finds the accounts of a known and of an unknown email address, as a sign-in does.
func (s *populatedServer) lookUpEmails(ctx context.Context) error {
	if _, err := s.store.UserByEmail(ctx, seed.UserEmail(s.randomOrganisation())); err != nil {
		return err
	}
	_, err := s.store.UserByEmail(ctx, "unknown@practice.example")
	return requireFault(fault.NotFound, err)
}

// storeSignUp stores a registration, as a sign-up does.
func (s *populatedServer) storeSignUp(ctx context.Context) error {
	number := newNumber()
	id := "new_" + number
	return s.store.CreateSignup(ctx,
		signup(account.Organisation{ID: id, Name: "New " + number, CreatedAt: time.Now()}, id, number+"@new.example"))
}

// signUpDuplicate registers an organisation and an email that exist.
func (s *populatedServer) signUpDuplicate(ctx context.Context) error {
	i := s.randomOrganisation()
	status, body, err := s.post(ctx, "/vc-admin/signup", registration(seed.OrganisationName(i), seed.UserEmail(i)))
	return checkStatus(http.StatusBadRequest, status, body, err)
}

// requireFault returns nil if err is a fault with the code, otherwise an error.
func requireFault(want fault.Code, err error) error {
	if fault.Is(err, want) {
		return nil
	}
	return fmt.Errorf("%s expected: %w", want, err)
}
