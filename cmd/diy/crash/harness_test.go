package crash

import (
	"context"
	"fmt"
	"math/rand/v2"
	"net"
	"net/http"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"sync"
	"sync/atomic"
	"syscall"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/vc-admin/diy/adapters/devclock"
)

const (
	// concurrentUsers is the number of users who send requests at the same time.
	concurrentUsers = 5
	// killsPerComparison is the number of kills between two comparisons.
	killsPerComparison = 25
	// overdueDelay is the time after which a monthly subscription has been charged again once.
	overdueDelay = 32 * 24 * time.Hour
	// takeoverDelay is longer than the time after which a server settles an operation of another server.
	takeoverDelay = 3 * time.Minute
)

// harness runs one server after another on a database and a provider, while users send requests.
type harness struct {
	t                *testing.T
	launcher         serverLauncher
	database         string // its URL
	rnd              *rand.Rand
	report           *report
	recorder         recorder
	server           *process     // the latest server
	overdueUsers     chan *user   // see prepareOverdueUsers
	bankAccountUsers []*user      // see subscribeFromBankAccount
	stripe           *stripe      // nil if the provider is part of the server
	usesGateway      bool         // whether enginepayment bills with the fake gateway, which is part of the server
	stepLock         sync.RWMutex // read-locked during every step of a user
	isStopping       atomic.Bool  // whether users stop after their current step
}

// newHarness returns a harness on the database, or on a new SQLite database for "". Harnesses with different numbers have
// different random numbers and addresses.
func newHarness(t *testing.T, binary, database string, number uint64) *harness {
	t.Helper()
	folder := t.TempDir()
	require.NoError(t, os.Mkdir(filepath.Join(folder, "data"), 0o700))
	if database == "" {
		database = "sqlite:" + filepath.Join(folder, "diy.db")
	}
	return &harness{
		t: t, database: database, report: newReport(), rnd: rand.New(rand.NewPCG(runSeed(), number)),
		launcher: serverLauncher{
			binary: binary, folder: folder,
			env: []string{"DIY_DATABASE_URL=" + database, "DIY_ADDR=" + loopbackAddress(t, number) + ":0"},
		},
	}
}

// loopbackAddress returns a different loopback address for each number, so that a late request can't reach the server of
// another harness. On a machine with only one loopback address it returns 127.0.0.1.
func loopbackAddress(t *testing.T, number uint64) string {
	t.Helper()
	address := fmt.Sprintf("127.0.0.%d", 10+number)
	l, err := (&net.ListenConfig{}).Listen(t.Context(), "tcp", address+":0")
	if err != nil {
		return "127.0.0.1"
	}
	require.NoError(t, l.Close())
	return address
}

// devFile returns the path of a file that the server keeps beside the database.
func (h *harness) devFile(extension string) string {
	if path, ok := strings.CutPrefix(h.database, "sqlite:"); ok {
		return path + "." + extension
	}
	return filepath.Join(h.launcher.folder, "data", "postgres."+extension)
}

// runKills kills servers while users send requests, and compares the data regularly and at the end.
func (h *harness) runKills(kills int) {
	h.overdueUsers = make(chan *user, kills/killsPerOverdueUser+1)
	h.prepareOverdueUsers(cap(h.overdueUsers))
	ctx, cancel := context.WithCancel(h.t.Context())
	defer cancel()
	var users sync.WaitGroup
	for range concurrentUsers {
		rnd := rand.New(rand.NewPCG(h.rnd.Uint64(), 0))
		users.Go(func() { h.runUsers(ctx, rnd) })
	}
	nextPlan := newKillPlanner(h.rnd)
	for count := 1; count <= kills; count++ {
		h.runAndKill(nextPlan())
		if count%killsPerComparison == 0 && count < kills {
			h.compareWhilePaused()
		}
	}
	server := h.startServer("")
	h.isStopping.Store(true)
	if h.usesGateway {
		h.advanceRunningClocks(takeoverDelay) // the server takes over the charges for which users wait
	}
	users.Wait()
	h.kill(server, killWhilePaused)
	h.settleBankPayments()
	h.settleAndCompare()
}

// runAndKill runs a server until it is killed as planned. Before about every other server the clock moves by takeoverDelay,
// so that the server settles all pending operations.
func (h *harness) runAndKill(p killPlan) {
	if h.rnd.IntN(2) == 0 {
		h.advanceClocks(takeoverDelay)
	}
	server := h.startServer(p.crashAt())
	point := p.point
	select {
	case <-server.exited:
	case <-time.After(p.delay):
		point = killAtRandom
	}
	h.kill(server, point)
}

// kill kills the server and counts the kill.
func (h *harness) kill(server *process, point string) {
	h.launcher.kill(h.t, server)
	h.report.countKill(point)
}

// startServer starts a server. If crashAt is not "", the server kills itself at that crash point.
func (h *harness) startServer(crashAt string) *process {
	server, elapsed := h.launcher.start(h.t, crashAt)
	h.report.recordStartDuration(elapsed)
	h.server = server
	return server
}

