package billing_test

import (
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"

	"github.com/vc-admin/diy/domain/billing"
	"github.com/vc-admin/diy/domain/catalogue"
	"github.com/vc-admin/diy/domain/fault"
	"github.com/vc-admin/diy/domain/money"
)

func TestDecideTrialExtension_MovesTheEndOfARunningTrial(t *testing.T) {
	sub := newTrialSub("a", billing.Trialing, 0)
	for _, tt := range []struct{ days, extendedDays, maxDays int }{{1, 0, 30}, {30, 30, 30}, {10, 50, 10}} {
		a := newAccount(sub)

		maxDays, err := billing.MaxTrialDays(a, tt.extendedDays)
		require.NoError(t, err)
		assert.Equal(t, tt.maxDays, maxDays)

		actions, err := billing.DecideTrialExtension(a, tt.days, tt.extendedDays)
		require.NoError(t, err)
		assert.Equal(t, []billing.Action{{
			Kind: billing.ExtendTrialAction, CustomerID: "cus_1", SubscriptionID: "a", Until: sub.TrialEnd.AddDate(0, 0, tt.days),
		}}, actions)

		_, err = billing.DecideTrialExtension(a, tt.maxDays+1, tt.extendedDays)
		assertFault(t, err, fault.Invalid, "Enter 1 to")
		_, err = billing.DecideTrialExtension(a, 0, tt.extendedDays)
		assertFault(t, err, fault.Invalid, "Enter 1 to")
	}
}

func TestDecideTrialExtension_NamesTheReasonOfARefusal(t *testing.T) {
	change := func(edit func(*billing.Subscription)) *billing.Account {
		s := newTrialSub("a", billing.Trialing, 0)
		edit(&s)
		return newAccount(s)
	}
	for name, tt := range map[string]struct {
		account      *billing.Account
		extendedDays int
		reason       string
	}{
		"no subscription":  {newAccount(), 0, "no running trial"},
		"active":           {newAccount(newTrialSub("a", billing.Active, 0)), 0, "no running trial"},
		"canceled":         {newAccount(newTrialSub("a", billing.Canceled, 0)), 0, "no running trial"},
		"pending change":   {change(func(s *billing.Subscription) { s.Pending = &billing.PendingChange{} }), 0, "waits for its payment"},
		"scheduled change": {change(func(s *billing.Subscription) { s.Scheduled = &billing.ScheduledChange{} }), 0, "scheduled"},
		"ending":           {change(func(s *billing.Subscription) { s.EndsAt = s.TrialEnd }), 0, "ends with the trial"},
		"60 days in all":   {newAccount(newTrialSub("a", billing.Trialing, 0)), 60, "60 days already"},
	} {
		t.Run(name, func(t *testing.T) {
			_, err := billing.DecideTrialExtension(tt.account, 1, tt.extendedDays)
			assertFault(t, err, fault.Conflict, tt.reason)
		})
	}
}

// newPaidInvoice returns an invoice of 816.00 that was paid.
func newPaidInvoice() billing.Invoice {
	return billing.Invoice{
		ID: "in_1", Status: billing.InvoicePaid, Total: aud(81600), AmountDue: aud(81600), AmountPaid: aud(81600), CreatedAt: day0,
	}
}

