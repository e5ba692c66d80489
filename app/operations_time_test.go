package app

import (
	"context"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/mock"
	"github.com/stretchr/testify/require"

	"github.com/vc-admin/diy/domain/account"
)

func TestOperationTakesNoLongerThanItsPatience(t *testing.T) {
	for given, want := range map[time.Duration]time.Duration{0: requestTimeout, 5 * time.Second: 5 * time.Second} {
		ops, store := newOperations(t)
		begins(store)
		store.EXPECT().Organisation(mock.Anything, "org_1").Return(account.Organisation{}, nil)
		store.EXPECT().SettleOperation(mock.Anything, mock.Anything, "", noon).Return(true, nil)
		r := wish(nil)
		r.timeout = given
		r.do = func(ctx context.Context, _ attempt) (string, error) {
			assertWithin(ctx, t, want)
			return "", nil
		}
		assert.NoError(t, attemptRun(t.Context(), ops, r))
	}
}

func TestOperationGoesOnWhenTheVisitorLeaves(t *testing.T) {
	ops, store := newOperations(t)
	begins(store)
	store.EXPECT().Organisation(mock.Anything, "org_1").Return(account.Organisation{}, nil)
	store.EXPECT().SettleOperation(mock.Anything, mock.Anything, "sub_1", noon).Return(true, nil)
	ctx, leave := context.WithCancel(t.Context())
	r := wish(nil)
	r.do = func(ctx context.Context, _ attempt) (string, error) {
		leave()
		return "sub_1", ctx.Err()
	}

	require.NoError(t, attemptRun(ctx, ops, r))
}
