package identitytest

import (
	"context"
	"testing"
)

// plantedToken is session fixation: somebody puts their own token into another's browser and
// waits for that person to sign in on it.
func plantedToken(t *testing.T, s Sessions) {
	s.start(t, "attacker", bob)
	s.Copy("attacker", "victim")
	s.start(t, "victim", ann)
	s.sees(t, "victim", ann)
	s.seesNobody(t, "attacker")
}

func plantedVisitor(t *testing.T, s Sessions) {
	s.seesNobody(t, "attacker")
	s.Copy("attacker", "victim")
	s.start(t, "victim", ann)
	s.seesNobody(t, "attacker")
}

func tokenFromBeforeSignOut(t *testing.T, s Sessions) {
	s.start(t, "laptop", ann)
	s.Copy("laptop", "thief")
	s.sees(t, "thief", ann) // which shows that Copy is good for something
	s.end(t, "laptop")
	s.seesNobody(t, "thief")
}

func tokenFromBeforeAnotherSignIn(t *testing.T, s Sessions) {
	s.start(t, "laptop", ann)
	s.Copy("laptop", "thief")
	s.start(t, "laptop", ann)
	s.seesNobody(t, "thief")
	s.sees(t, "laptop", ann)
}

// slowVisitRevivesNothing: a visit that began before the sign-out ends after it, and must not
// write back what it read.
func slowVisitRevivesNothing(t *testing.T, s Sessions) {
	s.start(t, "laptop", ann)
	s.Copy("laptop", "thief")
	s.during("laptop", func() { s.end(t, "laptop") })
	s.seesNobody(t, "thief")
}

func slowVisitRevivesNoOldSignIn(t *testing.T, s Sessions) {
	s.start(t, "laptop", ann)
	s.Copy("laptop", "thief")
	s.Copy("laptop", "tab")
	s.during("tab", func() { s.start(t, "laptop", bob) })
	s.seesNobody(t, "thief")
	s.seesNobody(t, "tab")
	s.sees(t, "laptop", bob)
}

// during runs do while a visit of the browser is under way.
func (s Sessions) during(browser string, do func()) {
	s.Visit(browser, func(ctx context.Context) {
		s.Current(ctx)
		do()
		s.Current(ctx)
	})
}
