package engine_test

import (
	"testing"

	"github.com/stretchr/testify/assert"
	"pgregory.net/rapid"

	"github.com/vc-admin/diy/domain/engine"
)

func TestApplyCredit(t *testing.T) {
	for name, tt := range map[string]struct{ total, credit, due, used, left int64 }{
		"no credit":      {1000, 0, 1000, 0, 0},
		"some credit":    {1000, 300, 700, 300, 0},
		"enough credit":  {1000, 1500, 0, 1000, 500},
		"negative total": {-1000, 300, 0, 0, 1300},
	} {
		t.Run(name, func(t *testing.T) {
			due, used, left := engine.ApplyCredit(tt.total, tt.credit)
			assert.Equal(t, []int64{tt.due, tt.used, tt.left}, []int64{due, used, left})
		})
	}
}

func TestApplyCredit_ConservesMoney(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		total := rapid.Int64Range(-1<<40, 1<<40).Draw(t, "total")
		credit := rapid.Int64Range(0, 1<<40).Draw(t, "credit")
		due, used, left := engine.ApplyCredit(total, credit)
		assert.Equal(t, total, due+credit-left)
		assert.True(t, due >= 0 && used >= 0 && left >= 0 && used <= credit)
		assert.True(t, due == 0 || left == 0, "no charge while credit is left")
	})
}
