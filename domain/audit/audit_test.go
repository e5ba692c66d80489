package audit_test

import (
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/vc-admin/diy/domain/audit"
)

var noon = time.Date(2026, 3, 4, 12, 0, 0, 0, time.UTC)

func newEntry(id int64) audit.Entry {
	return audit.Entry{
		ID: id, At: noon, OrganisationID: "org", Actor: audit.User("ada"), Kind: audit.SignIn, Subject: "ada", Outcome: audit.Done,
		Data: audit.Data{"methods": "password", "browser": "known"}, RequestID: "R", Note: "note",
	}
}

func TestEntry_ValidateAcceptsOnlyCodesUnderTheKeysOfTheKind(t *testing.T) {
	require.NoError(t, newEntry(1).Validate())
	for name, change := range map[string]func(*audit.Entry){
		"no actor":             func(e *audit.Entry) { e.Actor = audit.Actor{} },
		"user without id":      func(e *audit.Entry) { e.Actor = audit.User("") },
		"visitor with id":      func(e *audit.Entry) { e.Actor.Kind = audit.VisitorActor },
		"unknown actor":        func(e *audit.Entry) { e.Actor.Kind = "robot" },
		"unknown kind":         func(e *audit.Entry) { e.Kind = "user.unknown" },
		"no outcome":           func(e *audit.Entry) { e.Outcome = "" },
		"key of another kind":  func(e *audit.Entry) { e.Data["plan"] = "standard" },
		"email address":        func(e *audit.Entry) { e.Data["reason"] = "ada@example.com" },
		"name":                 func(e *audit.Entry) { e.Data["reason"] = "Émile" },
		"long value":           func(e *audit.Entry) { e.Data["reason"] = strings.Repeat("a", 256) },
		"email as the subject": func(e *audit.Entry) { e.Subject = "ada@example.com" },
		"line feed as cause":   func(e *audit.Entry) { e.Cause = "a\nb" },
	} {
		e := newEntry(1)
		change(&e)
		assert.Error(t, e.Validate(), name)
	}
}

func TestCode_MakesAnyTextAValue(t *testing.T) {
	assert.Equal(t, "in_1=/+ ~", audit.Code("in_1=/+ ~"))
	assert.Equal(t, "ann?example.com?", audit.Code("ann@example.com\n"))
	e := newEntry(1)
	e.Subject = audit.Code(strings.Repeat("é", 300))
	assert.NoError(t, e.Validate())
}

func TestKinds_HaveAClassAndKeysWithoutPersonalData(t *testing.T) {
	for _, kind := range audit.Kinds() {
		e := audit.Entry{Kind: kind, Actor: audit.System, Outcome: audit.Done}
		assert.NoError(t, e.Validate(), kind)
		assert.Contains(t, audit.Classes(), e.Class(), kind)
		for _, key := range []string{"email", "name", "phone", "address", "token", "note", "password"} {
			e.Data = audit.Data{key: "x"}
			assert.Error(t, e.Validate(), kind)
		}
	}
}

func TestContext_KeepsTheActorAndTheCause(t *testing.T) {
	ctx := audit.WithCause(audit.WithDefaultActor(t.Context(), audit.System), "op_1")
	assert.Equal(t, audit.System, audit.ActorFromContext(ctx))
	assert.Equal(t, "op_1", audit.CauseFromContext(ctx))
	ctx = audit.WithActor(ctx, audit.Operator("olga"))
	assert.Equal(t, audit.Operator("olga"), audit.ActorFromContext(audit.WithDefaultActor(ctx, audit.System)))
}

func TestSeal_VerifyDetectsEveryChange(t *testing.T) {
	first, err := audit.Seal{}.Next(audit.Access, nil, 3, noon)
	require.NoError(t, err)
	entries := []audit.Entry{newEntry(1), newEntry(3)}
	seal, err := first.Next(audit.Access, entries, 7, noon.Add(time.Minute))
	require.NoError(t, err)
	require.NoError(t, seal.Verify(first, entries, false))
	assert.Equal(t, []int64{2, 3, 7, 2}, []int64{seal.Number, seal.LastID, seal.SeenID, seal.Count})

	erased := []audit.Entry{newEntry(1), newEntry(3)}
	erased[0].Note = ""
	require.NoError(t, seal.Verify(first, erased, false), "notes can be erased")
	require.NoError(t, seal.Verify(first, nil, true), "old entries can be deleted")
	for name, change := range map[string]func(*audit.Entry){
		"id":           func(e *audit.Entry) { e.ID = 2 },
		"time":         func(e *audit.Entry) { e.At = e.At.Add(time.Microsecond) },
		"organisation": func(e *audit.Entry) { e.OrganisationID = "other" },
		"actor kind":   func(e *audit.Entry) { e.Actor = audit.Operator("ada") },
		"actor":        func(e *audit.Entry) { e.Actor.ID = "ben" },
		"kind":         func(e *audit.Entry) { e.Kind = audit.SignedOut },
		"subject":      func(e *audit.Entry) { e.Subject = "ben" },
		"outcome":      func(e *audit.Entry) { e.Outcome = audit.Refused },
		"data":         func(e *audit.Entry) { e.Data = nil },
		"cause":        func(e *audit.Entry) { e.Cause = "op" },
		"request":      func(e *audit.Entry) { e.RequestID = "S" },
	} {
		altered := []audit.Entry{newEntry(1), newEntry(3)}
		change(&altered[0])
		assert.ErrorIs(t, seal.Verify(first, altered, true), audit.ErrAltered, name)
	}
	for name, altered := range map[string][]audit.Entry{
		"deleted": {newEntry(1)}, "added": {newEntry(1), newEntry(2), newEntry(3)}, "swapped": {newEntry(3), newEntry(1)}, "all deleted": nil,
	} {
		assert.ErrorIs(t, seal.Verify(first, altered, false), audit.ErrAltered, name)
	}
	other := first
	other.Hash = strings.Repeat("0", 64)
	assert.ErrorIs(t, seal.Verify(other, entries, false), audit.ErrAltered, "another previous seal")
	assert.ErrorIs(t, seal.Verify(audit.Seal{}, entries, false), audit.ErrAltered, "a seal is missing")
}
