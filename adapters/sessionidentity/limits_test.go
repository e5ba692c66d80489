package sessionidentity

import (
	"testing"
	"testing/synctest"
	"time"

	"github.com/stretchr/testify/assert"
)

// In these tests time passes in a bubble and costs none. The sessions are made outside of it, as
// the session manager leaves a goroutine behind.

func TestASessionEndsWhenItIsNotUsed(t *testing.T) {
	s := NewSessions(newFragile(), Options{})
	synctest.Test(t, func(t *testing.T) {
		used, unused := signIn(t, s), signIn(t, s)
		for range 3 {
			pass(IdleLimit - seenEvery)
			assert.True(t, isSignedIn(s, used))
		}
		assert.False(t, isSignedIn(s, unused))
		pass(IdleLimit + time.Second)
		assert.False(t, isSignedIn(s, used))
		assert.False(t, isSignedIn(s, used), "looking does not bring it back")
	})
}

func TestASessionEndsHoweverMuchItIsUsed(t *testing.T) {
	s := NewSessions(newFragile(), Options{})
	synctest.Test(t, func(t *testing.T) {
		cookie := signIn(t, s)
		for range int(AbsoluteLimit/time.Hour) - 1 {
			pass(time.Hour)
			assert.True(t, isSignedIn(s, cookie))
		}
		pass(time.Hour + time.Second)
		assert.False(t, isSignedIn(s, cookie))
	})
}

func TestSigningInAnewStartsTheLimitsAnew(t *testing.T) {
	s := NewSessions(newFragile(), Options{})
	synctest.Test(t, func(t *testing.T) {
		cookie := signIn(t, s)
		pass(IdleLimit + time.Second)
		cookie = signIn(t, s, cookie)
		pass(IdleLimit - time.Second)
		assert.True(t, isSignedIn(s, cookie))
	})
}

func TestABusySessionRarelyWrites(t *testing.T) {
	store := newFragile()
	s := NewSessions(store, Options{})
	synctest.Test(t, func(t *testing.T) {
		cookie := signIn(t, s)
		atSignIn := len(store.commits)
		for range 10 * 60 {
			pass(time.Second)
			assert.True(t, isSignedIn(s, cookie))
		}
		assert.Len(t, store.commits, atSignIn+2, "once in five minutes")
	})
}

func TestASessionThatCanNotBeNotedGoesOn(t *testing.T) {
	store := newFragile()
	s := NewSessions(store, Options{})
	synctest.Test(t, func(t *testing.T) {
		cookie := signIn(t, s)
		pass(time.Hour)
		store.noCommit = true
		assert.True(t, isSignedIn(s, cookie))
		store.noCommit = false
		assert.True(t, isSignedIn(s, cookie))
		pass(IdleLimit - time.Second)
		assert.True(t, isSignedIn(s, cookie), "the second visit was noted")
	})
}

// pass moves the bubble's clock.
func pass(d time.Duration) { <-time.After(d) }
