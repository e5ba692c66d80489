package crash

import (
	"flag"
	"fmt"
	"math/rand/v2"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"

	"github.com/vc-admin/diy/adapters/sqlstorage/postgrestest"
)

var (
	kills           = flag.Int("kills", 6, "number of kills on each database")
	seed            = flag.Uint64("seed", 0, "seed of the kills and of the users' decisions; 0 draws one")
	useSkewedClocks = flag.Bool("clocks", false, "give every server a clock that differs by up to 30 days")
	killsGateways   = flag.Bool("gateway", false, "also kill servers that bill with the fake gateway")
	readyTimeout    = flag.Duration("ready", timeout, "maximum time until a restarted server is ready")
)

const timeout = time.Minute

// runSeed returns the value of -seed, or a random one.
var runSeed = sync.OnceValue(func() uint64 {
	if *seed != 0 {
		return *seed
	}
	return rand.Uint64()
})

func TestMain(m *testing.M) { postgrestest.Run(m) }

func TestKill_LosesAndDuplicatesNothing(t *testing.T) {
	t.Parallel()
	s := suite{binary: serverBinary(t), totalReport: newReport()}
	t.Logf("-seed %d", runSeed())
	t.Cleanup(func() { t.Logf("-seed %d\n%s", runSeed(), s.totalReport) })
	t.Run("SQLite", func(t *testing.T) {
		t.Parallel()
		s.runKillTests(t, 1, func(*testing.T) string { return "" })
	})
	t.Run("PostgreSQL", func(t *testing.T) {
		t.Parallel()
		s.runKillTests(t, 4, func(t *testing.T) string { return postgrestest.URL(t) })
	})
}

// suite runs the same kills on all databases and providers.
type suite struct {
	binary      string
	mu          sync.Mutex
	totalReport *report
}

// runKillTests kills servers on three databases, one with each kind of provider. The number is that of the first harness.
func (s *suite) runKillTests(t *testing.T, number uint64, database func(*testing.T) string) {
	t.Run("provider in the server", func(t *testing.T) {
		t.Parallel()
		s.runHarness(newHarness(t, s.binary, database(t), number))
	})
	t.Run("provider outside", func(t *testing.T) {
		t.Parallel()
		s.runHarness(newHarness(t, s.binary, database(t), number+1).withStripe())
	})
	if *killsGateways {
		t.Run("gateway", func(t *testing.T) {
			t.Parallel()
			s.runHarness(newHarness(t, s.binary, database(t), number+2).withGateway())
		})
	}
}

func (s *suite) runHarness(h *harness) {
	h.runKills(*kills)
	assert.Empty(h.t, strings.Join(h.report.problems, "\n"))
	s.mu.Lock()
	defer s.mu.Unlock()
	s.totalReport.addSubtotal(strings.SplitN(h.t.Name(), "/", 2)[1], h.report)
}

const (
	// killAtRandom is the point of kills by the test at a random time.
	killAtRandom = "at random"
	// killWhilePaused is the point of kills between two steps of the users.
	killWhilePaused = "while paused"
)

// reachableCrashPoints contains the crash points that the server reaches within seconds.
var reachableCrashPoints = []struct {
	name     string
	maxTimes int // highest number of times that the server reaches the point before it kills itself
}{
	{"before commit", 12},
	{"before CreateSignUp", 2}, {"after CreateSignUp", 2},
	{"before UpdateUser", 2}, {"after UpdateUser", 2},
	{"before UpdateOrganisation", 2}, {"after UpdateOrganisation", 2},
	{"before UpdateBilling", 6}, {"after UpdateBilling", 6},
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
	{"before BeginPaymentAttempt", 2}, {"after BeginPaymentAttempt", 2},
	{"before PayInvoice", 2}, {"after PayInvoice", 2},
	{"before CancelSubscription", 1}, {"after CancelSubscription", 1},
	{"before ChangePlan", 2}, {"after ChangePlan", 2},
	{"before CancelPendingChange", 1}, {"after CancelPendingChange", 1},
	{"before CancelScheduledChange", 1}, {"after CancelScheduledChange", 1},
	{"before SetEndAtPeriodEnd", 2}, {"after SetEndAtPeriodEnd", 2},
	{"before RecordEndFeedback", 1}, {"after RecordEndFeedback", 1},
	{"before Retire", 1}, {"after Retire", 1},
}

// killPlan determines when a server is killed.
type killPlan struct {
	point      string
	reachCount int           // number of times that the server reaches the point
	delay      time.Duration // time after which the test kills the server
}

// crashAt returns the value of DIY_CRASH_AT, or "" if only the test kills the server.
func (p killPlan) crashAt() string {
	if p.point == killAtRandom {
		return ""
	}
	return fmt.Sprintf("%s %d", p.point, p.reachCount)
}

// newKillPlanner returns a function that plans the next kill. It plans all crash points in random order, and every third
// kill is at a random time.
func newKillPlanner(rnd *rand.Rand) func() killPlan {
	var remaining []int // indices of reachableCrashPoints
	count := 0
	return func() killPlan {
		if count++; count%3 == 0 {
			return killPlan{point: killAtRandom, delay: time.Duration(rnd.IntN(800)) * time.Millisecond}
		}
		if len(remaining) == 0 {
			remaining = rnd.Perm(len(reachableCrashPoints))
		}
		point := reachableCrashPoints[remaining[0]]
		remaining = remaining[1:]
		return killPlan{point: point.name, reachCount: 1 + rnd.IntN(point.maxTimes), delay: 2 * time.Second}
	}
}
