// Package identitytest contains the conformance suites for implementations of ports/identity: RunSessions for sessions,
// RunSessionStore for their store, RunPasswords for passwords, RunOneTimeCodes for codes and RunPasskeys for passkeys.
package identitytest

import (
	"context"
	"fmt"
	"sync"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"

	"github.com/vc-admin/diy/domain/account"
	"github.com/vc-admin/diy/ports/identity"
)

// Sessions connects the suite to an adapter under test and simulated browsers. It must be safe for
// concurrent use.
type Sessions struct {
	identity.Sessions
	// Request runs do within a request of the named browser. The browser sends its session token and stores the token
	// of the response. Requests of one browser may overlap.
	Request func(browser string, do func(ctx context.Context))
	// Copy copies the current token of one browser to another.
	Copy func(from, to string)
	// Restart returns a new adapter on the same store; the browsers keep their tokens.
	Restart func() Sessions
}

// RunSessions runs the conformance suite for identity.Sessions. open returns a new adapter on an empty
// store and registers its cleanup with t.
func RunSessions(t *testing.T, open func(t *testing.T) Sessions) {
	tests := map[string]func(*testing.T, Sessions){
		"a new browser is signed out":                               testNoSession,
		"Start signs the user in":                                   testSignIn,
		"End signs the user out":                                    testSignOut,
		"End without a session succeeds":                            testSignOutWithoutSession,
		"Start replaces the user of the session":                    testSignInAgain,
		"browsers have separate sessions":                           testSeveralBrowsers,
		"a sign-in invalidates a token that an attacker planted":    testSessionFixation,
		"a sign-in invalidates a planted token that has no session": testFixationWithoutSession,
		"a sign-out invalidates a copied token":                     testCopiedTokenAfterSignOut,
		"a sign-in invalidates a copied token":                      testCopiedTokenAfterSignIn,
		"a slow request does not restore a session after sign-out":  testSlowRequestDuringSignOut,
		"a slow request does not restore a session after sign-in":   testSlowRequestDuringSignIn,
		"concurrent requests only see their own session":            testConcurrentRequests,
		"concurrent sign-outs leave no session":                     testConcurrentSignOuts,
		"sessions survive a restart":                                testRestart,
		"the time and the methods of the authentication are kept":   testAuthentication,
		"List returns all sessions of the user":                     testList,
		"EndByID ends one session of the user only":                 testEndByID,
		"EndByID of the current session signs the user out":         testEndByIDOfCurrentSession,
		"Switch changes the organisation of the session only":       testSwitch,
		"Switch without a session is NotFound":                      testSwitchWithoutSession,
		"EndOthers keeps the current session only":                  testEndOthers,
	}
	for name, test := range tests {
		t.Run(name, func(t *testing.T) { test(t, open(t)) })
	}
}

var (
	signedInAt = time.Date(2026, 3, 4, 12, 0, 0, 0, time.UTC)
	ann        = identity.Identity{UserID: "user_ann", OrganisationID: "org_clinic", AuthenticatedAt: signedInAt}
	bob        = identity.Identity{UserID: "user_bob", OrganisationID: "org_practice", AuthenticatedAt: signedInAt}
)

// start signs the user in with a separate request.
func (s Sessions) start(t *testing.T, browser string, user identity.Identity) {
	t.Helper()
	s.Request(browser, func(ctx context.Context) { assert.NoError(t, s.Start(ctx, user)) })
}

// end signs out with a separate request.
func (s Sessions) end(t *testing.T, browser string) {
	t.Helper()
	s.Request(browser, func(ctx context.Context) { assert.NoError(t, s.End(ctx)) })
}

// assertUser asserts in a new request that the user is signed in.
func (s Sessions) assertUser(t *testing.T, browser string, want identity.Identity) {
	t.Helper()
	s.Request(browser, func(ctx context.Context) { s.assertCurrent(ctx, t, want) })
}

// assertSignedOut asserts in a new request that no user is signed in.
func (s Sessions) assertSignedOut(t *testing.T, browser string) {
	t.Helper()
	s.Request(browser, func(ctx context.Context) { s.assertNoCurrent(ctx, t) })
}

func (s Sessions) assertCurrent(ctx context.Context, t *testing.T, want identity.Identity) {
	t.Helper()
	user, ok := s.Current(ctx)
	assert.True(t, ok, "a user should be signed in")
	assert.NotEmpty(t, user.SessionID)
	want.SessionID, want.Role = user.SessionID, account.Owner
	assert.Equal(t, want, user)
}

func (s Sessions) assertNoCurrent(ctx context.Context, t *testing.T) {
	t.Helper()
	user, ok := s.Current(ctx)
	assert.False(t, ok, "no user should be signed in")
	assert.Zero(t, user)
}

func testNoSession(t *testing.T, s Sessions) {
	s.assertSignedOut(t, "laptop")
	s.assertSignedOut(t, "laptop")
}

func testSignIn(t *testing.T, s Sessions) {
	s.Request("laptop", func(ctx context.Context) {
		assert.NoError(t, s.Start(ctx, ann))
		s.assertCurrent(ctx, t, ann)
	})
	s.assertUser(t, "laptop", ann)
	s.assertUser(t, "laptop", ann)
}

func testSignOut(t *testing.T, s Sessions) {
	s.start(t, "laptop", ann)
	s.Request("laptop", func(ctx context.Context) {
		assert.NoError(t, s.End(ctx))
		s.assertNoCurrent(ctx, t)
	})
	s.assertSignedOut(t, "laptop")
	s.start(t, "laptop", bob)
	s.assertUser(t, "laptop", bob)
}

