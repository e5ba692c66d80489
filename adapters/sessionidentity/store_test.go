package sessionidentity

import (
	"context"
	"net/http"
	"testing"

	"github.com/stretchr/testify/assert"

	"github.com/vc-admin/diy/domain/fault"
)

func TestMiddleware_RespondsWhenTheStoreCannotBeRead(t *testing.T) {
	var reported error
	for name, c := range map[string]struct {
		options Options
		want    int
	}{
		"default": {Options{}, http.StatusServiceUnavailable},
		"Fail": {Options{Fail: func(w http.ResponseWriter, _ *http.Request, err error) {
			reported = err
			w.WriteHeader(http.StatusTeapot)
		}}, http.StatusTeapot},
	} {
		t.Run(name, func(t *testing.T) {
			store := newFaultyStore()
			s := NewSessions(store, c.options)
			cookie := signIn(t, s)

			store.failFind = true
			got := send(handler(s, func(context.Context) { t.Error("the handler was called") }), cookie)
			assert.Equal(t, c.want, got.Code)
			assert.Empty(t, got.cookies(), "the browser keeps its session")

			store.failFind = false
			assert.True(t, isSignedIn(s, cookie))
		})
	}
	assert.True(t, fault.Is(reported, fault.Unavailable))
	assert.ErrorIs(t, reported, errStore)
}

func TestStart_UnavailableStoreSignsOut(t *testing.T) {
	for name, hadSession := range map[string]bool{"signed out before": false, "signed in before": true} {
		t.Run(name, func(t *testing.T) {
			store := newFaultyStore()
			s := NewSessions(store, Options{})
			var before []*http.Cookie
			if hadSession {
				before = append(before, signIn(t, s))
			}
			store.failCommit = true
			got := send(handler(s, func(ctx context.Context) {
				assert.True(t, fault.Is(s.Start(ctx, ann), fault.Unavailable))
				_, ok := s.Current(ctx)
				assert.False(t, ok)
			}), before...)
			for _, c := range got.cookies() {
				assert.Empty(t, c.Value, "no token of a session that does not exist")
				assert.Negative(t, c.MaxAge)
			}
			store.failCommit = false
			assert.False(t, isSignedIn(s, before...))
		})
	}
}

func TestStart_KeepsTheSessionIfTheOldTokenCannotBeDeleted(t *testing.T) {
	store := newFaultyStore()
	s := NewSessions(store, Options{})
	cookie := signIn(t, s)
	store.failDelete = true
	got := send(handler(s, func(ctx context.Context) {
		assert.True(t, fault.Is(s.Start(ctx, ann), fault.Unavailable))
	}), cookie)
	assert.Empty(t, got.cookies())
	assert.True(t, isSignedIn(s, cookie))
}

func TestEnd_KeepsTheSessionIfItCannotBeDeleted(t *testing.T) {
	store := newFaultyStore()
	s := NewSessions(store, Options{})
	cookie := signIn(t, s)
	store.failDelete = true
	got := send(handler(s, func(ctx context.Context) {
		assert.True(t, fault.Is(s.End(ctx), fault.Unavailable))
		_, ok := s.Current(ctx)
		assert.True(t, ok)
	}), cookie)
	assert.Empty(t, got.cookies())
	assert.True(t, isSignedIn(s, cookie))
}
