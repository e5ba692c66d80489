package app

import (
	"context"
	"testing"
	"testing/synctest"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/mock"
	"github.com/stretchr/testify/require"

	"github.com/vc-admin/diy/app/internal/mocks"
	"github.com/vc-admin/diy/domain/billing"
	"github.com/vc-admin/diy/domain/fault"
	"github.com/vc-admin/diy/ports/payment"
)

var errActed = fault.New(fault.Conflict, "it has acted")

// purchaseInDoubt saves a card, ends a subscription and starts one.
func purchaseInDoubt() billing.Operation {
	return billing.Operation{
		Key: "op_1", OrganisationID: "org_1", Kind: billing.SubscriptionOperation, Age: time.Hour,
		Steps: billing.WithKeys("op_1", []billing.Step{
			{Kind: billing.SaveCardStep, CustomerID: "cus_1", CardID: "pm_visa"},
			{Kind: billing.StartSubscriptionStep, CustomerID: "cus_1", Price: monthly},
		}),
	}
}

func takeOver(t *testing.T, op billing.Operation) func(*bench) error {
	return func(b *bench) error { return b.Reconcile.takeover.do(t.Context(), op) }
}

func settlesWith(result string) step {
	return step{"SettleOperation", func(b *bench, err error) {
		b.store.EXPECT().SettleOperation(mock.Anything, "op_1", result, noon).Return(err == nil, err).Once()
	}}
}

func retires(key string, answer error) step {
	return step{"Retire " + key, func(b *bench, err error) {
		if err == nil {
			err = answer
		}
		b.retires(key, err)
	}}
}

func TestTakeover_RetiresEveryStepBeforeItAsksAndSettles(t *testing.T) {
	steps := []step{
		retires("op_1-2", nil), retires("op_1-1", errActed), reads("", newcomer), lists(), updates("", newcomer), settlesWith(""),
	}
	passes(t, steps, takeOver(t, purchaseInDoubt()))
	failsAtEveryStep(t, errOutage, steps, takeOver(t, purchaseInDoubt()))
}

func TestTakeover_SettlesWithWhatTheOperationMade(t *testing.T) {
	for name, tt := range map[string]struct {
		by     string
		status billing.Status
		want   string
	}{
		"its own":                   {"op_1-2", billing.Active, "sub_1"},
		"its own, not paid":         {"op_1-2", billing.Incomplete, ""},
		"its own, over":             {"op_1-2", billing.Canceled, ""},
		"made by another operation": {"op_2-1", billing.Active, ""},
		"made at the provider":      {"", billing.Active, ""},
	} {
		t.Run(name, func(t *testing.T) {
			for _, created := range []time.Duration{-30 * 24 * time.Hour, 0, time.Hour, 30 * 24 * time.Hour} {
				made := subscription("sub_1", tt.status, monthly)
				made.MadeBy, made.CreatedAt = tt.by, noon.Add(created)
				passes(t, []step{
					retires("op_1-2", errActed), retires("op_1-1", errActed),
					reads("", newcomer), lists(made), updates("", newcomer), settlesWith(tt.want),
				}, takeOver(t, purchaseInDoubt()))
			}
		})
	}
}

func TestTakeover_OfACustomerThatIsGoneIsDone(t *testing.T) {
	b := newBench(t)
	gone := fault.New(fault.NotFound, "no such customer")
	b.retires("op_1-2", gone)
	b.retires("op_1-1", gone)
	b.readsOrganisation(newcomer(), nil)
	b.listsSubscriptions(gone)
	settlesWith("").expect(b, nil)

	assert.NoError(t, takeOver(t, purchaseInDoubt())(b))
}

// slowProvider is a bench whose provider may work on a request for a while.
func slowProvider(t *testing.T, can payment.Capabilities) *bench {
	b := newBench(t)
	b.provider = mocks.NewProvider(t)
	b.provider.EXPECT().Capabilities().Return(can).Maybe()
	t2 := b.Reconcile.takeover
	t2.provider, t2.sync.provider, t2.steps.provider = b.provider, b.provider, b.provider
	return b
}

