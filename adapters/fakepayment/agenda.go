package fakepayment

import (
	"container/heap"
	"time"

	"github.com/vc-admin/diy/domain/billing"
)

// incompleteFor is how long the first payment may take.
const incompleteFor = 23 * time.Hour

// nextAt is when something happens to the subscription by itself; zero is never.
func (s subscription) nextAt() time.Time {
	switch s.Status {
	case billing.Incomplete:
		return s.Created.Add(incompleteFor)
	case billing.Trialing, billing.Active:
		if s.Pending.Invoice != "" {
			return s.Pending.Expires // which is the period's end at the latest
		}
		return s.PeriodEnd
	case billing.PastDue:
		return s.RetryAt
	}
	return time.Time{}
}

// entry says that a subscription was to be looked at. It is out of date when the subscription is
// due at another time by now, which is cheaper than to search for entries and take them out.
type entry struct {
	at time.Time
	id string
}

// agenda is a heap of entries, soonest first; ids break ties so that every run is alike.
type agenda struct{ entries []entry }

// add notes when the subscription comes due.
func (a *agenda) add(s subscription) {
	if at := s.nextAt(); !at.IsZero() {
		heap.Push(a, entry{at: at, id: s.ID})
	}
}

// takeDue takes the first entry that is due by now.
func (a *agenda) takeDue(now time.Time) (entry, bool) {
	if len(a.entries) == 0 || a.entries[0].at.After(now) {
		return entry{}, false
	}
	return heap.Pop(a).(entry), true //nolint:forcetypeassert // nothing else is pushed
}

// Len is for the heap.
func (a *agenda) Len() int { return len(a.entries) }

// Less is for the heap.
func (a *agenda) Less(i, j int) bool {
	x, y := a.entries[i], a.entries[j]
	if x.at.Equal(y.at) {
		return x.id < y.id
	}
	return x.at.Before(y.at)
}

// Swap is for the heap.
func (a *agenda) Swap(i, j int) { a.entries[i], a.entries[j] = a.entries[j], a.entries[i] }

// Push is for the heap; add is for everybody else.
func (a *agenda) Push(x any) {
	a.entries = append(a.entries, x.(entry)) //nolint:forcetypeassert // add pushes entries
}

// Pop is for the heap; takeDue is for everybody else.
func (a *agenda) Pop() any {
	last := a.entries[len(a.entries)-1]
	a.entries = a.entries[:len(a.entries)-1]
	return last
}
