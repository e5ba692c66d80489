package app

import (
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/mock"

	"github.com/vc-admin/diy/domain/billing"
	"github.com/vc-admin/diy/domain/fault"
)

func settle(t *testing.T, lane billing.Lane) func(*bench) error {
	op := billing.Operation{Key: "op_1", OrganisationID: "org_1", Lane: lane, CreatedAt: noon.Add(-time.Hour)}
	return func(b *bench) error { return b.Reconcile.settle.do(t.Context(), op, noon) }
}

func settlesWith(result string) step {
	return step{"SettleOperation", func(b *bench, err error) {
		b.store.EXPECT().SettleOperation(mock.Anything, "op_1", result, noon).Return(err).Once()
	}}
}

func TestSettlerFindsWhatBecameOfTheOperation(t *testing.T) {
	tests := map[billing.Status]string{
		billing.Active: "sub_1", billing.Trialing: "sub_1", billing.PastDue: "sub_1",
		billing.Incomplete: "", billing.Canceled: "", billing.Unpaid: "", billing.IncompleteExpired: "",
	}
	for status, result := range tests {
		t.Run(string(status), func(t *testing.T) {
			steps := []step{
				reads("", newcomer), lists(subscription("sub_1", status, monthly)), updates("", newcomer), settlesWith(result),
			}
			passes(t, steps, settle(t, billing.SubscriptionLane))
			failsAtEveryStep(t, errOutage, steps, settle(t, billing.SubscriptionLane))
		})
	}
}

func TestSettlerTellsItsOwnFromWhatCameLater(t *testing.T) {
	for after, result := range map[time.Duration]string{
		-time.Hour:              "sub_1", // an older one that it paid for
		0:                       "sub_1",
		abandoned:               "sub_1",
		abandoned + time.Second: "",
	} {
		live := subscription("sub_1", billing.Active, monthly)
		live.CreatedAt = noon.Add(-time.Hour + after)
		passes(t, []step{reads("", newcomer), lists(live), updates("", newcomer), settlesWith(result)}, settle(t, billing.SubscriptionLane))
	}
}

func TestSettlerOfACustomerThatIsGoneIsDone(t *testing.T) {
	b := newBench(t)
	b.readsOrganisation(subscriber(subscription("sub_1", billing.Active, monthly)), nil)
	b.listsSubscriptions(fault.New(fault.NotFound, "no such customer"))
	settlesWith("").expect(b, nil)

	assert.NoError(t, settle(t, billing.SubscriptionLane)(b))
}
