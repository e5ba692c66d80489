package identitytest

import (
	"cmp"
	"context"
	"slices"
	"sync"
	"time"

	"github.com/vc-admin/diy/domain/account"
	"github.com/vc-admin/diy/domain/fault"
	"github.com/vc-admin/diy/ports/identity"
)

// MemoryStore is an identity.SessionStore in memory, for tests. Every user is an owner of every organisation.
type MemoryStore struct {
	mu      sync.Mutex
	records map[string]identity.SessionRecord // by token hash
}

// NewMemoryStore returns an empty store.
func NewMemoryStore() *MemoryStore { return &MemoryStore{records: map[string]identity.SessionRecord{}} }

func errNoSession() error { return fault.New(fault.NotFound, "There is no such session") }

func isExpired(r identity.SessionRecord) bool { return !time.Now().Before(r.ExpiresAt) }

// AddSession implements identity.SessionStore.
func (s *MemoryStore) AddSession(_ context.Context, r identity.SessionRecord) error {
	s.mu.Lock()
	defer s.mu.Unlock()
	r.Role, r.Methods = account.Owner, slices.Clone(r.Methods)
	for _, at := range []*time.Time{&r.AuthenticatedAt, &r.CreatedAt, &r.LastUsedAt, &r.ExpiresAt} {
		*at = at.UTC().Truncate(time.Microsecond)
	}
	s.records[r.TokenHash] = r
	return nil
}

// Session implements identity.SessionStore.
func (s *MemoryStore) Session(_ context.Context, tokenHash string) (identity.SessionRecord, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	r, ok := s.records[tokenHash]
	if !ok || isExpired(r) {
		delete(s.records, tokenHash)
		return identity.SessionRecord{}, errNoSession()
	}
	return r, nil
}

// TouchSession implements identity.SessionStore.
func (s *MemoryStore) TouchSession(_ context.Context, tokenHash string, lastUsedAt, expiresAt time.Time) error {
	s.mu.Lock()
	defer s.mu.Unlock()
	if r, ok := s.records[tokenHash]; ok {
		r.LastUsedAt, r.ExpiresAt = lastUsedAt.UTC().Truncate(time.Microsecond), expiresAt.UTC().Truncate(time.Microsecond)
		s.records[tokenHash] = r
	}
	return nil
}

// SwitchSession implements identity.SessionStore.
func (s *MemoryStore) SwitchSession(_ context.Context, tokenHash, organisationID string) error {
	s.mu.Lock()
	defer s.mu.Unlock()
	r, ok := s.records[tokenHash]
	if !ok {
		return errNoSession()
	}
	r.OrganisationID = organisationID
	s.records[tokenHash] = r
	return nil
}

// DeleteSession implements identity.SessionStore.
func (s *MemoryStore) DeleteSession(_ context.Context, tokenHash string) error {
	s.mu.Lock()
	defer s.mu.Unlock()
	delete(s.records, tokenHash)
	return nil
}

// SessionsOfUser implements identity.SessionStore.
func (s *MemoryStore) SessionsOfUser(_ context.Context, userID string) ([]identity.SessionRecord, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	var records []identity.SessionRecord
	for _, r := range s.records {
		if r.UserID == userID && !isExpired(r) {
			records = append(records, r)
		}
	}
	slices.SortFunc(records, func(a, b identity.SessionRecord) int {
		return cmp.Or(b.LastUsedAt.Compare(a.LastUsedAt), cmp.Compare(a.SessionID, b.SessionID))
	})
	return records, nil
}

// DeleteSessionOfUser implements identity.SessionStore.
func (s *MemoryStore) DeleteSessionOfUser(_ context.Context, userID, id string) error {
	s.mu.Lock()
	defer s.mu.Unlock()
	for tokenHash, r := range s.records {
		if r.UserID == userID && r.SessionID == id {
			delete(s.records, tokenHash)
			return nil
		}
	}
	return errNoSession()
}

// DeleteOtherSessions implements identity.SessionStore.
func (s *MemoryStore) DeleteOtherSessions(_ context.Context, userID, id string) error {
	s.mu.Lock()
	defer s.mu.Unlock()
	for tokenHash, r := range s.records {
		if r.UserID == userID && r.SessionID != id {
			delete(s.records, tokenHash)
		}
	}
	return nil
}
