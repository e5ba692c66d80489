package fakepayment_test

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/vc-admin/diy/adapters/fakepayment"
	"github.com/vc-admin/diy/domain/fault"
)

func TestALineThatWasCutOffDidNotHappen(t *testing.T) {
	path := databasePath(t)
	p := open(t, path)
	kept := newCustomer(t, p, visa)
	stop(t, p)
	p = open(t, path)
	whole, err := os.ReadFile(path)
	require.NoError(t, err)
	lost := newCustomer(t, p, visa)
	stop(t, p)
	more, err := os.ReadFile(path)
	require.NoError(t, err)

	// The new lines are the last ones; they begin with the customer.
	firstNew := len(whole) + strings.Index(string(more[len(whole):]), "\n")
	for _, end := range []int{len(whole) + 1, firstNew - 1, firstNew} {
		require.NoError(t, os.WriteFile(path, more[:end], 0o600))
		p = open(t, path)
		_, err = p.Customer(t.Context(), kept)
		assert.NoError(t, err)
		_, err = p.Customer(t.Context(), lost)
		assert.Equal(t, fault.NotFound, fault.CodeOf(err))
		added := newCustomer(t, p, visa)
		stop(t, p)
		p = open(t, path)
		_, err = p.Customer(t.Context(), added)
		assert.NoError(t, err, "what comes after the cut is kept")
		stop(t, p)
	}
}

func TestADamagedJournalIsNotGuessedAt(t *testing.T) {
	const heading = `{"journal":"fakepayment","version":1}` + "\n"
	for name, text := range map[string]string{
		"another file": "hello\n", "another version": strings.Replace(heading, "1", "2", 1),
		"no JSON": heading + "hello\n", "no changes": heading + "{}\n", "no such table": heading + `[{"table":"x","key":"y","value":{}}]` + "\n",
		"no such row": heading + `[{"table":"customer","key":"y","value":7}]` + "\n",
	} {
		t.Run(name, func(t *testing.T) {
			path := filepath.Join(t.TempDir(), "journal")
			require.NoError(t, os.WriteFile(path, []byte(text), 0o600))
			_, err := fakepayment.Open(fakepayment.Config{Path: path, Clock: fixedClock{noon}, Prices: testPrices{}})
			assert.ErrorContains(t, err, path+", line ")
			left, err := os.ReadFile(path)
			require.NoError(t, err)
			assert.Equal(t, text, string(left), "nothing is overwritten")
		})
	}
}
