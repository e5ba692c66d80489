package storagetest

import (
	"slices"
	"strconv"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/vc-admin/diy/domain/account"
	"github.com/vc-admin/diy/domain/billing"
	"github.com/vc-admin/diy/domain/catalogue"
	"github.com/vc-admin/diy/domain/fault"
	"github.com/vc-admin/diy/domain/money"
	"github.com/vc-admin/diy/ports/storage"
)

var operationScenarios = []scenario{
	{"BeginOperation stores every field", testOperationStoresEveryField},
	{"one operation of a kind is pending", testOnePendingOperationPerKind},
	{"concurrent BeginOperation calls: one is stored", testConcurrentBeginOperation},
	{"operation key is used once", testOperationKeyIsUnique},
	{"concurrent SettleOperation calls: the first is stored", testConcurrentSettleOperation},
	{"BeginOperation with an outdated plan is Conflict", testOutdatedPlan},
	{"OperationSucceeded compares all fields", testOperationSucceeded},
	{"ages follow the database's clock", testOperationAge},
	{"ages do not depend on CreatedAt", testDatabaseClock},
	{"PendingOperations returns the oldest first", testPendingOperationsInOrder},
	{"RecordEvent", testRecordEvent},
}

// beginOperation stores an operation, which must not exist yet.
func beginOperation(t *testing.T, s storage.Store, op billing.Operation) billing.Operation {
	t.Helper()
	got, err := s.BeginOperation(t.Context(), op)
	require.NoError(t, err)
	require.Equal(t, op, withoutAge(got))
	return op
}

// settleOperation settles a pending operation.
func settleOperation(t *testing.T, s storage.Store, key, result string, at time.Time) {
	t.Helper()
	settled, err := s.SettleOperation(t.Context(), key, result, at)
	require.NoError(t, err)
	require.True(t, settled)
}

// pendingOperations returns all pending operations without their ages.
func pendingOperations(t *testing.T, s storage.Store) []billing.Operation {
	t.Helper()
	all, err := s.PendingOperations(t.Context(), 0, 1000)
	require.NoError(t, err)
	for i := range all {
		all[i] = withoutAge(all[i])
	}
	return all
}

func withoutAge(op billing.Operation) billing.Operation {
	op.Age = 0
	return op
}

func actions(t *testing.T) []billing.Action {
	t.Helper()
	amount, err := money.New(81600, "AUD")
	require.NoError(t, err)
	return []billing.Action{
		{
			Kind: billing.ChangePlanAction, Key: "key-1", CustomerID: "cus", SubscriptionID: "sub", InvoiceID: "in",
			MethodID: "pm",
			Amount:   amount, TrialDays: 7, FirstSubscription: true, KeepDefault: true, EndTrial: true, SubscriptionEnded: true, ProrationDate: noon,
			VoidInvoices: true,
			Details:      `{"legal_name":"Ömer's \"Clinic\""}`,
			Cleanup:      true,
			From:         catalogue.PriceRef{Product: "standard", Interval: catalogue.Monthly, Currency: "AUD"},
			Price:        catalogue.PriceRef{Product: "professional", Interval: catalogue.Yearly, Currency: "AUD"},
		},
		{Kind: billing.SaveCardAction, Key: "key-2"},
	}
}

func testOperationStoresEveryField(t *testing.T, h Harness) {
	s := h.Open(t)
	o := signUp(t, s, "ada").Organisation
	op := operation("ключ-🔑", o.ID, billing.SubscriptionOperation, noon)
	op.Actions = actions(t)
	requireNoZeroFields(t, op.Actions)
	beginOperation(t, s, op)
	require.Equal(t, []billing.Operation{op}, pendingOperations(t, s))
	found, err := s.PendingOperation(t.Context(), o.ID, billing.SubscriptionOperation)
	require.NoError(t, err)
	require.Equal(t, op, withoutAge(found))
	_, err = s.PendingOperation(t.Context(), o.ID, billing.CustomerOperation)
	requireFault(t, fault.NotFound, err)

	settleOperation(t, s, op.Key, "résultat", noon.Add(time.Second))
	require.Empty(t, pendingOperations(t, s))
	_, err = s.PendingOperation(t.Context(), o.ID, billing.SubscriptionOperation)
	requireFault(t, fault.NotFound, err)
}

// Operations of other kinds and organisations are independent.
func testOnePendingOperationPerKind(t *testing.T, h Harness) {
	s := h.Open(t)
	a, b := signUp(t, s, "a").Organisation.ID, signUp(t, s, "b").Organisation.ID
	first := beginOperation(t, s, operation("1", a, billing.CustomerOperation, noon))
	beginOperation(t, s, operation("2", a, billing.SubscriptionOperation, noon))
	beginOperation(t, s, operation("3", b, billing.CustomerOperation, noon))

	got, err := s.BeginOperation(t.Context(), operation("4", a, billing.CustomerOperation, noon.Add(time.Hour)))
	require.NoError(t, err)
	require.Equal(t, first, withoutAge(got))
	require.Len(t, pendingOperations(t, s), 3)

	settleOperation(t, s, "1", "", noon)
	beginOperation(t, s, operation("4", a, billing.CustomerOperation, noon.Add(time.Hour)))
	_, err = s.BeginOperation(t.Context(), operation("5", "unknown", billing.CustomerOperation, noon))
	requireFault(t, fault.NotFound, err)
}

