package crash

import (
	"context"
	"fmt"
	"math/rand/v2"
	"net"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/vc-admin/diy/adapters/devclock"
)

const (
	// crowd is how many people there are at once.
	crowd = 5
	// era is how many kills there are between two comparisons.
	era = 25
	// aWhile is until nobody can be busy any more with what was left in doubt.
	aWhile = 3 * time.Minute
)

// world is a database, a provider, people, and one server after the other.
type world struct {
	t        *testing.T
	site     site
	database string // its URL
	rnd      *rand.Rand
	report   *report
	ledger   ledger
	server   *process     // the latest
	stripe   *stripe      // nil when the provider is part of the server
	quiet    sync.RWMutex // held by whoever is in the middle of something
	over     atomic.Bool  // people finish what they are at, and go
}

// newWorld has the server on the database, and number tell the worlds apart.
func newWorld(t *testing.T, program, database string, number uint64) *world {
	t.Helper()
	folder := t.TempDir()
	require.NoError(t, os.Mkdir(filepath.Join(folder, "data"), 0o700))
	if database == "" {
		database = "sqlite:" + filepath.Join(folder, "diy.db")
	}
	return &world{
		t: t, database: database, report: newReport(), rnd: rand.New(rand.NewPCG(theSeed(), number)),
		site: site{binary: program, folder: folder, env: []string{"DIY_DATABASE_URL=" + database, "DIY_ADDR=" + host(t, number) + ":0"}},
	}
}

// host is an address of this machine that no other world's servers have: a request that comes too
// late for one server must not find another's. Where there is only one such address it has to do.
func host(t *testing.T, number uint64) string {
	t.Helper()
	own := fmt.Sprintf("127.0.0.%d", 10+number)
	l, err := (&net.ListenConfig{}).Listen(t.Context(), "tcp", own+":0")
	if err != nil {
		return "127.0.0.1"
	}
	require.NoError(t, l.Close())
	return own
}

// beside is where the server keeps what is not in the database.
func (w *world) beside(what string) string {
	if path, ok := strings.CutPrefix(w.database, "sqlite:"); ok {
		return path + "." + what
	}
	return filepath.Join(w.site.folder, "data", "postgres."+what)
}

// suffer kills the server so many times while people are at it, and compares everything now and
// then and in the end.
func (w *world) suffer(kills int) {
	ctx, cancel := context.WithCancel(w.t.Context())
	defer cancel()
	var people sync.WaitGroup
	for range crowd {
		rnd := rand.New(rand.NewPCG(w.rnd.Uint64(), 0))
		people.Go(func() { w.live(ctx, rnd) })
	}
	next := plans(w.rnd)
	for done := 1; done <= kills; done++ {
		w.runAndKill(next())
		if done%era == 0 && done < kills {
			w.compareInQuiet()
		}
	}
	last := w.start("")
	w.over.Store(true)
	people.Wait()
	w.kill(last, idle)
	w.compare()
}

// runAndKill has a server run until it is killed as planned. Every other time a while goes by
// before it is started, after which everything that it finds in doubt is its to settle.
func (w *world) runAndKill(p plan) {
	if w.rnd.IntN(2) == 0 {
		w.letPass(aWhile)
	}
	server := w.start(p.crashAt())
	point := p.point
	select {
	case <-server.ended:
	case <-time.After(p.after):
		point = random
	}
	w.kill(server, point)
}

func (w *world) kill(server *process, point string) {
	w.site.kill(w.t, server)
	w.report.killed(point)
}

func (w *world) start(crashAt string) *process {
	server, took := w.site.start(w.t, crashAt)
	w.report.readyAfter(took)
	w.server = server
	return server
}

// letPass moves the clock on, for the provider as well.
func (w *world) letPass(d time.Duration) {
	clock, err := devclock.Open(w.beside("clock"), nil)
	require.NoError(w.t, err)
	_, err = clock.Advance(d)
	require.NoError(w.t, err)
	if w.stripe != nil {
		w.stripe.letPass(w.t, d)
	}
}

// compareInQuiet lets everybody finish what they are at, and compares.
func (w *world) compareInQuiet() {
	server := w.start("")
	w.quiet.Lock()
	defer w.quiet.Unlock()
	w.kill(server, idle)
	w.compare()
}
