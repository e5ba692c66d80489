package bench

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

func TestVerdict(t *testing.T) {
	for _, c := range []struct {
		name string
		row  row
		want verdict
	}{
		{"at the least", row{ratio: 0.85, wanted: atLeast(0.85)}, holds},
		{"a little less", row{ratio: 0.82, wanted: atLeast(0.85)}, narrowly},
		{"clearly less", row{ratio: 0.80, wanted: atLeast(0.85)}, missed},
		{"clearly less, but not by our doing", row{ratio: 0.80, wanted: atLeast(0.85), busy: true}, unclear},
		{"good although the machine is busy", row{ratio: 0.9, wanted: atLeast(0.85), busy: true}, holds},
		{"at the most", row{ratio: 1.3, wanted: atMost(1.3)}, holds},
		{"a little more", row{ratio: 1.34, wanted: atMost(1.3)}, narrowly},
		{"clearly more", row{ratio: 1.4, wanted: atMost(1.3)}, missed},
		{"below both bounds", row{ratio: 0.9, wanted: within(0.97, 1.03)}, missed},
		{"between both bounds", row{ratio: 1.01, wanted: within(0.97, 1.03)}, holds},
		{"above both bounds", row{ratio: 1.1, wanted: within(0.97, 1.03)}, missed},
		{"without a bound", row{ratio: 1000}, noted},
	} {
		t.Run(c.name, func(t *testing.T) {
			assert.Equal(t, c.want, c.row.verdict())
			assert.Equal(t, c.want == missed, table{{}, c.row}.missed())
		})
	}
}

func TestTableSaysAllOfARow(t *testing.T) {
	var out strings.Builder
	require.NoError(t, table{
		{what: "sign-ups", measured: "80/s", against: "90/s bare hashes", ratio: 0.889, wanted: atLeast(0.85)},
		{what: "growth", measured: "9 ms", against: "1 ms", ratio: 9, wanted: atMost(1.5)},
		{what: "both", wanted: within(0.97, 1.03), ratio: 1},
		{what: "neither"},
	}.write(&out))
	lines := strings.Split(out.String(), "\n")
	assert.Regexp(t, `^what +measured +against +ratio +wanted +verdict$`, lines[0])
	assert.Regexp(t, `^sign-ups +80/s +90/s bare hashes +0\.89 +>= 0\.85 +holds$`, lines[1])
	assert.Regexp(t, `^growth +9 ms +1 ms +9\.00 +<= 1\.50 +MISSED$`, lines[2])
	assert.Regexp(t, `^both +1\.00 +0\.97 to 1\.03 +holds$`, lines[3])
	assert.Regexp(t, `^neither +0\.00 +- +-$`, lines[4])
}

func TestTheMedianOfTheTurnsCounts(t *testing.T) {
	var said string
	slow := []float64{1, 10, 1, 1, 100} // the machine, turn by turn
	turn := 0
	theirs := func() float64 { said += "t"; return 10 * slow[turn/2%5] }
	ours := func() float64 { said += "o"; return 8 * slow[turn/2%5] }
	counted := func(f func() float64) func() float64 {
		return func() float64 { defer func() { turn++ }(); return f() }
	}

	d := byTurns(5, counted(ours), counted(theirs))
	assert.Equal(t, "toottootto", said)
	assert.Equal(t, duel{ours: 8, theirs: 10, ratio: 0.8}, d)
}
