package flows

import (
	"fmt"
	"sync"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/vc-admin/diy/app"
	"github.com/vc-admin/diy/app/flowtest"
	"github.com/vc-admin/diy/domain/fault"
	"github.com/vc-admin/diy/ports/identity"
)

// together runs everything at once and returns what came of each.
func together(acts ...func() error) []error {
	errs := make([]error, len(acts))
	var ready, done sync.WaitGroup
	ready.Add(len(acts))
	for i, act := range acts {
		done.Go(func() {
			ready.Done()
			ready.Wait()
			errs[i] = act()
		})
	}
	done.Wait()
	return errs
}

// clicks has requests made at once, one after the other of a server's.
func (w *world) clicks(who identity.Identity, servers []*app.UseCases, requests ...request) []error {
	acts := make([]func() error, len(requests))
	for i, r := range requests {
		acts[i] = func() error { return r(w.t.Context(), servers[i%len(servers)], who) }
	}
	return together(acts...)
}

func TestPitfall01_TwoFirstCheckoutsMakeOneCustomerAndOneSubscription(t *testing.T) {
	const many = 8
	for _, servers := range []int{1, 2} {
		t.Run(fmt.Sprintf("the same request many times, servers: %d", servers), func(t *testing.T) {
			w := newWorld(t)
			who, same := w.member(), subscribing(standardMonthly, true)(w.Card(flowtest.Visa))
			requests := make([]request, many)
			for i := range requests {
				requests[i] = same
			}
			for _, err := range w.clicks(who, w.servers(servers), requests...) {
				assert.NoError(t, err, "a double click is no failure")
			}
			w.requireOnePaid(who)
		})
		t.Run(fmt.Sprintf("many cards, servers: %d", servers), func(t *testing.T) {
			w := newWorld(t)
			who, requests := w.member(), make([]request, many)
			for i := range requests {
				requests[i] = subscribing(standardMonthly, true)(w.Card(flowtest.Visa))
			}
			w.requireOneWon(w.clicks(who, w.servers(servers), requests...))
			w.requireOnePaid(who)
		})
	}
}

// servers are that many servers on the same database.
func (w *world) servers(n int) []*app.UseCases {
	all := []*app.UseCases{w.UseCases}
	for len(all) < n {
		all = append(all, w.Another())
	}
	return all
}

// requireOneWon wants one success, and the others to be told that there is one already or under way.
func (w *world) requireOneWon(errs []error) {
	w.t.Helper()
	won := 0
	for _, err := range errs {
		if err == nil {
			won++
			continue
		}
		require.Equal(w.t, fault.Conflict, fault.CodeOf(err), "%v", err)
	}
	require.Equal(w.t, 1, won)
}

func (w *world) requireOnePaid(who identity.Identity) {
	w.t.Helper()
	require.Len(w.t, w.truth(), 1)
	require.Len(w.t, w.live(), 1)
	require.Equal(w.t, 1, w.paid())
	w.requireNothingInDoubt()
	w.requireSound(who)
}

func TestPitfall01_ManyAskForTheCustomerAtOnce(t *testing.T) {
	w := newWorld(t)
	who := w.memberWithoutCustomer()
	servers := w.servers(2)
	ask := func(server *app.UseCases) func() error {
		return func() error {
			_, err := server.NewCustomer.Do(t.Context(), who)
			return err
		}
	}
	for _, err := range together(ask(servers[0]), ask(servers[1]), ask(servers[0]), ask(servers[1])) {
		assert.NoError(t, err)
	}
	w.requireNothingInDoubt()
	w.requireSound(who)
}

func TestTwoChangesAtOnceLeaveOneSubscriptionOnOneOfThePlans(t *testing.T) {
	w := newWorld(t)
	who := w.member()
	onCard(flowtest.Visa, false)(w, who)

	errs := w.clicks(who, w.servers(2), changing(professionalYearly)(""), changing(standardYearly)(""))

	for _, err := range errs {
		if err != nil {
			assert.Equal(t, fault.Conflict, fault.CodeOf(err))
		}
	}
	assert.Len(t, w.truth(), 1)
	w.requireSound(who)
}
