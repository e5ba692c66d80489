package engine_test

import (
	"fmt"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/vc-admin/diy/domain/billing"
	"github.com/vc-admin/diy/domain/catalogue"
	"github.com/vc-admin/diy/domain/engine"
	"github.com/vc-admin/diy/domain/fault"
	"github.com/vc-admin/diy/domain/timezone"
)

var (
	professionalMonthly = catalogue.PriceRef{Product: "professional", Interval: catalogue.Monthly, Currency: "AUD"}
	prices              = map[catalogue.PriceRef]int64{monthly: 3900, yearly: 42000, professionalMonthly: 7600}
)

// newAccount returns an approved account without subscriptions. The ids of its invoices are in_1, in_2 and so on.
func newAccount() *engine.Account {
	n := 0
	return &engine.Account{
		Terms: engine.Terms{DueDays: 14, GraceDays: 7, NumberPrefix: "INV-"}, Approved: true, Now: start,
		NewInvoiceID: func() string { n++; return fmt.Sprintf("in_%d", n) },
	}
}

// commands change an account, one after the other. The functions below return commands for the subscription with the id
// sub.
type commands = []func(*engine.Account) error

func buyByTransfer(trialDays int) func(*engine.Account) error {
	return func(a *engine.Account) error {
		return a.Subscribe(engine.SubscribeRequest{ID: "sub", Price: monthly, Amount: prices[monthly], TrialDays: trialDays})
	}
}

func receive(invoice string, amount int64) func(*engine.Account) error {
	return func(a *engine.Account) error { a.RecordPayment(invoice, amount); return nil }
}

func changeTo(price catalogue.PriceRef, atRenewal bool) func(*engine.Account) error {
	return func(a *engine.Account) error {
		s, err := a.Subscription("sub")
		if err != nil {
			return err
		}
		return a.ChangePrice(engine.ChangeRequest{
			Subscription: s.ID, From: s.Price, To: price, Amount: prices[price], AtRenewal: atRenewal,
			EndTrial: !atRenewal && s.Status == billing.Trialing,
		})
	}
}

func advanceToDay(days int) func(*engine.Account) error { return advanceTo(start.AddDate(0, 0, days)) }

func advanceTo(at time.Time) func(*engine.Account) error {
	return func(a *engine.Account) error { a.Advance(at); return nil }
}

func endAtPeriodEnd(a *engine.Account) error { return a.SetEndAtPeriodEnd("sub", true) }

func endNow(void bool) func(*engine.Account) error {
	return func(a *engine.Account) error { return a.End("sub", void) }
}

func recordRefund(invoice string, minor int64) func(*engine.Account) error {
	return func(a *engine.Account) error { _, err := a.RecordRefund(invoice, aud(minor)); return err }
}

// describe returns the subscriptions, the credit, and the invoices of an account, oldest invoice first.
func describe(a *engine.Account) string {
	var parts []string
	for _, s := range a.Subscriptions {
		text := fmt.Sprintf("%s %s", s.Status, s.Price.PriceID())
		for _, flag := range []struct {
			isSet bool
			text  string
		}{
			{s.EndsAtPeriodEnd, " ending"}, {s.Pending.Invoice != "", " pending " + s.Pending.Price.PriceID()},
			{s.HasScheduledChange(), " scheduled " + s.Scheduled.Price.PriceID()},
		} {
			if flag.isSet {
				text += flag.text
			}
		}
		parts = append(parts, text)
	}
	parts = append(parts, fmt.Sprintf("credit %d", a.Credit))
	for _, inv := range slices.Backward(a.Invoices) {
		parts = append(parts, fmt.Sprintf("%s %d of %d", inv.Status, inv.AmountPaid, inv.AmountDue))
	}
	return strings.Join(parts, "; ")
}

