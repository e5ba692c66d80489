package paymenttest

import (
	"flag"
	"maps"
	"os"
	"slices"
	"strconv"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"

	"github.com/vc-admin/diy/domain/billing"
	"github.com/vc-admin/diy/ports/payment"
)

// CheckHistories draws random histories of a customer and checks after each request that
//
//   - a request charges exactly the amount and the lines that were quoted for the same instant, and is refused if its
//     quote is refused;
//   - all reads of an invoice have the same fields: the list, the list of one invoice, and the latest invoice of the
//     subscription;
//   - the next charge has the quoted amount, and the next invoice has the total that the subscription reports;
//   - the credit is the credit that support staff added plus the credit that invoices left, less the amount withdrawn
//     for returned payments;
//   - the credit is at most the credit that support staff added plus the payments that were not returned;
//   - the amounts paid of all invoices add up to the sum of the successful payments;
//   - an invoice with a processing payment is neither charged again nor voided;
//   - an ended subscription is not charged;
//   - a subscription has at most one of these: a pending change, a scheduled change and an end;
//   - a customer on hold has no pending and no scheduled change.
//
// It draws the given number of histories, unless rapid's flag -rapid.checks or RAPID_CHECKS is set, and calls
// newHarness for each of them.
func CheckHistories(t *testing.T, histories int, newHarness func(t *testing.T) Harness) {
	SetChecks(t, histories)
	rapid.Check(t, func(rt *rapid.T) {
		h := &history{
			T: rt, harnessT: t, Harness: newHarness(t), finalInvoices: map[string][]billing.Invoice{},
			refunds: map[string]int64{}, disputes: map[string]billing.DisputeStatus{},
		}
		h.begin()
		for range rapid.IntRange(1, 40).Draw(rt, "length") {
			steps := h.steps()
			name := rapid.SampledFrom(slices.Sorted(maps.Keys(steps))).Draw(rt, "step")
			steps[name]()
			h.checkInvariants()
		}
	})
}

// SetChecks sets the number of histories of a test with rapid, unless rapid's flag or variable is set. It restores the
// number at the end of the test.
func SetChecks(t *testing.T, n int) {
	const name = "rapid.checks"
	_, isSet := os.LookupEnv("RAPID_CHECKS") //nolint:forbidigo // rapid reads it too
	flag.Visit(func(f *flag.Flag) { isSet = isSet || f.Name == name })
	if isSet {
		return
	}
	checks := flag.Lookup(name).Value
	previous := checks.String()
	require.NoError(t, checks.Set(strconv.Itoa(n)))
	t.Cleanup(func() { require.NoError(t, checks.Set(previous)) })
}

// history is the history of one customer.
type history struct {
	*rapid.T
	Harness
	harnessT      *testing.T // passed to the functions of the harness
	customerID    string
	grantedCredit int64            // added by support staff
	refunds       map[string]int64 // by invoice
	disputes      map[string]billing.DisputeStatus
	nextCharge    *billing.Charge              // from the quote; nil if unknown
	finalInvoices map[string][]billing.Invoice // of ended subscriptions
}

// begin creates a customer with a card and a subscription. It often begins at the end of a month or on a leap day.
func (h *history) begin() {
	date := rapid.SampledFrom([]time.Time{
		time.Date(2027, 1, 29, 0, 0, 0, 0, time.UTC), time.Date(2028, 1, 31, 0, 0, 0, 0, time.UTC),
		time.Date(2028, 2, 22, 0, 0, 0, 0, time.UTC), time.Date(2028, 2, 29, 0, 0, 0, 0, time.UTC),
		time.Date(2027, 12, 31, 0, 0, 0, 0, time.UTC), time.Date(2027, 8, 31, 0, 0, 0, 0, time.UTC),
		time.Date(2027, 5, 15, 0, 0, 0, 0, time.UTC),
	}).Draw(h.T, "date")
	second := rapid.IntRange(0, 24*60*60-1).Draw(h.T, "second of the day")
	h.Advance(h.harnessT, date.Add(time.Duration(second)*time.Second).Sub(h.Now()))
	c, err := h.Provider.CreateCustomer(h.Context(), customerRequest())
	require.NoError(h, err)
	h.customerID = c.ID
	h.saveMethod(Pays)
	h.subscribe()
	h.checkInvariants()
}

// hasCapabilities reports whether the provider has all the capabilities.
func (h *history) hasCapabilities(capabilities ...payment.Capability) bool {
	return !slices.ContainsFunc(capabilities, func(c payment.Capability) bool {
		_, missing := h.missingReason(c)
		return missing
	})
}

