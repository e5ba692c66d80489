package crash

import (
	"flag"
	"math/rand/v2"
	"sync"
	"testing"
	"time"

	"github.com/vc-admin/diy/adapters/sqlstorage/postgrestest"
)

var (
	kills  = flag.Int("kills", 6, "how often each server is killed")
	seed   = flag.Uint64("seed", 0, "what the kills and the people's decisions depend on; 0 takes another one each time")
	clocks = flag.Bool("clocks", false, "give every server a clock of its own, up to 30 days off")
	ready  = flag.Duration("ready", patience, "how long a server that was killed may take to be ready again")
)

// patience is how long anything at all may take.
const patience = time.Minute

// theSeed is the one that was given, or the one that was taken.
var theSeed = sync.OnceValue(func() uint64 {
	if *seed != 0 {
		return *seed
	}
	return rand.Uint64()
})

func TestMain(m *testing.M) { postgrestest.Run(m) }