func TestTransfers_CommandsChangeSubscriptionCreditAndInvoices(t *testing.T) {
	for name, tt := range map[string]struct {
		steps commands
		want  string
	}{
		"a purchase is active, with an open invoice": {
			commands{buyByTransfer(0)},
			"active standard_monthly; credit 0; open 0 of 3900",
		},
		"a trial has the invoice for the period after it": {
			commands{buyByTransfer(30)}, "trialing standard_monthly; credit 0; open 0 of 3900",
		},
		"a prepaid trial becomes active without a new invoice": {
			commands{buyByTransfer(30), receive("in_1", 3900), advanceToDay(30)},
			"active standard_monthly; credit 0; paid 3900 of 3900",
		},
		"an unpaid purchase is past due": {
			commands{buyByTransfer(0), advanceToDay(15)},
			"past_due standard_monthly; credit 0; open 0 of 3900",
		},
		"a purchase paid in time is active": {
			commands{buyByTransfer(0), advanceToDay(14), receive("in_1", 3900)},
			"active standard_monthly; credit 0; paid 3900 of 3900",
		},
		"an unpaid purchase ends, and the invoice stays owed": {
			commands{buyByTransfer(0), advanceToDay(22)}, "canceled standard_monthly; credit 0; open 0 of 3900",
		},
		"the unused part of a period that is paid after the end is credit": {
			commands{buyByTransfer(0), advanceToDay(22), receive("in_1", 3900)},
			"canceled standard_monthly; credit 1195; paid 3900 of 3900",
		},
		"the invoice of a renewal uses credit": {
			commands{buyByTransfer(0), receive("in_1", 5000), advanceToDay(31)},
			"active standard_monthly; credit 0; paid 3900 of 3900; open 0 of 2800",
		},
		"a year without a payment is one renewal": {
			commands{buyByTransfer(0), receive("in_1", 3900), advanceToDay(365)},
			"canceled standard_monthly; credit 0; paid 3900 of 3900; open 0 of 3900",
		},
		"a part payment leaves the invoice open": {
			commands{buyByTransfer(0), receive("in_1", 900)},
			"active standard_monthly; credit 0; open 900 of 3900",
		},
		"a change to a more expensive price waits for its payment": {
			commands{buyByTransfer(0), receive("in_1", 3900), changeTo(professionalMonthly, false)},
			"active standard_monthly pending professional_monthly; credit 0; paid 3900 of 3900; open 0 of 3700",
		},
		"a paid change is made": {
			commands{buyByTransfer(0), receive("in_1", 3900), changeTo(professionalMonthly, false), receive("in_2", 3700)},
			"active professional_monthly; credit 0; paid 3900 of 3900; paid 3700 of 3700",
		},
		"an unpaid change is canceled when it is due": {
			commands{
				buyByTransfer(0), receive("in_1", 3900), changeTo(professionalMonthly, false), receive("in_2", 700),
				advanceToDay(15),
			},
			"active standard_monthly; credit 700; paid 3900 of 3900; void 0 of 3700",
		},
		"credit pays a change immediately": {
			commands{buyByTransfer(0), receive("in_1", 9000), changeTo(professionalMonthly, false)},
			"active professional_monthly; credit 1400; paid 3900 of 3900; paid 0 of 0",
		},
		"a change in a prepaid trial deducts the prepaid invoice": {
			commands{buyByTransfer(30), receive("in_1", 3900), changeTo(yearly, false), receive("in_2", 38100)},
			"active standard_yearly; credit 0; paid 3900 of 3900; paid 38100 of 38100",
		},
		"a scheduled change at the end of a trial replaces the prepaid invoice": {
			commands{buyByTransfer(30), receive("in_1", 3900), changeTo(professionalMonthly, true), advanceToDay(30 + 13)},
			"active professional_monthly; credit 0; paid 3900 of 3900; open 0 of 3700",
		},
		"a trial that ends voids its invoice": {
			commands{buyByTransfer(30), receive("in_1", 900), endAtPeriodEnd, advanceToDay(30)},
			"canceled standard_monthly; credit 900; void 0 of 3900",
		},
		"a prepaid trial that ends becomes credit": {
			commands{buyByTransfer(30), receive("in_1", 3900), endNow(false)},
			"canceled standard_monthly; credit 3900; paid 3900 of 3900",
		},
		"an end now leaves the invoice open": {
			commands{buyByTransfer(0), endNow(false)},
			"canceled standard_monthly; credit 0; open 0 of 3900",
		},
		"an end now can void the invoice": {
			commands{buyByTransfer(0), endNow(true)},
			"canceled standard_monthly; credit 0; void 0 of 3900",
		},
		"a refund is withdrawn from credit": {
			commands{buyByTransfer(0), receive("in_1", 5000), recordRefund("in_1", 1000)},
			"active standard_monthly; credit 100; paid 3900 of 3900",
		},
		"a reversed payment reopens the invoice": {
			commands{
				buyByTransfer(0), receive("in_1", 5000),
				func(a *engine.Account) error { return a.Reverse("in_1", 5000, 3900) },
			},
			"active standard_monthly; credit 0; open 0 of 3900",
		},
		"voiding the invoice ends its subscription": {
			commands{buyByTransfer(0), func(a *engine.Account) error { return a.Void("in_1") }},
			"canceled standard_monthly; credit 0; void 0 of 3900",
		},
	} {
		t.Run(name, func(t *testing.T) {
			a := newAccount()
			for _, command := range tt.steps {
				require.NoError(t, command(a))
			}
			assert.Equal(t, tt.want, describe(a))
		})
	}
}