func testConcurrentBeginOperation(t *testing.T, h Harness) {
	s := h.Open(t)
	servers := h.servers(t, s)
	o := signUp(t, s, "ada").Organisation
	got := make([]billing.Operation, workers)
	concurrently(func(worker int) {
		op := operation(strconv.Itoa(worker), o.ID, billing.SubscriptionOperation, noon)
		var err error
		got[worker], err = servers[worker%len(servers)].BeginOperation(t.Context(), op)
		assert.NoError(t, err)
	})
	stored := pendingOperations(t, s)
	require.Len(t, stored, 1)
	for _, op := range got {
		require.Equal(t, stored[0], withoutAge(op))
	}
}

// Only a pending operation can begin again, as a retry does.
func testOperationKeyIsUnique(t *testing.T, h Harness) {
	s := h.Open(t)
	o := signUp(t, s, "ada").Organisation
	op := beginOperation(t, s, operation("key", o.ID, billing.SubscriptionOperation, noon))
	beginOperation(t, s, op)
	require.Len(t, pendingOperations(t, s), 1)

	_, err := s.BeginOperation(t.Context(), operation("key", o.ID, billing.CustomerOperation, noon))
	requireFault(t, fault.Conflict, err)
	settleOperation(t, s, "key", "", noon)
	_, err = s.BeginOperation(t.Context(), op)
	requireFault(t, fault.Conflict, err)
	require.Empty(t, pendingOperations(t, s))
}

// A pending operation is returned even if the plan is outdated.
func testOutdatedPlan(t *testing.T, h Harness) {
	s := h.Open(t)
	o := signUp(t, s, "ada").Organisation
	planned := updateOrganisation(t, s, o.ID, func(o *account.Organisation) { o.Billing.Revision++ }).Billing.Revision
	updateOrganisation(t, s, o.ID, func(o *account.Organisation) { o.Billing.Revision++ })
	op := operation("key", o.ID, billing.SubscriptionOperation, noon)
	op.Revision = &planned

	_, err := s.BeginOperation(t.Context(), op)
	requireFault(t, fault.Conflict, err)
	require.ErrorIs(t, err, storage.ErrRevisionChanged)
	require.Empty(t, pendingOperations(t, s))

	current := planned + 1
	op.Revision = &current
	beginOperation(t, s, op)
	other := operation("other", o.ID, billing.SubscriptionOperation, noon)
	other.Revision = &planned
	found, err := s.BeginOperation(t.Context(), other)
	require.NoError(t, err)
	require.Equal(t, "key", found.Key)
	unknown := operation("lost", "unknown", billing.SubscriptionOperation, noon)
	unknown.Revision = &planned
	_, err = s.BeginOperation(t.Context(), unknown)
	requireFault(t, fault.NotFound, err)
}

func testConcurrentSettleOperation(t *testing.T, h Harness) {
	s := h.Open(t)
	servers := h.servers(t, s)
	o := signUp(t, s, "ada").Organisation
	op := beginOperation(t, s, operation("key", o.ID, billing.CustomerOperation, noon))
	_, err := s.SettleOperation(t.Context(), "unknown", "x", noon)
	requireFault(t, fault.NotFound, err)

	settled := make([]bool, workers)
	concurrently(func(worker int) {
		var err error
		settled[worker], err = servers[worker%len(servers)].SettleOperation(t.Context(), "key", strconv.Itoa(worker),
			noon.Add(time.Second))
		assert.NoError(t, err)
	})

	first := slices.Index(settled, true)
	require.GreaterOrEqual(t, first, 0)
	require.NotContains(t, settled[first+1:], true, "one call settles it")
	for worker := range workers {
		succeeded, err := s.OperationSucceeded(t.Context(), storage.OperationQuery{
			OrganisationID: o.ID, Kind: billing.CustomerOperation, Fingerprint: op.Fingerprint, Result: strconv.Itoa(worker),
		})
		require.NoError(t, err)
		require.Equal(t, worker == first, succeeded)
	}
}

