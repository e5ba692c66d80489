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

// few is how many organisations the smaller database has.
const few = 1000

// BenchmarkGrowth is what nearly all requests stay below, in a database of a million organisations
// against one of a thousand.
func BenchmarkGrowth(b *testing.B) {
	onEach(b, func(b *testing.B, kind string, newDatabase func(*testing.B) string) {
		provider := newStripe(b)
		small, large := newTown(b, provider, newDatabase(b), few), newTown(b, provider, newDatabase(b), *crowd)
		figure(b, func(b *testing.B) []row {
			var rows []row
			for _, r := range requests {
				d := byTurns(r.turns, func() float64 { return inMs(large.p99(b, r.count, r.do)) }, func() float64 { return inMs(small.p99(b, r.count, r.do)) })
				rows = append(rows, row{
					wanted: r.wanted, what: fmt.Sprintf("%s at %d organisations, p99, %s", r.what, *crowd, kind), measured: fmt.Sprintf("%.2f ms", d.ours),
					against: fmt.Sprintf("%.2f ms at %d", d.theirs, few), ratio: d.ratio,
				})
			}
			return rows
		})
	})
}

// requests are those that visitors, other services and the provider make most.
var requests = []struct {
	what   string
	turns  int
	count  int // in a turn
	wanted bound
	do     func(*town, context.Context) error
}{
	{"user detail", 15, 200, atMost(1.5), (*town).userDetail},
	{"organisation detail", 15, 200, atMost(1.5), (*town).organisationDetail},
	{"event intake", 9, 200, atMost(1.5), (*town).event},
	{"sign-in", 5, 40, atMost(1.5), (*town).signIn},
	// In a small database all of it fits into the memory beside, which is worth a fraction of a
	// millisecond; nobody notices it in the time of a sign-in.
	{"sign-in's look-up alone", 15, 200, bound{}, (*town).lookUp},
	{"sign-up with taken names", 5, 40, atMost(1.5), (*town).signUpAgain},
	{"sign-up's writing", 9, 200, atMost(1.5), (*town).signUp},
}

// town is a server with many organisations.
type town struct {
	*visitor
	size    int
	store   *sqlstorage.Store
	details []*wire // of people who are signed in
	orgs    []*wire // of theirs
	told    *news
}

// signedIn is how many people are, in a town.
const signedIn = 100

func newTown(b *testing.B, provider *stripe, database string, size int) *town {
	b.Helper()
	require.NoError(b, seed.Fill(b.Context(), database, size, time.Now()))
	t := &town{size: size, store: openStore(b, database)}
	t.told = newNews(b, provider, newClinics(b, provider, t.store, 64, true))
	t.visitor = newVisitor(b, startServer(b, database, provider.settings()...))
	for range signedIn {
		i := t.anybody()
		somebody := t.as(signsIn(b, t.store, identity.Identity{UserID: seed.User(i), OrganisationID: seed.Organisation(i)}))
		t.details = append(t.details, dial(b, somebody.get(b, "/vc-admin/user/detail")))
		t.orgs = append(t.orgs, dial(b, somebody.get(b, "/vc-admin/org/detail/"+seed.Organisation(i))))
	}
	return t
}

// p99 is what 99 of 100 requests stay within.
func (t *town) p99(b *testing.B, count int, do func(*town, context.Context) error) time.Duration {
	b.Helper()
	var all samples
	for range count {
		all = append(all, took(b, func() error { return do(t, b.Context()) }))
	}
	return all.quantile(0.99)
}

// anybody is the number of an organisation.
func (t *town) anybody() int { return 1 + rand.IntN(t.size) }

func (t *town) userDetail(context.Context) error { return t.details[rand.IntN(signedIn)].ask() }

func (t *town) organisationDetail(context.Context) error { return t.orgs[rand.IntN(signedIn)].ask() }

func (t *town) event(ctx context.Context) error { return t.tell(ctx, t.told.next()) }

// signIn is a try with a wrong password.
func (t *town) signIn(ctx context.Context) error {
	status, said, err := t.post(ctx, "/auth/login", map[string]string{"username": seed.Email(t.anybody()), "password": "Wrong-pass-1"})
	return wants(http.StatusUnauthorized, status, said, err)
}

// lookUp finds the account of an e-mail, or finds that there is none, as every sign-in does before it
// hashes.
func (t *town) lookUp(ctx context.Context) error {
	if _, err := t.store.UserByEmail(ctx, seed.Email(t.anybody())); err != nil {
		return err
	}
	_, err := t.store.UserByEmail(ctx, "nobody@practice.example")
	return unless(fault.NotFound, err)
}

// signUp writes a registration, as every sign-up does after it has hashed.
func (t *town) signUp(ctx context.Context) error {
	id := fmt.Sprintf("%08d", rand.IntN(100_000_000))
	return t.store.CreateSignup(ctx, signup(account.Organisation{ID: "new_" + id, Name: "New " + id, CreatedAt: time.Now()}, "new_"+id, id+"@new.example"))
}

// signUpAgain learns that both names are taken.
func (t *town) signUpAgain(ctx context.Context) error {
	i := t.anybody()
	status, said, err := t.post(ctx, "/vc-admin/signup", registration(seed.Name(i), seed.Email(i)))
	return wants(http.StatusBadRequest, status, said, err)
}

// unless is nil for the fault that was wanted.
func unless(want fault.Code, err error) error {
	if fault.Is(err, want) {
		return nil
	}
	return fmt.Errorf("%s expected: %w", want, err)
}
