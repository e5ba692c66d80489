package paymenttest

import (
	"flag"
	"maps"
	"os"
	"slices"
	"strconv"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"

	"github.com/vc-admin/diy/domain/billing"
	"github.com/vc-admin/diy/domain/catalogue"
	"github.com/vc-admin/diy/domain/fault"
	"github.com/vc-admin/diy/ports/payment"
)

// CheckHistories draws random histories of a customer and checks after each request that
//
//   - a request charges exactly what was quoted for the same instant, with the same lines, and is refused
//     when its quote was;
//   - the next charge is the quoted one, and the next invoice has the total that the subscription reports;
//   - credit is what was granted and what the invoices have left, less what was withdrawn for returned payments
//     (a provider that collects by invoice may also credit a period that was paid in advance), and at most what
//     was paid and not returned, and granted;
//   - the sum paid over the invoices is the sum of the successful payments;
//   - an invoice whose payment is on its way is neither charged again nor dropped;
//   - an ended subscription is not charged, none has two of a pending change, a scheduled change and
//     an end, and none is to be changed while the customer is on hold.
//
// It draws the number of histories, unless rapid's flag -rapid.checks or RAPID_CHECKS is set, and calls
// newHarness for each of them.
func CheckHistories(t *testing.T, histories int, newHarness func(t *testing.T) Harness) {
	setChecks(t, histories)
	rapid.Check(t, func(rt *rapid.T) {
		h := &history{
			T: rt, test: t, Harness: newHarness(t), closed: map[string][]billing.Invoice{},
			refunded: map[string]int64{}, disputes: map[string]billing.DisputeStatus{},
		}
		h.begin()
		for range rapid.IntRange(1, 40).Draw(rt, "length") {
			events := h.events()
			name := rapid.SampledFrom(slices.Sorted(maps.Keys(events))).Draw(rt, "event")
			events[name]()
			h.checkInvariants()
		}
	})
}

// setChecks sets the number of draws until the end of the test, unless it was chosen by rapid's flag or
// variable.
func setChecks(t *testing.T, n int) {
	const name = "rapid.checks"
	_, chosen := os.LookupEnv("RAPID_CHECKS") //nolint:forbidigo // rapid reads it too
	flag.Visit(func(f *flag.Flag) { chosen = chosen || f.Name == name })
	if chosen {
		return
	}
	checks := flag.Lookup(name).Value
	former := checks.String()
	require.NoError(t, checks.Set(strconv.Itoa(n)))
	t.Cleanup(func() { require.NoError(t, checks.Set(former)) })
}

// history is the history of one customer.
type history struct {
	*rapid.T
	Harness
	test       *testing.T // for the harness
	customerID string
	granted    int64            // credit added by support staff
	refunded   map[string]int64 // by invoice
	disputes   map[string]billing.DisputeStatus
	next       *billing.Charge              // the next charge that was quoted; nil when it is not known
	closed     map[string][]billing.Invoice // the invoices of ended subscriptions
}

// begin creates a customer with a card at an instant that may be at the end of a month or a leap day.
func (h *history) begin() {
	date := rapid.SampledFrom([]time.Time{
		time.Date(2027, 1, 29, 0, 0, 0, 0, time.UTC), time.Date(2028, 1, 31, 0, 0, 0, 0, time.UTC),
		time.Date(2028, 2, 22, 0, 0, 0, 0, time.UTC), time.Date(2028, 2, 29, 0, 0, 0, 0, time.UTC),
		time.Date(2027, 12, 31, 0, 0, 0, 0, time.UTC), time.Date(2027, 8, 31, 0, 0, 0, 0, time.UTC),
		time.Date(2027, 5, 15, 0, 0, 0, 0, time.UTC),
	}).Draw(h.T, "date")
	second := rapid.IntRange(0, 24*60*60-1).Draw(h.T, "second of the day")
	h.Advance(h.test, date.Add(time.Duration(second)*time.Second).Sub(h.Now()))
	c, err := h.Provider.CreateCustomer(h.Context(), customerRequest())
	require.NoError(h, err)
	h.customerID = c.ID
	h.saveCard(Pays)
	h.subscribe()
	h.checkInvariants()
}

