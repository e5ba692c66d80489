package systemclock_test

import (
	"testing"

	"github.com/vc-admin/diy/adapters/systemclock"
	"github.com/vc-admin/diy/ports/clock/clocktest"
)

func TestSystemClockKeepsThePortsPromises(t *testing.T) {
	clocktest.Run(t, systemclock.New())
}
