package model

import (
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
}

// truth reads the books.
func (h *house) truth(t *rapid.T, o *org) truth {
	found := truth{
		intents: map[string]fakepayment.IntentRecord{}, invoices: map[string][]fakepayment.InvoiceRecord{},
		known: map[string]fakepayment.CardRecord{},
	}
	require.NoError(t, h.Bank.Read(t.Context(), func(b fakepayment.Books) error {
		for _, id := range h.Bank.Customers() {
			if c, there := b.Customer(id); there && c.Organisation == o.who.OrganisationID {
				found.customers = append(found.customers, c)
			}
		}
		for _, c := range found.customers {
			for _, id := range c.Subscriptions {
				found.invoices[id] = b.InvoicesOf(id)
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
	for _, c := range found.customers {
		found.customer = c
		subs, err := h.Bank.ListSubscriptions(t.Context(), c.ID)
		require.NoError(t, err)
		found.subs = append(found.subs, subs...)
	}
	return found
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