func TestTakeover_WaitsForARequestThatTheProviderIsWorkingOn(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		b, stored := slowProvider(t, payment.Capabilities{LongestRequest: time.Minute}), newcomer()
		op := purchaseInDoubt()
		for range 2 {
			b.retires("op_1-2", errActed)
			b.retires("op_1-1", errActed)
			b.syncs(&stored)
			assert.Equal(t, fault.Conflict, fault.CodeOf(takeOver(t, op)(b)))
			time.Sleep(59 * time.Second) //nolint:forbidigo // of the test's bubble
			op.Age = 365 * 24 * time.Hour
		}
		time.Sleep(time.Second) //nolint:forbidigo // of the test's bubble
		made := subscription("sub_1", billing.Active, monthly)
		made.MadeBy = "op_1-2"
		b.retires("op_1-2", errActed)
		b.retires("op_1-1", errActed)
		b.syncs(&stored, made)
		settlesWith("sub_1").expect(b, nil)
		assert.NoError(t, takeOver(t, op)(b), "it has ended, whatever the clocks say")
	})
}

func TestTakeover_DoesNotWaitForWhatTheReportShows(t *testing.T) {
	b, stored := slowProvider(t, payment.Capabilities{LongestRequest: time.Minute}), newcomer()
	made := subscription("sub_1", billing.Active, monthly)
	made.MadeBy = "op_1-2"
	b.retires("op_1-2", errActed)
	b.retires("op_1-1", errActed)
	b.syncs(&stored, made)
	b.readsOrganisation(subscriber(made), nil)
	b.listsSubscriptions(nil, made)
	b.updatesOrganisation(&stored, nil)
	settlesWith("sub_1").expect(b, nil)
	assert.NoError(t, takeOver(t, purchaseInDoubt())(b))
}

func TestTakeover_RepeatsADeclinedPaymentToLearnThatItHasEnded(t *testing.T) {
	open := subscription("sub_1", billing.Incomplete, monthly)
	op := purchaseInDoubt()
	op.Steps = billing.WithKeys("op_1", []billing.Step{{
		Kind: billing.PayInvoiceStep, CustomerID: "cus_1", SubscriptionID: "sub_1", InvoiceID: "in_1", CardID: "pm_visa",
	}})
	for answer, done := range map[error]bool{nil: true, fault.New(fault.Declined, "no"): true, errOutage: false, errActed: false} {
		b, stored := slowProvider(t, payment.Capabilities{LongestRequest: time.Minute}), subscriber(open)
		b.retires("op_1-1", errActed)
		b.syncs(&stored, open)
		b.provider.EXPECT().Customer(mock.Anything, "cus_1").Return(billing.Customer{ID: "cus_1", Default: &visa}, nil)
		b.store.EXPECT().BeginPaymentAttempt(mock.Anything, mock.Anything, mock.Anything).Return(nil)
		b.provider.EXPECT().PayInvoice(mock.Anything, mock.MatchedBy(func(in payment.InvoicePayment) bool { return in.Key == "op_1-1" })).
			Return(open, answer).Once()
		if done {
			b.readsOrganisation(stored, nil)
			b.listsSubscriptions(nil, open)
			b.updatesOrganisation(&stored, nil)
			settlesWith("").expect(b, nil)
		}
		assert.Equal(t, done, takeOver(t, op)(b) == nil, "%v", answer)
	}
}

func TestTakeover_WithoutFencingWaitsForTheLongestRequest(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		missing := payment.Capabilities{
			Missing: map[payment.Capability]string{payment.Fencing: "it has no keys"}, LongestRequest: time.Minute,
		}
		b, stored := slowProvider(t, missing), newcomer()
		takeover := b.Reconcile.takeover
		assert.False(t, takeover.due(billing.Operation{Age: takeoverAge}))
		assert.True(t, takeover.due(billing.Operation{Age: takeoverAge + time.Minute}))
		unsupported := fault.New(fault.Unsupported, "it has no keys")
		for _, done := range []bool{false, true} {
			b.retires("op_1-2", unsupported)
			b.retires("op_1-1", unsupported)
			b.syncs(&stored)
			if done {
				settlesWith("").expect(b, nil)
			}
			assert.Equal(t, done, takeOver(t, purchaseInDoubt())(b) == nil)
			time.Sleep(time.Minute) //nolint:forbidigo // of the test's bubble
		}
	})
}

