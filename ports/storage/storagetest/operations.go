package storagetest

import (
	"slices"
	"strconv"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/vc-admin/diy/domain/account"
	"github.com/vc-admin/diy/domain/audit"
	"github.com/vc-admin/diy/domain/billing"
	"github.com/vc-admin/diy/domain/catalogue"
	"github.com/vc-admin/diy/domain/fault"
	"github.com/vc-admin/diy/domain/money"
	"github.com/vc-admin/diy/ports/storage"
)

var operationScenarios = []scenario{
	{"BeginOperation stores every field", testOperationStoresEveryField},
	{"BeginOperation returns the pending operation of the same kind", testOnePendingOperationPerKind},
	{"only one of several concurrent BeginOperation calls stores its operation", testConcurrentBeginOperation},
	{"BeginOperation with a used key returns Conflict", testOperationKeyIsUnique},
	{"only one of several concurrent SettleOperation calls stores its result", testConcurrentSettleOperation},
	{"BeginOperation with an outdated revision returns Conflict", testOutdatedRevision},
	{"SettleOperation adds the entry of an operator's request to the audit log", testSettleOperatorRequest},
	{"OperationSucceeded compares all fields", testOperationSucceeded},
	{"the age of an operation follows the database's clock", testOperationAge},
	{"the age of an operation does not depend on CreatedAt", testDatabaseClock},
	{"PendingOperations returns the oldest first", testPendingOperationsInOrder},
	{"SweepOperations deletes operations that were settled earlier", testSweepOperations},
}

// beginOperation stores an operation of a new organisation.
func beginOperation(t *testing.T, s storage.Store, op billing.Operation) billing.Operation {
	t.Helper()
	return beginOperationAt(t, s, op, 0)
}

// beginOperationAt stores an operation whose actions were decided for the revision.
func beginOperationAt(t *testing.T, s storage.Store, op billing.Operation, revision int64) billing.Operation {
	t.Helper()
	storedOp, err := s.BeginOperation(t.Context(), op, revision)
	require.NoError(t, err)
	require.Equal(t, op, storedOp.Operation)
	return op
}

// settleOperation settles a pending operation.
func settleOperation(t *testing.T, s storage.Store, key, result string, at time.Time) {
	t.Helper()
	settled, err := s.SettleOperation(t.Context(), key, billing.Settlement{Result: result}, at)
	require.NoError(t, err)
	require.True(t, settled)
}

// pendingOperations returns all pending operations without their ages.
func pendingOperations(t *testing.T, s storage.Store) []billing.Operation {
	t.Helper()
	pendingOps, err := s.PendingOperations(t.Context(), 0, 1000)
	require.NoError(t, err)
	var ops []billing.Operation
	for _, op := range pendingOps {
		ops = append(ops, op.Operation)
	}
	return ops
}

// newActions returns two actions. The first one has no zero field.
func newActions(t *testing.T) []billing.Action {
	t.Helper()
	amount, err := money.New(81600, "AUD")
	require.NoError(t, err)
	return []billing.Action{
		{
			Kind: billing.ChangePlanAction, Key: "key-1", CustomerID: "cus", SubscriptionID: "sub", InvoiceID: "in",
			MethodID: "pm", Amount: amount, Quoted: billing.QuotedAmounts{DueNow: amount, CreditAfter: amount}, TrialDays: 7,
			FirstSubscription: true, KeepDefault: true, NewMethod: true, EndTrial: true,
			SubscriptionEnded: true, ProrationDate: noon, VoidInvoices: true,
			Details:    `{"legal_name":"Ömer's \"Clinic\""}`,
			Email:      "ann@example.com",
			IfDeclined: true,
			Until:      noon,
			From:       catalogue.PriceRef{Product: "standard", Interval: catalogue.Monthly, Currency: "AUD"},
			Price:      catalogue.PriceRef{Product: "professional", Interval: catalogue.Yearly, Currency: "AUD"},
		},
		{Kind: billing.SaveCardAction, Key: "key-2"},
	}
}

// newOperatorEntry returns the entry of an operator's request.
func newOperatorEntry(organisationID string) *audit.Entry {
	return &audit.Entry{
		OrganisationID: organisationID, Actor: audit.Operator("olga"), Kind: audit.OperatorRefunded, Subject: "in_1",
		Data: audit.Data{"amount": "500 EUR", "reason": "goodwill"}, Note: "called twice",
	}
}

