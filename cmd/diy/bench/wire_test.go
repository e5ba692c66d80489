package bench

import (
	"bufio"
	"bytes"
	"context"
	"fmt"
	"io"
	"net"
	"net/http"
	"net/http/httputil"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
)

// wire is a connection that is kept and sends the same request again and again. It does as little as
// can be done, because what it costs is taken for what the server does.
type wire struct {
	address string
	request []byte
	conn    net.Conn // nil before the first request
	reader  *bufio.Reader
	used    time.Time
}

// dial is a connection to where the request goes. It comes about when it is needed.
func dial(b *testing.B, r *http.Request) *wire {
	b.Helper()
	text, err := httputil.DumpRequestOut(r, true)
	require.NoError(b, err)
	w := &wire{address: r.URL.Host, request: text}
	b.Cleanup(w.close)
	return w
}

// rest is after how long without a request a connection is made anew: the server ends it after some
// minutes.
const rest = 30 * time.Second

func (w *wire) connect() error {
	if w.conn != nil && time.Since(w.used) < rest {
		return nil
	}
	w.close()
	conn, err := (&net.Dialer{}).DialContext(context.Background(), "tcp", w.address)
	if err != nil {
		return err
	}
	w.conn, w.reader = conn, bufio.NewReader(conn)
	return nil
}

func (w *wire) close() {
	if w.conn != nil {
		_ = w.conn.Close() // it may be gone already
	}
}

// ask sends the request and reads the answer, which has to be good.
func (w *wire) ask() error {
	answer, err := w.send()
	if err != nil {
		return err
	}
	_, err = io.Copy(io.Discard, answer.Body)
	return err
}

func (w *wire) send() (*http.Response, error) {
	if err := w.connect(); err != nil {
		return nil, err
	}
	w.used = time.Now()
	if _, err := w.conn.Write(w.request); err != nil {
		return nil, err
	}
	answer, err := http.ReadResponse(w.reader, nil)
	if err == nil && answer.StatusCode >= http.StatusBadRequest {
		said, _ := io.ReadAll(answer.Body)
		err = fmt.Errorf("%s: %s", answer.Status, bytes.TrimSpace(said))
	}
	return answer, err
}

// connections is how many ask at once where the most that can be answered is looked for.
const connections = 16

// dialAll is as many connections as are to ask at once.
func dialAll(b *testing.B, r *http.Request) []*wire {
	b.Helper()
	var all []*wire
	for range connections {
		all = append(all, dial(b, r))
	}
	return all
}

// askRate is how many answers a second all connections get together.
func askRate(b *testing.B, all []*wire) float64 {
	b.Helper()
	return rate(b, len(all), time.Second, func(i int) error { return all[i].ask() })
}

// rate is how often a second something was done by so many at once. Each is told its number.
func rate(b *testing.B, workers int, d time.Duration, do func(worker int) error) float64 {
	b.Helper()
	n, err := tryRate(workers, d, do)
	require.NoError(b, err)
	return n
}

// tryRate is rate, or the first failure.
func tryRate(workers int, d time.Duration, do func(worker int) error) (float64, error) {
	var done atomic.Int64
	var failed atomic.Pointer[error]
	var all sync.WaitGroup
	began := time.Now()
	for i := range workers {
		all.Go(func() {
			for time.Since(began) < d && failed.Load() == nil {
				if err := do(i); err != nil {
					failed.Store(&err)
					return
				}
				done.Add(1)
			}
		})
	}
	all.Wait()
	took := time.Since(began)
	if err := failed.Load(); err != nil {
		return 0, *err
	}
	return float64(done.Load()) / took.Seconds(), nil
}
