package flows

import (
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/vc-admin/diy/app"
	"github.com/vc-admin/diy/app/flowtest"
	"github.com/vc-admin/diy/domain/fault"
)

// busy are the scenarios that make the most different calls between them.
var busy = []scenario{purchases[0], purchases[5]}

// interruptedBy has the request made, and something else in the middle of one of its calls.
func (s set) interruptedBy(at int, when moment, by func()) error {
	server, _ := s.tapped(interrupted(at, when, by))
	return s.request(s.t.Context(), server, s.who)
}

func TestPitfall01_ADoubleClickAtAnyMomentIsOnePurchase(t *testing.T) {
	t.Parallel()
	for _, scenario := range busy {
		scenario.everywhere(t, func(t *testing.T, s set, at int, when moment) {
			second := s.Another()
			err := s.interruptedBy(at, when, func() {
				assert.NoError(t, s.request(t.Context(), second, s.who), "the second click")
			})
			require.NoError(t, err, "the first click")
			assert.Len(t, s.live(), 1)
			assert.Equal(t, scenario.paid, s.paid())
			s.requireNothingInDoubt()
			s.requireSound(s.who)
		})
	}
}

// The second click is quicker than the first, and has not ended when the first goes on.
func TestPitfall01_ADoubleClickOvertakenAtAnyMomentIsOnePurchase(t *testing.T) {
	t.Parallel()
	for _, scenario := range busy {
		scenario.everywhere(t, func(t *testing.T, s set, at int, when moment) {
			quicker, _ := s.tapped(cannot("SettleOperation", before))
			err := s.interruptedBy(at, when, func() {
				assert.NoError(t, s.request(t.Context(), quicker, s.who), "the second click")
			})
			require.NoError(t, err, "the first click")
			assert.Equal(t, scenario.paid, s.paid())
			s.reconciled()
		})
	}
}

func TestPitfall01_TwoTabsWithTwoCardsAtAnyMomentAreOnePurchase(t *testing.T) {
	t.Parallel()
	for _, scenario := range busy {
		scenario.everywhere(t, func(t *testing.T, s set, at int, when moment) {
			second, other := s.Another(), scenario.request(s.Card(flowtest.Mastercard))
			errs := make([]error, 2)
			errs[0] = s.interruptedBy(at, when, func() { errs[1] = other(t.Context(), second, s.who) })
			s.requireOneWon(errs)
			assert.Len(t, s.live(), 1)
			assert.Equal(t, scenario.paid, s.paid())
			s.requireNothingInDoubt()
			s.requireSound(s.who)
		})
	}
}

func TestPitfall06_EventsAtAnyMomentDoNotDisturbAPurchase(t *testing.T) {
	t.Parallel()
	for _, scenario := range busy {
		scenario.everywhere(t, func(t *testing.T, s set, at int, when moment) {
			second := s.Another()
			err := s.interruptedBy(at, when, func() {
				s.Deliver(second, s.Arrived()...)
				s.looksAndReconciles(second)
			})
			require.NoError(t, err)
			s.Deliver(second, s.Arrived()...)
			assert.Len(t, s.live(), 1)
			assert.Equal(t, scenario.paid, s.paid())
			s.requireNothingInDoubt()
			s.requireSound(s.who)
		})
	}
}

// looksAndReconciles is what else a server does at any time.
func (s set) looksAndReconciles(server *app.UseCases) {
	s.t.Helper()
	_, _, err := server.DescribeUser.Do(s.t.Context(), s.who)
	require.NoError(s.t, err)
	_, err = server.Reconcile.Do(s.t.Context())
	require.NoError(s.t, err)
}

func TestPitfall03_AChangeInterruptedByAnotherAtAnyMomentLeavesOnePlan(t *testing.T) {
	t.Parallel()
	for _, scenario := range changes {
		scenario.everywhere(t, func(t *testing.T, s set, at int, when moment) {
			second, other := s.Another(), changing(standardYearly)("")
			err := s.interruptedBy(at, when, func() {
				if err := other(t.Context(), second, s.who); err != nil {
					assert.Equal(t, fault.Conflict, fault.CodeOf(err), "%v", err)
				}
			})
			require.NoError(t, err, "the first one goes through")
			assert.Len(t, s.truth(), 1)
			s.requireNothingInDoubt()
			s.requireSound(s.who)
		})
	}
}