// advanceClocks moves the stored clock and the clock of the provider. No server may run.
func (h *harness) advanceClocks(d time.Duration) {
	clock, err := devclock.Open(h.devFile("clock"), nil)
	require.NoError(h.t, err)
	_, err = clock.Advance(d)
	require.NoError(h.t, err)
	if h.stripe != nil {
		h.stripe.advance(h.t, d)
	}
}

// compareWhilePaused compares the data between two steps of the users.
func (h *harness) compareWhilePaused() {
	server := h.startServer("")
	h.stepLock.Lock()
	defer h.stepLock.Unlock()
	h.kill(server, killWhilePaused)
	h.settleAndCompare()
}

func serverBinary(t *testing.T) string {
	t.Helper()
	path, err := buildServer()
	require.NoError(t, err)
	return path
}

// buildServer builds the server with crash points once. The result is in the directory of the test binary, which go test
// deletes.
var buildServer = sync.OnceValues(func() (string, error) {
	testBinary, err := os.Executable()
	if err != nil {
		return "", err
	}
	path := filepath.Join(filepath.Dir(testBinary), "diy")
	command := exec.CommandContext(context.Background(),
		"go", "build", "-trimpath", "-ldflags=-s -w", "-tags", "crashpoints", "-o", path, "github.com/vc-admin/diy/cmd/diy")
	command.Env = append(command.Environ(), "CGO_ENABLED=0")
	if output, err := command.CombinedOutput(); err != nil {
		return "", fmt.Errorf("%w\n%s", err, output)
	}
	return path, nil
})

// serverLauncher starts server processes on one database, and contains the origin of the current process.
type serverLauncher struct {
	binary, folder string
	env            []string

	origin        atomic.Pointer[string] // such as http://127.0.0.10:4711; nil while no server runs
	startCount    atomic.Int64           // number of processes that became ready
	wasClockMoved atomic.Bool            // whether the clock was moved while a server was running
}

// process is a server process.
type process struct {
	*exec.Cmd
	exited  chan struct{} // closed when the process has ended
	logPath string        // path of its log
}

// clockOffset returns the offset of the clock with which a server measures the ages of operations. With -clocks it is
// random, so that a server may take over recent operations of the previous server.
func clockOffset() string {
	if !*useSkewedClocks {
		return "0s"
	}
	offsets := []string{"0s", "-1h", "1h", "-720h", "720h"}
	return offsets[rand.IntN(len(offsets))]
}

// start starts a server and returns the time until it is ready.
func (s *serverLauncher) start(t *testing.T, crashAt string) (*process, time.Duration) {
	t.Helper()
	p := &process{Cmd: exec.CommandContext(context.WithoutCancel(t.Context()), s.binary), exited: make(chan struct{})}
	log, err := os.CreateTemp(s.folder, "log")
	require.NoError(t, err)
	p.Dir, p.Stderr, p.logPath = s.folder, log, log.Name()
	p.Env = append(slices.Clone(s.env), "DIY_RATE_LIMITS=off", "DIY_CRASH_AT="+crashAt, "DIY_CRASH_CLOCK="+clockOffset())
	start := time.Now()
	require.NoError(t, p.Start())
	require.NoError(t, log.Close())
	go func() {
		_ = p.Wait()
		close(p.exited)
	}()
	s.waitUntilReady(t, p, start)
	return p, time.Since(start)
}

var listeningLine = regexp.MustCompile(`"msg":"listening","addr":"([^"]+)"`)

// waitUntilReady waits until the server is ready or has killed itself.
func (s *serverLauncher) waitUntilReady(t *testing.T, p *process, start time.Time) {
	t.Helper()
	for ticker := time.NewTicker(3 * time.Millisecond); ; <-ticker.C {
		require.Less(t, time.Since(start), *readyTimeout, "the server is not ready:\n%s", p.logText(t))
		select {
		case <-p.exited:
			require.True(t, p.wasKilled(), "the server has exited:\n%s", p.logText(t))
			return
		default:
		}
		match := listeningLine.FindStringSubmatch(p.logText(t))
		if match != nil && isReady(t.Context(), "http://"+match[1]) {
			origin := "http://" + match[1]
			s.startCount.Add(1)
			s.origin.Store(&origin)
			return
		}
	}
}

func isReady(ctx context.Context, origin string) bool {
	r, err := http.NewRequestWithContext(ctx, http.MethodGet, origin+"/readyz", http.NoBody)
	if err != nil {
		return false
	}
	res, err := http.DefaultClient.Do(r)
	if err != nil {
		return false
	}
	_ = res.Body.Close()
	return res.StatusCode == http.StatusOK
}

func (p *process) logText(t *testing.T) string {
	t.Helper()
	text, err := os.ReadFile(p.logPath)
	require.NoError(t, err)
	return string(text)
}

// kill kills the server, unless it has killed itself.
func (s *serverLauncher) kill(t *testing.T, p *process) {
	t.Helper()
	s.origin.Store(nil)
	_ = p.Process.Kill()
	<-p.exited
	require.True(t, p.wasKilled(), "the server has exited:\n%s", p.logText(t))
	require.NoError(t, os.Remove(p.logPath))
}

func (p *process) wasKilled() bool {
	state, ok := p.ProcessState.Sys().(syscall.WaitStatus)
	return ok && state.Signal() == syscall.SIGKILL
}
