package storagetest

import (
	"strconv"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/vc-admin/diy/domain/audit"
	"github.com/vc-admin/diy/ports/storage"
)

// verifySeals verifies all seals of the class and returns them.
func verifySeals(t *testing.T, s storage.Store, class audit.Class) []audit.Seal {
	t.Helper()
	seals, err := s.AuditSeals(t.Context(), class, 0, 100)
	require.NoError(t, err)
	previous := audit.Seal{}
	for _, seal := range seals {
		var entries []audit.Entry
		if previous.SeenID > 0 {
			entries, err = s.AuditEntries(t.Context(),
				storage.AuditQuery{Class: class, AfterID: previous.LastID, UntilID: seal.LastID, Limit: 1000})
			require.NoError(t, err)
		}
		require.NoError(t, seal.Verify(previous, entries, true))
		previous = seal
	}
	return seals
}

func testSealAuditLog(t *testing.T, h Harness) {
	s := h.Open(t)
	now := noon
	seal := func(wantCounts ...int64) {
		t.Helper()
		now = now.Add(audit.MinSealInterval)
		seals, err := s.SealAuditLog(t.Context(), now)
		require.NoError(t, err)
		var counts []int64
		for _, seal := range seals {
			assert.Len(t, seal.Hash, 64)
			counts = append(counts, seal.Count)
		}
		assert.Equal(t, wantCounts, counts)
	}
	seal()
	addAuditEntry(t, s, newAuditEntry("org", noon))
	seal(0, 0)
	seal(1, 0)
	seal()
	record := newAuditEntry("org", noon)
	record.Kind, record.Data = audit.EmailVerified, nil
	for range 2 {
		addAuditEntry(t, s, record)
	}
	seal(0, 0)
	addAuditEntry(t, s, record)
	seal(0, 2)
	seal(0, 1)
	assert.Len(t, verifySeals(t, s, audit.Access), 5)
	assert.Len(t, verifySeals(t, s, audit.Record), 5)
	after, err := s.AuditSeals(t.Context(), audit.Record, 3, 1)
	require.NoError(t, err)
	require.Len(t, after, 1)
	assert.EqualValues(t, 4, after[0].Number)
}

func testSealInterval(t *testing.T, h Harness) {
	s := h.Open(t)
	seal := func(at time.Time, wantSeals int) {
		t.Helper()
		seals, err := s.SealAuditLog(t.Context(), at)
		require.NoError(t, err)
		assert.Len(t, seals, wantSeals)
	}
	addAuditEntry(t, s, newAuditEntry("org", noon))
	seal(noon, 2)
	seal(noon, 0)
	addAuditEntry(t, s, newAuditEntry("org", noon)) // the late commit
	seal(noon, 0)
	seal(noon.Add(-time.Hour), 0)
	seal(noon.Add(audit.MinSealInterval-time.Second), 0)
	seal(noon.Add(audit.MinSealInterval), 2)
	seal(noon.Add(2*audit.MinSealInterval), 2)

	seals := verifySeals(t, s, audit.Access)
	require.Len(t, seals, 3)
	assert.Equal(t, []int64{0, 1, 1}, []int64{seals[0].Count, seals[1].Count, seals[2].Count})
}

func testSweepAuditLog(t *testing.T, h Harness) {
	s := h.Open(t)
	now := noon
	addAndSeal := func(class audit.Kind, at time.Time, subject int) {
		e := newAuditEntry("org", at)
		e.Kind, e.Data, e.Subject = class, nil, strconv.Itoa(subject)
		addAuditEntry(t, s, e)
		for range 2 {
			now = now.Add(audit.MinSealInterval)
			_, err := s.SealAuditLog(t.Context(), now)
			require.NoError(t, err)
		}
	}
	requireSweep := func(want int) {
		t.Helper()
		count, err := s.SweepAuditLog(t.Context())
		require.NoError(t, err)
		assert.Equal(t, want, count)
	}
	requireSweep(0)
	day := 24 * time.Hour
	addAndSeal(audit.SignIn, noon, 1)
	addAndSeal(audit.EmailVerified, noon, 2)
	addAndSeal(audit.SignIn, noon.Add(day), 3)
	addAndSeal(audit.SignIn, noon.Add(audit.Retention), 4)
	requireSweep(0)
	addAndSeal(audit.SignIn, noon.Add(audit.Retention+day), 5)
	requireSweep(1)
	requireSweep(0)
	addAndSeal(audit.SignIn, noon.Add(audit.Retention+2*day), 6)
	requireSweep(1)

	entries, err := s.AuditEntries(t.Context(), storage.AuditQuery{Limit: 10})
	require.NoError(t, err)
	var subjects []string
	for _, e := range entries {
		subjects = append(subjects, e.Subject)
	}
	assert.Equal(t, []string{"2", "4", "5", "6"}, subjects)
	verifySeals(t, s, audit.Access)
	verifySeals(t, s, audit.Record)
}
