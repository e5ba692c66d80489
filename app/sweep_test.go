package app_test

import (
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/vc-admin/diy/domain/account"
	"github.com/vc-admin/diy/domain/fault"
)

func TestSweep_DeletesAllExpiredRegistrations(t *testing.T) {
	f := newFixture(t)
	user := f.register()
	require.NoError(t, f.Sweep.Do(t.Context()))
	_, err := f.Store.User(t.Context(), user.ID)
	require.NoError(t, err)
	f.Advance(account.VerificationLifetime + time.Second)
	require.NoError(t, f.Sweep.Do(t.Context()))
	_, err = f.Store.User(t.Context(), user.ID)
	assertCode(t, fault.NotFound, err)
}