func testOperationStoresEveryField(t *testing.T, h Harness) {
	s := h.Open(t)
	o := storeSignUp(t, s, "ada").Organisation
	op := newOperation("ключ-🔑", o.ID, billing.SubscriptionOperation, noon)
	op.Actions = newActions(t)
	op.Entry = newOperatorEntry(o.ID)
	requireNoZeroFields(t, op.Actions)
	beginOperation(t, s, op)
	require.Equal(t, []billing.Operation{op}, pendingOperations(t, s))
	pendingOp, err := s.PendingOperation(t.Context(), o.ID, billing.SubscriptionOperation)
	require.NoError(t, err)
	require.Equal(t, op, pendingOp.Operation)
	_, err = s.PendingOperation(t.Context(), o.ID, billing.CustomerOperation)
	requireFault(t, fault.NotFound, err)

	settleOperation(t, s, op.Key, "résultat", noon.Add(time.Second))
	require.Empty(t, pendingOperations(t, s))
	_, err = s.PendingOperation(t.Context(), o.ID, billing.SubscriptionOperation)
	requireFault(t, fault.NotFound, err)
}

// testOnePendingOperationPerKind also checks that operations of other kinds and of other organisations can be
// pending at the same time.
func testOnePendingOperationPerKind(t *testing.T, h Harness) {
	s := h.Open(t)
	orgID, otherOrgID := storeSignUp(t, s, "a").Organisation.ID, storeSignUp(t, s, "b").Organisation.ID
	pendingOp := beginOperation(t, s, newOperation("1", orgID, billing.CustomerOperation, noon))
	beginOperation(t, s, newOperation("2", orgID, billing.SubscriptionOperation, noon))
	beginOperation(t, s, newOperation("3", otherOrgID, billing.CustomerOperation, noon))

	returnedOp, err := s.BeginOperation(t.Context(), newOperation("4", orgID, billing.CustomerOperation, noon.Add(time.Hour)), 0)
	require.NoError(t, err)
	require.Equal(t, pendingOp, returnedOp.Operation)
	require.Len(t, pendingOperations(t, s), 3)

	settleOperation(t, s, "1", "", noon)
	beginOperation(t, s, newOperation("4", orgID, billing.CustomerOperation, noon.Add(time.Hour)))
	_, err = s.BeginOperation(t.Context(), newOperation("5", "unknown", billing.CustomerOperation, noon), 0)
	requireFault(t, fault.NotFound, err)
}

func testConcurrentBeginOperation(t *testing.T, h Harness) {
	s := h.Open(t)
	o := storeSignUp(t, s, "ada").Organisation
	returnedOps := make([]storage.PendingOperation, workers)
	h.runConcurrently(t, s, func(worker int, store storage.Store) {
		op := newOperation(strconv.Itoa(worker), o.ID, billing.SubscriptionOperation, noon)
		var err error
		returnedOps[worker], err = store.BeginOperation(t.Context(), op, 0)
		assert.NoError(t, err)
	})
	pendingOps := pendingOperations(t, s)
	require.Len(t, pendingOps, 1)
	for _, op := range returnedOps {
		require.Equal(t, pendingOps[0], op.Operation)
	}
}

// testOperationKeyIsUnique also begins a pending operation again, as a retry does.
func testOperationKeyIsUnique(t *testing.T, h Harness) {
	s := h.Open(t)
	o := storeSignUp(t, s, "ada").Organisation
	op := beginOperation(t, s, newOperation("key", o.ID, billing.SubscriptionOperation, noon))
	beginOperation(t, s, op)
	require.Len(t, pendingOperations(t, s), 1)

	_, err := s.BeginOperation(t.Context(), newOperation("key", o.ID, billing.CustomerOperation, noon), 0)
	requireFault(t, fault.Conflict, err)
	settleOperation(t, s, "key", "", noon)
	_, err = s.BeginOperation(t.Context(), op, 0)
	requireFault(t, fault.Conflict, err)
	require.Empty(t, pendingOperations(t, s))
}

// testOutdatedRevision also checks that a pending operation is returned even if the revision is outdated.
func testOutdatedRevision(t *testing.T, h Harness) {
	s := h.Open(t)
	o := storeSignUp(t, s, "ada").Organisation
	outdatedRevision := updateOrganisation(t, s, o.ID, func(o *account.Organisation) { o.Billing.Revision++ }).Billing.Revision
	updateOrganisation(t, s, o.ID, func(o *account.Organisation) { o.Billing.Revision++ })
	op := newOperation("key", o.ID, billing.SubscriptionOperation, noon)

	_, err := s.BeginOperation(t.Context(), op, outdatedRevision)
	requireFault(t, fault.Conflict, err)
	require.ErrorIs(t, err, storage.ErrRevisionChanged)
	require.Empty(t, pendingOperations(t, s))

	beginOperationAt(t, s, op, outdatedRevision+1)
	otherOp := newOperation("other", o.ID, billing.SubscriptionOperation, noon)
	returnedOp, err := s.BeginOperation(t.Context(), otherOp, outdatedRevision)
	require.NoError(t, err)
	require.Equal(t, "key", returnedOp.Key)
	orphanOp := newOperation("orphan", "unknown", billing.SubscriptionOperation, noon)
	_, err = s.BeginOperation(t.Context(), orphanOp, outdatedRevision)
	requireFault(t, fault.NotFound, err)
}

