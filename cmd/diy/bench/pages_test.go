package bench

import (
	"context"
	"fmt"
	"net/http"
	"os"
	"regexp"
	"runtime"
	"strconv"
	"testing"
	"time"

	"github.com/alexedwards/argon2id"
	"github.com/stretchr/testify/require"

	"github.com/vc-admin/diy/adapters/sessionidentity"
	"github.com/vc-admin/diy/adapters/sqlstorage/seed"
	"github.com/vc-admin/diy/ports/identity"
)

// plansPage returns the request of a browser for the plans page.
func plansPage(b *testing.B, c *client) *http.Request {
	b.Helper()
	r := c.get(b, "/vc-admin/diy/plans")
	r.Header.Set("Accept-Encoding", "gzip, br")
	return r
}

// startLimit is the target for the first page in milliseconds.
const startLimit = 300

// BenchmarkStart measures the time from starting the binary to the plans page, on a new and on an existing
// database.
func BenchmarkStart(b *testing.B) {
	report(b, func(b *testing.B) []row {
		var onNew, onExisting samples
		for range 11 {
			database := "sqlite:" + b.TempDir() + "/diy.db"
			onNew = append(onNew, startTime(b, database))
			onExisting = append(onExisting, startTime(b, database))
		}
		return []row{startRow("a new database", onNew), startRow("an existing database", onExisting)}
	})
}

func startTime(b *testing.B, database string) time.Duration {
	b.Helper()
	start := time.Now()
	s := startServer(b, database)
	err := newConnection(b, (&client{origin: s.origin()}).get(b, "/vc-admin/diy/plans")).do()
	d := time.Since(start)
	must(err)
	s.stop()
	return d
}

func startRow(with string, all samples) row {
	return row{
		what: "start to first page, " + with, measured: ms(all.median()),
		against: fmt.Sprintf("%d ms (slowest of %d %s)", startLimit, len(all), ms(all.quantile(1))),
		ratio:   milliseconds(all.median()) / startLimit, wanted: atMost(1),
	}
}

// BenchmarkPage compares the rate of the plans page with that of a bare handler that sends the same bytes.
func BenchmarkPage(b *testing.B) {
	r := plansPage(b, &client{origin: startServer(b, newSQLite(b)).origin()})
	bare := plansPage(b, &client{origin: startBare(b, r).origin()})
	pages, bytes := newConnections(b, r), newConnections(b, bare)
	report(b, func(b *testing.B) []row {
		d := compare(9, func() float64 { return requestRate(b, pages) }, func() float64 { return requestRate(b, bytes) })
		return []row{{
			what: "plans page", measured: perSecond(d.server),
			against: perSecond(d.baseline) + " by a bare handler of the same bytes",
			ratio:   d.ratio, wanted: atLeast(0.75),
		}}
	})
}

// BenchmarkUserDetail compares the rate of the session check, with which every screen begins, on PostgreSQL with that on
// SQLite, which needs no round trips.
func BenchmarkUserDetail(b *testing.B) {
	postgres, sqlite := newUserConnections(b, newPostgres(b)), newUserConnections(b, newSQLite(b))
	report(b, func(b *testing.B) []row {
		d := compare(9, func() float64 { return requestRate(b, postgres) }, func() float64 { return requestRate(b, sqlite) })
		return []row{{
			what: "user detail, PostgreSQL", measured: perSecond(d.server), against: perSecond(d.baseline) + " on SQLite",
			ratio: d.ratio, wanted: atLeast(0.7),
		}}
	})
}

// newUserConnections returns connections for the session check of a user with a subscription.
func newUserConnections(b *testing.B, database string) []*connection {
	b.Helper()
	require.NoError(b, seed.Fill(b.Context(), database, smallDatabase, time.Now()))
	cookies := signIn(b, openStore(b, database), identity.Identity{UserID: seed.User(1), OrganisationID: seed.Organisation(1)})
	return newConnections(b, newClient(b, startServer(b, database)).withSession(cookies).get(b, "/vc-admin/user/detail"))
}

func newConnections(b *testing.B, r *http.Request) []*connection {
	b.Helper()
	var all []*connection
	for range connections {
		all = append(all, newConnection(b, r))
	}
	return all
}

// requestRate returns the responses per second of all connections together.
func requestRate(b *testing.B, all []*connection) float64 {
	b.Helper()
	return rate(b, len(all), time.Second, func(i int) error { return all[i].do() })
}

// BenchmarkSignIn compares rejected sign-ins with a known and with an unknown email address, which must not be
// distinguishable by their duration.
func BenchmarkSignIn(b *testing.B) {
	onEachDatabase(b, func(b *testing.B, kind string, newDatabase func(*testing.B) string) {
		c := newClient(b, startServer(b, newDatabase(b)))
		known, status, err := c.register(b.Context())
		require.NoError(b, checkStatus(http.StatusCreated, status, nil, err))
		report(b, func(b *testing.B) []row {
			d := compare(200, func() float64 { return c.refusalTime(b, known) },
				func() float64 { return c.refusalTime(b, "unknown@clinic.example") })
			return []row{{
				what: "sign-in with a known email, median, " + kind, measured: fmt.Sprintf("%.2f ms", d.server),
				against: fmt.Sprintf("%.2f ms with an unknown one", d.baseline), ratio: d.ratio, wanted: between(0.95, 1.05),
			}}
		})
	})
}

