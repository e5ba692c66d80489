package crash

import (
	"strings"
	"sync"
	"testing"

	"github.com/stretchr/testify/assert"

	"github.com/vc-admin/diy/adapters/sqlstorage/postgrestest"
)

func TestKilledServersLoseNothingAndDoubleNothing(t *testing.T) {
	t.Parallel()
	s := suite{binary: binary(t), all: newReport()}
	t.Logf("-seed %d", theSeed())
	t.Cleanup(func() { t.Logf("-seed %d\n%s", theSeed(), s.all) })
	t.Run("SQLite", func(t *testing.T) {
		t.Parallel()
		s.on(t, 1, func(*testing.T) string { return "" })
	})
	t.Run("PostgreSQL", func(t *testing.T) {
		t.Parallel()
		s.on(t, 3, func(t *testing.T) string { return postgrestest.URL(t) })
	})
}

// suite is the same kills everywhere.
type suite struct {
	binary string
	mu     sync.Mutex
	all    *report
}

// on kills servers on two databases, one with each kind of provider.
func (s *suite) on(t *testing.T, number uint64, database func(*testing.T) string) {
	t.Run("the provider is killed, too", func(t *testing.T) {
		t.Parallel()
		s.suffer(newWorld(t, s.binary, database(t), number))
	})
	t.Run("the provider lives on", func(t *testing.T) {
		t.Parallel()
		s.suffer(newWorld(t, s.binary, database(t), number+1).withStripe())
	})
}

func (s *suite) suffer(w *world) {
	w.suffer(*kills)
	assert.Empty(w.t, strings.Join(w.report.problems, "\n"))
	s.mu.Lock()
	defer s.mu.Unlock()
	s.all.include(strings.SplitN(w.t.Name(), "/", 2)[1], w.report)
}
