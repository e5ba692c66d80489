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

// newPlansRequest returns the request of a browser for the plans page.
func newPlansRequest(b *testing.B, c *client) *http.Request {
	b.Helper()
	r := c.newGetRequest(b, "/vc-admin/diy/plans")
	r.Header.Set("Accept-Encoding", "gzip, br")
	return r
}

// maxStartMillis is the target for the first page in milliseconds.
const maxStartMillis = 300

// BenchmarkStart measures the time from starting the binary to the plans page, on a new and on an existing
// database.
func BenchmarkStart(b *testing.B) {
	reportRows(b, func(b *testing.B) []row {
		var newTimes, existingTimes samples
		for range 11 {
			database := "sqlite:" + b.TempDir() + "/diy.db"
			newTimes = append(newTimes, measureStart(b, database))
			existingTimes = append(existingTimes, measureStart(b, database))
		}
		return []row{newStartRow("a new database", newTimes), newStartRow("an existing database", existingTimes)}
	})
}

func measureStart(b *testing.B, database string) time.Duration {
	b.Helper()
	start := time.Now()
	s := startServer(b, database)
	err := newConnection(b, (&client{origin: s.origin()}).newGetRequest(b, "/vc-admin/diy/plans")).sendRequest()
	d := time.Since(start)
	must(err)
	s.stop()
	return d
}

func newStartRow(database string, durations samples) row {
	return row{
		name: "start to first page, " + database, result: formatMilliseconds(durations.median()),
		baseline: fmt.Sprintf("%d ms (slowest of %d %s)", maxStartMillis, len(durations), formatMilliseconds(durations.quantile(1))),
		ratio:    milliseconds(durations.median()) / maxStartMillis, target: atMost(1),
	}
}

// BenchmarkPage compares the rate of the plans page with that of a bare handler that sends the same bytes.
func BenchmarkPage(b *testing.B) {
	r := newPlansRequest(b, &client{origin: startServer(b, newSQLiteURL(b)).origin()})
	bareRequest := newPlansRequest(b, &client{origin: startBareServer(b, r).origin()})
	pageConnections, bareConnections := newConnections(b, r), newConnections(b, bareRequest)
	reportRows(b, func(b *testing.B) []row {
		medians := compare(9, func() float64 { return measureRequestRate(b, pageConnections) },
			func() float64 { return measureRequestRate(b, bareConnections) })
		return []row{{
			name: "plans page", result: formatRate(medians.server),
			baseline: formatRate(medians.baseline) + " by a bare handler of the same bytes",
			ratio:    medians.ratio, target: atLeast(0.75),
		}}
	})
}

// BenchmarkUserDetail compares session checks per second on PostgreSQL and on SQLite, which needs no round trips. Every
// screen begins with this check.
func BenchmarkUserDetail(b *testing.B) {
	postgres, sqlite := newUserConnections(b, newPostgresURL(b)), newUserConnections(b, newSQLiteURL(b))
	reportRows(b, func(b *testing.B) []row {
		medians := compare(9, func() float64 { return measureRequestRate(b, postgres) },
			func() float64 { return measureRequestRate(b, sqlite) })
		return []row{{
			name: "user detail, PostgreSQL", result: formatRate(medians.server), baseline: formatRate(medians.baseline) + " on SQLite",
			ratio: medians.ratio, target: atLeast(0.5),
		}}
	})
}

// newUserConnections returns connections for the session check of a user with a subscription.
func newUserConnections(b *testing.B, database string) []*connection {
	b.Helper()
	require.NoError(b, seed.Fill(b.Context(), database, smallDatabaseSize, time.Now()))
	cookies := createSession(b, openStore(b, database), identity.Identity{UserID: seed.UserID(1), OrganisationID: seed.OrganisationID(1)})
	return newConnections(b, newClient(b, startServer(b, database)).withSession(cookies).newGetRequest(b, "/vc-admin/user/detail"))
}

func newConnections(b *testing.B, r *http.Request) []*connection {
	b.Helper()
	var conns []*connection
	for range concurrentConnections {
		conns = append(conns, newConnection(b, r))
	}
	return conns
}

// measureRequestRate returns the responses per second of all connections together.
func measureRequestRate(b *testing.B, conns []*connection) float64 {
	b.Helper()
	return measureRate(b, len(conns), time.Second, func(i int) error { return conns[i].sendRequest() })
}

