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

// begun stores an operation and wants it to be the one that is pending.
func begun(t *testing.T, s storage.Store, op billing.Operation) billing.Operation {
	t.Helper()
	got, err := s.BeginOperation(t.Context(), op)
	require.NoError(t, err)
	require.Equal(t, op, ageless(got))
	return op
}

// settled ends an operation and wants that to be the first time.
func settled(t *testing.T, s storage.Store, key, result string, at time.Time) {
	t.Helper()
	won, err := s.SettleOperation(t.Context(), key, result, at)
	require.NoError(t, err)
	require.True(t, won)
}

// pending lists everything that is pending.
func pending(t *testing.T, s storage.Store) []billing.Operation {
	t.Helper()
	all, err := s.PendingOperations(t.Context(), 0, 1000)
	require.NoError(t, err)
	for i := range all {
		all[i] = ageless(all[i])
	}
	return all
}

func ageless(op billing.Operation) billing.Operation {
	op.Age = 0
	return op
}

func steps(t *testing.T) []billing.Step {
	t.Helper()
	amount, err := money.New(81600, "AUD")
	require.NoError(t, err)
	return []billing.Step{
		{
			Kind: billing.ChangePlanStep, Key: "key-1", CustomerID: "cus", SubscriptionID: "sub", InvoiceID: "in", CardID: "pm",
			Amount: amount, TrialDays: 7, First: true, KeepDefault: true, EndTrial: true, At: noon,
			From:  catalogue.PriceRef{Product: "standard", Interval: catalogue.Monthly, Currency: "AUD"},
			Price: catalogue.PriceRef{Product: "professional", Interval: catalogue.Yearly, Currency: "AUD"},
		},
		{Kind: billing.SaveCardStep, Key: "key-2"},
	}
}

// operationKeepsEveryField wants the steps to come back as they were, and to be gone once the
// operation is settled.
func operationKeepsEveryField(t *testing.T, h Harness) {
	s := h.Open(t)
	o := signedUp(t, s, "ada").Organisation
	op := operation("ключ-🔑", o.ID, billing.SubscriptionOperation, noon)
	op.Steps = steps(t)
	requireFilled(t, op.Steps)
	begun(t, s, op)
	require.Equal(t, []billing.Operation{op}, pending(t, s))
	found, err := s.PendingOperation(t.Context(), o.ID, billing.SubscriptionOperation)
	require.NoError(t, err)
	require.Equal(t, op, ageless(found))
	_, err = s.PendingOperation(t.Context(), o.ID, billing.CustomerOperation)
	requireFault(t, fault.NotFound, err)

	settled(t, s, op.Key, "résultat", noon.Add(time.Second))
	require.Empty(t, pending(t, s))
	_, err = s.PendingOperation(t.Context(), o.ID, billing.SubscriptionOperation)
	requireFault(t, fault.NotFound, err)
}

// oneOperationOfAKindIsPending wants lanes and organisations to be apart, and a kind to be free again once
// its operation is settled.
func oneOperationOfAKindIsPending(t *testing.T, h Harness) {
	s := h.Open(t)
	a, b := signedUp(t, s, "a").Organisation.ID, signedUp(t, s, "b").Organisation.ID
	first := begun(t, s, operation("1", a, billing.CustomerOperation, noon))
	begun(t, s, operation("2", a, billing.SubscriptionOperation, noon))
	begun(t, s, operation("3", b, billing.CustomerOperation, noon))

	got, err := s.BeginOperation(t.Context(), operation("4", a, billing.CustomerOperation, noon.Add(time.Hour)))
	require.NoError(t, err)
	require.Equal(t, first, ageless(got))
	require.Len(t, pending(t, s), 3)

	settled(t, s, "1", "", noon)
	begun(t, s, operation("4", a, billing.CustomerOperation, noon.Add(time.Hour)))
	_, err = s.BeginOperation(t.Context(), operation("5", "nobody", billing.CustomerOperation, noon))
	requireFault(t, fault.NotFound, err)
}

