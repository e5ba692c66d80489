package crash

import (
	"fmt"
	"math/rand/v2"
	"time"
)

const (
	// random is the point of a kill that comes from outside.
	random = "at random"
	// idle is that of one while nobody is at it.
	idle = "in quiet"
)

// points are where the server ends itself, with how often it comes by at most until then: rarely
// where it hardly ever comes by.
var points = []struct {
	name  string
	times int
}{
	{"before commit", 12},
	{"before CreateSignup", 2}, {"after CreateSignup", 2},
	{"before UpdateUser", 2}, {"after UpdateUser", 2},
	{"before UpdateOrganisation", 6}, {"after UpdateOrganisation", 6},
	{"before AddVerification", 1}, {"after AddVerification", 1},
	{"before AddEmailRequest", 1}, {"after AddEmailRequest", 1},
	{"before FinishEmailRequest", 1}, {"after FinishEmailRequest", 1},
	{"before BeginOperation", 4}, {"after BeginOperation", 4},
	{"before SettleOperation", 4}, {"after SettleOperation", 4},
	{"after ClaimEmails", 2}, {"before FinishEmail", 2}, {"after FinishEmail", 2},
	{"before RecordEvent", 4}, {"after RecordEvent", 4},
	{"before CreateCustomer", 2}, {"after CreateCustomer", 2},
	{"before AddCard", 2}, {"after AddCard", 2},
	{"before SetDefaultCard", 1}, {"after SetDefaultCard", 1},
	{"before DeleteCard", 1}, {"after DeleteCard", 1},
	{"before Subscribe", 2}, {"after Subscribe", 2},
	{"before PayInvoice", 1}, {"after PayInvoice", 1},
	{"before CancelSubscription", 1}, {"after CancelSubscription", 1},
	{"before ChangePlan", 2}, {"after ChangePlan", 2},
	{"before Retire", 1}, {"after Retire", 1},
}

// plan is how one run of the server ends.
type plan struct {
	point string
	times int           // how often it comes by the point
	after time.Duration // when it is killed from outside, unless it has ended itself by then
}

// crashAt is what the server reads it as.
func (p plan) crashAt() string {
	if p.point == random {
		return ""
	}
	return fmt.Sprintf("%s %d", p.point, p.times)
}

// plans takes every point in turn, in an order of its own, with a kill at random after every two.
func plans(rnd *rand.Rand) func() plan {
	var left []int
	made := 0
	return func() plan {
		if made++; made%3 == 0 {
			return plan{point: random, after: time.Duration(rnd.IntN(800)) * time.Millisecond}
		}
		if len(left) == 0 {
			left = rnd.Perm(len(points))
		}
		next := points[left[0]]
		left = left[1:]
		return plan{point: next.name, times: 1 + rnd.IntN(next.times), after: 2 * time.Second}
	}
}
