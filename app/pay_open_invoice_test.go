package app

import (
	"slices"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/mock"
	"github.com/stretchr/testify/require"

	"github.com/vc-admin/diy/domain/account"
	"github.com/vc-admin/diy/domain/billing"
	"github.com/vc-admin/diy/domain/fault"
	"github.com/vc-admin/diy/ports/payment"
)

var payVisa = PayRequest{InvoiceID: "in_1", Amount: 7600, CardID: "pm_visa", MakeDefault: true}

func pendingOrganisation() account.Organisation { return subscriber(pendingYearly("op_earlier")) }

// savesBeside expects pm_visa to be saved without becoming the default card.
var savesBeside = step{"AddCard", func(b *bench, err error) {
	b.provider.EXPECT().AddCard(mock.Anything, mock.MatchedBy(func(in payment.NewCard) bool {
		return in.CardID == "pm_visa" && in.KeepDefault && in.Key != ""
	})).Return(visa, err).Once()
}}

// makesDefault expects pm_visa to become the default card.
var makesDefault = step{"AddCard", func(b *bench, err error) {
	b.provider.EXPECT().AddCard(mock.Anything, mock.MatchedBy(func(in payment.NewCard) bool {
		return in.CardID == "pm_visa" && !in.KeepDefault && in.Key != ""
	})).Return(visa, err).Once()
}}

// detachesVisa expects pm_visa to be taken off the customer.
var detachesVisa = step{"DeleteCard", func(b *bench, err error) {
	b.provider.EXPECT().DeleteCard(mock.Anything, mock.MatchedBy(func(in payment.SavedCard) bool {
		return in.CardID == "pm_visa" && in.Key != ""
	})).Return(err).Once()
}}

// paying are the calls up to the payment.
var paying = []step{
	nonePending, reads("to sync", pendingOrganisation), lists(pendingYearly("op_earlier")), updates("with the truth", pendingOrganisation),
	beginsOperation(billing.SubscriptionOperation), reads("under the operation", pendingOrganisation),
	savesBeside, paysPending(moved(billing.Active)), makesDefault,
	updates("with the payment", after(pendingOrganisation, pendingYearly("op_earlier"))),
}

func payOpen(t *testing.T, in PayRequest) func(*bench) error {
	return func(b *bench) error {
		_, err := b.PayOpenInvoice.Do(t.Context(), who, in)
		return err
	}
}

func TestPayOpenInvoice_SavesTheCardPaysAndMakesItTheDefault(t *testing.T) {
	passes(t, append(slices.Clip(paying), settles(billing.SubscriptionOperation, noResult)), payOpen(t, payVisa))
}

func TestPayOpenInvoice_FailsAndStaysPending(t *testing.T) {
	failsAtEveryStep(t, errOutage, paying, payOpen(t, payVisa))
}

func TestPayOpenInvoice_DeclinedCardDoesNotBecomeTheDefaultAndANewOneIsDetached(t *testing.T) {
	refused := pendingYearly("op_earlier")
	refused.Next = billing.NextActionOf(refused, "Your card was declined.")
	for name, isNew := range map[string]bool{"a saved card": false, "a new card": true} {
		t.Run(name, func(t *testing.T) {
			b := newBench(t)
			steps := append(paying[:7:7], paysPending(refused))
			if isNew {
				b.saved = nil
				steps = append(steps, detachesVisa)
			}
			for _, s := range append(steps, paying[9], settles(billing.SubscriptionOperation, noResult)) {
				s.expect(b, nil)
			}
			assert.NoError(t, payOpen(t, payVisa)(b))
		})
	}
}

func TestPayOpenInvoice_SomethingElseIsOpen(t *testing.T) {
	for name, in := range map[string]PayRequest{
		"another invoice": {InvoiceID: "in_2", Amount: 7600},
		"another amount":  {InvoiceID: "in_1", Amount: 7601},
		"a setup":         {Setup: true},
	} {
		t.Run(name, func(t *testing.T) {
			b := newBench(t)
			for _, s := range paying[:4] {
				s.expect(b, nil)
			}
			err := payOpen(t, in)(b)
			var mismatch *OpenPaymentError
			require.ErrorAs(t, err, &mismatch)
			assert.Equal(t, fault.Conflict, fault.CodeOf(err))
			assert.Equal(t, "in_1", mismatch.Open.InvoiceID)
			assert.Equal(t, aud(7600), mismatch.Open.Amount)
		})
	}
}

func TestCancelPendingChange_FailsAndStaysPending(t *testing.T) {
	drops := step{"CancelPendingChange", func(b *bench, err error) {
		b.provider.EXPECT().CancelPendingChange(mock.Anything, mock.MatchedBy(func(in payment.PendingCancellation) bool {
			return in.SubscriptionID == "sub_1" && in.InvoiceID == "in_1" && in.Key != ""
		})).Return(onMonthly(billing.Active), err).Once()
	}}
	steps := append(paying[:6:6], drops, paying[9])
	drop := func(b *bench) error {
		_, err := b.CancelPendingChange.Do(t.Context(), who)
		return err
	}
	failsAtEveryStep(t, errOutage, steps, drop)
	passes(t, append(steps, settles(billing.SubscriptionOperation, noResult)), drop)
}