func operationRace(t *testing.T, h Harness) {
	s := h.Open(t)
	doors := h.doors(t, s)
	o := signedUp(t, s, "ada").Organisation
	got := make([]billing.Operation, workers)
	race(func(worker int) {
		mine := operation(strconv.Itoa(worker), o.ID, billing.SubscriptionOperation, noon)
		var err error
		got[worker], err = doors[worker%len(doors)].BeginOperation(t.Context(), mine)
		assert.NoError(t, err)
	})
	stored := pending(t, s)
	require.Len(t, stored, 1)
	for _, op := range got {
		require.Equal(t, stored[0], ageless(op))
	}
}

// operationKeyIsUsedOnce lets a pending operation begin again, as a retry does, and nothing else.
func operationKeyIsUsedOnce(t *testing.T, h Harness) {
	s := h.Open(t)
	o := signedUp(t, s, "ada").Organisation
	op := begun(t, s, operation("key", o.ID, billing.SubscriptionOperation, noon))
	begun(t, s, op)
	require.Len(t, pending(t, s), 1)

	_, err := s.BeginOperation(t.Context(), operation("key", o.ID, billing.CustomerOperation, noon))
	requireFault(t, fault.Conflict, err)
	settled(t, s, "key", "", noon)
	_, err = s.BeginOperation(t.Context(), op)
	requireFault(t, fault.Conflict, err)
	require.Empty(t, pending(t, s))
}

// outdatedPlanDoesNotBegin wants an operation to begin only while the account is as it was when the
// operation was planned. One that is pending is returned all the same.
func outdatedPlanDoesNotBegin(t *testing.T, h Harness) {
	s := h.Open(t)
	o := signedUp(t, s, "ada").Organisation
	planned := update(t, s, o.ID, func(o *account.Organisation) { o.Billing.Revision++ }).Billing.Revision
	update(t, s, o.ID, func(o *account.Organisation) { o.Billing.Revision++ })
	op := operation("key", o.ID, billing.SubscriptionOperation, noon)
	op.Revision = &planned

	_, err := s.BeginOperation(t.Context(), op)
	requireFault(t, fault.Conflict, err)
	require.ErrorIs(t, err, storage.ErrPlanOutdated)
	require.Empty(t, pending(t, s))

	current := planned + 1
	op.Revision = &current
	begun(t, s, op)
	other := operation("other", o.ID, billing.SubscriptionOperation, noon)
	other.Revision = &planned
	found, err := s.BeginOperation(t.Context(), other)
	require.NoError(t, err)
	require.Equal(t, "key", found.Key)
	lost := operation("lost", "nobody", billing.SubscriptionOperation, noon)
	lost.Revision = &planned
	_, err = s.BeginOperation(t.Context(), lost)
	requireFault(t, fault.NotFound, err)
}

func settlingKeepsFirst(t *testing.T, h Harness) {
	s := h.Open(t)
	doors := h.doors(t, s)
	o := signedUp(t, s, "ada").Organisation
	op := begun(t, s, operation("key", o.ID, billing.CustomerOperation, noon))
	_, err := s.SettleOperation(t.Context(), "unknown", "x", noon)
	requireFault(t, fault.NotFound, err)

	won := make([]bool, workers)
	race(func(worker int) {
		var err error
		won[worker], err = doors[worker%len(doors)].SettleOperation(t.Context(), "key", strconv.Itoa(worker), noon.Add(time.Second))
		assert.NoError(t, err)
	})

	winner := slices.Index(won, true)
	require.GreaterOrEqual(t, winner, 0)
	require.NotContains(t, won[winner+1:], true, "one of them settled it")
	for worker := range workers {
		made, err := s.OperationMade(t.Context(), storage.Made{
			OrganisationID: o.ID, Kind: billing.CustomerOperation, Fingerprint: op.Fingerprint, Result: strconv.Itoa(worker),
		})
		require.NoError(t, err)
		require.Equal(t, worker == winner, made)
	}
}