func TestTransfers_RefusedCommandsChangeNothing(t *testing.T) {
	for name, tt := range map[string]struct {
		setup          commands
		refusedCommand func(*engine.Account) error
		want           fault.Code
	}{
		"a purchase while an invoice is unpaid": {commands{buyByTransfer(0)}, buyByTransfer(0), fault.Conflict},
		"a change now to a cheaper price": {
			commands{buyByTransfer(0), receive("in_1", 3900), changeTo(yearly, false), receive("in_2", 38100)},
			changeTo(monthly, false),
			fault.Unsupported,
		},
		"a change while an invoice is unpaid": {commands{buyByTransfer(0)}, changeTo(yearly, false), fault.Conflict},
		"a change while another is pending": {
			commands{buyByTransfer(0), receive("in_1", 3900), changeTo(yearly, false)},
			changeTo(professionalMonthly, true),
			fault.Conflict,
		},
		"an end while a change is pending": {
			commands{buyByTransfer(0), receive("in_1", 3900), changeTo(yearly, false)},
			endAtPeriodEnd,
			fault.Conflict,
		},
		"a refund of more than was paid": {
			commands{buyByTransfer(0), receive("in_1", 3900)},
			recordRefund("in_1", 3901),
			fault.Conflict,
		},
		"a refund of an open invoice": {
			commands{buyByTransfer(0), receive("in_1", 900)},
			recordRefund("in_1", 900),
			fault.Conflict,
		},
		"a pay-out of more than the credit": {
			commands{buyByTransfer(0), receive("in_1", 4000)},
			func(a *engine.Account) error { return a.PayOutCredit(101) },
			fault.Conflict,
		},
		"the voiding of a paid invoice": {
			commands{buyByTransfer(0), receive("in_1", 3900)},
			func(a *engine.Account) error { return a.Void("in_1") },
			fault.Conflict,
		},
		"the reversal of a payment after the renewal": {
			commands{buyByTransfer(0), receive("in_1", 3900), advanceToDay(31)},
			func(a *engine.Account) error { return a.Reverse("in_1", 3900, 3900) },
			fault.Conflict,
		},
		"a change on the day on which the period ends": {
			commands{buyByTransfer(0), receive("in_1", 3900), advanceTo(start.AddDate(0, 0, 31).Add(-12 * time.Hour))},
			changeTo(professionalMonthly, false),
			fault.Conflict,
		},
		"the end of an unknown subscription": {nil, endNow(false), fault.NotFound},
	} {
		t.Run(name, func(t *testing.T) {
			a := newAccount()
			for _, command := range tt.setup {
				require.NoError(t, command(a))
			}
			initial := describe(a)
			assert.Equal(t, tt.want, fault.CodeOf(tt.refusedCommand(a)))
			assert.Equal(t, initial, describe(a))
		})
	}
}

