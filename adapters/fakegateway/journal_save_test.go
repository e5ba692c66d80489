package fakegateway

import (
	"os"
	"path/filepath"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/vc-admin/diy/adapters/devclock"
	"github.com/vc-admin/diy/domain/fault"
	"github.com/vc-admin/diy/ports/gateway"
)

// openProvider opens a provider as a process does.
func openProvider(t *testing.T, path string) *Provider {
	t.Helper()
	clock, err := devclock.Open("", time.Now)
	require.NoError(t, err)
	p, err := Open(Config{Clock: clock}, path)
	require.NoError(t, err)
	t.Cleanup(func() { require.NoError(t, p.Close()) })
	return p
}

func saveCustomer(t *testing.T, p *Provider, id string) (ref string) {
	t.Helper()
	ref, err := p.Gateway(nil).SaveCustomer(t.Context(), gateway.Customer{ID: id})
	require.NoError(t, err)
	return ref
}

func TestSave_FailedRequestLeavesChangesOfOtherProcesses(t *testing.T) {
	path := filepath.Join(t.TempDir(), "payments")
	first, second := openProvider(t, path), openProvider(t, path)
	annRef := saveCustomer(t, first, "ann")
	writable := first.journal.file
	readOnly, err := os.Open(path)
	require.NoError(t, err)
	defer func() { _ = readOnly.Close() }()
	first.journal.file = readOnly
	_, err = first.Gateway(nil).SaveCustomer(t.Context(), gateway.Customer{ID: "ben"})
	require.True(t, fault.Is(err, fault.Unavailable), "%v", err)
	first.journal.file = writable
	cidRef := saveCustomer(t, second, "cid")

	benRef := saveCustomer(t, first, "ben")

	assert.NotEqual(t, cidRef, benRef)
	for _, p := range []*Provider{first, second, openProvider(t, path)} {
		assert.Equal(t, annRef, saveCustomer(t, p, "ann"))
		assert.Equal(t, benRef, saveCustomer(t, p, "ben"))
		assert.Equal(t, cidRef, saveCustomer(t, p, "cid"))
	}
}

func TestLoad_RemovesTheIncompleteLineOfAKilledProcess(t *testing.T) {
	path := filepath.Join(t.TempDir(), "payments")
	first, second := openProvider(t, path), openProvider(t, path)
	annRef := saveCustomer(t, first, "ann")
	_, err := first.journal.file.WriteString(`{"customer":{"ID":"ben","R`) // by a process that is killed
	require.NoError(t, err)

	cidRef := saveCustomer(t, second, "cid")

	for _, p := range []*Provider{first, second, openProvider(t, path)} {
		assert.Equal(t, annRef, saveCustomer(t, p, "ann"))
		assert.Equal(t, cidRef, saveCustomer(t, p, "cid"))
	}
}
