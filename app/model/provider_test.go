package model

import (
	"context"
	"fmt"
	"strings"
	"sync"
	"time"

	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"

	"github.com/vc-admin/diy/adapters/fakepayment"
	"github.com/vc-admin/diy/app/apptest"
	"github.com/vc-admin/diy/domain/billing"
	"github.com/vc-admin/diy/domain/catalogue"
	"github.com/vc-admin/diy/ports/payment"
)

// providerState contains the provider's records of one organisation.
type providerState struct {
	customers             []fakepayment.CustomerRecord
	subs                  []billing.Subscription // newest first
	customer              fakepayment.CustomerRecord
	intents               map[string]fakepayment.IntentRecord    // the latest invoice's payment, by subscription
	invoices              map[string][]fakepayment.InvoiceRecord // newest first, by subscription
	cards                 map[string]fakepayment.CardRecord      // the cards that the organisation's browsers created, by id
	chargedCards          map[string]string                      // the id of the card of the payment, by invoice
	chargedBySubscription map[string]int64                       // the sum of the charges, by subscription
	chargedSum            int64                                  // the sum of all charges
	paidSum               int64                                  // the sum paid over all invoices
	returnedSum           int64                                  // the sum that was refunded or disputed
	listedInvoices        []billing.Invoice                      // the invoices of customer
	now                   time.Time
	account               billing.Account // the stored copy
}

// providerState reads the state of the organisation.
func (h *harness) providerState(t *rapid.T, o *org) providerState {
	state := providerState{
		intents: map[string]fakepayment.IntentRecord{}, invoices: map[string][]fakepayment.InvoiceRecord{},
		cards: map[string]fakepayment.CardRecord{}, chargedCards: map[string]string{}, chargedBySubscription: map[string]int64{},
	}
	require.NoError(t, h.FakeProvider().Read(t.Context(), func(s fakepayment.Snapshot) error {
		state.now = s.Now()
		for _, c := range s.Customers() {
			if c.OrganisationID == o.user.OrganisationID {
				state.customers = append(state.customers, c)
			}
		}
		for _, c := range state.customers {
			for _, id := range c.SubscriptionIDs {
				state.addInvoices(s, id)
			}
		}
		for _, c := range o.cards {
			if record, ok := s.Card(c.id); ok {
				state.cards[c.id] = record
			}
		}
		return nil
	}))
	state.account = *h.account(t, o)
	for _, c := range state.customers {
		state.customer = c
		state.listedInvoices = h.listInvoices(t, c.ID)
		state.returnedSum += h.sumReturned(t, c.ID)
		for _, inv := range state.listedInvoices {
			state.paidSum += inv.AmountPaid.Minor()
		}
		subs, err := h.Provider.ListSubscriptions(t.Context(), c.ID)
		require.NoError(t, err)
		state.subs = append(state.subs, subs...)
	}
	return state
}

// addInvoices adds the invoices and payments of the subscription.
func (state *providerState) addInvoices(s fakepayment.Snapshot, subscriptionID string) {
	invoices := s.SubscriptionInvoices(subscriptionID)
	state.invoices[subscriptionID] = invoices
	state.chargedBySubscription[subscriptionID] = sumCharged(s, invoices)
	state.chargedSum += state.chargedBySubscription[subscriptionID]
	for i, inv := range invoices {
		pi, ok := s.Intent(inv.PaymentID)
		if !ok {
			continue
		}
		state.chargedCards[inv.ID] = pi.CardID
		if i == 0 {
			state.intents[subscriptionID] = pi
		}
	}
}

// listInvoices lists all invoices of the customer, newest first.
func (h *harness) listInvoices(t *rapid.T, customerID string) (all []billing.Invoice) {
	page := payment.InvoiceQuery{CustomerID: customerID, Limit: 100}
	for {
		list, err := h.Provider.ListInvoices(t.Context(), page)
		require.NoError(t, err)
		all = append(all, list.Invoices...)
		if !list.HasMore {
			return all
		}
		page.After = all[len(all)-1].ID
	}
}

// sumCharged returns the sum that was charged for the invoices.
func sumCharged(s fakepayment.Snapshot, invoices []fakepayment.InvoiceRecord) (sum int64) {
	for _, inv := range invoices {
		if pi, ok := s.Intent(inv.PaymentID); ok && pi.Status == billing.Succeeded {
			sum += pi.Amount
		}
	}
	return sum
}

