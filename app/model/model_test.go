package model

import (
	"testing"

	"github.com/stretchr/testify/assert"
	"pgregory.net/rapid"
)

// tally counts what has happened, to show that the model does not stand still.
type tally map[string]int

func TestWhateverHappensTheBillIsRight(t *testing.T) {
	counts := tally{}
	rapid.Check(t, func(t *rapid.T) {
		h := newHouse(t, counts)
		h.signUp(t)
		t.Repeat(map[string]func(*rapid.T){
			"":             h.holds,
			"sign up":      h.signUp,
			"ask":          h.ask,
			"ask on":       h.ask,
			"ask more":     h.ask,
			"ask for more": h.askForMore,
			"ask twice":    h.askAtOnce,
			"browser":      h.browser,
			"desk":         h.cancelAtTheDesk,
			"deliver":      h.deliver,
			"wait":         h.wait,
			"move a clock": h.moveClock,
			"reconcile":    h.reconcile,
			"check":        h.check,
			"come to rest": h.rest,
		})
		h.rest(t)
	})
	t.Log(counts)
	for _, must := range shown() {
		assert.NotZero(t, counts[must], must)
	}
}

// shown is what has to have happened: everything in many draws, the usual in few.
func shown() []string {
	usual := []string{"subscribed", "conflict", "unavailable", "together", "rested", "license shown"}
	if checks() < 100 {
		return usual
	}
	return append(usual, "changed", "change pending", "paid", "dropped", "declined", "died", "confirmed", "checked")
}
