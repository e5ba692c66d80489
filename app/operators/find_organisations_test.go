package operators_test

import (
	"fmt"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/vc-admin/diy/app/apptest"
	"github.com/vc-admin/diy/app/operators"
	"github.com/vc-admin/diy/domain/account"
	"github.com/vc-admin/diy/domain/audit"
	"github.com/vc-admin/diy/domain/fault"
	"github.com/vc-admin/diy/ports/trace"
)

// find searches as an operator for support.
func find(t *testing.T, env *apptest.Env, query string) operators.FoundOrganisations {
	t.Helper()
	ctx := operators.WithOperator(t.Context(), operators.Operator{Name: "olga", Roles: []operators.Role{operators.Support}})
	found, err := env.App.FindOrganisations.Do(ctx, query)
	require.NoError(t, err, query)
	return found
}

func rename(t *testing.T, env *apptest.Env, organisationID, name string) {
	t.Helper()
	_, err := env.Store.UpdateOrganisation(t.Context(), organisationID, func(o *account.Organisation) error {
		o.Name = name
		return nil
	})
	require.NoError(t, err)
}

func TestFindOrganisations_FindsByWordsAndLeadsFromIDs(t *testing.T) {
	env := apptest.New(t)
	user := env.SignUp("ann")
	orgID := user.Organisation().ID
	env.SignUp("bob")
	rename(t, env, orgID, "Harbour Physiotherapy")

	for _, query := range []string{"harbour", " PHYSIO harb ", "harbour ann"} {
		found := find(t, env, query)
		require.Len(t, found.Matches, 1, query)
		assert.Equal(t, orgID, found.Matches[0].Organisation.ID)
		assert.False(t, found.IsExact || found.HasMore || found.SimilarNames)
	}
	assert.True(t, find(t, env, orgID).IsExact)
	assert.Empty(t, find(t, env, "unknown").Matches)
	assert.Zero(t, find(t, env, "  "))

	ctx := operators.WithOperator(t.Context(), operators.CommandLine("olga"))
	_, err := env.App.FindOrganisations.Do(ctx, "x")
	assert.True(t, fault.Is(err, fault.Invalid), "%v", err)
}

func TestFindOrganisations_LeadsFromARequestToItsOrganisation(t *testing.T) {
	env := apptest.New(t)
	user := env.SignUp("ann")
	ctx := trace.WithID(t.Context(), "5f0c7a1e2b3d4c5f")
	for _, entry := range []audit.Entry{
		{Actor: audit.System, Kind: audit.SignedOut, OrganisationID: "deleted"},
		{Actor: audit.System, Kind: audit.SignedOut, OrganisationID: user.Organisation().ID},
	} {
		require.NoError(t, env.Store.AddAuditEntries(ctx, entry))
	}
	found := find(t, env, "5f0c7a1e2b3d4c5f")
	require.Len(t, found.Matches, 1)
	assert.Equal(t, user.Organisation().ID, found.Matches[0].Organisation.ID)
	assert.Len(t, found.Matches[0].Members, 1)
	assert.True(t, found.IsExact)
}

func TestFindOrganisations_WarnsOfSimilarNames(t *testing.T) {
	env := apptest.New(t)
	first, second := env.SignUp("ann").Organisation().ID, env.SignUp("bob").Organisation().ID
	for _, c := range []struct {
		names   [2]string
		similar bool
	}{
		{[2]string{"Harbour Physio", "Hárbour-Physio"}, true},
		{[2]string{"Harbour Physio", "Harbour Physio Pty Ltd"}, true},
		{[2]string{"Harbour Physio", "Harbour Physiotherapy"}, false},
		{[2]string{"Harbour Physio", "Harbour Clinic"}, false},
	} {
		rename(t, env, first, "Renamed")
		rename(t, env, second, c.names[1])
		rename(t, env, first, c.names[0])
		found := find(t, env, "harbour")
		require.Len(t, found.Matches, 2)
		assert.Equal(t, c.similar, found.SimilarNames, c.names)
	}
}

func TestFindOrganisations_ReportsThatMoreMatch(t *testing.T) {
	env := apptest.New(t)
	for i := range 26 {
		rename(t, env, env.SignUp(fmt.Sprintf("user%d", i)).Organisation().ID, fmt.Sprintf("Common %d", i))
	}
	found := find(t, env, "common")
	assert.Len(t, found.Matches, 25)
	assert.True(t, found.HasMore)
}