func TestTakeover_OfAnOperationWithoutStepsWaitsAsWell(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		b, stored := slowProvider(t, payment.Capabilities{LongestRequest: time.Minute}), newcomer()
		op := billing.Operation{Key: "op_1", OrganisationID: "org_1", Kind: billing.SubscriptionOperation, Age: time.Hour}
		b.syncs(&stored)
		assert.Equal(t, fault.Conflict, fault.CodeOf(takeOver(t, op)(b)), "an earlier version began it, whose keys are unknown")
		time.Sleep(time.Minute) //nolint:forbidigo // of the test's bubble
		b.syncs(&stored)
		settlesWith("").expect(b, nil)
		assert.NoError(t, takeOver(t, op)(b))
	})
}

func TestTakeover_CompletesStepsThatCannotCharge(t *testing.T) {
	op := purchaseInDoubt()
	op.Steps = op.Steps[:1]
	for _, answer := range []error{nil, fault.New(fault.Declined, "no")} {
		b := newBench(t)
		b.provider.EXPECT().AddCard(mock.Anything, payment.NewCard{Key: "op_1-1", CustomerID: "cus_1", CardID: "pm_visa"}).
			Return(visa, answer).Once()
		settlesWith("").expect(b, nil)
		require.NoError(t, takeOver(t, op)(b))
	}
}

func TestTakeover_StopsStepsThatCannotBeCompleted(t *testing.T) {
	op := purchaseInDoubt()
	op.Steps = op.Steps[:1]
	b, stored := newBench(t), newcomer()
	b.provider.EXPECT().AddCard(mock.Anything, mock.Anything).Return(visa, errOutage).Once()
	b.retires("op_1-1", errActed)
	b.syncs(&stored)
	settlesWith("").expect(b, nil)
	assert.NoError(t, takeOver(t, op)(b))
}

func TestTakeover_IsDueByTheAgeInEitherDirection(t *testing.T) {
	b := newBench(t)
	for age, want := range map[time.Duration]bool{
		0: false, takeoverAge - 1: false, takeoverAge: true, 30 * 24 * time.Hour: true,
		-takeoverAge + 1: false, -takeoverAge: true, -30 * 24 * time.Hour: true,
	} {
		assert.Equal(t, want, b.Reconcile.takeover.due(billing.Operation{Age: age}), age)
	}
}

func TestTakeover_StepsThatCannotChargeAreCompletedByAnotherRequestAfterSeconds(t *testing.T) {
	charging := purchaseInDoubt()
	harmless := charging
	harmless.Steps = charging.Steps[:1]
	harmless.Fingerprint = "another request"
	b, stored := newBench(t), newcomer()
	for _, op := range []billing.Operation{charging, harmless} {
		op.Age = completionAge - 1
		assert.False(t, b.Reconcile.takeover.completable(op))
		op.Age = completionAge
		assert.Equal(t, !op.Charges(), b.Reconcile.takeover.completable(op))
	}
	harmless.Age = completionAge
	b.store.EXPECT().BeginOperation(mock.Anything, mock.Anything).Return(harmless, nil).Once()
	b.provider.EXPECT().AddCard(mock.Anything, mock.Anything).Return(visa, nil).Once()
	settlesWith("").expect(b, nil)
	b.store.EXPECT().BeginOperation(mock.Anything, mock.Anything).
		RunAndReturn(func(_ context.Context, op billing.Operation) (billing.Operation, error) { return op, nil }).Once()
	b.store.EXPECT().Organisation(mock.Anything, "org_1").Return(stored, nil)
	b.store.EXPECT().SettleOperation(mock.Anything, mock.Anything, "done", mock.Anything).Return(true, nil).Once()

	err := attemptRun(t.Context(), b.Subscribe.ops, request[string]{
		organisationID: "org_1", kind: billing.SubscriptionOperation, fingerprint: "mine",
		do: func(context.Context, attempt) (string, error) { return "done", nil },
	})

	assert.NoError(t, err)
}
