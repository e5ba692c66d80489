package app_test

import (
	"bytes"
	"encoding/json"
	"log/slog"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/vc-admin/diy/adapters/flakypayment"
	"github.com/vc-admin/diy/app"
	"github.com/vc-admin/diy/app/operators"
	"github.com/vc-admin/diy/app/privacy"
	"github.com/vc-admin/diy/domain/account"
	"github.com/vc-admin/diy/domain/audit"
	"github.com/vc-admin/diy/domain/fault"
	"github.com/vc-admin/diy/ports/identity"
)

// requestErasure requests the erasure of the caller's organisation.
func (f *fixture) requestErasure(caller identity.Identity) privacy.Status {
	f.t.Helper()
	org, err := f.Store.Organisation(f.t.Context(), caller.OrganisationID)
	require.NoError(f.t, err)
	status, err := f.RequestErasure.Do(f.t.Context(), caller, org.Name)
	require.NoError(f.t, err)
	return status
}

// carryOutErasures advances the clock until the erasures are due and carries them out.
func (f *fixture) carryOutErasures() int {
	f.t.Helper()
	f.Advance(account.ErasureDelay)
	count, err := f.CarryOutErasures.Do(f.t.Context())
	require.NoError(f.t, err)
	return count
}

func TestRequestErasure_RefusesAnotherNameAndOthersThanOwners(t *testing.T) {
	f, caller := newSignedUpFixture(t)
	_, err := f.RequestErasure.Do(t.Context(), caller, "another name")
	assert.True(t, fault.Is(err, fault.Invalid))
	member := caller
	member.Role = account.BillingMember
	_, err = f.RequestErasure.Do(t.Context(), member, "")
	assert.True(t, fault.Is(err, fault.Forbidden))
	caller.AuthenticatedAt = caller.AuthenticatedAt.Add(-day)
	_, err = f.RequestErasure.Do(t.Context(), caller, "")
	assert.True(t, fault.Is(err, fault.Reauthenticate))
}

func TestRequestErasure_RefusesALivePlan(t *testing.T) {
	f, caller := newSignedUpFixture(t)
	f.subscribe(caller, visa, standardMonthly, true)
	f.DeliverEvents()
	org, err := f.Store.Organisation(t.Context(), caller.OrganisationID)
	require.NoError(t, err)

	_, err = f.RequestErasure.Do(t.Context(), caller, org.Name)

	require.True(t, fault.Is(err, fault.Conflict))
	status, err := f.ShowPrivacy.Do(t.Context(), caller)
	require.NoError(t, err)
	assert.Equal(t, "Your organisation has a plan. Its data can be deleted after the plan has ended.", status.Obstacle)
	assert.Equal(t, f.Clock.Now().Year()+11, status.KeepUntil.Year())
}

func TestErasure_DeletesEverythingButTheInvoicesAfterItsDelay(t *testing.T) {
	f, caller := newSignedUpFixture(t)
	f.subscribe(caller, visa, standardMonthly, true)
	f.endSubscription(caller)
	f.Advance(32 * day)
	f.DeliverEvents()
	_, err := f.RefreshBilling.Do(t.Context())
	require.NoError(t, err)
	caller.AuthenticatedAt = f.Clock.Now()
	invoices, err := f.Store.Invoices(t.Context(), caller.OrganisationID)
	require.NoError(t, err)
	require.NotEmpty(t, invoices)
	customerID := f.account(caller).CustomerID

	f.requestErasure(caller)
	count, err := f.CarryOutErasures.Do(t.Context())
	require.NoError(t, err)
	require.Zero(t, count, "the owners can withdraw it")
	require.Equal(t, 1, f.carryOutErasures())

	_, err = f.Store.Organisation(t.Context(), caller.OrganisationID)
	assert.True(t, fault.Is(err, fault.NotFound))
	cards, err := f.provider.Cards(t.Context(), customerID)
	require.NoError(t, err)
	assert.Empty(t, cards)
	ctx := operators.WithOperator(t.Context(), operators.Operator{Name: "fay", Roles: []operators.Role{operators.Finance}})
	kept, err := f.FindKeptInvoices.Do(ctx, invoices[0].Number)
	require.NoError(t, err)
	require.Len(t, kept, 1)
	assert.NotEmpty(t, kept[0].Addressee.Name)
	require.Zero(t, f.carryOutErasures(), "it is done")
}

