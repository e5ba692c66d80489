package flakypayment

import "math/rand/v2"

// Plan says what goes wrong with a call; nil is nothing. It is asked by many at once.
type Plan func(Call) Fault

// Calm is the plan by which nothing goes wrong.
func Calm(Call) Fault { return nil }

// Queue has the faults happen to the first calls, one each, and lets the others through. A nil
// among them lets its call through.
func Queue(faults ...Fault) Plan {
	return func(c Call) Fault {
		if c.At < len(faults) {
			return faults[c.At]
		}
		return nil
	}
}

// Seeded has a share of the calls, from 0 to 1, go wrong in one of the kinds, of all when none is
// named. What happens to a call depends on the seed and its number only.
func Seeded(seed uint64, share float64, kinds ...Kind) Plan {
	if len(kinds) == 0 {
		kinds = Kinds()
	}
	return func(c Call) Fault {
		chance := rand.New(rand.NewPCG(seed, uint64(c.At))) //nolint:gosec // a game, not a secret; and calls are counted from 0
		if chance.Float64() >= share {
			return nil
		}
		return kinds[chance.IntN(len(kinds))].Fault()
	}
}
