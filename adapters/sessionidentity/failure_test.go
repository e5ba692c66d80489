package sessionidentity

import (
	"context"
	"net/http"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/vc-admin/diy/domain/fault"
)

func isSignedIn(s *Sessions, c ...*http.Cookie) (signedIn bool) {
	answering(s, func(ctx context.Context) { _, signedIn = s.Current(ctx) }, c...)
	return signedIn
}

func TestAVisitEndsWhenTheStoreCanNotBeRead(t *testing.T) {
	store := newFragile()
	s := NewSessions(store, Options{})
	cookie := signIn(t, s)

	store.noFind = true
	answer := answering(s, func(context.Context) { t.Error("the visit went on") }, cookie)
	assert.Equal(t, http.StatusServiceUnavailable, answer.StatusCode)
	assert.Empty(t, answer.Cookies(), "the browser keeps its session")

	store.noFind = false
	assert.True(t, isSignedIn(s, cookie))
}

func TestVisitorsDoNotNeedTheStore(t *testing.T) {
	store := newFragile()
	store.noFind = true
	answer := answering(NewSessions(store, Options{}), func(context.Context) {})
	assert.Equal(t, http.StatusOK, answer.StatusCode)
}

func TestFailAnswersInOurWords(t *testing.T) {
	store := newFragile()
	var got error
	s := NewSessions(store, Options{Fail: func(w http.ResponseWriter, _ *http.Request, err error) {
		got = err
		w.WriteHeader(http.StatusTeapot)
	}})
	cookie := signIn(t, s)
	store.noFind = true
	answer := answering(s, func(context.Context) {}, cookie)
	assert.Equal(t, http.StatusTeapot, answer.StatusCode)
	assert.True(t, fault.Is(got, fault.Unavailable))
	assert.ErrorIs(t, got, errStore)
}

func TestSignInFailsWhenTheStoreDoes(t *testing.T) {
	store := newFragile()
	store.noCommit = true
	s := NewSessions(store, Options{})
	answer := answering(s, func(ctx context.Context) {
		assert.True(t, fault.Is(s.Start(ctx, ann), fault.Unavailable))
		_, ok := s.Current(ctx)
		assert.False(t, ok)
	})
	for _, c := range answer.Cookies() {
		assert.Empty(t, c.Value, "no token of a session that does not exist")
	}
	store.noCommit = false
	assert.False(t, isSignedIn(s, answer.Cookies()...))
}

func TestAFailedSignInLeavesNobodyHalfSignedIn(t *testing.T) {
	store := newFragile()
	s := NewSessions(store, Options{})
	cookie := signIn(t, s)
	store.noCommit = true
	answer := answering(s, func(ctx context.Context) {
		assert.True(t, fault.Is(s.Start(ctx, ann), fault.Unavailable))
		_, ok := s.Current(ctx)
		assert.False(t, ok, "the old session is gone, the new one never came")
	}, cookie)
	if assert.Len(t, answer.Cookies(), 1) {
		assert.Negative(t, answer.Cookies()[0].MaxAge)
	}
	assert.False(t, isSignedIn(s, cookie))
}

func TestSignInAnewFailsWhenTheOldTokenStays(t *testing.T) {
	store := newFragile()
	s := NewSessions(store, Options{})
	cookie := signIn(t, s)
	store.noDelete = true
	answer := answering(s, func(ctx context.Context) {
		assert.True(t, fault.Is(s.Start(ctx, ann), fault.Unavailable))
	}, cookie)
	assert.Empty(t, answer.Cookies())
	assert.True(t, isSignedIn(s, cookie), "all is as it was")
}

func TestSignOutFailsWhenTheStoreDoes(t *testing.T) {
	store := newFragile()
	s := NewSessions(store, Options{})
	cookie := signIn(t, s)
	store.noDelete = true
	answer := answering(s, func(ctx context.Context) {
		assert.True(t, fault.Is(s.End(ctx), fault.Unavailable))
		_, ok := s.Current(ctx)
		assert.True(t, ok, "nobody is told of a sign-out that did not happen")
	}, cookie)
	assert.Empty(t, answer.Cookies())
	assert.True(t, isSignedIn(s, cookie))
}