func testSignOutWithoutSession(t *testing.T, s Sessions) {
	s.end(t, "laptop")
	s.start(t, "laptop", ann)
	s.end(t, "laptop")
	s.end(t, "laptop")
	s.Request("laptop", func(ctx context.Context) {
		assert.NoError(t, s.Start(ctx, ann))
		assert.NoError(t, s.End(ctx))
		s.assertNoCurrent(ctx, t)
	})
	s.assertSignedOut(t, "laptop")
}

func testSignInAgain(t *testing.T, s Sessions) {
	s.start(t, "laptop", ann)
	s.start(t, "laptop", bob)
	s.assertUser(t, "laptop", bob)
	s.Request("laptop", func(ctx context.Context) {
		assert.NoError(t, s.Start(ctx, bob))
		assert.NoError(t, s.Start(ctx, ann))
		s.assertCurrent(ctx, t, ann)
	})
	s.assertUser(t, "laptop", ann)
}

func testSeveralBrowsers(t *testing.T, s Sessions) {
	s.start(t, "laptop", ann)
	s.start(t, "phone", ann)
	s.start(t, "tablet", bob)
	s.assertSignedOut(t, "kiosk")
	s.end(t, "laptop")
	s.assertSignedOut(t, "laptop")
	s.assertUser(t, "phone", ann)
	s.assertUser(t, "tablet", bob)
}

func testRestart(t *testing.T, s Sessions) {
	s.start(t, "laptop", ann)
	s.start(t, "phone", ann)
	s.end(t, "phone")

	restartedSessions := s.Restart()
	restartedSessions.assertUser(t, "laptop", ann)
	restartedSessions.assertSignedOut(t, "phone")
	restartedSessions.end(t, "laptop")
	s.assertSignedOut(t, "laptop")
}

// testSessionFixation plants an attacker's token in the victim's browser. It checks that the token does not give access
// to the session that the victim starts there.
func testSessionFixation(t *testing.T, s Sessions) {
	s.start(t, "attacker", bob)
	s.Copy("attacker", "victim")
	s.start(t, "victim", ann)
	s.assertUser(t, "victim", ann)
	s.assertSignedOut(t, "attacker")
}

func testFixationWithoutSession(t *testing.T, s Sessions) {
	s.assertSignedOut(t, "attacker")
	s.Copy("attacker", "victim")
	s.start(t, "victim", ann)
	s.assertSignedOut(t, "attacker")
}

func testCopiedTokenAfterSignOut(t *testing.T, s Sessions) {
	s.start(t, "laptop", ann)
	s.Copy("laptop", "thief")
	s.assertUser(t, "thief", ann) // checks that Copy works
	s.end(t, "laptop")
	s.assertSignedOut(t, "thief")
}

func testCopiedTokenAfterSignIn(t *testing.T, s Sessions) {
	s.start(t, "laptop", ann)
	s.Copy("laptop", "thief")
	s.start(t, "laptop", ann)
	s.assertSignedOut(t, "thief")
	s.assertUser(t, "laptop", ann)
}

// testSlowRequestDuringSignOut signs out while another request is running. It checks that the other request does not
// store the session again when it ends.
func testSlowRequestDuringSignOut(t *testing.T, s Sessions) {
	s.start(t, "laptop", ann)
	s.Copy("laptop", "thief")
	s.runDuringRequest("laptop", func() { s.end(t, "laptop") })
	s.assertSignedOut(t, "thief")
}

func testSlowRequestDuringSignIn(t *testing.T, s Sessions) {
	s.start(t, "laptop", ann)
	s.Copy("laptop", "thief")
	s.Copy("laptop", "tab")
	s.runDuringRequest("tab", func() { s.start(t, "laptop", bob) })
	s.assertSignedOut(t, "thief")
	s.assertSignedOut(t, "tab")
	s.assertUser(t, "laptop", bob)
}

// runDuringRequest runs do while a request of the browser is in progress.
func (s Sessions) runDuringRequest(browser string, do func()) {
	s.Request(browser, func(ctx context.Context) {
		s.Current(ctx)
		do()
		s.Current(ctx)
	})
}

// runConcurrently runs do in eight goroutines.
func runConcurrently(do func(n int)) {
	const concurrency = 8
	var wg sync.WaitGroup
	for n := range concurrency {
		wg.Go(func() { do(n) })
	}
	wg.Wait()
}

// testConcurrentRequests checks that several users, each with several tabs, only see their own session.
func testConcurrentRequests(t *testing.T, s Sessions) {
	user := func(n int) identity.Identity {
		return identity.Identity{
			UserID: fmt.Sprintf("user_%d", n), OrganisationID: fmt.Sprintf("org_%d", n), AuthenticatedAt: signedInAt,
		}
	}
	browser := func(n int) string { return fmt.Sprintf("browser %d", n) }
	runConcurrently(func(n int) {
		s.start(t, browser(n), user(n))
		runConcurrently(func(int) { s.assertUser(t, browser(n), user(n)) })
	})
	runConcurrently(func(n int) { s.assertUser(t, browser(n), user(n)) })
}

// testConcurrentSignOuts lets several tabs of a browser sign out while other tabs read the session. It checks that no
// tab stays signed in.
func testConcurrentSignOuts(t *testing.T, s Sessions) {
	s.start(t, "laptop", ann)
	s.Copy("laptop", "thief")
	runConcurrently(func(int) {
		s.Request("laptop", func(ctx context.Context) { s.Current(ctx) })
		s.Request("laptop", func(ctx context.Context) { assert.NoError(t, s.End(ctx)) })
	})
	s.assertSignedOut(t, "laptop")
	s.assertSignedOut(t, "thief")
}
