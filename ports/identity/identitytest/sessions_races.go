package identitytest

import (
	"context"
	"fmt"
	"sync"
	"testing"

	"github.com/stretchr/testify/assert"

	"github.com/vc-admin/diy/ports/identity"
)

const crowd = 8

func atOnce(do func(n int)) {
	var all sync.WaitGroup
	for n := range crowd {
		all.Go(func() { do(n) })
	}
	all.Wait()
}

// visitsAtOnce: everybody in a crowd, with several tabs each, only ever sees themselves.
func visitsAtOnce(t *testing.T, s Sessions) {
	person := func(n int) identity.Identity {
		return identity.Identity{UserID: fmt.Sprintf("user_%d", n), OrganisationID: fmt.Sprintf("org_%d", n)}
	}
	browser := func(n int) string { return fmt.Sprintf("browser %d", n) }
	atOnce(func(n int) {
		s.start(t, browser(n), person(n))
		atOnce(func(int) { s.sees(t, browser(n), person(n)) })
	})
	atOnce(func(n int) { s.sees(t, browser(n), person(n)) })
}

// signOutsAtOnce: all tabs of one browser sign out while others look; nobody is left signed in.
func signOutsAtOnce(t *testing.T, s Sessions) {
	s.start(t, "laptop", ann)
	s.Copy("laptop", "thief")
	atOnce(func(int) {
		s.Visit("laptop", func(ctx context.Context) { s.Current(ctx) })
		s.Visit("laptop", func(ctx context.Context) { assert.NoError(t, s.End(ctx)) })
	})
	s.seesNobody(t, "laptop")
	s.seesNobody(t, "thief")
}
