package sessionidentity

import (
	"context"
	"net/http"
	"sync/atomic"
	"testing"
	"time"

	"github.com/alexedwards/scs/v2/memstore"
	"github.com/stretchr/testify/assert"

	"github.com/vc-admin/diy/domain/fault"
)

// memoryUserStore is a UserStore in memory that counts its reads.
type memoryUserStore struct {
	*memstore.MemStore
	reads atomic.Int64
	err   error // returned by all reads
}

func newMemoryUserStore() *memoryUserStore {
	return &memoryUserStore{MemStore: memstore.NewWithCleanupInterval(0)}
}

func (s *memoryUserStore) FindCtx(ctx context.Context, token string) ([]byte, bool, error) {
	records, err := s.FindAllCtx(ctx, token)
	data, found := records[token]
	return data, found, err
}

func (s *memoryUserStore) FindAllCtx(_ context.Context, tokens ...string) (map[string][]byte, error) {
	s.reads.Add(1)
	records := map[string][]byte{}
	for _, token := range tokens {
		if data, found, _ := s.Find(token); found {
			records[token] = data
		}
	}
	return records, s.err
}

func (s *memoryUserStore) CommitCtx(_ context.Context, token string, data []byte, expiry time.Time) error {
	return s.Commit(token, data, expiry)
}

func (s *memoryUserStore) CommitUserCtx(ctx context.Context, _, token string, data []byte, expiry time.Time) error {
	return s.CommitCtx(ctx, token, data, expiry)
}

func (s *memoryUserStore) DeleteCtx(_ context.Context, token string) error { return s.Delete(token) }

func TestMiddleware_ReadsSessionAndLastSeenInOneCall(t *testing.T) {
	store := newMemoryUserStore()
	s := NewSessions(store, Options{})
	cookie := signIn(t, s)
	for name, c := range map[string]struct {
		cookies []*http.Cookie
		reads   int64
	}{
		"signed in":     {[]*http.Cookie{cookie}, 1},
		"unknown token": {[]*http.Cookie{{Name: cookie.Name, Value: "unknown"}}, 1},
		"no cookie":     {nil, 0},
	} {
		store.reads.Store(0)
		assert.Equal(t, name == "signed in", isSignedIn(s, c.cookies...), name)
		assert.Equal(t, c.reads, store.reads.Load(), name)
	}

	store.err = errStore
	res := serve(newHandler(s, func(context.Context) { t.Error("the handler was called") }), cookie)
	assert.Equal(t, http.StatusServiceUnavailable, res.Code)
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
			store.failCommit = true
			res := serve(newHandler(s, func(ctx context.Context) {
				assert.True(t, fault.Is(s.Start(ctx, ann), fault.Unavailable))
				_, ok := s.Current(ctx)
				assert.False(t, ok)
			}), oldCookies...)
			for _, c := range res.cookies() {
				assert.Empty(t, c.Value, "the browser gets no token of a session that does not exist")
				assert.Negative(t, c.MaxAge)
			}
			store.failCommit = false
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