func TestAccount_OrderWaitsForApproval(t *testing.T) {
	a := newAccount()
	a.Approved = false
	require.NoError(t, buyByTransfer(7)(a))
	assert.Equal(t, "incomplete standard_monthly; credit 0", describe(a))
	assert.Equal(t, start.AddDate(0, 0, 30), a.NextWorkAt())

	a.Advance(start.AddDate(0, 0, 29))
	assert.Equal(t, 1, a.Approve())
	assert.Equal(t, "trialing standard_monthly; credit 0; open 0 of 3900", describe(a))
	s, err := a.Subscription("sub")
	require.NoError(t, err)
	assert.Equal(t, start.AddDate(0, 0, 36), s.TrialEnd, "the trial begins with the approval")

	lateAccount := newAccount()
	lateAccount.Approved = false
	require.NoError(t, buyByTransfer(7)(lateAccount))
	lateAccount.Advance(start.AddDate(0, 0, 30))
	assert.Equal(t, "incomplete_expired standard_monthly; credit 0", describe(lateAccount))
}

func TestAdvance_PerformsEachStepAtItsOwnTime(t *testing.T) {
	a := newAccount()
	require.NoError(t, buyByTransfer(0)(a))
	a.RecordPayment("in_1", 3900)
	assert.True(t, a.Advance(start.AddDate(1, 0, 0)))

	renewal := start.AddDate(0, 1, 0)
	inv := a.Invoice("in_2")
	assert.Equal(t, []time.Time{renewal, a.TimeZone.EndOfDay(renewal, 14), renewal},
		[]time.Time{inv.Created, inv.DueAt, inv.RenewedPeriodStart})
	s, err := a.Subscription("sub")
	require.NoError(t, err)
	assert.Equal(t, a.TimeZone.EndOfDay(renewal, 21), s.EndedAt)
	assert.True(t, a.HasChanged("sub") && a.HasChanged("in_2"))
	assert.True(t, a.NextWorkAt().IsZero())
}

