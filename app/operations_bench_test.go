package app

import (
	"context"
	"log/slog"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/mock"
	"github.com/stretchr/testify/require"

	"github.com/vc-admin/diy/app/internal/mocks"
	"github.com/vc-admin/diy/domain/billing"
	"github.com/vc-admin/diy/domain/fault"
	"github.com/vc-admin/diy/ports/payment"
)

var noon = time.Date(2026, 3, 1, 12, 0, 0, 0, time.UTC)

// fixedClock tells one time.
type fixedClock time.Time

func (c fixedClock) Now() time.Time { return time.Time(c) }

// errOutage is what a provider or a database that can't be asked answers.
var errOutage = fault.New(fault.Unavailable, "not reachable")

func newOperations(t *testing.T) (operations, *mocks.Store) {
	store, provider := mocks.NewStore(t), mocks.NewProvider(t)
	log := slog.New(slog.DiscardHandler)
	provider.EXPECT().Capabilities().Return(payment.Capabilities{}).Maybe()
	clock := fixedClock(noon)
	sync := &billingSync{store: store, provider: provider, clock: clock, log: log}
	takeover := &takeover{store: store, provider: provider, steps: steps{provider: provider, sync: sync}, sync: sync, clock: clock}
	return operations{store: store, clock: clock, takeover: takeover, log: log}, store
}

// wish is a request in the subscription kind that does as it is told.
func wish(do func(attempt) (string, error)) request[string] {
	return request[string]{
		organisationID: "org_1", kind: billing.SubscriptionOperation, fingerprint: "mine",
		do: func(_ context.Context, at attempt) (string, error) { return do(at) },
	}
}

// begins stores the operation as it was asked.
func begins(store *mocks.Store) {
	store.EXPECT().BeginOperation(mock.Anything, mock.Anything).RunAndReturn(asked).Once()
}

// asked is what BeginOperation answers when nothing is pending.
func asked(_ context.Context, op billing.Operation) (billing.Operation, error) { return op, nil }

// earlier is what BeginOperation answers when a repeat of the same request is pending.
func earlier(ago time.Duration) func(context.Context, billing.Operation) (billing.Operation, error) {
	return func(_ context.Context, op billing.Operation) (billing.Operation, error) {
		op.Key, op.CreatedAt, op.Age = "op_first", noon, ago
		return op, nil
	}
}

// findsPending answers that another operation of the kind is pending.
func findsPending(store *mocks.Store, op billing.Operation) {
	op.Kind, op.OrganisationID = billing.SubscriptionOperation, "org_1"
	store.EXPECT().BeginOperation(mock.Anything, mock.Anything).Return(op, nil).Once()
}

// assertWithin wants a deadline that is the given time away, give or take the test's own slowness.
func assertWithin(ctx context.Context, t *testing.T, want time.Duration) {
	t.Helper()
	deadline, limited := ctx.Deadline()
	require.True(t, limited, "there is no deadline")
	left := time.Until(deadline)
	assert.LessOrEqual(t, left, want)
	assert.Greater(t, left, want-4*time.Second)
}

func notCalled(t *testing.T) func(attempt) (string, error) {
	return func(attempt) (string, error) {
		assert.Fail(t, "the provider must not be asked")
		return "", nil
	}
}

func attemptRun(ctx context.Context, ops operations, r request[string]) error {
	r.resultID = func(id string) string { return id }
	_, err := run(ctx, ops, r)
	return err
}