func TestRefundable_IsWhatIsStillWithTheSeller(t *testing.T) {
	for name, tt := range map[string]struct {
		edit func(*billing.Invoice)
		want int64
	}{
		"paid":                                {func(*billing.Invoice) {}, 81600},
		"partly refunded":                     {func(i *billing.Invoice) { i.Refunded = aud(30000) }, 51600},
		"partly credited":                     {func(i *billing.Invoice) { i.Credited = aud(10000) }, 71600},
		"refunded":                            {func(i *billing.Invoice) { i.Refunded = aud(81600) }, 0},
		"returned by the bank and paid again": {func(i *billing.Invoice) { i.Returned = aud(81600) }, 81600},
		"returned by the bank": {func(i *billing.Invoice) {
			i.Status, i.Returned, i.AmountPaid = billing.InvoiceOpen, aud(81600), money.Amount{}
		}, 0},
		"part payment": {func(i *billing.Invoice) { i.Status, i.AmountPaid = billing.InvoiceOpen, aud(5000) }, 5000},
		"surplus that became credit": {func(i *billing.Invoice) {
			i.ReceivedPayments = []billing.ReceivedPayment{{Amount: aud(81600), Excess: aud(400)}}
		}, 81600},
		"void, the payment became credit": {func(i *billing.Invoice) {
			i.Status, i.AmountPaid, i.Credited = billing.InvoiceVoid, money.Amount{}, aud(5000)
		}, 0},
		"dispute lost for a part": {func(i *billing.Invoice) {
			i.Returns = []billing.Return{{Kind: billing.ReturnByDispute, Amount: aud(1600), Dispute: billing.DisputeLost}}
		}, 80000},
		"dispute won": {func(i *billing.Invoice) {
			i.Returns = []billing.Return{{Kind: billing.ReturnByDispute, Amount: aud(81600), Dispute: billing.DisputeWon}}
		}, 81600},
	} {
		t.Run(name, func(t *testing.T) {
			inv := newPaidInvoice()
			tt.edit(&inv)
			assert.Equal(t, tt.want, inv.Refundable().Minor())
		})
	}
}

func TestRefundable_IsAtMostPaidLessReturnedRefundedAndCredited(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		inv := drawInvoice(t)
		refundable := inv.Refundable().Minor()
		received, wentBack := int64(0), int64(0)
		for _, m := range inv.Movements() {
			switch m.Kind {
			case billing.MovementPayment:
				received -= m.Amount.Minor()
			case billing.MovementRefund, billing.MovementCredited, billing.MovementBankReturn, billing.MovementSurplus:
				wentBack += m.Amount.Minor()
			}
		}
		assert.GreaterOrEqual(t, refundable, int64(0))
		assert.LessOrEqual(t, refundable, max(received-wentBack, 0))

		amount := rapid.Int64Range(-10, refundable+10).Draw(t, "amount")
		actions, err := billing.DecideRefund(newAccount(), inv, aud(amount))
		if err == nil {
			assert.Equal(t, aud(amount), actions[0].Amount)
			assert.Positive(t, amount)
			assert.LessOrEqual(t, amount, refundable)
		}
	})
}

func TestDecideRefund_RefundsTheAgreedAmount(t *testing.T) {
	actions, err := billing.DecideRefund(newAccount(newSub("a", billing.Active, 0)), newPaidInvoice(), aud(81600))
	require.NoError(t, err)
	assert.Equal(t,
		[]billing.Action{{Kind: billing.RefundAction, CustomerID: "cus_1", InvoiceID: "in_1", Amount: aud(81600)}}, actions)
}

func TestDecideRefund_NamesTheReasonOfARefusal(t *testing.T) {
	usd, err := money.New(100, "USD")
	require.NoError(t, err)
	for name, tt := range map[string]struct {
		account *billing.Account
		edit    func(*billing.Invoice)
		amount  money.Amount
		code    fault.Code
		reason  string
	}{
		"more than was paid": {newAccount(), func(*billing.Invoice) {}, aud(81601), fault.Invalid, "up to AUD 816.00"},
		"more than the rest": {
			newAccount(), func(i *billing.Invoice) { i.Refunded = aud(80000) }, aud(1601), fault.Invalid, "up to AUD 16.00",
		},
		"nothing":          {newAccount(), func(*billing.Invoice) {}, aud(0), fault.Invalid, "up to"},
		"another currency": {newAccount(), func(*billing.Invoice) {}, usd, fault.Invalid, "up to"},
		"refunded": {
			newAccount(), func(i *billing.Invoice) { i.Refunded = aud(81600) }, aud(1), fault.Conflict, "went back",
		},
		"unpaid": {
			newAccount(), func(i *billing.Invoice) { i.Status, i.AmountPaid = billing.InvoiceOpen, money.Amount{} }, aud(1),
			fault.Conflict, "Nothing was paid",
		},
		"disputed": {newAccount(), func(i *billing.Invoice) {
			i.Returns = []billing.Return{{Kind: billing.ReturnByDispute, Amount: aud(1), Dispute: billing.DisputeOpen}}
		}, aud(1), fault.Conflict, "disputed"},
		"processing": {
			newAccount(makePaymentProcessing(newDeclinedSub(billing.PastDue))), func(*billing.Invoice) {}, aud(1),
			fault.Conflict, "processing",
		},
	} {
		t.Run(name, func(t *testing.T) {
			inv := newPaidInvoice()
			tt.edit(&inv)
			_, err := billing.DecideRefund(tt.account, inv, tt.amount)
			assertFault(t, err, tt.code, tt.reason)
		})
	}
}

