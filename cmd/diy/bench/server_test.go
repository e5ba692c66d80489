package bench

import (
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
)

// patience is how long anything at all may take.
const patience = time.Minute

// server is a program of ours, or a bare one, that answers HTTP.
type server struct {
	*exec.Cmd
	address string // host and port
}

// origin is how its addresses begin.
func (s *server) origin() string { return "http://" + s.address }

// startServer starts the real binary on a database, without limits on how often things are tried.
func startServer(b *testing.B, database string, more ...string) *server {
	b.Helper()
	path, err := filepath.Abs(*binary)
	require.NoError(b, err)
	return start(b, path, append([]string{
		"DIY_ADDR=127.0.0.1:0", "DIY_DATABASE_URL=" + database, "DIY_RATE_LIMITS=off",
	}, more...))
}

// start starts a program and waits until it says that it listens. It goes with the benchmark.
func start(b *testing.B, program string, env []string) *server {
	b.Helper()
	s := &server{Cmd: exec.CommandContext(b.Context(), program)}
	s.Dir, s.Env = b.TempDir(), slices.Clone(env)
	log, err := os.Create(filepath.Join(s.Dir, "log"))
	require.NoError(b, err)
	s.Stderr = log
	require.NoError(b, s.Start(), "make bin/diy first: make build")
	require.NoError(b, log.Close()) // the server has its own
	b.Cleanup(s.stop)
	s.address = listening(b, log.Name())
	return s
}

// stop ends the server, if it still runs.
func (s *server) stop() {
	_ = s.Process.Kill() // it may be gone already
	_ = s.Wait()         // killed is how it is meant to end
}

var saysItListens = regexp.MustCompile(`"msg":"listening","addr":"([^"]+)"`)

// listening waits for the address in a server's log.
func listening(b *testing.B, log string) string {
	b.Helper()
	began := time.Now()
	again := time.NewTicker(time.Millisecond)
	defer again.Stop()
	for ; ; <-again.C {
		said, err := os.ReadFile(log)
		require.NoError(b, err)
		if found := saysItListens.FindSubmatch(said); found != nil {
			return string(found[1])
		}
		require.Less(b, time.Since(began), patience, "the server does not listen:\n%s", said)
	}
}
