package bench

import (
	"context"
	"fmt"
	"net/http"
	"os"
	"regexp"
	"strconv"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
)

const (
	// flood is how many people register at once, again and again: more than the server lets wait.
	flood = 1500
	// mebibytes that the server may take meanwhile.
	mostMemory = 250
	// longest is how long somebody who only looks at the plans may wait meanwhile, in milliseconds.
	longest = 100
)

// BenchmarkFlood is what becomes of the server's memory, and of those who look at the plans, while
// more people register than it can take.
func BenchmarkFlood(b *testing.B) {
	onEach(b, func(b *testing.B, kind string, newDatabase func(*testing.B) string) {
		s := startServer(b, newDatabase(b))
		v := newVisitor(b, s)
		plans := dial(b, plansPage(b, v))
		figure(b, func(b *testing.B) []row {
			atRest := looks(b, plans, 2*time.Second)
			over, register := make(chan float64), v.triesToRegister(b.Context())
			var failed error
			go func() {
				var tries float64
				tries, failed = tryRate(flood, 12*time.Second, register)
				over <- tries
			}()
			meanwhile := looks(b, plans, 10*time.Second)
			tries := <-over
			require.NoError(b, failed)
			memory := peakMemory(b, s)
			return []row{{
				what: "memory in a flood of sign-ups, " + kind, measured: fmt.Sprintf("%.0f MiB", memory),
				against: fmt.Sprintf("%d MiB (%s tried)", mostMemory, perSecond(tries)), ratio: memory / mostMemory, wanted: atMost(1),
			}, {
				what: "plans page in the flood, 99 of 100, " + kind, measured: ms(meanwhile.quantile(0.99)),
				against: fmt.Sprintf("%d ms (median %s, at rest %s)", longest, ms(meanwhile.median()), ms(atRest.median())),
				ratio:   inMs(meanwhile.quantile(0.99)) / longest, wanted: atMost(1),
			}}
		})
	})
}

// triesToRegister takes no for an answer, that the server is busy, and tries again a second later.
func (v *visitor) triesToRegister(ctx context.Context) func(int) error {
	return func(int) error {
		_, status, err := v.register(ctx)
		if status == http.StatusServiceUnavailable {
			<-time.After(time.Second)
			return nil
		}
		return wants(http.StatusCreated, status, nil, err)
	}
}

// looks asks for the plans page again and again, with a pause between, as people do.
func looks(b *testing.B, plans *wire, d time.Duration) samples {
	b.Helper()
	var all samples
	again := time.NewTicker(10 * time.Millisecond)
	defer again.Stop()
	for began := time.Now(); time.Since(began) < d; <-again.C {
		all = append(all, took(b, plans.ask))
	}
	return all
}

var peak = regexp.MustCompile(`VmHWM:\s+(\d+) kB`)

// peakMemory is the most that the server has had in memory so far, in mebibytes.
func peakMemory(b *testing.B, s *server) float64 {
	b.Helper()
	text, err := os.ReadFile(fmt.Sprintf("/proc/%d/status", s.Process.Pid))
	require.NoError(b, err, "only Linux tells")
	found := peak.FindSubmatch(text)
	require.NotNil(b, found)
	kib, err := strconv.ParseFloat(string(found[1]), 64)
	require.NoError(b, err)
	return kib / 1024
}
