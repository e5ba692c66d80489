package identitytest

import (
	"context"
	"testing"

	"github.com/stretchr/testify/assert"

	"github.com/vc-admin/diy/ports/identity"
)

// Sessions is an adapter under test and the browsers that visit it. All of it may be used from
// many goroutines.
type Sessions struct {
	identity.Sessions
	// Visit runs do within one visit of the named browser, which brings the token it holds and
	// keeps the one it is given. Visits of one browser may overlap, as those of its tabs do.
	Visit func(browser string, do func(ctx context.Context))
	// Copy gives the second browser whatever token the first one holds now.
	Copy func(from, to string)
	// Restart makes a new adapter on the same store; the browsers keep their tokens.
	Restart func() Sessions
}

// RunSessions proves that the adapter keeps the port's promises. open makes a fresh adapter on an
// empty store and cleans up through t.
func RunSessions(t *testing.T, open func(t *testing.T) Sessions) {
	tests := map[string]func(*testing.T, Sessions){
		"nobody at first":                     nobodyAtFirst,
		"sign in":                             signIn,
		"sign out":                            signOut,
		"sign out of nothing":                 signOutOfNothing,
		"sign in anew":                        signInAnew,
		"two browsers":                        twoBrowsers,
		"planted token":                       plantedToken,
		"planted visitor":                     plantedVisitor,
		"token from before sign-out":          tokenFromBeforeSignOut,
		"token from before another sign-in":   tokenFromBeforeAnotherSignIn,
		"a slow visit revives nothing":        slowVisitRevivesNothing,
		"a slow visit revives no old sign-in": slowVisitRevivesNoOldSignIn,
		"visits at once":                      visitsAtOnce,
		"sign-outs at once":                   signOutsAtOnce,
		"restart":                             restart,
	}
	for name, test := range tests {
		t.Run(name, func(t *testing.T) { test(t, open(t)) })
	}
}

var (
	ann = identity.Identity{UserID: "user_ann", OrganisationID: "org_clinic"}
	bob = identity.Identity{UserID: "user_bob", OrganisationID: "org_practice"}
)

// start signs the person in on a visit of its own.
func (s Sessions) start(t *testing.T, browser string, who identity.Identity) {
	t.Helper()
	s.Visit(browser, func(ctx context.Context) { assert.NoError(t, s.Start(ctx, who)) })
}

// end signs out on a visit of its own.
func (s Sessions) end(t *testing.T, browser string) {
	t.Helper()
	s.Visit(browser, func(ctx context.Context) { assert.NoError(t, s.End(ctx)) })
}

// sees asserts who is signed in on a new visit.
func (s Sessions) sees(t *testing.T, browser string, want identity.Identity) {
	t.Helper()
	s.Visit(browser, func(ctx context.Context) { s.current(ctx, t, want) })
}

// seesNobody asserts that nobody is signed in on a new visit.
func (s Sessions) seesNobody(t *testing.T, browser string) {
	t.Helper()
	s.Visit(browser, func(ctx context.Context) { s.currentNobody(ctx, t) })
}

func (s Sessions) current(ctx context.Context, t *testing.T, want identity.Identity) {
	t.Helper()
	who, ok := s.Current(ctx)
	assert.True(t, ok, "somebody should be signed in")
	assert.Equal(t, want, who)
}

func (s Sessions) currentNobody(ctx context.Context, t *testing.T) {
	t.Helper()
	who, ok := s.Current(ctx)
	assert.False(t, ok, "nobody should be signed in")
	assert.Zero(t, who)
}
