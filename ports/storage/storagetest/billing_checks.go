package storagetest

import (
	"fmt"
	"slices"
	"strconv"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/vc-admin/diy/domain/account"
	"github.com/vc-admin/diy/domain/billing"
	"github.com/vc-admin/diy/domain/fault"
	"github.com/vc-admin/diy/ports/storage"
)

var billingCheckScenarios = []scenario{
	{"ClaimBillingCheck returns due checks", testCheckIsDue},
	{"ClaimBillingCheck postpones the check", testClaimPostponesCheck},
	{"a claim of ClaimBillingCheck expires", testCheckClaimExpires},
	{"ClaimBillingCheck ignores times of a wrong clock", testWrongClocksOfChecks},
	{"ClaimBillingCheck returns the earliest check", testChecksInOrder},
	{"concurrent ClaimBillingCheck calls claim each check once", testConcurrentCheckClaims},
}

// signUpWithCheck signs up an organisation with a check that is due at the time, and returns its id.
func signUpWithCheck(t *testing.T, s storage.Store, name string, dueAt time.Time) string {
	t.Helper()
	id := storeSignUp(t, s, name).Organisation.ID
	updateOrganisation(t, s, id, func(o *account.Organisation) { o.Billing.CheckAt = dueAt })
	return id
}

func requireNoCheckDue(t *testing.T, s storage.Store, now time.Time) {
	t.Helper()
	_, err := s.ClaimBillingCheck(t.Context(), now, time.Minute)
	requireFault(t, fault.NotFound, err)
}

// claimCheck claims a check that is due at now, for a minute, and requires it to be the one of the organisation.
func claimCheck(t *testing.T, s storage.Store, now time.Time, wantID string) storage.Check {
	t.Helper()
	check, err := s.ClaimBillingCheck(t.Context(), now, time.Minute)
	require.NoError(t, err)
	require.Equal(t, wantID, check.OrganisationID)
	return check
}

func testCheckIsDue(t *testing.T, h Harness) {
	s := h.Open(t)
	storeSignUp(t, s, "never")
	for i, dueAt := range fractionalTimes() {
		id := signUpWithCheck(t, s, strconv.Itoa(i), dueAt)
		requireNoCheckDue(t, s, dueAt.Add(-time.Microsecond))
		claimCheck(t, s, dueAt, id)
		updateOrganisation(t, s, id, func(o *account.Organisation) { o.Billing.CheckAt = time.Time{} })
	}
}

// testClaimPostponesCheck checks that a claim and its release change only CheckAt, and that a release does not schedule a
// check that was removed meanwhile.
func testClaimPostponesCheck(t *testing.T, h Harness) {
	s := h.Open(t)
	id := signUpWithCheck(t, s, "ada", noon)
	want, err := s.Organisation(t.Context(), id)
	require.NoError(t, err)

	check := claimCheck(t, s, noon, id)
	want.Billing.CheckAt = noon.Add(time.Minute)
	requireOrganisation(t, s, want)
	require.NoError(t, s.ReleaseBillingCheck(t.Context(), check, time.Time{}))
	requireOrganisation(t, s, want)

	check = claimCheck(t, s, noon.Add(time.Minute), id)
	require.NoError(t, s.ReleaseBillingCheck(t.Context(), check, noon.Add(time.Hour)))
	want.Billing.CheckAt = noon.Add(time.Hour)
	requireOrganisation(t, s, want)
	requireNoCheckDue(t, s, noon.Add(time.Hour-time.Microsecond))

	check = claimCheck(t, s, noon.Add(time.Hour), id)
	updateOrganisation(t, s, id, func(o *account.Organisation) { o.Billing.CheckAt = time.Time{} })
	require.NoError(t, s.ReleaseBillingCheck(t.Context(), check, noon.Add(2*time.Hour)))
	want.Billing.CheckAt = time.Time{}
	requireOrganisation(t, s, want)
}

// testCheckClaimExpires checks that a claim expires on the clock of the database, although the clocks of the two servers
// differ, and that a late release does not end the claim of another server.
func testCheckClaimExpires(t *testing.T, h Harness) {
	s := h.Open(t)
	databaseNow := noon.Add(-100 * time.Hour)
	var stores []storage.Store
	for _, store := range h.sharedStores(t, s) {
		h.UseClock(t, store, func() time.Time { return databaseNow })
		stores = append(stores, store)
	}
	first, second := stores[0], stores[len(stores)-1]
	const skew = 3 * time.Minute
	id := signUpWithCheck(t, s, "ada", noon)

	check := claimCheck(t, first, noon, id)
	databaseNow = databaseNow.Add(time.Minute - time.Microsecond)
	requireNoCheckDue(t, second, noon.Add(skew))
	databaseNow = databaseNow.Add(time.Microsecond)
	claimCheck(t, second, noon.Add(skew), id)
	require.NoError(t, first.ReleaseBillingCheck(t.Context(), check, noon))
	requireNoCheckDue(t, first, noon.Add(2*skew))
}

// testWrongClocksOfChecks checks that times that were computed with a wrong clock do not delay a check.
func testWrongClocksOfChecks(t *testing.T, h Harness) {
	s := h.Open(t)
	databaseNow := noon.AddDate(1, 0, 0)
	h.UseClock(t, s, func() time.Time { return databaseNow })
	farAt := noon.Add(2*billing.MaxCheckInterval + time.Microsecond)
	signUpWithCheck(t, s, "near", noon.Add(2*billing.MaxCheckInterval))
	requireNoCheckDue(t, s, noon)
	farID, dueID := signUpWithCheck(t, s, "far", farAt), signUpWithCheck(t, s, "due", noon)

	claimCheck(t, s, noon, dueID)
	claimCheck(t, s, noon, farID)
	requireNoCheckDue(t, s, noon)
	updateOrganisation(t, s, farID, func(o *account.Organisation) { o.Billing.CheckAt = farAt })
	requireNoCheckDue(t, s, noon)
	databaseNow = noon // the clock of the database was wrong at the claims
	claimCheck(t, s, noon, farID)
	claimCheck(t, s, noon.Add(time.Minute), dueID)
}

func testChecksInOrder(t *testing.T, h Harness) {
	s := h.Open(t)
	thirdID := signUpWithCheck(t, s, "a", noon.Add(2*time.Second))
	firstID := signUpWithCheck(t, s, "b", noon)
	secondID := signUpWithCheck(t, s, "c", noon.Add(time.Second))
	for _, want := range []string{firstID, secondID, thirdID} {
		claimCheck(t, s, noon.Add(time.Minute), want)
	}
	requireNoCheckDue(t, s, noon.Add(time.Minute))
}

func testConcurrentCheckClaims(t *testing.T, h Harness) {
	s := h.Open(t)
	var want []string
	for i := range workers {
		want = append(want, signUpWithCheck(t, s, fmt.Sprintf("%03d", i), noon))
	}
	claimedIDs := make([][]string, workers)
	h.runConcurrently(t, s, func(worker int, store storage.Store) { claimedIDs[worker] = claimAllChecks(t, store) })
	allIDs := slices.Concat(claimedIDs...)
	slices.Sort(allIDs)
	require.Equal(t, want, allIDs)
}

// claimAllChecks claims checks until none is due and returns the ids of their organisations.
func claimAllChecks(t *testing.T, s storage.Store) []string {
	var ids []string
	for {
		check, err := s.ClaimBillingCheck(t.Context(), noon.Add(time.Minute), time.Hour)
		if fault.Is(err, fault.NotFound) || !assert.NoError(t, err) {
			return ids
		}
		ids = append(ids, check.OrganisationID)
	}
}
