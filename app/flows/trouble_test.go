package flows

import (
	"fmt"
	"slices"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/vc-admin/diy/app/flowtest"
	"github.com/vc-admin/diy/domain/fault"
)

// aWhile is until nobody can be busy any more with what was left in doubt.
const aWhile = 3 * time.Minute

// everywhere runs a test in a fresh world for every call that the scenario makes, before and after
// the call's effect.
func (s scenario) everywhere(t *testing.T, test func(t *testing.T, s set, at int, when moment)) {
	calls := s.set(newWorld(t)).calls()
	for at, name := range calls {
		for _, when := range momentsOf(name) {
			t.Run(fmt.Sprintf("%s/%d %s %s", s.name, at, when, name), func(t *testing.T) {
				t.Parallel()
				test(t, s.set(newWorld(t)), at, when)
			})
		}
	}
}

// momentsOf leaves out the moment after a call that has no effect: it is like the one before.
func momentsOf(call string) []moment {
	switch call {
	case "Organisation", "PendingOperation", "OperationMade", "ListSubscriptions", "Subscription":
		return []moment{before}
	}
	return []moment{before, after}
}

// goesWrong has the request made of a server in trouble, and reports whether the browser was told
// that it failed.
func (s set) goesWrong(h hook) (failed bool) {
	server, _ := s.tapped(h)
	err := s.request(s.t.Context(), server, s.who)
	if err != nil {
		require.Equal(s.t, fault.Unavailable, fault.CodeOf(err), "%v", err)
	}
	require.LessOrEqual(s.t, len(s.live()), 1)
	return err != nil
}

// reconciled lets a while go by and has what is in doubt settled.
func (s set) reconciled() {
	s.t.Helper()
	s.Advance(aWhile)
	_, err := s.Reconcile.Do(s.t.Context())
	require.NoError(s.t, err)
	s.requireNothingInDoubt()
	s.requireSound(s.who)
}

func TestPitfall02_ARepeatAfterAnyFailureSucceedsOnce(t *testing.T) {
	t.Parallel()
	for _, scenario := range slices.Concat(purchases, changes) {
		scenario.everywhere(t, func(t *testing.T, s set, at int, when moment) {
			if s.goesWrong(failsOnce(at, when)) {
				require.NoError(t, s.request(t.Context(), s.UseCases, s.who))
			} else {
				s.reconciled() // it is settled at the latest then
			}
			assert.Equal(t, scenario.paid, s.paid())
			s.requireNothingInDoubt()
			s.requireSound(s.who)
		})
	}
}

func TestPitfall15_WhatACrashLeftInDoubtIsSettled(t *testing.T) {
	t.Parallel()
	for _, scenario := range slices.Concat(purchases[1:5], changes) {
		scenario.everywhere(t, func(t *testing.T, s set, at int, when moment) {
			s.goesWrong(dies(at, when))
			s.reconciled()
			assert.LessOrEqual(t, s.paid(), scenario.paid)
		})
	}
}

func TestPitfall15_ARepeatAfterACrashWasSettledSucceedsOnce(t *testing.T) {
	t.Parallel()
	for _, scenario := range busy {
		scenario.everywhere(t, func(t *testing.T, s set, at int, when moment) {
			s.goesWrong(dies(at, when))
			s.reconciled()

			require.NoError(t, s.request(t.Context(), s.UseCases, s.who))

			assert.Equal(t, scenario.paid, s.paid())
			s.requireSound(s.who)
		})
	}
}

func TestPitfall02_AnotherCardAfterAnyFailureMakesNoSecondSubscription(t *testing.T) {
	t.Parallel()
	for _, scenario := range busy {
		scenario.everywhere(t, func(t *testing.T, s set, at int, when moment) {
			s.goesWrong(dies(at, when))
			other := scenario.request(s.Card(flowtest.Mastercard))

			for _, wait := range []time.Duration{0, aWhile} {
				s.Advance(wait + time.Second)
				if err := other(t.Context(), s.UseCases, s.who); err != nil {
					assert.Equal(t, fault.Conflict, fault.CodeOf(err), "%v", err)
				}
				assert.LessOrEqual(t, len(s.live()), 1)
			}
			s.reconciled()
			assert.Len(t, s.live(), 1, "one of the two cards has paid")
			assert.Equal(t, 1, s.paid())
		})
	}
}