// refusalTime returns the duration of a rejected sign-in in milliseconds.
func (c *client) refusalTime(b *testing.B, email string) float64 {
	b.Helper()
	return milliseconds(measure(b, func() error {
		status, body, err := c.post(b.Context(), "/auth/login", map[string]string{"username": email, "password": "Wrong-pass-1"})
		return checkStatus(http.StatusUnauthorized, status, body, err)
	}))
}

// BenchmarkSignUps compares the rate of registrations with the rate of bare password hashes.
func BenchmarkSignUps(b *testing.B) {
	onEachDatabase(b, func(b *testing.B, kind string, newDatabase func(*testing.B) string) {
		c := newClient(b, startServer(b, newDatabase(b)))
		hash := newHash(b)
		report(b, func(b *testing.B) []row {
			d := compare(9, func() float64 {
				return rate(b, 8*runtime.GOMAXPROCS(0), 2*time.Second, func(int) error {
					_, status, err := c.register(b.Context())
					return checkStatus(http.StatusCreated, status, nil, err)
				})
			}, func() float64 {
				return rate(b, runtime.GOMAXPROCS(0), 2*time.Second, func(int) error { return hash() })
			})
			return []row{{
				what: "sign-ups, " + kind, measured: perSecond(d.server), against: perSecond(d.baseline) + " bare hashes",
				ratio: d.ratio, wanted: atLeast(0.85),
			}}
		})
	})
}

// newHash returns a function that hashes with the server's parameters.
func newHash(b *testing.B) func() error {
	b.Helper()
	encoded, err := sessionidentity.NewPasswords().Hash(b.Context(), password)
	require.NoError(b, err)
	parameters, _, _, err := argon2id.DecodeHash(encoded)
	require.NoError(b, err)
	return func() error {
		_, err := argon2id.CreateHash(password, parameters)
		return err
	}
}

const (
	// floodSize is the number of concurrent registrations, which is more than the server queues.
	floodSize = 1500
	// memoryLimit is the memory target in mebibytes.
	memoryLimit = 250
	// pageLimit is the target for the plans page in milliseconds.
	pageLimit = 100
)

// BenchmarkFlood measures the memory of the server, and the plans page, during more registrations than it
// can process.
func BenchmarkFlood(b *testing.B) {
	onEachDatabase(b, func(b *testing.B, kind string, newDatabase func(*testing.B) string) {
		s := startServer(b, newDatabase(b))
		c := newClient(b, s)
		plans := newConnection(b, plansPage(b, c))
		report(b, func(b *testing.B) []row {
			beforeFlood := loadTimes(b, plans, 2*time.Second)
			rateOfFlood, register := make(chan float64), c.registerOrWait(b.Context())
			var failed error
			go func() {
				var tries float64
				tries, failed = tryRate(floodSize, 12*time.Second, register)
				rateOfFlood <- tries
			}()
			duringFlood := loadTimes(b, plans, 10*time.Second)
			tries := <-rateOfFlood
			require.NoError(b, failed)
			memory := peakMemory(b, s)
			return []row{{
				what: "memory in a flood of sign-ups, " + kind, measured: fmt.Sprintf("%.0f MiB", memory),
				against: fmt.Sprintf("%d MiB (%s tried)", memoryLimit, perSecond(tries)), ratio: memory / memoryLimit,
				wanted: atMost(1),
			}, {
				what: "plans page in the flood, 99 of 100, " + kind, measured: ms(duringFlood.quantile(0.99)),
				against: fmt.Sprintf("%d ms (median %s, at rest %s)", pageLimit, ms(duringFlood.median()),
					ms(beforeFlood.median())),
				ratio: milliseconds(duringFlood.quantile(0.99)) / pageLimit, wanted: atMost(1),
			}}
		})
	})
}

// registerOrWait registers, or waits a second when the server is busy.
func (c *client) registerOrWait(ctx context.Context) func(int) error {
	return func(int) error {
		_, status, err := c.register(ctx)
		if status == http.StatusServiceUnavailable {
			<-time.After(time.Second)
			return nil
		}
		return checkStatus(http.StatusCreated, status, nil, err)
	}
}

// loadTimes returns the durations of the plans page, requested with pauses, over a period.
func loadTimes(b *testing.B, plans *connection, d time.Duration) samples {
	b.Helper()
	var all samples
	ticker := time.NewTicker(10 * time.Millisecond)
	defer ticker.Stop()
	for start := time.Now(); time.Since(start) < d; <-ticker.C {
		all = append(all, measure(b, plans.do))
	}
	return all
}

var peak = regexp.MustCompile(`VmHWM:\s+(\d+) kB`)

// peakMemory returns the peak memory of the server in mebibytes.
func peakMemory(b *testing.B, s *server) float64 {
	b.Helper()
	text, err := os.ReadFile(fmt.Sprintf("/proc/%d/status", s.Process.Pid))
	require.NoError(b, err, "Linux only")
	found := peak.FindSubmatch(text)
	require.NotNil(b, found)
	kib, err := strconv.ParseFloat(string(found[1]), 64)
	require.NoError(b, err)
	return kib / 1024
}