// BenchmarkSignUps compares the rate of registrations with the rate of bare password hashes.
func BenchmarkSignUps(b *testing.B) {
	forEachDatabase(b, func(b *testing.B, kind string, newDatabase func(*testing.B) string) {
		c := newClient(b, startServer(b, newDatabase(b)))
		hash := newPasswordHasher(b)
		reportRows(b, func(b *testing.B) []row {
			medians := compare(9, func() float64 {
				return measureRate(b, 8*runtime.GOMAXPROCS(0), 2*time.Second, func(int) error {
					_, status, err := c.register(b.Context())
					return checkStatus(http.StatusCreated, status, nil, err)
				})
			}, func() float64 {
				return measureRate(b, runtime.GOMAXPROCS(0), 2*time.Second, func(int) error { return hash() })
			})
			return []row{{
				name: "sign-ups, " + kind, result: formatRate(medians.server), baseline: formatRate(medians.baseline) + " bare hashes",
				ratio: medians.ratio, target: atLeast(0.85),
			}}
		})
	})
}

// newPasswordHasher returns a function that hashes with the server's parameters.
func newPasswordHasher(b *testing.B) func() error {
	b.Helper()
	passwordHash, err := sessionidentity.NewPasswords().Hash(b.Context(), password)
	require.NoError(b, err)
	parameters, _, _, err := argon2id.DecodeHash(passwordHash)
	require.NoError(b, err)
	return func() error {
		_, err := argon2id.CreateHash(password, parameters)
		return err
	}
}

const (
	// floodWorkers is the number of concurrent registrations, which is more than the server queues.
	floodWorkers = 1500
	// maxMemoryMiB is the memory target in mebibytes.
	maxMemoryMiB = 250
	// maxPageMillis is the target for the plans page in milliseconds.
	maxPageMillis = 100
)

// BenchmarkSignUpFlood measures the server's memory and the latency of the plans page while clients send more registrations
// than the server can process.
func BenchmarkSignUpFlood(b *testing.B) {
	forEachDatabase(b, func(b *testing.B, kind string, newDatabase func(*testing.B) string) {
		s := startServer(b, newDatabase(b))
		c := newClient(b, s)
		plans := newConnection(b, newPlansRequest(b, c))
		reportRows(b, func(b *testing.B) []row {
			beforeFlood := measureLoadTimes(b, plans, 2*time.Second)
			floodRate, register := make(chan float64), c.registerOrWait(b.Context())
			var floodErr error
			go func() {
				var attemptsPerSecond float64
				attemptsPerSecond, floodErr = tryMeasureRate(floodWorkers, 12*time.Second, register)
				floodRate <- attemptsPerSecond
			}()
			duringFlood := measureLoadTimes(b, plans, 10*time.Second)
			attemptsPerSecond := <-floodRate
			require.NoError(b, floodErr)
			memory := peakMemory(b, s)
			return []row{{
				name: "memory under a load of sign-ups, " + kind, result: fmt.Sprintf("%.0f MiB", memory),
				baseline: fmt.Sprintf("%d MiB (%s tried)", maxMemoryMiB, formatRate(attemptsPerSecond)), ratio: memory / maxMemoryMiB,
				target: atMost(1),
			}, {
				name: "plans page under load, 99th percentile, " + kind, result: formatMilliseconds(duringFlood.quantile(0.99)),
				baseline: fmt.Sprintf("%d ms (median %s, at rest %s)", maxPageMillis, formatMilliseconds(duringFlood.median()),
					formatMilliseconds(beforeFlood.median())),
				ratio: milliseconds(duringFlood.quantile(0.99)) / maxPageMillis, target: atMost(1),
			}}
		})
	})
}

// registerOrWait returns a function that registers, and waits a second if the server is busy.
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

// measureLoadTimes requests the plans page every 10 ms for a period and returns the durations.
func measureLoadTimes(b *testing.B, plans *connection, d time.Duration) samples {
	b.Helper()
	var durations samples
	ticker := time.NewTicker(10 * time.Millisecond)
	defer ticker.Stop()
	for start := time.Now(); time.Since(start) < d; <-ticker.C {
		durations = append(durations, measureDuration(b, plans.sendRequest))
	}
	return durations
}

var peakMemoryLine = regexp.MustCompile(`VmHWM:\s+(\d+) kB`)

// peakMemory returns the peak memory of the server in mebibytes.
func peakMemory(b *testing.B, s *server) float64 {
	b.Helper()
	text, err := os.ReadFile(fmt.Sprintf("/proc/%d/status", s.Process.Pid))
	require.NoError(b, err, "Linux only")
	match := peakMemoryLine.FindSubmatch(text)
	require.NotNil(b, match)
	kib, err := strconv.ParseFloat(string(match[1]), 64)
	require.NoError(b, err)
	return kib / 1024
}