// testSettleOperatorRequest also checks that a request that was decided before has to be decided again.
func testSettleOperatorRequest(t *testing.T, h Harness) {
	s := h.Open(t)
	o := storeSignUp(t, s, "ada").Organisation
	op := newOperation("op_1", o.ID, billing.SubscriptionOperation, noon)
	op.Entry = newOperatorEntry(o.ID)
	beginOperation(t, s, op)
	settlement := billing.Settlement{Outcome: audit.Refused, Reason: "conflict"}
	for _, isFirst := range []bool{true, false} {
		settled, err := s.SettleOperation(t.Context(), op.Key, settlement, noon)
		require.NoError(t, err)
		require.Equal(t, isFirst, settled)
	}

	entries, err := s.AuditEntries(t.Context(), storage.AuditQuery{OrganisationID: o.ID, Cause: op.Key, Limit: 10})
	require.NoError(t, err)
	require.Len(t, entries, 3)
	require.Equal(t, audit.OperationSettled, entries[1].Kind)
	want := *op.Entry
	want.ID, want.At, want.Cause, want.Outcome, want.RequestID = entries[2].ID, entries[2].At, op.Key, audit.Refused, entries[2].RequestID
	want.Data = audit.Data{"amount": "500 EUR", "reason": "goodwill", "refusal": "conflict"}
	require.Equal(t, want, entries[2])
	_, err = s.BeginOperation(t.Context(), newOperation("op_2", o.ID, billing.SubscriptionOperation, noon), 0)
	require.ErrorIs(t, err, storage.ErrRevisionChanged)
	beginOperationAt(t, s, newOperation("op_2", o.ID, billing.SubscriptionOperation, noon), 1)
}

func testConcurrentSettleOperation(t *testing.T, h Harness) {
	s := h.Open(t)
	o := storeSignUp(t, s, "ada").Organisation
	op := beginOperation(t, s, newOperation("key", o.ID, billing.CustomerOperation, noon))
	_, err := s.SettleOperation(t.Context(), "unknown", billing.Settlement{Result: "x"}, noon)
	requireFault(t, fault.NotFound, err)

	settled := make([]bool, workers)
	h.runConcurrently(t, s, func(worker int, store storage.Store) {
		var err error
		settled[worker], err = store.SettleOperation(t.Context(), "key", billing.Settlement{Result: strconv.Itoa(worker)},
			noon.Add(time.Second))
		assert.NoError(t, err)
	})

	winner := slices.Index(settled, true)
	require.GreaterOrEqual(t, winner, 0)
	require.NotContains(t, settled[winner+1:], true, "one call settles the operation")
	for worker := range workers {
		succeeded, err := s.OperationSucceeded(t.Context(), storage.OperationQuery{
			OrganisationID: o.ID, Kind: billing.CustomerOperation, Fingerprint: op.Fingerprint, Result: strconv.Itoa(worker),
		})
		require.NoError(t, err)
		require.Equal(t, worker == winner, succeeded)
	}
}

func testOperationSucceeded(t *testing.T, h Harness) {
	s := h.Open(t)
	orgID, otherOrgID := storeSignUp(t, s, "ada").Organisation.ID, storeSignUp(t, s, "other").Organisation.ID
	query := storage.OperationQuery{
		OrganisationID: orgID, Kind: billing.SubscriptionOperation, Fingerprint: "fingerprint of key", Result: "sub",
	}
	operationSucceeded := func(q storage.OperationQuery) bool {
		t.Helper()
		succeeded, err := s.OperationSucceeded(t.Context(), q)
		require.NoError(t, err)
		return succeeded
	}
	beginOperation(t, s, newOperation("key", orgID, billing.SubscriptionOperation, noon))
	require.False(t, operationSucceeded(query), "the operation is pending")
	settleOperation(t, s, "key", "sub", noon.AddDate(-1, 0, 0))
	beginOperation(t, s, newOperation("later", orgID, billing.SubscriptionOperation, noon))
	settleOperation(t, s, "later", "sub", noon)
	require.True(t, operationSucceeded(query), "two operations have the result")

	for _, change := range []func(*storage.OperationQuery){
		func(q *storage.OperationQuery) { q.OrganisationID = otherOrgID },
		func(q *storage.OperationQuery) { q.Kind = billing.CustomerOperation },
		func(q *storage.OperationQuery) { q.Fingerprint = "another" },
		func(q *storage.OperationQuery) { q.Result = "another" },
	} {
		q := query
		change(&q)
		require.False(t, operationSucceeded(q), "%v", q)
	}
	beginOperation(t, s, newOperation("nothing", orgID, billing.SubscriptionOperation, noon))
	settleOperation(t, s, "nothing", "", noon)
	require.False(t,
		operationSucceeded(storage.OperationQuery{
			OrganisationID: orgID, Kind: billing.SubscriptionOperation, Fingerprint: "fingerprint of nothing",
		}))
}

