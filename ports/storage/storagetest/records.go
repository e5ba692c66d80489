package storagetest

import (
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/vc-admin/diy/domain/billing"
	"github.com/vc-admin/diy/domain/fault"
	"github.com/vc-admin/diy/ports/storage"
)

var recordScenarios = []scenario{
	{"RecordEndFeedback replaces the record of a subscription", testRecordEndFeedback},
	{"SweepEndFeedback deletes old comments", testSweepEndFeedback},
	{"RecordEvent can be repeated", testRecordEvent},
	{"RecordEvent replaces outcomes that are not final", testEventOutcomes},
	{"SweepEvents deletes older events, at most the given number", testSweepEvents},
}

func testRecordEndFeedback(t *testing.T, h Harness) {
	s := h.Open(t)
	orgID, otherOrgID := storeSignUp(t, s, "ada").Organisation.ID, storeSignUp(t, s, "other").Organisation.ID
	recordFeedback := func(
		organisationID, subscriptionID string, at time.Time, reason billing.EndReason, comment string,
	) billing.EndFeedback {
		e := billing.EndFeedback{
			OrganisationID: organisationID, SubscriptionID: subscriptionID, RequestedAt: at, Reason: reason, Comment: comment,
		}
		require.NoError(t, s.RecordEndFeedback(t.Context(), e))
		return e
	}
	recordFeedback(orgID, "sub_1", noon, billing.SwitchingProduct, "replaced later")
	olderFeedback := recordFeedback(orgID, "sub_1", noon.Add(time.Minute), billing.OtherReason, "é 🔑")
	newerFeedback := recordFeedback(orgID, "sub_2", noon.Add(time.Hour), billing.NoEndReason, "")
	recordFeedback(otherOrgID, "sub_1", noon, billing.TooExpensive, "another organisation")

	feedback, err := s.EndFeedback(t.Context(), orgID)
	require.NoError(t, err)
	require.Equal(t, []billing.EndFeedback{newerFeedback, olderFeedback}, feedback)
	requireFault(t, fault.NotFound,
		s.RecordEndFeedback(t.Context(), billing.EndFeedback{OrganisationID: "unknown", SubscriptionID: "s", RequestedAt: noon}))
}

// newEvent returns an event that was applied.
func newEvent(id string, at time.Time) storage.ReceivedEvent {
	return storage.ReceivedEvent{ID: id, Type: "customer", OrganisationID: "org", Outcome: storage.EventApplied, ReceivedAt: at}
}

func testEventOutcomes(t *testing.T, h Harness) {
	s := h.Open(t)
	other := newEvent("other", noon)
	other.OrganisationID = ""
	require.NoError(t, s.RecordEvent(t.Context(), other))
	require.NoError(t, s.RecordEvent(t.Context(), newEvent("older", noon.Add(-time.Minute))))
	e := newEvent("event", noon)
	for i, outcome := range []storage.EventOutcome{
		storage.EventFailed, storage.EventUnsigned, storage.EventFailed, storage.EventApplied, storage.EventFailed,
	} {
		e.Outcome, e.ReceivedAt = outcome, noon.Add(time.Duration(i)*time.Minute)
		require.NoError(t, s.RecordEvent(t.Context(), e))
		isHandled, err := s.EventHandled(t.Context(), "event")
		require.NoError(t, err)
		require.Equal(t, i >= 3, isHandled, outcome)
	}
	e.Outcome, e.ReceivedAt = storage.EventApplied, noon.Add(3*time.Minute)
	for limit, want := range map[int][]storage.ReceivedEvent{2: {e, newEvent("older", noon.Add(-time.Minute))}, 1: {e}} {
		got, err := s.OrganisationEvents(t.Context(), "org", limit)
		require.NoError(t, err)
		assert.Equal(t, want, got, "a final outcome is not replaced")
	}
	got, err := s.OrganisationEvents(t.Context(), "", 2)
	require.NoError(t, err)
	assert.Empty(t, got)
}

func testSweepEndFeedback(t *testing.T, h Harness) {
	s := h.Open(t)
	orgID := storeSignUp(t, s, "ada").Organisation.ID
	for id, at := range map[string]time.Time{"old": noon.Add(-time.Microsecond), "new": noon} {
		require.NoError(t, s.RecordEndFeedback(t.Context(), billing.EndFeedback{
			OrganisationID: orgID, SubscriptionID: id, RequestedAt: at, Reason: billing.TooExpensive, Comment: "comment",
		}))
	}
	require.NoError(t, s.SweepEndFeedback(t.Context(), noon))
	feedback, err := s.EndFeedback(t.Context(), orgID)
	require.NoError(t, err)
	require.Len(t, feedback, 2)
	assert.Equal(t, "comment", feedback[0].Comment)
	assert.Empty(t, feedback[1].Comment)
	assert.Equal(t, billing.TooExpensive, feedback[1].Reason)
}

// testRecordEvent records an event concurrently, because providers may deliver the same event several times at
// once.
func testRecordEvent(t *testing.T, h Harness) {
	s := h.Open(t)
	requireHandled := func(want bool, id string) {
		isHandled, err := s.EventHandled(t.Context(), id)
		require.NoError(t, err)
		require.Equal(t, want, isHandled)
	}
	requireHandled(false, "event")
	h.runConcurrently(t, s, func(worker int, store storage.Store) {
		now := noon.Add(time.Duration(worker) * time.Second)
		assert.NoError(t, store.RecordEvent(t.Context(), newEvent("event", now)))
	})
	requireHandled(true, "event")
	require.NoError(t, s.RecordEvent(t.Context(), newEvent("event", noon)))
	requireHandled(true, "event")
	requireHandled(false, "another")
}

func testSweepEvents(t *testing.T, h Harness) {
	s := h.Open(t)
	ages := map[string]time.Duration{
		"oldest": 2 * time.Microsecond, "older": time.Microsecond, "old": time.Microsecond, "new": 0,
	}
	for id, age := range ages {
		require.NoError(t, s.RecordEvent(t.Context(), newEvent(id, noon.Add(-age))))
	}
	for _, want := range []int{2, 1, 0} {
		count, err := s.SweepEvents(t.Context(), noon, 2)
		require.NoError(t, err)
		assert.Equal(t, want, count)
	}
	for _, id := range []string{"oldest", "older", "old", "new"} {
		isHandled, err := s.EventHandled(t.Context(), id)
		require.NoError(t, err)
		assert.Equal(t, id == "new", isHandled, id)
	}
}
