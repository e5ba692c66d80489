package enginepayment

import (
	"fmt"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/vc-admin/diy/adapters/ledger"
	"github.com/vc-admin/diy/ports/payment/plugin"
)

// A correlated subquery would read all invoices of the customer once for each attempt.
func TestSelectAttempts_HasNoCorrelatedSubquery(t *testing.T) {
	t.Parallel()
	e := newEnv(t, newSQLite(t), immediateSettlement, nil)
	query := "EXPLAIN QUERY PLAN " + fmt.Sprintf(selectAttemptsSQL, ledger.Placeholders(1))
	var steps []struct {
		ID     int    `db:"id"`
		Parent int    `db:"parent"`
		Unused int    `db:"notused"`
		Detail string `db:"detail"`
	}

	require.NoError(t, e.Database.Read(t.Context(), func(tx plugin.Tx) error {
		return tx.List(t.Context(), &steps, query, "gcus_1", "", "", "gcus_1", "gcus_1")
	}))

	require.NotEmpty(t, steps)
	for _, step := range steps {
		require.NotContains(t, step.Detail, "CORRELATED")
	}
}
