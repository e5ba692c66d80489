package crash

import (
	"context"
	"math/rand/v2"
	"net/http"
	"os"
	"os/exec"
	"regexp"
	"slices"
	"sync/atomic"
	"syscall"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
)

// site is where the people find the server: the same database, whichever process serves it.
type site struct {
	binary, folder string
	env            []string

	address atomic.Pointer[string] // nil while there is none
	starts  atomic.Int64           // how many processes there have been
}

// process is one server.
type process struct {
	*exec.Cmd
	ended chan struct{}
	log   string
}

// clockOffset returns how far the clock that counts the ages of operations is off. With -clocks each server
// draws one, so that it jumps from one server to the next: a later server may take an operation over at once,
// and the request that it belongs to is given up and repeated.
func clockOffset() string {
	if !*clocks {
		return "0s"
	}
	offsets := []string{"0s", "-1h", "1h", "-720h", "720h"}
	return offsets[rand.IntN(len(offsets))]
}

// start starts a server and returns how long it took to be ready.
func (s *site) start(t *testing.T, crashAt string) (*process, time.Duration) {
	t.Helper()
	p := &process{Cmd: exec.CommandContext(context.WithoutCancel(t.Context()), s.binary), ended: make(chan struct{})}
	log, err := os.CreateTemp(s.folder, "log")
	require.NoError(t, err)
	p.Dir, p.Stderr, p.log = s.folder, log, log.Name()
	p.Env = append(slices.Clone(s.env), "DIY_RATE_LIMITS=off", "DIY_CRASH_AT="+crashAt, "DIY_CRASH_CLOCK="+clockOffset())
	began := time.Now()
	require.NoError(t, p.Start())
	require.NoError(t, log.Close()) // the server has its own
	go func() {
		_ = p.Wait() // killed is how it is meant to end
		close(p.ended)
	}()
	s.waitUntilReady(t, p, began)
	return p, time.Since(began)
}

var listening = regexp.MustCompile(`"msg":"listening","addr":"([^"]+)"`)

// waitUntilReady lets the people in once the server says that it is ready. One that has ended
// itself before, on its way up, was ready enough.
func (s *site) waitUntilReady(t *testing.T, p *process, began time.Time) {
	t.Helper()
	for again := time.NewTicker(3 * time.Millisecond); ; <-again.C {
		require.Less(t, time.Since(began), *ready, "it takes too long to be ready:\n%s", p.said(t))
		select {
		case <-p.ended:
			require.True(t, p.wasKilled(), "the server gave up:\n%s", p.said(t))
			return
		default:
		}
		found := listening.FindStringSubmatch(p.said(t))
		if found != nil && isReady(t.Context(), "http://"+found[1]) {
			address := "http://" + found[1]
			s.starts.Add(1)
			s.address.Store(&address)
			return
		}
	}
}

func isReady(ctx context.Context, address string) bool {
	r, err := http.NewRequestWithContext(ctx, http.MethodGet, address+"/readyz", http.NoBody)
	if err != nil {
		return false
	}
	answer, err := http.DefaultClient.Do(r)
	if err != nil {
		return false
	}
	_ = answer.Body.Close()
	return answer.StatusCode == http.StatusOK
}

func (p *process) said(t *testing.T) string {
	t.Helper()
	text, err := os.ReadFile(p.log)
	require.NoError(t, err)
	return string(text)
}

// kill ends the server as hard as can be, unless it has ended itself.
func (s *site) kill(t *testing.T, p *process) {
	t.Helper()
	s.address.Store(nil)
	_ = p.Process.Kill() // it may be gone already
	<-p.ended
	require.True(t, p.wasKilled(), "the server gave up:\n%s", p.said(t))
	require.NoError(t, os.Remove(p.log))
}

func (p *process) wasKilled() bool {
	state, ok := p.ProcessState.Sys().(syscall.WaitStatus)
	return ok && state.Signal() == syscall.SIGKILL // which is none for who went by themselves
}
