package httpapi

import (
	"context"
	"net/http"
	"sync"
	"sync/atomic"
	"testing"
	"testing/synctest"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

const testCallsPerSecond = 80

// mustAdmit begins a request and returns how long it waited.
func mustAdmit(t *testing.T, b *providerBudget, organisation string, class *requestClass) (end func(), wait time.Duration) {
	t.Helper()
	start := time.Now()
	end, err := b.admit(t.Context(), organisation, class)
	require.NoError(t, err)
	return end, time.Since(start)
}

// readContinuously sends reads of 100 ms on count connections of one organisation until the test ends. The result
// counts the reads.
func readContinuously(t *testing.T, b *providerBudget, organisation string, count int) *atomic.Int64 {
	t.Helper()
	ctx, cancel := context.WithCancel(t.Context())
	var connections sync.WaitGroup
	t.Cleanup(func() { cancel(); connections.Wait() })
	reads := new(atomic.Int64)
	for range count {
		connections.Go(func() {
			for ctx.Err() == nil {
				if end, err := b.admit(ctx, organisation, providerRead); err == nil {
					reads.Add(1)
					<-time.After(100 * time.Millisecond)
					end()
				}
			}
		})
	}
	return reads
}

func TestProviderBudget_LimitsOrganisationToItsShare(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		b := newProviderBudget(testCallsPerSecond)
		reads := readContinuously(t, b, "org_attacker", 40)

		<-time.After(time.Minute)

		const shareOfAMinute = testCallsPerSecond * organisationShare * 60
		assert.InDelta(t, shareOfAMinute, float64(reads.Load())*providerRead.calls, shareOfAMinute/5)
	})
}

func TestProviderBudget_OtherOrganisationsDoNotWaitForReadsOfOne(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		b := newProviderBudget(testCallsPerSecond)
		readContinuously(t, b, "org_attacker", 40)
		<-time.After(10 * time.Second)

		for _, class := range []*requestClass{providerWrite, providerRead} {
			end, wait := mustAdmit(t, b, "org_other", class)
			end()
			assert.Zero(t, wait)
		}
		end, wait := mustAdmit(t, b, "org_attacker", providerWrite)
		end()
		assert.Zero(t, wait, "payments do not wait for reads of the same organisation")
	})
}

func TestProviderBudget_WritesDoNotWaitForReadsOfManyOrganisations(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		b := newProviderBudget(testCallsPerSecond)
		for i := range 30 {
			readContinuously(t, b, string(rune('a'+i)), 8)
		}
		<-time.After(3 * time.Second)

		for range 5 {
			end, wait := mustAdmit(t, b, "org_other", providerWrite)
			assert.Zero(t, wait)
			end()
		}
	})
}

func TestProviderBudget_ErrorDistinguishesLimitsOfOrganisationAndServer(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		b := newProviderBudget(testCallsPerSecond)
		for range providerRead.maxPerOrganisation {
			_, wait := mustAdmit(t, b, "org_1", providerRead)
			assert.Zero(t, wait)
		}
		start := time.Now()
		_, err := b.admit(t.Context(), "org_1", providerRead)
		assert.Equal(t, http.StatusTooManyRequests, toAPIError(err).status)
		assert.Equal(t, "ERRRATE", toAPIError(err).Name)
		assert.Positive(t, toAPIError(err).retryAfter)
		assert.Equal(t, providerRead.maxWait, time.Since(start))

		for i := range providerWrite.maxPerServer {
			end, err := b.admit(t.Context(), string(rune('A'+i)), providerWrite)
			require.NoError(t, err)
			defer end()
		}
		_, err = b.admit(t.Context(), "org_2", providerWrite)
		assert.Equal(t, http.StatusServiceUnavailable, toAPIError(err).status)
		assert.Equal(t, "ERRPROVIDER", toAPIError(err).Name)
		assert.Positive(t, toAPIError(err).retryAfter)
	})
}

func TestProviderBudget_WaitingRequestBeginsWhenAnotherEnds(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		b := newProviderBudget(testCallsPerSecond)
		var ends []func()
		for range providerWrite.maxPerOrganisation {
			end, _ := mustAdmit(t, b, "org_1", providerWrite)
			ends = append(ends, end)
		}
		time.AfterFunc(3*time.Second, ends[0])

		_, wait := mustAdmit(t, b, "org_1", providerWrite)

		assert.Equal(t, 3*time.Second, wait)
	})
}

func TestProviderBudget_RemovesIdleBuckets(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		b := newProviderBudget(1_000_000)
		mustAdmit(t, b, "org_busy", providerWrite)
		for i := range maxBuckets {
			end, _ := mustAdmit(t, b, string(rune(0x4e00+i)), providerRead)
			end()
		}
		<-time.After(2 * time.Minute)
		end, _ := mustAdmit(t, b, "org_new", providerRead)
		end()
		assert.Len(t, b.organisationBuckets, 2)
	})
}

func TestProviderBudget_StopsWaitingWhenContextEnds(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		b := newProviderBudget(testCallsPerSecond)
		for range providerWrite.maxPerOrganisation {
			mustAdmit(t, b, "org_1", providerWrite)
		}
		ctx, cancel := context.WithTimeout(t.Context(), time.Second)
		defer cancel()
		start := time.Now()
		_, err := b.admit(ctx, "org_1", providerWrite)
		require.Error(t, err)
		assert.Equal(t, time.Second, time.Since(start))
	})
}
