package model

import (
	"slices"

	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"

	"github.com/vc-admin/diy/adapters/fakepayment"
	"github.com/vc-admin/diy/app/flowtest"
	"github.com/vc-admin/diy/domain/billing"
	"github.com/vc-admin/diy/domain/catalogue"
)

// truth is what the provider's books say of one organisation.
type truth struct {
	customers []fakepayment.CustomerRecord
	subs      []billing.Subscription // newest first
	customer  fakepayment.CustomerRecord
	intents   map[string]fakepayment.IntentRecord    // the latest invoice's payment, by subscription
	invoices  map[string][]fakepayment.InvoiceRecord // newest first, by subscription
	known     map[string]fakepayment.CardRecord      // the cards that its browsers made
	notes     []billing.NewCard                      // of cards whose payment is not known to have succeeded
	received  int64                                  // all that it has ever been charged
}

// truth reads the books.
func (h *house) truth(t *rapid.T, o *org) truth {
	found := truth{
		intents: map[string]fakepayment.IntentRecord{}, invoices: map[string][]fakepayment.InvoiceRecord{},
		known: map[string]fakepayment.CardRecord{},
	}
	require.NoError(t, h.Bank.Read(t.Context(), func(b fakepayment.Snapshot) error {
		for _, id := range h.Bank.Customers() {
			if c, there := b.Customer(id); there && c.Organisation == o.who.OrganisationID {
				found.customers = append(found.customers, c)
			}
		}
		for _, c := range found.customers {
			for _, id := range c.Subscriptions {
				found.invoices[id] = b.InvoicesOf(id)
				found.received += received(b, found.invoices[id])
				if in, some := b.Intent(found.invoices[id][0].Payment); some {
					found.intents[id] = in
				}
			}
		}
		for _, made := range o.cards {
			if c, there := b.Card(made.id); there {
				found.known[made.id] = c
			}
		}
		return nil
	}))
	var err error
	found.notes, err = h.Store.NewCards(t.Context(), o.who.OrganisationID)
	require.NoError(t, err)
	for _, c := range found.customers {
		found.customer = c
		subs, err := h.Bank.ListSubscriptions(t.Context(), c.ID)
		require.NoError(t, err)
		found.subs = append(found.subs, subs...)
	}
	return found
}

// received is what the invoices were paid with.
func received(b fakepayment.Snapshot, invoices []fakepayment.InvoiceRecord) (sum int64) {
	for _, inv := range invoices {
		if in, some := b.Intent(inv.Payment); some && in.Status == billing.Succeeded {
			sum += in.Amount
		}
	}
	return sum
}

func (w truth) first(want func(billing.Status) bool) *billing.Subscription {
	for i := range w.subs {
		if want(w.subs[i].Status) {
			return &w.subs[i]
		}
	}
	return nil
}

// live is the running subscription, or nil.
func (w truth) live() *billing.Subscription { return w.first(billing.Status.Live) }

// open is the subscription whose first payment is still to be made, or nil.
func (w truth) open() *billing.Subscription {
	return w.first(func(s billing.Status) bool { return s == billing.Incomplete })
}

// nextDefault is the default card after the next payment request has detached those of failed
// payments. The request itself is not to name a card.
func (w truth) nextDefault() string {
	var cards []billing.PaymentMethod
	for _, id := range w.customer.Cards {
		cards = append(cards, billing.PaymentMethod{ID: id})
	}
	customer := billing.Customer{Default: &billing.PaymentMethod{ID: w.customer.Default}}
	plan := billing.PlanNewCardCleanup(&billing.Account{Subscriptions: w.subs}, customer, cards, w.notes)
	switch {
	case plan.Default != "":
		return plan.Default
	case slices.Contains(plan.Detach, w.customer.Default):
		return ""
	}
	return w.customer.Default
}

// currency is what everything has been bought in so far, or "".
func (w truth) currency() string { return w.customer.Currency }

// trialUsed reports whether the organisation has had its trial.
func (w truth) trialUsed() bool {
	for _, sub := range w.subs {
		if !sub.TrialEnd.IsZero() {
			return true
		}
	}
	return false
}

// number is the card number behind a card's id; "" for no card.
func (o *org) number(id string) string {
	for _, made := range o.cards {
		if made.id == id {
			return made.number
		}
	}
	return ""
}

// charges is what the bank says when the card is charged.
func (w truth) charges(o *org, id string) billing.Status {
	switch number := o.number(id); {
	case number == flowtest.Visa, number == flowtest.Mastercard:
		return billing.Active
	case number == flowtest.AsksHolder && w.known[id].Authenticated:
		return billing.Active
	}
	return billing.Incomplete
}

// somePrice is one of the catalogue's, or one that is not for sale.
func somePrice(t *rapid.T) catalogue.PriceRef {
	return catalogue.PriceRef{
		Product:  rapid.SampledFrom([]string{"standard", "professional"}).Draw(t, "product"),
		Interval: rapid.SampledFrom([]catalogue.Interval{catalogue.Monthly, catalogue.Yearly}).Draw(t, "interval"),
		Currency: rapid.SampledFrom([]string{"AUD", "AUD", "AUD", "AUD", "EUR"}).Draw(t, "currency"),
	}
}