func TestErasure_IsCompletedAfterACrash(t *testing.T) {
	f, caller := newSignedUpFixture(t)
	f.requestErasure(caller)
	f.injectFaults(flakypayment.Sequence(flakypayment.TimeoutAfterExecution.Fault()))
	f.Advance(account.ErasureDelay)

	_, err := f.CarryOutErasures.Do(t.Context())
	require.True(t, fault.Is(err, fault.Unavailable))
	_, err = f.Store.Organisation(t.Context(), caller.OrganisationID)
	require.NoError(t, err)
	count, err := f.CarryOutErasures.Do(t.Context())

	require.NoError(t, err)
	assert.Equal(t, 1, count)
	_, err = f.Store.Organisation(t.Context(), caller.OrganisationID)
	assert.True(t, fault.Is(err, fault.NotFound))
}

func TestErasure_ChecksTheRefusalsAgain(t *testing.T) {
	f, caller := newSignedUpFixture(t)
	f.requestErasure(caller)
	f.subscribe(caller, visa, standardYearly, true)
	assert.Zero(t, f.carryOutErasures())
	assert.NotNil(t, f.account(caller).LiveSubscription())
}

func TestWithdrawErasure_KeepsTheOrganisation(t *testing.T) {
	f, caller := newSignedUpFixture(t)
	f.requestErasure(caller)
	status, err := f.WithdrawErasure.Do(t.Context(), caller)
	require.NoError(t, err)
	assert.Zero(t, status.Erasure)
	assert.Zero(t, f.carryOutErasures())
	_, err = f.WithdrawErasure.Do(t.Context(), caller)
	assert.True(t, fault.Is(err, fault.NotFound))
}

func TestExportData_ContainsTheCardAndTheViewsOfOperatorsWithoutTheirNames(t *testing.T) {
	f, caller := newSignedUpFixture(t)
	f.addCard(caller, visa)
	ctx := operators.WithOperator(t.Context(), operators.CommandLine("olga"))
	_, err := f.ViewOrganisation.Do(ctx, caller.OrganisationID)
	require.NoError(t, err)

	export, err := f.ExportData.Do(audit.WithActor(t.Context(), caller.Actor()), caller)

	require.NoError(t, err)
	assert.Equal(t, []string{"Visa •••• 4242"}, export.Methods)
	text, err := json.Marshal(export)
	require.NoError(t, err)
	assert.Contains(t, string(text), string(audit.OrganisationExported))
	assert.Contains(t, string(text), "operator")
	assert.NotContains(t, string(text), "olga")
	assert.NotContains(t, string(text), "$argon2")
	caller.Role = account.BillingMember
	_, err = f.ExportData.Do(t.Context(), caller)
	assert.True(t, fault.Is(err, fault.Forbidden))
}

func TestCarryOutErasures_LogsARefusalOnce(t *testing.T) {
	f, caller := newSignedUpFixture(t)
	f.requestErasure(caller)
	f.subscribe(caller, visa, standardMonthly, true)
	f.Advance(account.ErasureDelay)
	var log bytes.Buffer
	server := app.New(app.Ports{
		Store: f.Store, Provider: f.Provider, Clock: f.Clock, Log: slog.New(slog.NewTextHandler(&log, nil)),
	})
	for range 3 {
		count, err := server.CarryOutErasures.Do(t.Context())
		require.NoError(t, err)
		assert.Zero(t, count)
	}
	assert.Equal(t, 1, strings.Count(log.String(), "erasure refused"), log.String())
}
