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
	got := answering(s, func(context.Context) { t.Error("the visit went on") }, cookie)
	assert.Equal(t, http.StatusServiceUnavailable, got.Code)
	assert.Empty(t, got.cookies(), "the browser keeps its session")

	store.noFind = false
	assert.True(t, isSignedIn(s, cookie))
}

func TestVisitorsDoNotNeedTheStore(t *testing.T) {
	store := newFragile()
	store.noFind = true
	got := answering(NewSessions(store, Options{}), func(context.Context) {})
	assert.Equal(t, http.StatusOK, got.Code)
}

func TestFailAnswersInOurWords(t *testing.T) {
	store := newFragile()
	var told error
	s := NewSessions(store, Options{Fail: func(w http.ResponseWriter, _ *http.Request, err error) {
		told = err
		w.WriteHeader(http.StatusTeapot)
	}})
	cookie := signIn(t, s)
	store.noFind = true
	got := answering(s, func(context.Context) {}, cookie)
	assert.Equal(t, http.StatusTeapot, got.Code)
	assert.True(t, fault.Is(told, fault.Unavailable))
	assert.ErrorIs(t, told, errStore)
}

func TestSignInFailsWhenTheStoreDoes(t *testing.T) {
	store := newFragile()
	store.noCommit = true
	s := NewSessions(store, Options{})
	got := answering(s, func(ctx context.Context) {
		assert.True(t, fault.Is(s.Start(ctx, ann), fault.Unavailable))
		_, ok := s.Current(ctx)
		assert.False(t, ok)
	})
	for _, c := range got.cookies() {
		assert.Empty(t, c.Value, "no token of a session that does not exist")
	}
	store.noCommit = false
	assert.False(t, isSignedIn(s, got.cookies()...))
}

func TestAFailedSignInLeavesNobodyHalfSignedIn(t *testing.T) {
	store := newFragile()
	s := NewSessions(store, Options{})
	cookie := signIn(t, s)
	store.noCommit = true
	got := answering(s, func(ctx context.Context) {
		assert.True(t, fault.Is(s.Start(ctx, ann), fault.Unavailable))
		_, ok := s.Current(ctx)
		assert.False(t, ok, "the old session is gone, the new one never came")
	}, cookie)
	if assert.Len(t, got.cookies(), 1) {
		assert.Negative(t, got.cookies()[0].MaxAge)
	}
	assert.False(t, isSignedIn(s, cookie))
}

func TestSignInAnewFailsWhenTheOldTokenStays(t *testing.T) {
	store := newFragile()
	s := NewSessions(store, Options{})
	cookie := signIn(t, s)
	store.noDelete = true
	got := answering(s, func(ctx context.Context) {
		assert.True(t, fault.Is(s.Start(ctx, ann), fault.Unavailable))
	}, cookie)
	assert.Empty(t, got.cookies())
	assert.True(t, isSignedIn(s, cookie), "all is as it was")
}

func TestSignOutFailsWhenTheStoreDoes(t *testing.T) {
	store := newFragile()
	s := NewSessions(store, Options{})
	cookie := signIn(t, s)
	store.noDelete = true
	got := answering(s, func(ctx context.Context) {
		assert.True(t, fault.Is(s.End(ctx), fault.Unavailable))
		_, ok := s.Current(ctx)
		assert.True(t, ok, "nobody is told of a sign-out that did not happen")
	}, cookie)
	assert.Empty(t, got.cookies())
	assert.True(t, isSignedIn(s, cookie))
}