func testOperationSucceeded(t *testing.T, h Harness) {
	s := h.Open(t)
	o, other := signUp(t, s, "ada").Organisation.ID, signUp(t, s, "other").Organisation.ID
	query := storage.OperationQuery{
		OrganisationID: o, Kind: billing.SubscriptionOperation, Fingerprint: "fingerprint of key", Result: "sub",
	}
	succeeded := func(q storage.OperationQuery) bool {
		t.Helper()
		found, err := s.OperationSucceeded(t.Context(), q)
		require.NoError(t, err)
		return found
	}
	beginOperation(t, s, operation("key", o, billing.SubscriptionOperation, noon))
	require.False(t, succeeded(query), "still pending")
	settleOperation(t, s, "key", "sub", noon.AddDate(-1, 0, 0))
	beginOperation(t, s, operation("later", o, billing.SubscriptionOperation, noon))
	settleOperation(t, s, "later", "sub", noon)
	require.True(t, succeeded(query), "the first of two")

	for _, change := range []func(*storage.OperationQuery){
		func(q *storage.OperationQuery) { q.OrganisationID = other },
		func(q *storage.OperationQuery) { q.Kind = billing.CustomerOperation },
		func(q *storage.OperationQuery) { q.Fingerprint = "another" },
		func(q *storage.OperationQuery) { q.Result = "another" },
	} {
		q := query
		change(&q)
		require.False(t, succeeded(q), "%v", q)
	}
	beginOperation(t, s, operation("nothing", o, billing.SubscriptionOperation, noon))
	settleOperation(t, s, "nothing", "", noon)
	require.False(t,
		succeeded(storage.OperationQuery{
			OrganisationID: o, Kind: billing.SubscriptionOperation, Fingerprint: "fingerprint of nothing",
		}))
}

func testOperationAge(t *testing.T, h Harness) {
	s := h.Open(t)
	o := signUp(t, s, "ada").Organisation
	now := noon.AddDate(5, 0, 0)
	h.UseClock(t, s, func() time.Time { return now })
	op := operation("key", o.ID, billing.SubscriptionOperation, noon)
	op.Age = time.Hour
	stored, err := s.BeginOperation(t.Context(), op)
	require.NoError(t, err)
	require.Zero(t, stored.Age)

	for _, passed := range []time.Duration{2 * time.Minute, time.Hour, 30 * 24 * time.Hour, -time.Hour, -30 * 24 * time.Hour} {
		now = noon.AddDate(5, 0, 0).Add(passed)
		second, err := s.BeginOperation(t.Context(), operation("again", o.ID, billing.SubscriptionOperation, noon))
		require.NoError(t, err)
		require.Equal(t, passed, second.Age)
		found, err := s.PendingOperation(t.Context(), o.ID, billing.SubscriptionOperation)
		require.NoError(t, err)
		require.Equal(t, passed, found.Age)
		for limit, want := range map[time.Duration]int{0: 1, passed.Abs(): 1, passed.Abs() + time.Microsecond: 0} {
			all, err := s.PendingOperations(t.Context(), limit, 10)
			require.NoError(t, err)
			require.Len(t, all, want, "at least %s old, after %s", limit, passed)
		}
	}
}

func testDatabaseClock(t *testing.T, h Harness) {
	s := h.Open(t)
	o := signUp(t, s, "ada").Organisation
	beginOperation(t, s, operation("key", o.ID, billing.SubscriptionOperation, noon.AddDate(-50, 0, 0)))
	found, err := s.PendingOperation(t.Context(), o.ID, billing.SubscriptionOperation)
	require.NoError(t, err)
	require.InDelta(t, 0, found.Age.Seconds(), 60)
	require.GreaterOrEqual(t, found.Age, time.Duration(0))
}

// The order is that of CreatedAt, not of insertion.
func testPendingOperationsInOrder(t *testing.T, h Harness) {
	s := h.Open(t)
	var want []billing.Operation
	for i, start := range slices.Backward(fractionalTimes()) {
		o := signUp(t, s, strconv.Itoa(i)).Organisation
		want = append(want, beginOperation(t, s, operation(strconv.Itoa(i), o.ID, billing.CustomerOperation, start)))
	}
	slices.Reverse(want)
	require.Equal(t, want, pendingOperations(t, s))
	for limit := range want {
		got, err := s.PendingOperations(t.Context(), 0, limit)
		require.NoError(t, err)
		require.Len(t, got, limit)
	}
	settleOperation(t, s, want[0].Key, "", noon)
	require.Equal(t, want[1:], pendingOperations(t, s))
}

// fractionalTimes returns ascending times with fractions of a second of all lengths, which must sort correctly
// in text columns.
func fractionalTimes() []time.Time {
	second := noon.Truncate(time.Second)
	return []time.Time{
		second.Add(-time.Microsecond), second, second.Add(time.Microsecond), second.Add(5 * time.Millisecond),
		second.Add(10 * time.Millisecond), second.Add(110 * time.Millisecond), second.Add(200 * time.Millisecond),
		second.Add(time.Second), second.AddDate(10, 0, 0),
	}
}

// Providers may deliver an event several times at once.
func testRecordEvent(t *testing.T, h Harness) {
	s := h.Open(t)
	servers := h.servers(t, s)
	requireHandled := func(want bool, id string) {
		got, err := s.EventHandled(t.Context(), id)
		require.NoError(t, err)
		require.Equal(t, want, got)
	}
	requireHandled(false, "event")
	concurrently(func(worker int) {
		now := noon.Add(time.Duration(worker) * time.Second)
		assert.NoError(t, servers[worker%len(servers)].RecordEvent(t.Context(), "event", "subscription", now))
	})
	requireHandled(true, "event")
	require.NoError(t, s.RecordEvent(t.Context(), "event", "customer", noon))
	requireHandled(true, "event")
	requireHandled(false, "another")
}
