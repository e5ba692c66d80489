package sessionidentity

import (
	"context"
	"net/http"
	"testing"

	"github.com/stretchr/testify/assert"

	"github.com/vc-admin/diy/domain/fault"
)

func TestMiddleware_ReadsTheSessionOnce(t *testing.T) {
	store := newFaultyStore()
	s := NewSessions(store, Options{})
	cookie := signIn(t, s)
	for name, c := range map[string]struct {
		cookies []*http.Cookie
		reads   int
	}{
		"signed in":     {[]*http.Cookie{cookie}, 1},
		"unknown token": {[]*http.Cookie{{Name: cookie.Name, Value: "unknown"}}, 1},
		"no cookie":     {nil, 0},
	} {
		store.reads = 0
		assert.Equal(t, name == "signed in", isSignedIn(s, c.cookies...), name)
		assert.Equal(t, c.reads, store.reads, name)
	}
}

func TestMiddleware_CallsErrorFuncIfStoreCannotBeRead(t *testing.T) {
	var reportedErr error
	for name, c := range map[string]struct {
		options Options
		want    int
	}{
		"default": {Options{}, http.StatusServiceUnavailable},
		"Options.Fail": {Options{ErrorFunc: func(w http.ResponseWriter, _ *http.Request, err error) {
			reportedErr = err
			w.WriteHeader(http.StatusTeapot)
		}}, http.StatusTeapot},
	} {
		t.Run(name, func(t *testing.T) {
			store := newFaultyStore()
			s := NewSessions(store, c.options)
			cookie := signIn(t, s)

			store.failFind = true
			res := serve(newHandler(s, func(context.Context) { t.Error("the handler was called") }), cookie)
			assert.Equal(t, c.want, res.Code)
			assert.Empty(t, res.cookies(), "the browser keeps its session")

			store.failFind = false
			assert.True(t, isSignedIn(s, cookie))
		})
	}
	assert.True(t, fault.Is(reportedErr, fault.Unavailable))
	assert.ErrorIs(t, reportedErr, errStore)
}

func TestStart_SignsOutIfSessionCannotBeStored(t *testing.T) {
	for name, hasSession := range map[string]bool{"signed out before": false, "signed in before": true} {
		t.Run(name, func(t *testing.T) {
			store := newFaultyStore()
			s := NewSessions(store, Options{})
			var oldCookies []*http.Cookie
			if hasSession {
				oldCookies = append(oldCookies, signIn(t, s))
			}
			store.failAdd = true
			res := serve(newHandler(s, func(ctx context.Context) {
				assert.True(t, fault.Is(s.Start(ctx, ann), fault.Unavailable))
				_, ok := s.Current(ctx)
				assert.False(t, ok)
			}), oldCookies...)
			for _, c := range res.cookies() {
				assert.Empty(t, c.Value, "the browser gets no token of a session that does not exist")
				assert.Negative(t, c.MaxAge)
			}
			store.failAdd = false
			assert.False(t, isSignedIn(s, oldCookies...))
		})
	}
}

func TestStart_KeepsOldSessionIfItCannotBeDeleted(t *testing.T) {
	store := newFaultyStore()
	s := NewSessions(store, Options{})
	cookie := signIn(t, s)
	store.failDelete = true
	res := serve(newHandler(s, func(ctx context.Context) {
		assert.True(t, fault.Is(s.Start(ctx, ann), fault.Unavailable))
	}), cookie)
	assert.Empty(t, res.cookies())
	assert.True(t, isSignedIn(s, cookie))
}

func TestEnd_KeepsSessionIfItCannotBeDeleted(t *testing.T) {
	store := newFaultyStore()
	s := NewSessions(store, Options{})
	cookie := signIn(t, s)
	store.failDelete = true
	res := serve(newHandler(s, func(ctx context.Context) {
		assert.True(t, fault.Is(s.End(ctx), fault.Unavailable))
		_, ok := s.Current(ctx)
		assert.True(t, ok)
	}), cookie)
	assert.Empty(t, res.cookies())
	assert.True(t, isSignedIn(s, cookie))
}