func testOperationAge(t *testing.T, h Harness) {
	s := h.Open(t)
	o := storeSignUp(t, s, "ada").Organisation
	now := noon.AddDate(5, 0, 0)
	h.UseClock(t, s, func() time.Time { return now })
	op := newOperation("key", o.ID, billing.SubscriptionOperation, noon)
	storedOp, err := s.BeginOperation(t.Context(), op, 0)
	require.NoError(t, err)
	require.Zero(t, storedOp.Age)

	for _, age := range []time.Duration{2 * time.Minute, time.Hour, 30 * 24 * time.Hour, -time.Hour, -30 * 24 * time.Hour} {
		now = noon.AddDate(5, 0, 0).Add(age)
		repeatedOp, err := s.BeginOperation(t.Context(), newOperation("again", o.ID, billing.SubscriptionOperation, noon), 0)
		require.NoError(t, err)
		require.Equal(t, age, repeatedOp.Age)
		pendingOp, err := s.PendingOperation(t.Context(), o.ID, billing.SubscriptionOperation)
		require.NoError(t, err)
		require.Equal(t, age, pendingOp.Age)
		for minAge, want := range map[time.Duration]int{0: 1, age.Abs(): 1, age.Abs() + time.Microsecond: 0} {
			ops, err := s.PendingOperations(t.Context(), minAge, 10)
			require.NoError(t, err)
			require.Len(t, ops, want, "minimum %s, age %s", minAge, age)
		}
	}
}

func testDatabaseClock(t *testing.T, h Harness) {
	s := h.Open(t)
	o := storeSignUp(t, s, "ada").Organisation
	beginOperation(t, s, newOperation("key", o.ID, billing.SubscriptionOperation, noon.AddDate(-50, 0, 0)))
	pendingOp, err := s.PendingOperation(t.Context(), o.ID, billing.SubscriptionOperation)
	require.NoError(t, err)
	require.InDelta(t, 0, pendingOp.Age.Seconds(), 60)
	require.GreaterOrEqual(t, pendingOp.Age, time.Duration(0))
}

// testPendingOperationsInOrder inserts the operations in the reverse order of CreatedAt, and checks that the
// order of insertion does not matter.
func testPendingOperationsInOrder(t *testing.T, h Harness) {
	s := h.Open(t)
	var want []billing.Operation
	for i, createdAt := range slices.Backward(fractionalTimes()) {
		o := storeSignUp(t, s, strconv.Itoa(i)).Organisation
		want = append(want, beginOperation(t, s, newOperation(strconv.Itoa(i), o.ID, billing.CustomerOperation, createdAt)))
	}
	slices.Reverse(want)
	require.Equal(t, want, pendingOperations(t, s))
	for limit := range want {
		ops, err := s.PendingOperations(t.Context(), 0, limit)
		require.NoError(t, err)
		require.Len(t, ops, limit)
	}
	settleOperation(t, s, want[0].Key, "", noon)
	require.Equal(t, want[1:], pendingOperations(t, s))
}

// testSweepOperations keeps pending operations of any age.
func testSweepOperations(t *testing.T, h Harness) {
	s := h.Open(t)
	orgID := storeSignUp(t, s, "ada").Organisation.ID
	for i, key := range []string{"older", "old", "new"} {
		beginOperation(t, s, newOperation(key, orgID, billing.SubscriptionOperation, noon.AddDate(-3, 0, 0)))
		settleOperation(t, s, key, "", noon.Add(time.Duration(i-2)*time.Microsecond))
	}
	beginOperation(t, s, newOperation("pending", orgID, billing.SubscriptionOperation, noon.AddDate(-3, 0, 0)))
	for _, want := range []int{1, 1, 0} {
		count, err := s.SweepOperations(t.Context(), noon, 1)
		require.NoError(t, err)
		assert.Equal(t, want, count)
	}
	_, err := s.SettleOperation(t.Context(), "old", billing.Settlement{}, noon)
	requireFault(t, fault.NotFound, err)
	for _, key := range []string{"new", "pending"} {
		_, err := s.SettleOperation(t.Context(), key, billing.Settlement{}, noon)
		require.NoError(t, err, key)
	}
}