// operationMade tells operations apart by everything that names them.
func operationMade(t *testing.T, h Harness) {
	s := h.Open(t)
	o, other := signedUp(t, s, "ada").Organisation.ID, signedUp(t, s, "other").Organisation.ID
	made := storage.Made{OrganisationID: o, Kind: billing.SubscriptionOperation, Fingerprint: "fingerprint of key", Result: "sub"}
	is := func(m storage.Made) bool {
		t.Helper()
		found, err := s.OperationMade(t.Context(), m)
		require.NoError(t, err)
		return found
	}
	begun(t, s, operation("key", o, billing.SubscriptionOperation, noon))
	require.False(t, is(made), "it is pending")
	settled(t, s, "key", "sub", noon.AddDate(-1, 0, 0))
	begun(t, s, operation("later", o, billing.SubscriptionOperation, noon))
	settled(t, s, "later", "sub", noon)
	require.True(t, is(made), "however many came later")

	for _, change := range []func(*storage.Made){
		func(m *storage.Made) { m.OrganisationID = other },
		func(m *storage.Made) { m.Kind = billing.CustomerOperation },
		func(m *storage.Made) { m.Fingerprint = "another" },
		func(m *storage.Made) { m.Result = "another" },
	} {
		m := made
		change(&m)
		require.False(t, is(m), "%v", m)
	}
	begun(t, s, operation("nothing", o, billing.SubscriptionOperation, noon))
	settled(t, s, "nothing", "", noon)
	require.False(t, is(storage.Made{OrganisationID: o, Kind: billing.SubscriptionOperation, Fingerprint: "fingerprint of nothing"}))
}

// operationAge counts by the database's clock alone: what the caller's clock said is CreatedAt.
func operationAge(t *testing.T, h Harness) {
	s := h.Open(t)
	o := signedUp(t, s, "ada").Organisation
	now := noon.AddDate(5, 0, 0)
	h.UseClock(t, s, func() time.Time { return now })
	op := operation("key", o.ID, billing.SubscriptionOperation, noon)
	op.Age = time.Hour
	stored, err := s.BeginOperation(t.Context(), op)
	require.NoError(t, err)
	require.Zero(t, stored.Age)

	for _, passed := range []time.Duration{2 * time.Minute, time.Hour, 30 * 24 * time.Hour, -time.Hour, -30 * 24 * time.Hour} {
		now = noon.AddDate(5, 0, 0).Add(passed)
		again, err := s.BeginOperation(t.Context(), operation("again", o.ID, billing.SubscriptionOperation, noon))
		require.NoError(t, err)
		require.Equal(t, passed, again.Age)
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

// databaseClock is the present time, more or less, whatever the application's clock says.
func databaseClock(t *testing.T, h Harness) {
	s := h.Open(t)
	o := signedUp(t, s, "ada").Organisation
	begun(t, s, operation("key", o.ID, billing.SubscriptionOperation, noon.AddDate(-50, 0, 0)))
	found, err := s.PendingOperation(t.Context(), o.ID, billing.SubscriptionOperation)
	require.NoError(t, err)
	require.InDelta(t, 0, found.Age.Seconds(), 60)
	require.GreaterOrEqual(t, found.Age, time.Duration(0))
}

// pendingOperations come in the order in which they were stored by the callers' clocks.
func pendingOperations(t *testing.T, h Harness) {
	s := h.Open(t)
	var want []billing.Operation
	for i, began := range slices.Backward(uneven()) {
		o := signedUp(t, s, strconv.Itoa(i)).Organisation
		want = append(want, begun(t, s, operation(strconv.Itoa(i), o.ID, billing.CustomerOperation, began)))
	}
	slices.Reverse(want)
	require.Equal(t, want, pending(t, s))
	for limit := range want {
		got, err := s.PendingOperations(t.Context(), 0, limit)
		require.NoError(t, err)
		require.Len(t, got, limit)
	}
	settled(t, s, want[0].Key, "", noon)
	require.Equal(t, want[1:], pending(t, s))
}

// uneven are instants in their order, with fractions of a second of all lengths.
func uneven() []time.Time {
	second := noon.Truncate(time.Second)
	return []time.Time{
		second.Add(-time.Microsecond), second, second.Add(time.Microsecond), second.Add(5 * time.Millisecond),
		second.Add(10 * time.Millisecond), second.Add(110 * time.Millisecond), second.Add(200 * time.Millisecond),
		second.Add(time.Second), second.AddDate(10, 0, 0),
	}
}
