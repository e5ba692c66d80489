package paymenttest

import (
	"slices"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"

	"github.com/vc-admin/diy/domain/billing"
	"github.com/vc-admin/diy/domain/catalogue"
	"github.com/vc-admin/diy/domain/fault"
	"github.com/vc-admin/diy/ports/payment"
)

// lastCardYear is the year in which the cards of the harnesses expire. A history can reach later years.
const lastCardYear = 2034

func (h *history) saveMethod(scenario Scenario) {
	if !h.savesCards() {
		return
	}
	id, err := h.CreateCard(h.harnessT, scenario)
	if fault.Is(err, fault.Declined) && h.Now().Year() > lastCardYear {
		return
	}
	require.NoError(h, err)
	_, err = h.Provider.AddCard(h.Context(), payment.NewCard{Key: newKey(), CustomerID: h.customerID, MethodID: id})
	require.NoError(h, err)
}

// drawPrice returns a random price other than current, because a payment.PriceChange never requests the current price.
// current is the zero value for a customer without a subscription.
func (h *history) drawPrice(current catalogue.PriceRef) catalogue.PriceRef {
	var prices []catalogue.PriceRef
	for _, product := range []string{"standard", "professional"} {
		for _, interval := range []catalogue.Interval{catalogue.Monthly, catalogue.Yearly} {
			if ref := price(product, interval); ref != current {
				prices = append(prices, ref)
			}
		}
	}
	return rapid.SampledFrom(prices).Draw(h.T, "price")
}

func (h *history) subscribe() {
	req := payment.NewSubscription{CustomerID: h.customerID, Price: h.drawPrice(catalogue.PriceRef{})}
	if h.hasCapabilities(payment.Trials) {
		req.TrialDays = rapid.SampledFrom([]int{0, 0, trialDays, 30}).Draw(h.T, "trial days")
	}
	q, quoteErr := h.requestQuote(func() (billing.Quote, error) { return h.Provider.QuoteSubscription(h.Context(), req) })
	req.Key, req.Quoted = newKey(), quotedAmounts(q)
	s, err := h.Provider.Subscribe(h.Context(), req)
	h.checkChargedAsQuoted(q, quoteErr, s, err)
}

// changePlan changes the plan now, at the quoted instant or after a delay.
func (h *history) changePlan(s billing.Subscription) {
	req := planChange(s, h.drawPrice(s.Price))
	if rapid.Bool().Draw(h.T, "quoted for an instant") {
		req.At = h.Now().Truncate(time.Second)
	}
	q, quoteErr := h.requestQuote(func() (billing.Quote, error) { return h.Provider.QuoteChange(h.Context(), req) })
	if quoteErr == nil && q != nil {
		req.At = q.At
		delay := rapid.SampledFrom([]time.Duration{0, 0, time.Second, 3 * time.Hour, 2 * day}).Draw(h.T, "delay")
		if delay > 0 && h.Now().Add(delay).Before(s.CurrentPeriodEnd) {
			h.Advance(h.harnessT, delay)
			if _, err := h.Provider.QuoteChange(h.Context(), req); err != nil {
				q, quoteErr = nil, err // during the delay a payment has failed late or was returned, so the quote does not apply
			}
		}
	}
	req.Quoted = quotedAmounts(q)
	changedSub, err := h.Provider.ChangePlan(h.Context(), req)
	h.checkChargedAsQuoted(q, quoteErr, changedSub, err)
}

// scheduleChange changes the plan at renewal.
func (h *history) scheduleChange(s billing.Subscription) {
	req := changeAtRenewal(s, h.drawPrice(s.Price))
	q, quoteErr := h.requestQuote(func() (billing.Quote, error) { return h.Provider.QuoteChange(h.Context(), req) })
	_, err := h.Provider.ChangePlan(h.Context(), req)
	h.checkSameRefusal(q, quoteErr, err)
	if q != nil && err == nil {
		assert.Zero(h, q.DueNow.Minor())
		assert.Equal(h, q.CreditBefore.Minor(), h.customer().Credit.Minor())
		h.nextCharge = &q.Next
	}
}

