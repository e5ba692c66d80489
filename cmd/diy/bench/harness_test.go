package bench

import (
	"database/sql"
	"flag"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/vc-admin/diy/adapters/sqlstorage"
	"github.com/vc-admin/diy/adapters/sqlstorage/postgrestest"
)

var (
	serverPath        = flag.String("diy", "../../../bin/diy", "the server that is measured")
	largeDatabaseSize = flag.Int("organisations", 1_000_000, "how many organisations the larger database of Growth has")
	// consoleDatabaseSize is smaller by default, so that the benchmarks of the console take a few minutes.
	consoleDatabaseSize = flag.Int("console-organisations", 100_000, "how many organisations the larger database of Console has")
)

func TestMain(m *testing.M) {
	if response := os.Getenv(bareServerVariable); response != "" {
		serveBareResponse(response)
	}
	postgrestest.UseProductionSettings() // with durable commits
	postgrestest.Run(tableReporter{m})
}

// tableReporter prints the table after all benchmarks and fails if a target was missed.
type tableReporter struct{ *testing.M }

func (r tableReporter) Run() int {
	code := r.M.Run()
	if len(results) == 0 {
		return code
	}
	if err := results.write(os.Stdout); err != nil || results.hasMissedTarget() {
		return 1
	}
	return code
}

var results table

// reportRows measures rows and adds them to the table. The rows state whether other processes used the machine.
func reportRows(b *testing.B, measureRows func(b *testing.B) []row) {
	b.Helper()
	share := measureForeignCPUShare()
	rows := measureRows(b)
	b.StopTimer()
	for _, r := range rows {
		r.wasMachineBusy = share > maxForeignCPUShare
		results = append(results, r)
	}
	b.ReportMetric(share*100, "%others")
	b.ReportMetric(0, "ns/op")
	if share > maxForeignCPUShare {
		fmt.Fprintf(os.Stderr, "*** %s: other processes used %.0f%% of the machine\n", b.Name(), share*100)
	}
}

// maxForeignCPUShare is the share of the CPU time up to which other processes do not invalidate a result.
const maxForeignCPUShare = 0.1

// measureForeignCPUShare sleeps for a second and returns the share of the CPU time, from 0 to 1, that other processes used
// in this second. Without /proc it returns 0.
func measureForeignCPUShare() float64 {
	idle, all := cpuTicks()
	<-time.After(time.Second)
	idleAfter, allAfter := cpuTicks()
	usedTicks := (allAfter - all) - (idleAfter - idle)
	return float64(usedTicks) / max(1, float64(allAfter-all))
}

// cpuTicks returns the idle time and the total time of all CPUs since boot.
func cpuTicks() (idle, all int64) {
	text, _ := os.ReadFile("/proc/stat")
	line, _, _ := strings.Cut(string(text), "\n")
	for i, field := range strings.Fields(line) {
		n, _ := strconv.ParseInt(field, 10, 64)
		if i <= 8 { // guest times are part of the first two
			all += n
		}
		if i == 4 || i == 5 { // idle and iowait
			idle += n
		}
	}
	return idle, all
}

// forEachDatabase runs a sub-benchmark on each database. newDatabase returns the URL of a new, migrated database.
func forEachDatabase(b *testing.B, measureDatabase func(b *testing.B, kind string, newDatabase func(*testing.B) string)) {
	b.Run("SQLite", func(b *testing.B) { measureDatabase(b, "SQLite", newSQLiteURL) })
	b.Run("PostgreSQL", func(b *testing.B) { measureDatabase(b, "PostgreSQL", newPostgresURL) })
}

func newSQLiteURL(b *testing.B) string {
	b.Helper()
	return migrate(b, "sqlite:"+filepath.Join(b.TempDir(), "diy.db"))
}

func newPostgresURL(b *testing.B) string {
	b.Helper()
	return migrate(b, postgrestest.URL(b))
}

func migrate(b *testing.B, url string) string {
	b.Helper()
	store := openStore(b, url)
	require.NoError(b, store.Migrate(b.Context()))
	return url
}

func openStore(b *testing.B, url string) *sqlstorage.Store {
	b.Helper()
	store, err := sqlstorage.Open(b.Context(), url)
	require.NoError(b, err)
	b.Cleanup(func() { _ = store.Close() })
	return store
}

// bareDatabase executes transactions that only insert one row.
type bareDatabase struct{ *sql.DB }

// newBareDatabase opens a database with the server's settings.
func newBareDatabase(b *testing.B, url string) bareDatabase {
	b.Helper()
	db := openStore(b, url).Pools()["writes"]
	_, err := db.ExecContext(b.Context(), "CREATE TABLE bare (written TEXT)")
	require.NoError(b, err)
	return bareDatabase{db}
}

func (d bareDatabase) insertRow(b *testing.B) error {
	b.Helper()
	tx, err := d.BeginTx(b.Context(), nil)
	if err != nil {
		return err
	}
	defer func() { _ = tx.Rollback() }()
	if _, err := tx.ExecContext(b.Context(), "INSERT INTO bare (written) VALUES ('"+strings.Repeat("x", 60)+"')"); err != nil {
		return err
	}
	return tx.Commit()
}

const timeout = time.Minute

// server is a server in another process.
type server struct {
	*exec.Cmd
	address string // host and port
}

func (s *server) origin() string { return "http://" + s.address }

// startServer starts the binary on a database, without rate limits.
func startServer(b *testing.B, database string, settings ...string) *server {
	b.Helper()
	path, err := filepath.Abs(*serverPath)
	require.NoError(b, err)
	return startProcess(b, path,
		append([]string{"DIY_ADDR=127.0.0.1:0", "DIY_DATABASE_URL=" + database, "DIY_RATE_LIMITS=off"}, settings...)...)
}

// startProcess starts the program as a server with the environment, waits until it listens and kills it after the benchmark.
func startProcess(b *testing.B, path string, environment ...string) *server {
	b.Helper()
	s := &server{Cmd: exec.CommandContext(b.Context(), path)}
	s.Dir = b.TempDir()
	s.Env = environment
	log, err := os.Create(filepath.Join(s.Dir, "log"))
	require.NoError(b, err)
	s.Stderr = log
	require.NoError(b, s.Start(), "build it first: make bin/diy")
	require.NoError(b, log.Close())
	b.Cleanup(s.stop)
	s.address = waitForListeningAddr(b, log.Name())
	return s
}

func (s *server) stop() {
	_ = s.Process.Kill()
	_ = s.Wait()
}

var listeningLine = regexp.MustCompile(`"msg":"listening","addr":"([^"]+)"`)

// waitForListeningAddr waits until the log of a server contains its address, and returns it.
func waitForListeningAddr(b *testing.B, log string) string {
	b.Helper()
	start := time.Now()
	ticker := time.NewTicker(time.Millisecond)
	defer ticker.Stop()
	for ; ; <-ticker.C {
		body, err := os.ReadFile(log)
		require.NoError(b, err)
		if match := listeningLine.FindSubmatch(body); match != nil {
			return string(match[1])
		}
		require.Less(b, time.Since(start), timeout, "the server does not listen:\n%s", body)
	}
}