// An invoice is due for the whole due day in the customer's zone. The plan of an unpaid invoice ends, and an unpaid change
// expires, at the end of a day, too.
func TestTransfers_DueDayIsWholeInTheZoneOfTheCustomer(t *testing.T) {
	for _, tt := range []struct {
		zone                 timezone.Zone
		issued               time.Time
		dueDay, lastGraceDay string
		changeDueDay         string // of a change four days before the period ends
	}{
		{"", time.Date(2026, 12, 25, 0, 0, 0, 0, time.UTC), "8 January 2027", "15 January 2027", "24 January 2027"},
		{"Australia/Sydney", time.Date(2026, 12, 24, 13, 25, 0, 0, time.UTC), "8 January 2027", "15 January 2027", "24 January 2027"},
		{"Pacific/Honolulu", time.Date(2026, 12, 25, 9, 59, 59, 0, time.UTC), "7 January 2027", "14 January 2027", "23 January 2027"},
		{"Pacific/Kiritimati", time.Date(2026, 12, 25, 9, 59, 59, 0, time.UTC), "8 January 2027", "15 January 2027", "24 January 2027"},
		// The clocks go forward on 4 October and back on 4 April.
		{"Australia/Sydney", time.Date(2026, 9, 22, 13, 30, 0, 0, time.UTC), "6 October 2026", "13 October 2026", "22 October 2026"},
		{"Australia/Sydney", time.Date(2026, 9, 15, 13, 30, 0, 0, time.UTC), "29 September 2026", "6 October 2026", "15 October 2026"},
		{"Australia/Sydney", time.Date(2027, 3, 26, 13, 30, 0, 0, time.UTC), "10 April 2027", "17 April 2027", "25 April 2027"},
		{"Australia/Sydney", time.Date(2027, 3, 14, 13, 30, 0, 0, time.UTC), "29 March 2027", "5 April 2027", "13 April 2027"},
	} {
		a := newAccount()
		a.TimeZone, a.Now = tt.zone, tt.issued
		require.NoError(t, buyByTransfer(0)(a))
		inv := a.Invoice("in_1")
		for at, day := range map[time.Time]string{inv.DueAt: tt.dueDay, a.GraceEndsAt(inv): tt.lastGraceDay} {
			assert.Equal(t, day+" at 11:59 pm", strings.Join(strings.Fields(tt.zone.DateTime(at))[:6], " "), tt.zone)
		}
		status := func(at time.Time) billing.Status { a.Advance(at); return a.Subscriptions[0].Status }
		assert.Equal(t, billing.Active, status(inv.DueAt.Add(-time.Second)))
		assert.Equal(t, billing.PastDue, status(inv.DueAt))
		assert.Equal(t, billing.PastDue, status(a.GraceEndsAt(inv).Add(-time.Second)))
		require.NoError(t, receive("in_1", prices[monthly])(a))

		a.Now = a.Subscriptions[0].PeriodEnd.AddDate(0, 0, -4)
		require.NoError(t, changeTo(professionalMonthly, false)(a))
		assert.Equal(t, tt.changeDueDay, tt.zone.Date(a.Invoice("in_2").DueAt))
		assert.Equal(t, tt.zone.EndOfDay(a.Invoice("in_2").DueAt, 0), a.Invoice("in_2").DueAt)
		assert.Equal(t, a.Invoice("in_2").DueAt, a.Subscriptions[0].Pending.Expires)
	}
}

func TestTransfers_ExtendedTrialPostponesTheDueDayByDays(t *testing.T) {
	a := newAccount()
	a.TimeZone, a.Now = "Australia/Sydney", time.Date(2026, 9, 15, 13, 30, 0, 0, time.UTC)
	require.NoError(t, buyByTransfer(30)(a))
	assert.Equal(t, "16 October 2026", a.TimeZone.Date(a.Invoice("in_1").DueAt), "the trial ends on that day")
	require.NoError(t, a.ExtendTrial("sub", a.Subscriptions[0].TrialEnd.AddDate(0, 0, 7)))
	assert.Equal(t, "23 October 2026 at 11:59 pm AEDT", a.TimeZone.DateTime(a.Invoice("in_1").DueAt))
}

func TestQuote_ByTransferHasTheDueDateOrTheTermsOfAnOrder(t *testing.T) {
	a := newAccount()
	quote := func(trialDays int) engine.Quote {
		t.Helper()
		q, err := a.QuoteSubscribe(engine.SubscribeRequest{ID: "sub", Price: monthly, Amount: prices[monthly], TrialDays: trialDays})
		require.NoError(t, err)
		return q
	}
	approvedQuote := quote(0)
	assert.Equal(t, a.TimeZone.EndOfDay(start, 14), approvedQuote.DueAt)
	assert.Zero(t, approvedQuote.ApprovalDueDays)

	a.Approved = false
	order := quote(0)
	assert.True(t, order.DueAt.IsZero(), "an order has no dates")
	assert.Equal(t, 14, order.ApprovalDueDays)
	assert.Equal(t, 30, quote(30).ApprovalDueDays, "the invoice of a trial is due after it")

	a.Approved = true
	require.NoError(t, buyByTransfer(0)(a))
	require.NoError(t, receive("in_1", prices[monthly])(a))
	change, err := a.QuoteChange(engine.ChangeRequest{
		Subscription: "sub", From: monthly, To: professionalMonthly, Amount: prices[professionalMonthly],
	})
	require.NoError(t, err)
	assert.Equal(t, a.TimeZone.EndOfDay(start, 14), change.DueAt, "the change is made when it is paid")
}
