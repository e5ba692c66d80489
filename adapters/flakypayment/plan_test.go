package flakypayment_test

import (
	"testing"

	"github.com/stretchr/testify/assert"

	"github.com/vc-admin/diy/adapters/flakypayment"
)

func TestNothingGoesWrongByItself(t *testing.T) {
	p := flakypayment.New(newBank(t), flakypayment.Calm)
	made, err := create(t, p, "once")
	assert.NoError(t, err)
	assert.NotEmpty(t, made.ID)
}

func TestAQueueEnds(t *testing.T) {
	p := flakypayment.New(newBank(t), flakypayment.Queue(nil, flakypayment.TooMany.Fault()))
	var failed []bool
	for _, key := range []string{"a", "b", "c"} {
		_, err := create(t, p, key)
		failed = append(failed, err != nil)
	}
	assert.Equal(t, []bool{false, true, false}, failed)
}

// wrong is which of a hundred calls fail.
func wrong(plan flakypayment.Plan) (failing []int) {
	for at := range 100 {
		if plan(flakypayment.Call{At: at}) != nil {
			failing = append(failing, at)
		}
	}
	return failing
}

func TestASeedFailsTheSameCallsOnEveryRun(t *testing.T) {
	once := wrong(flakypayment.Seeded(1, 0.3))
	assert.Equal(t, once, wrong(flakypayment.Seeded(1, 0.3)))
	assert.NotEqual(t, once, wrong(flakypayment.Seeded(2, 0.3)))
	assert.InDelta(t, 30, len(once), 15)
	assert.Empty(t, wrong(flakypayment.Seeded(1, 0)))
	assert.Len(t, wrong(flakypayment.Seeded(1, 1)), 100)
}
