package app_test

import (
	"math/rand/v2"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/vc-admin/diy/app"
	"github.com/vc-admin/diy/domain/billing"
)

// The events arrive at random servers, in random order, repeatedly or not at all.
func TestNotices_AreTheSameForAnyOrderAndLossOfEvents(t *testing.T) {
	want := []string{
		"Your trial has started: free until 8 March, then $39 AUD", "Your trial ends on 8 March: $39 AUD then",
		"Payment received: $39 AUD",
		"Your plan changes to Professional, monthly on 8 April 2026", "Your plan is now Professional, monthly",
		"Payment failed: $76 AUD, next attempt on 11 April",
		"Payment received: $76 AUD", "Your Professional plan ends on 8 May 2026", "Your Professional plan continues",
		"Your Professional plan ends on 8 May 2026", "Your Professional plan has ended",
	}
	for seed := range uint64(6) {
		f := newNoticeFixture(t)
		s := randomFixture{
			noticeFixture: f, random: rand.New(rand.NewPCG(seed, 1)), servers: []*app.UseCases{f.UseCases, f.NewAppWithOwnStore()},
		}
		f.subscribe(f.caller, visa, standardMonthly, false)
		s.advanceRandomly(10 * day)
		f.changePlan(professionalMonthly, billing.ChangeAtRenewal)
		f.addCard(f.caller, declinedChargesCard)
		s.advanceRandomly(29 * day)
		f.addCard(f.caller, visa)
		s.advanceRandomly(2 * day)
		f.endSubscription(f.caller)
		s.advanceRandomly(day)
		_, err := f.ResumeSubscription.Do(t.Context(), f.caller)
		require.NoError(t, err)
		s.advanceRandomly(2 * day)
		f.endSubscription(f.caller)
		s.advanceRandomly(60 * day)
		assert.ElementsMatch(t, want, s.subjects(), "seed %d", seed)
	}
}

// randomFixture is a noticeFixture that delivers events to random servers, in random order, repeatedly or not at all.
type randomFixture struct {
	*noticeFixture
	random  *rand.Rand
	servers []*app.UseCases
	events  [][]byte // the events that may still be delivered, for the first time or again
}

// advanceRandomly moves the clock by about the duration, in random steps. In each step some events get lost, others are
// delivered twice, later or in another order, and a server does its background work.
func (s *randomFixture) advanceRandomly(duration time.Duration) {
	s.t.Helper()
	end := s.Clock.Now().Add(duration)
	for s.Clock.Now().Before(end) {
		s.Advance(time.Duration(1 + s.random.Int64N(int64(8*time.Hour))))
		s.events = append(s.events, s.TakeEvents()...)
		for range s.random.IntN(1 + len(s.events)) {
			s.DeliverPayloads(s.randomServer(), s.events[s.random.IntN(len(s.events))])
		}
		if s.random.IntN(3) == 0 {
			s.events = nil
		}
		_, err := s.randomServer().RefreshBilling.Do(s.t.Context())
		require.NoError(s.t, err)
		_, err = s.randomServer().DeliverMail.Do(s.t.Context())
		require.NoError(s.t, err)
	}
}

func (s *randomFixture) randomServer() *app.UseCases { return s.servers[s.random.IntN(len(s.servers))] }

// receiveSubjects returns the subjects of all emails about billing.
func (s *randomFixture) subjects() (subjects []string) {
	for _, email := range s.receiveEmails() {
		subjects = append(subjects, email.Subject)
	}
	return subjects
}
