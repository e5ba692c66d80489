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
		small, large := newPopulatedServer(b, provider, newDatabase(b), smallDatabase),
			newPopulatedServer(b, provider, newDatabase(b), *largeDatabase)
		report(b, func(b *testing.B) []row {
			var rows []row
			for _, r := range requests {
				d := compare(r.turns, func() float64 { return milliseconds(large.p99(b, r.count, r.do)) },
					func() float64 { return milliseconds(small.p99(b, r.count, r.do)) })
				rows = append(rows, row{
					wanted: r.wanted, what: fmt.Sprintf("%s at %d organisations, p99, %s", r.what, *largeDatabase, kind),
					measured: fmt.Sprintf("%.2f ms", d.server),
					against:  fmt.Sprintf("%.2f ms at %d", d.baseline, smallDatabase), ratio: d.ratio,
				})
			}
			return rows
		})
	})
}

// requests are the most frequent requests of users, other services and the provider.
var requests = []struct {
	what   string
	turns  int
	count  int // in a turn
	wanted bound
	do     func(*populatedServer, context.Context) error
}{
	{"user detail", 15, 200, atMost(1.5), (*populatedServer).userDetail},
	{"organisation detail", 15, 200, atMost(1.5), (*populatedServer).organisationDetail},
	{"event intake", 9, 200, atMost(1.5), (*populatedServer).event},
	{"sign-in", 5, 40, atMost(1.5), (*populatedServer).signIn},
	// Without a target: a small database fits into memory, which saves a fraction of a millisecond.
	{"sign-in's look-up alone", 15, 200, bound{}, (*populatedServer).lookUp},
	{"sign-up with taken names", 5, 40, atMost(1.5), (*populatedServer).signUpAgain},
	{"sign-up's writing", 9, 200, atMost(1.5), (*populatedServer).signUp},
}

// populatedServer is a server with many organisations.
type populatedServer struct {
	*client
	size    int
	store   *sqlstorage.Store
	details []*connection // user details of signed-in users
	orgs    []*connection // their organisation details
	events  *eventSource
}

// signedIn is the number of signed-in users.
const signedIn = 100

func newPopulatedServer(b *testing.B, provider *stripe, database string, size int) *populatedServer {
	b.Helper()
	require.NoError(b, seed.Fill(b.Context(), database, size, time.Now()))
	t := &populatedServer{size: size, store: openStore(b, database)}
	t.events = newEventSource(b, provider, newOrganisations(b, provider, t.store, 64, true))
	t.client = newClient(b, startServer(b, database, provider.settings()...))
	for range signedIn {
		i := t.randomOrganisation()
		user := t.withSession(signIn(b, t.store, identity.Identity{UserID: seed.User(i), OrganisationID: seed.Organisation(i)}))
		t.details = append(t.details, newConnection(b, user.get(b, "/vc-admin/user/detail")))
		t.orgs = append(t.orgs, newConnection(b, user.get(b, "/vc-admin/org/detail/"+seed.Organisation(i))))
	}
	return t
}

func (s *populatedServer) p99(b *testing.B, count int, do func(*populatedServer, context.Context) error) time.Duration {
	b.Helper()
	var all samples
	for range count {
		all = append(all, measure(b, func() error { return do(s, b.Context()) }))
	}
	return all.quantile(0.99)
}

func (s *populatedServer) randomOrganisation() int { return 1 + rand.IntN(s.size) }

func (s *populatedServer) userDetail(context.Context) error {
	return s.details[rand.IntN(signedIn)].do()
}

func (s *populatedServer) organisationDetail(context.Context) error {
	return s.orgs[rand.IntN(signedIn)].do()
}

func (s *populatedServer) event(ctx context.Context) error { return s.deliver(ctx, s.events.next()) }

// signIn tries to sign in with a wrong password.
func (s *populatedServer) signIn(ctx context.Context) error {
	status, body, err := s.post(ctx, "/auth/login",
		map[string]string{"username": seed.Email(s.randomOrganisation()), "password": "Wrong-pass-1"})
	return checkStatus(http.StatusUnauthorized, status, body, err)
}

// lookUp finds the accounts of a known and of an unknown email address, as a sign-in does.
func (s *populatedServer) lookUp(ctx context.Context) error {
	if _, err := s.store.UserByEmail(ctx, seed.Email(s.randomOrganisation())); err != nil {
		return err
	}
	_, err := s.store.UserByEmail(ctx, "unknown@practice.example")
	return ignoreFault(fault.NotFound, err)
}

// signUp stores a registration, as a sign-up does.
func (s *populatedServer) signUp(ctx context.Context) error {
	number := newNumber()
	id := "new_" + number
	return s.store.CreateSignup(ctx,
		signup(account.Organisation{ID: id, Name: "New " + number, CreatedAt: time.Now()}, id, number+"@new.example"))
}

// signUpAgain registers names that are taken.
func (s *populatedServer) signUpAgain(ctx context.Context) error {
	i := s.randomOrganisation()
	status, body, err := s.post(ctx, "/vc-admin/signup", registration(seed.Name(i), seed.Email(i)))
	return checkStatus(http.StatusBadRequest, status, body, err)
}

// ignoreFault returns nil for a fault with the code, otherwise err.
func ignoreFault(want fault.Code, err error) error {
	if fault.Is(err, want) {
		return nil
	}
	return fmt.Errorf("%s expected: %w", want, err)
}