func (h *history) cancelScheduledChange(s billing.Subscription) {
	_, err := h.Provider.CancelScheduledChange(h.Context(), payment.ScheduledChangeCancellation{
		Key: newKey(), SubscriptionID: s.ID,
	})
	require.NoError(h, err)
	h.nextCharge = nil
}

func (h *history) cancelPendingChange(s billing.Subscription) {
	if s.Pending == nil {
		return
	}
	_, err := h.Provider.CancelPendingChange(h.Context(), payment.PendingChangeCancellation{
		Key: newKey(), SubscriptionID: s.ID, InvoiceID: s.Pending.InvoiceID,
	})
	h.checkConflictWhileProcessing(s, err)
	h.nextCharge = nil
}

func (h *history) setEnd(s billing.Subscription, end bool) {
	_, _ = h.Provider.SetEndAtPeriodEnd(h.Context(), payment.EndRequest{Key: newKey(), SubscriptionID: s.ID, End: end})
	h.nextCharge = nil
}

func (h *history) extendTrial(s billing.Subscription) {
	until := s.TrialEnd.Add(rapid.SampledFrom([]time.Duration{-day, time.Second, day, 31 * day}).Draw(h.T, "extension"))
	_, err := h.Provider.ExtendTrial(h.Context(), payment.TrialExtension{Key: newKey(), SubscriptionID: s.ID, Until: until})
	if err == nil {
		h.nextCharge = nil
	}
}

// pay pays the subscription's open invoice with the default card.
func (h *history) pay(s billing.Subscription) {
	if s.LatestInvoice == nil || s.LatestInvoice.Status != billing.InvoiceOpen {
		return
	}
	_, err := h.Provider.PayInvoice(h.Context(), invoicePayment(s))
	h.checkConflictWhileProcessing(s, err)
	h.nextCharge = nil
}

// owingSubscription returns the newest canceled subscription with an open invoice, or nil.
func (h *history) owingSubscription() *billing.Subscription {
	subs, err := h.Provider.ListSubscriptions(h.Context(), h.customerID, billing.Canceled)
	require.NoError(h, err)
	i := slices.IndexFunc(subs, func(s billing.Subscription) bool {
		return s.LatestInvoice != nil && s.LatestInvoice.Status == billing.InvoiceOpen
	})
	if i < 0 {
		return nil
	}
	return &subs[i]
}

// payOwedInvoice pays the invoice of a canceled subscription with the default card, or by transfer if the provider collects
// by invoice.
func (h *history) payOwedInvoice(s billing.Subscription) {
	if h.hasCapabilities(onlinePayment) {
		paidSub, err := h.Provider.PayInvoice(h.Context(), owedInvoicePayment(s))
		h.checkConflictWhileProcessing(s, err)
		assert.Equal(h, err == nil, paidSub.Status == billing.Canceled)
	} else {
		h.payByTransfer(s)
	}
	delete(h.finalInvoices, s.ID)
	h.nextCharge = nil
}

// payByTransfer pays the subscription's open invoice by transfer if the provider collects by invoice.
func (h *history) payByTransfer(s billing.Subscription) {
	if h.PayInvoice == nil || s.LatestInvoice == nil || s.LatestInvoice.Status != billing.InvoiceOpen {
		return
	}
	h.PayInvoice(h.harnessT, s.LatestInvoice.ID)
	h.nextCharge = nil
}

// checkOut pays or fails to pay on the provider's page. It does nothing if the customer is not redirected there.
func (h *history) checkOut(s billing.Subscription) {
	if s.Next.Kind == billing.Redirect {
		s, err := openPage(h.Context(), h.Provider, s)
		require.NoError(h, err)
		h.Checkout(h.harnessT, s.Next.URL, rapid.SampledFrom([]Scenario{Pays, DeclinedWhenCharged}).Draw(h.T, "scenario"))
		h.nextCharge = nil
	}
}