func TestDecideFreeMonth_CreditsTheCustomerWithTheMonthsPrice(t *testing.T) {
	monthly := newSub("a", billing.Active, 0)
	monthly.Price, monthly.Amount = standardAUD, aud(3900)
	uneven := newSub("a", billing.PastDue, 0)
	uneven.Amount = aud(10001)
	for _, tt := range []struct {
		sub  billing.Subscription
		want int64
	}{{monthly, 3900}, {newTrialSub("a", billing.Trialing, 0), 6800}, {uneven, 834}} {
		actions, err := billing.DecideFreeMonth(newAccount(tt.sub), 2)
		require.NoError(t, err)
		assert.Equal(t, []billing.Action{{Kind: billing.AddCreditAction, CustomerID: "cus_1", Amount: aud(tt.want)}}, actions)
	}
}

func TestDecideFreeMonth_NamesTheReasonOfARefusal(t *testing.T) {
	withoutPrice := newSub("a", billing.Active, 0)
	withoutPrice.Amount = money.Amount{}
	for name, tt := range map[string]struct {
		account    *billing.Account
		grantCount int
		reason     string
	}{
		"no plan":       {newAccount(newSub("a", billing.Canceled, 0)), 0, "no live plan"},
		"hold":          {newAccount(newSubOnHold(billing.Active)), 0, "on hold"},
		"three grants":  {newAccount(newSub("a", billing.Active, 0)), 3, "3 free months"},
		"unknown price": {newAccount(withoutPrice), 0, "unknown"},
	} {
		t.Run(name, func(t *testing.T) {
			_, err := billing.DecideFreeMonth(tt.account, tt.grantCount)
			assertFault(t, err, fault.Conflict, tt.reason)
		})
	}
}

func TestFreeMonthsSince_IsAYearAgo(t *testing.T) {
	now := time.Date(2027, 2, 1, 0, 0, 0, 0, time.UTC)
	assert.Equal(t, time.Date(2026, 2, 1, 0, 0, 0, 0, time.UTC), billing.FreeMonthsSince(now))
}

func TestDecideLiftHold_NeedsAHold(t *testing.T) {
	actions, err := billing.DecideLiftHold(newAccount(newSubOnHold(billing.Active)))
	require.NoError(t, err)
	assert.Equal(t, []billing.Action{{Kind: billing.LiftHoldAction, CustomerID: "cus_1"}}, actions)
	_, err = billing.DecideLiftHold(newAccount(newSub("a", billing.Active, 0)))
	assertFault(t, err, fault.Conflict, "not on hold")
}

func TestDevLicense_IsGrantedWithoutAPlanAndEnded(t *testing.T) {
	a := newAccount(newSub("a", billing.Canceled, 0))
	assertFault(t, a.EndDevLicense(), fault.Conflict, "no developer license")
	price := catalogue.PriceRef{Product: "standard", Interval: catalogue.Monthly, Currency: "AUD"}
	require.NoError(t, a.GrantDevLicense("dev_1", price))
	assert.Equal(t, &billing.License{ID: "dev_1", IsDev: true, Status: billing.Active, Price: price}, a.License())
	require.NoError(t, a.EndDevLicense())
	assert.Nil(t, a.License())
	a = newAccount(newSub("b", billing.Active, 0))
	assertFault(t, a.GrantDevLicense("dev_2", price), fault.Conflict, "A plan is live")
	assert.Nil(t, a.DevLicense)
}

func TestOperatorActions_CanNotCharge(t *testing.T) {
	for _, kind := range []billing.ActionKind{
		billing.ExtendTrialAction, billing.RefundAction, billing.AddCreditAction, billing.LiftHoldAction,
	} {
		assert.False(t, kind.CanCharge(), kind)
		assert.True(t, kind.ChangesBilling(), kind)
	}
}