// newestSub returns the newest subscription with a status that matches, or nil.
func (state providerState) newestSub(matches func(billing.Status) bool) *billing.Subscription {
	for i := range state.subs {
		if matches(state.subs[i].Status) {
			return &state.subs[i]
		}
	}
	return nil
}

// liveSub returns the live subscription, or nil.
func (state providerState) liveSub() *billing.Subscription {
	return state.newestSub(billing.Status.Live)
}

// openSub returns the subscription whose first payment is open, or nil.
func (state providerState) openSub() *billing.Subscription {
	return state.newestSub(func(s billing.Status) bool { return s == billing.Incomplete })
}

// currency returns the currency of the earlier purchases, or "".
func (state providerState) currency() string { return state.customer.Currency }

// hasUsedTrial reports whether the organisation has had its trial.
func (state providerState) hasUsedTrial() bool {
	for _, sub := range state.subs {
		if !sub.TrialEnd.IsZero() {
			return true
		}
	}
	return false
}

// cardNumber returns the number of the card with the id, or "".
func (o *org) cardNumber(id string) string {
	for _, c := range o.cards {
		if c.id == id {
			return c.number
		}
	}
	return ""
}

// statusAfterCharge returns the status of a new subscription that is charged on the card.
func (state providerState) statusAfterCharge(o *org, id string) billing.Status {
	switch number := o.cardNumber(id); {
	case number == apptest.Visa, number == apptest.Mastercard:
		return billing.Active
	case number == apptest.AuthenticationCard && state.cards[id].Authenticated:
		return billing.Active
	}
	return billing.Incomplete
}

// drawPrice draws a price of a plan that is sold online, mostly in AUD.
func drawPrice(t *rapid.T) catalogue.PriceRef {
	return catalogue.PriceRef{
		Product:  rapid.SampledFrom([]string{"standard", "professional"}).Draw(t, "product"),
		Interval: rapid.SampledFrom([]catalogue.Interval{catalogue.Monthly, catalogue.Yearly}).Draw(t, "interval"),
		Currency: rapid.SampledFrom([]string{"AUD", "AUD", "AUD", "AUD", "EUR"}).Draw(t, "currency"),
	}
}

// callMonitor is a provider that records calls that must not occur.
type callMonitor struct {
	*fakepayment.Provider
	mu         sync.Mutex
	violations []string
	grants     map[string]payment.CreditGrant   // of operators, by key
	refunds    map[string]payment.RefundRequest // of operators, by key
}

// providerKey is the prefix of the idempotency keys of changes made at the provider.
const providerKey = "provider-"

// CancelSubscription records a violation if a use case cancels a paid subscription.
func (m *callMonitor) CancelSubscription(ctx context.Context, req payment.Cancellation) (billing.Subscription, error) {
	sub, err := m.Provider.CancelSubscription(ctx, req)
	if err == nil && sub.Status == billing.Canceled && !hasUnpaidInvoice(sub) && !strings.HasPrefix(req.Key, providerKey) {
		m.addViolation("a subscription that was paid for has been canceled: %s", req.SubscriptionID)
	}
	return sub, err
}

// hasUnpaidInvoice reports whether the latest invoice of a canceled subscription was never paid.
func hasUnpaidInvoice(sub billing.Subscription) bool {
	invoice := sub.LatestInvoice
	return invoice != nil && invoice.Status != billing.InvoicePaid
}

// ChangePlan records a violation if a use case changes the plan to the current price.
func (m *callMonitor) ChangePlan(ctx context.Context, req payment.PriceChange) (billing.Subscription, error) {
	if req.From == req.To {
		m.addViolation("a change to the price that the subscription has: %s to %s", req.SubscriptionID, req.To.PriceID())
	}
	return m.Provider.ChangePlan(ctx, req)
}

// addViolation records a violation.
func (m *callMonitor) addViolation(format string, args ...any) {
	m.mu.Lock()
	defer m.mu.Unlock()
	m.violations = append(m.violations, fmt.Sprintf(format, args...))
}

// recordedViolations returns the violations.
func (m *callMonitor) recordedViolations() []string {
	m.mu.Lock()
	defer m.mu.Unlock()
	return m.violations
}