// has reports whether the provider has all the capabilities.
func (h *history) has(needed ...payment.Capability) bool {
	return !slices.ContainsFunc(needed, func(c payment.Capability) bool {
		_, missing := h.missingReason(c)
		return missing
	})
}

// subscription returns the newest subscription; ok is false when there is none that can go on.
func (h *history) subscription() (s billing.Subscription, ok bool) {
	all, err := h.Provider.ListSubscriptions(h.Context(), h.customerID)
	require.NoError(h, err)
	if len(all) == 0 || all[0].Status.Ended() {
		return billing.Subscription{}, false
	}
	return all[0], true
}

func (h *history) customer() billing.Customer {
	c, err := h.Provider.Customer(h.Context(), h.customerID)
	require.NoError(h, err)
	return c
}

// invoices returns the customer's invoices, newest first.
func (h *history) invoices() []billing.Invoice {
	list, err := h.Provider.ListInvoices(h.Context(), payment.InvoicePage{CustomerID: h.customerID, Limit: 100})
	require.NoError(h, err)
	require.False(h, list.HasMore, "a history is shorter")
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

// events returns what can happen now, by name.
func (h *history) events() map[string]func() {
	events := map[string]func(){"time passes": h.wait}
	if h.savesCards() {
		events["a card that pays"] = func() { h.saveCard(Pays) }
		events["a card that is declined"] = func() { h.saveCard(DeclinedWhenCharged) }
	}
	h.addSettlement(events)
	for _, e := range []struct {
		name  string
		needs payment.Capability
		do    func()
	}{
		{"credit", payment.CustomerCredit, h.credit},
		{"refund", payment.Refunds, h.refund},
		{"dispute", payment.Disputes, h.dispute},
		{"close a dispute", payment.Disputes, h.closeDispute},
		{"lift the hold", payment.Disputes, h.liftHold},
	} {
		if h.has(e.needs) {
			events[e.name] = e.do
		}
	}
	if owing := h.owingSubscription(); owing != nil {
		events["pay what is owed"] = func() { h.payOwed(*owing) }
	}
	s, ok := h.subscription()
	if !ok {
		events["subscribe"] = h.subscribe
		return events
	}
	h.addRequests(events, s)
	return events
}

// addRequests adds the requests about the subscription to the events.
func (h *history) addRequests(events map[string]func(), s billing.Subscription) {
	for _, e := range []struct {
		name  string
		needs payment.Capability
		do    func(billing.Subscription)
	}{
		{"change", payment.ChangeNow, h.change},
		{"change again", payment.ChangeNow, h.change},
		{"change once more", payment.ChangeNow, h.change},
		{"schedule", payment.ChangeAtRenewal, h.schedule},
		{"cancel the schedule", payment.ChangeAtRenewal, h.cancelSchedule},
		{"cancel the pending change", payment.PendingChanges, h.cancelPending},
		{"end", payment.EndAtPeriodEnd, func(s billing.Subscription) { h.setEnd(s, true) }},
		{"resume", payment.EndAtPeriodEnd, func(s billing.Subscription) { h.setEnd(s, false) }},
		{"extend the trial", payment.Trials, h.extendTrial},
		{"pay", payment.PayInvoice, h.pay},
		{"pay outside", OutsidePayment, h.payOutside},
		{"check out", HostedCheckout, h.checkOut},
		{"check out again", HostedCheckout, h.checkOut},
		{"cancel", "", h.cancel},
		{"renew", "", h.renew},
		{"renew again", "", h.renew},
	} {
		if h.has(e.needs) {
			events[e.name] = func() { e.do(s) }
		}
	}
}

// lastCardYear is the year in which the cards of the harnesses expire. A history can be longer.
const lastCardYear = 2034

func (h *history) saveCard(scenario Scenario) {
	if !h.savesCards() {
		return
	}
	id, err := h.MakeCard(h.test, scenario)
	if fault.Is(err, fault.Declined) && h.Now().Year() > lastCardYear {
		return
	}
	require.NoError(h, err)
	_, err = h.Provider.AddCard(h.Context(), payment.NewCard{Key: newKey(), CustomerID: h.customerID, MethodID: id})
	require.NoError(h, err)
}

func (h *history) drawPrice() catalogue.PriceRef {
	return price(
		rapid.SampledFrom([]string{"standard", "professional"}).Draw(h.T, "plan"),
		rapid.SampledFrom([]catalogue.Interval{catalogue.Monthly, catalogue.Yearly}).Draw(h.T, "interval"),
	)
}

func (h *history) subscribe() {
	req := payment.NewSubscription{CustomerID: h.customerID, Price: h.drawPrice()}
	if h.has(payment.Trials) {
		req.TrialDays = rapid.SampledFrom([]int{0, 0, trialDays, 30}).Draw(h.T, "trial days")
	}
	q, quoted := h.quote(func() (billing.Quote, error) { return h.Provider.QuoteSubscription(h.Context(), req) })
	req.Key = newKey()
	s, err := h.Provider.Subscribe(h.Context(), req)
	h.checkCharged(q, quoted, s, err)
}

// change changes the plan now, at the instant of the quote or some time later.
func (h *history) change(s billing.Subscription) {
	req := planChange(s, h.drawPrice())
	if rapid.Bool().Draw(h.T, "quoted for an instant") {
		req.At = h.Now().Truncate(time.Second)
	}
	q, quoted := h.quote(func() (billing.Quote, error) { return h.Provider.QuoteChange(h.Context(), req) })
	if quoted == nil && q != nil {
		req.At = q.At
		later := rapid.SampledFrom([]time.Duration{0, 0, time.Second, 3 * time.Hour, 2 * day}).Draw(h.T, "sent later by")
		if later > 0 && h.Now().Add(later).Before(s.CurrentPeriodEnd) {
			h.Advance(h.test, later)
			if _, err := h.Provider.QuoteChange(h.Context(), req); err != nil {
				q, quoted = nil, err // a payment has failed late or was returned meanwhile
			}
		}
	}
	after, err := h.Provider.ChangePlan(h.Context(), req)
	h.checkCharged(q, quoted, after, err)
}

// schedule changes the plan at renewal.
func (h *history) schedule(s billing.Subscription) {
	req := changeAtRenewal(s, h.drawPrice())
	q, quoted := h.quote(func() (billing.Quote, error) { return h.Provider.QuoteChange(h.Context(), req) })
	_, err := h.Provider.ChangePlan(h.Context(), req)
	h.checkRefusedAlike(q, quoted, err)
	if q != nil && err == nil {
		assert.Zero(h, q.DueNow.Minor())
		assert.Equal(h, q.CreditBefore.Minor(), h.customer().Credit.Minor())
		h.next = &q.Next
	}
}

func (h *history) cancelSchedule(s billing.Subscription) {
	_, err := h.Provider.CancelScheduledChange(h.Context(), payment.ScheduleCancellation{Key: newKey(), SubscriptionID: s.ID})
	require.NoError(h, err)
	h.next = nil
}

func (h *history) cancelPending(s billing.Subscription) {
	if s.Pending == nil {
		return
	}
	_, err := h.Provider.CancelPendingChange(h.Context(), payment.PendingCancellation{
		Key: newKey(), SubscriptionID: s.ID, InvoiceID: s.Pending.InvoiceID,
	})
	h.checkWaits(s, err)
	h.next = nil
}

func (h *history) setEnd(s billing.Subscription, end bool) {
	_, _ = h.Provider.SetEndAtPeriodEnd(h.Context(), payment.EndRequest{Key: newKey(), SubscriptionID: s.ID, End: end})
	h.next = nil
}

func (h *history) extendTrial(s billing.Subscription) {
	until := s.TrialEnd.Add(rapid.SampledFrom([]time.Duration{-day, time.Second, day, 31 * day}).Draw(h.T, "extension"))
	_, err := h.Provider.ExtendTrial(h.Context(), payment.TrialExtension{Key: newKey(), SubscriptionID: s.ID, Until: until})
	if err == nil {
		h.next = nil
	}
}

// pay pays the subscription's open invoice with the default card.
func (h *history) pay(s billing.Subscription) {
	if s.LatestInvoice == nil || s.LatestInvoice.Status != billing.InvoiceOpen {
		return
	}
	_, err := h.Provider.PayInvoice(h.Context(), invoicePayment(s))
	h.checkWaits(s, err)
	h.next = nil
}

// owingSubscription returns the newest canceled subscription with an open invoice, or nil.
func (h *history) owingSubscription() *billing.Subscription {
	all, err := h.Provider.ListSubscriptions(h.Context(), h.customerID, billing.Canceled)
	require.NoError(h, err)
	i := slices.IndexFunc(all, func(s billing.Subscription) bool {
		return s.LatestInvoice != nil && s.LatestInvoice.Status == billing.InvoiceOpen
	})
	if i < 0 {
		return nil
	}
	return &all[i]
}

// payOwed pays the invoice of a canceled subscription outside if the provider collects by invoice, otherwise
// with the default card.
func (h *history) payOwed(s billing.Subscription) {
	if h.has(payment.PayInvoice) {
		after, err := h.Provider.PayInvoice(h.Context(), owedPayment(s))
		h.checkWaits(s, err)
		assert.Equal(h, err == nil, after.Status == billing.Canceled)
	} else {
		h.payOutside(s)
	}
	delete(h.closed, s.ID)
	h.next = nil
}

// payOutside pays the subscription's open invoice outside if the provider collects by invoice.
func (h *history) payOutside(s billing.Subscription) {
	if h.PayInvoice == nil || s.LatestInvoice == nil || s.LatestInvoice.Status != billing.InvoiceOpen {
		return
	}
	h.PayInvoice(h.test, s.LatestInvoice.ID)
	h.next = nil
}

// checkOut pays, or fails to pay, at the provider's page if the customer is redirected there.
func (h *history) checkOut(s billing.Subscription) {
	if s.Next.Kind == billing.Redirect {
		s, err := h.Provider.Subscription(h.Context(), s.ID) // a list may leave the URL out
		require.NoError(h, err)
		h.Checkout(h.test, s.Next.URL, rapid.SampledFrom([]Scenario{Pays, DeclinedWhenCharged}).Draw(h.T, "visit"))
		h.next = nil
	}
}

// credit adds credit, often almost the price of a plan, so that little remains to be charged.
func (h *history) credit() {
	amount := rapid.SampledFrom([]int64{1, 49, 50, 51, 1000, 100_000}).Draw(h.T, "credit")
	if invoices := h.invoices(); len(invoices) > 0 && rapid.Bool().Draw(h.T, "almost an invoice") {
		amount = max(1, invoices[0].Total.Minor()-amount)
	}
	_, err := h.Provider.AddCredit(h.Context(), payment.Credit{Key: newKey(), CustomerID: h.customerID, Amount: aud(amount)})
	if err == nil {
		h.granted += amount
		h.next = nil
	}
}

func (h *history) wait() {
	action := rapid.SampledFrom([]time.Duration{time.Second, time.Hour, 22 * time.Hour, day, 13 * day, 40 * day, 400 * day}).Draw(h.T, "action")
	h.Advance(h.test, action)
	h.next = nil
}

// renew lets the subscription's period or trial end.
func (h *history) renew(s billing.Subscription) {
	changes := isProcessing(s) && s.Pending != nil // and renews at another price
	before, renews := len(h.invoices()), !s.NextChargeAt().IsZero() && !changes
	h.Advance(h.test, max(time.Second, s.CurrentPeriodEnd.Sub(h.Now())+2*time.Hour))
	next := h.next
	h.next = nil
	if h.bankReturned(s) {
		return
	}
	if invoices := h.invoices(); renews && len(invoices) == before+1 {
		assert.Equal(h, s.Renewal, invoices[0].Total, "the renewal")
	}
	if next == nil || !next.At.Equal(s.CurrentPeriodEnd) || s.LatestInvoice.Status != billing.InvoicePaid {
		return
	}
	invoices := h.invoices()
	require.Len(h, invoices, before+1, "the next charge was quoted")
	assert.Equal(h, next.Amount.Minor(), invoices[0].AmountDue.Minor(), "the next charge")
}