// subscription returns the newest subscription. ok is false if that subscription has ended or the customer has none.
func (h *history) subscription() (s billing.Subscription, ok bool) {
	subs, err := h.Provider.ListSubscriptions(h.Context(), h.customerID)
	require.NoError(h, err)
	if len(subs) == 0 || subs[0].Status.Ended() {
		return billing.Subscription{}, false
	}
	return subs[0], true
}

func (h *history) customer() billing.Customer {
	c, err := h.Provider.Customer(h.Context(), h.customerID)
	require.NoError(h, err)
	return c
}

// invoices returns the customer's invoices, newest first.
func (h *history) invoices() []billing.Invoice {
	list, err := h.Provider.ListInvoices(h.Context(), payment.InvoiceQuery{CustomerID: h.customerID, Limit: 100})
	require.NoError(h, err)
	require.False(h, list.HasMore, "a history has at most 100 invoices")
	return list.Invoices
}

func (h *history) invoice(id string) billing.Invoice {
	for _, inv := range h.invoices() {
		if inv.ID == id {
			return inv
		}
	}
	h.Fatalf("invoice %s is not listed", id)
	return billing.Invoice{}
}

// steps returns the steps that are possible now, by name.
func (h *history) steps() map[string]func() {
	steps := map[string]func(){"time passes": h.passTime}
	if h.savesCards() {
		steps["a card that pays"] = func() { h.saveMethod(Pays) }
		steps["a card that is declined"] = func() { h.saveMethod(DeclinedWhenCharged) }
	}
	h.addSettlementSteps(steps)
	for _, step := range []struct {
		name  string
		needs payment.Capability
		do    func()
	}{
		{"credit", payment.CustomerCredit, h.addCredit},
		{"refund", payment.Refunds, h.refund},
		{"dispute", Disputes, h.dispute},
		{"close a dispute", Disputes, h.closeDispute},
		{"lift the hold", Disputes, h.liftHold},
	} {
		if h.hasCapabilities(step.needs) {
			steps[step.name] = step.do
		}
	}
	if owingSub := h.owingSubscription(); owingSub != nil {
		steps["pay what is owed"] = func() { h.payOwedInvoice(*owingSub) }
	}
	s, ok := h.subscription()
	if !ok {
		steps["subscribe"] = h.subscribe
		return steps
	}
	h.addRequestSteps(steps, s)
	return steps
}

// addRequestSteps adds the requests about the subscription to the steps.
func (h *history) addRequestSteps(steps map[string]func(), s billing.Subscription) {
	for _, step := range []struct {
		name  string
		needs payment.Capability
		do    func(billing.Subscription)
	}{
		{"change", payment.ChangeNow, h.changePlan},
		{"change again", payment.ChangeNow, h.changePlan},
		{"change once more", payment.ChangeNow, h.changePlan},
		{"schedule", payment.AtPeriodEnd, h.scheduleChange},
		{"cancel the schedule", payment.AtPeriodEnd, h.cancelScheduledChange},
		{"cancel the pending change", payment.ChangeNow, h.cancelPendingChange},
		{"end", payment.AtPeriodEnd, func(s billing.Subscription) { h.setEnd(s, true) }},
		{"resume", payment.AtPeriodEnd, func(s billing.Subscription) { h.setEnd(s, false) }},
		{"extend the trial", payment.Trials, h.extendTrial},
		{"pay", onlinePayment, h.pay},
		{"pay by transfer", transfers, h.payByTransfer},
		{"check out", hostedCheckout, h.checkOut},
		{"check out again", hostedCheckout, h.checkOut},
		{"cancel", "", h.cancel},
		{"renew", "", h.renew},
		{"renew again", "", h.renew},
	} {
		if h.hasCapabilities(step.needs) {
			steps[step.name] = func() { step.do(s) }
		}
	}
}

// addSettlementSteps adds the steps for payments that take days, if the environment has such payments.
func (h *history) addSettlementSteps(steps map[string]func()) {
	if !h.hasCapabilities(slowPayments) {
		return
	}
	steps["payments settle"] = func() {
		h.Settle(h.harnessT)
		h.nextCharge = nil
	}
	if h.savesCards() {
		steps["an account that pays"] = func() { h.saveMethod(Settles) }
		steps["an account that fails late"] = func() { h.saveMethod(FailsLate) }
		steps["an account that returns payments"] = func() { h.saveMethod(ReturnsLate) }
	}
}