// addCredit adds credit. The amount is often a little less than an invoice, so that a small amount remains to be
// charged.
func (h *history) addCredit() {
	amount := rapid.SampledFrom([]int64{1, 49, 50, 51, 1000, 100_000}).Draw(h.T, "credit")
	if invoices := h.invoices(); len(invoices) > 0 && rapid.Bool().Draw(h.T, "a little less than an invoice") {
		amount = max(1, invoices[0].Total.Minor()-amount)
	}
	_, err := h.Provider.AddCredit(h.Context(), payment.CreditGrant{
		Key: newKey(), CustomerID: h.customerID, Amount: aud(amount),
	})
	if err == nil {
		h.grantedCredit += amount
		h.nextCharge = nil
	}
}

func (h *history) passTime() {
	durations := []time.Duration{time.Second, time.Hour, 22 * time.Hour, day, 13 * day, 40 * day, 400 * day}
	h.Advance(h.harnessT, rapid.SampledFrom(durations).Draw(h.T, "duration"))
	h.nextCharge = nil
}

// renew lets the subscription's period or trial end.
func (h *history) renew(s billing.Subscription) {
	invoiceCount, renews := len(h.invoices()), renewsAsReported(s)
	h.Advance(h.harnessT, max(time.Second, s.CurrentPeriodEnd.Sub(h.Now())+2*time.Hour))
	wantCharge := h.nextCharge
	h.nextCharge = nil
	if h.hasBankReturnedPayment(s) {
		return
	}
	if invoices := h.invoices(); renews && len(invoices) == invoiceCount+1 {
		assert.Equal(h, s.Renewal, invoices[0].Total, "the renewal")
	}
	if wantCharge == nil || !wantCharge.At.Equal(s.CurrentPeriodEnd) || s.LatestInvoice.Status != billing.InvoicePaid {
		return
	}
	invoices := h.invoices()
	require.Len(h, invoices, invoiceCount+1, "the next charge was quoted")
	assert.Equal(h, wantCharge.Amount.Minor(), invoices[0].AmountDue.Minor(), "the next charge")
}

// renewsAsReported reports whether the next invoice of the subscription must have the amount Renewal. It need not if a
// pending change with a processing payment may take effect before the renewal. Nor if the scheduled change has lapsed, or
// may lapse because a pending change that replaces it expires before the renewal: the application would schedule that
// change again, but a history does not.
func renewsAsReported(s billing.Subscription) bool {
	mayChange := isPaymentProcessing(s) && s.Pending != nil
	mayLapse := s.Pending != nil && s.Pending.Replaces != nil || s.Scheduled != nil && s.Scheduled.Lapsed
	return !s.NextChargeAt().IsZero() && !mayChange && !mayLapse
}

// cancel ends the subscription. The request is refused if it would stop a processing payment.
func (h *history) cancel(s billing.Subscription) {
	req := payment.Cancellation{Key: newKey(), SubscriptionID: s.ID, VoidInvoices: rapid.Bool().Draw(h.T, "void invoices")}
	_, err := h.Provider.CancelSubscription(h.Context(), req)
	stopsPayment := s.Status == billing.Incomplete || s.Pending != nil || req.VoidInvoices
	if stopsPayment && !req.LeavesUnchanged(s.Status) {
		h.checkConflictWhileProcessing(s, err)
	} else {
		require.NoError(h, err)
	}
	h.nextCharge = nil
}

// checkConflictWhileProcessing checks the result of a request that would charge or void the latest invoice of the
// subscription. The request must have returned Conflict if the payment is processing, and must have succeeded otherwise.
func (h *history) checkConflictWhileProcessing(s billing.Subscription, err error) {
	if isPaymentProcessing(s) {
		assert.Equal(h, fault.Conflict, fault.CodeOf(err), "the payment is processing: %v", err)
		return
	}
	require.NoError(h, err)
}
