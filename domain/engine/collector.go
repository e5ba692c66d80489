package engine

import (
	"time"

	"github.com/vc-admin/diy/domain/billing"
)

// collector contains the part of the billing that differs between transfers and charges.
type collector interface {
	// subscribe implements Account.Subscribe.
	subscribe(a *Account, req SubscribeRequest) error
	// quoteSubscribe implements Account.QuoteSubscribe.
	quoteSubscribe(a *Account, req SubscribeRequest) (Quote, error)
	// checkChangeNow returns an error for an immediate change that Subscription.CheckChange allows and the collector
	// refuses.
	checkChangeNow(a *Account, s AccountSubscription, change PriceChange) error
	// collect begins to collect a new invoice, unless it is paid already. The customer is present.
	collect(a *Account, inv Invoice, src Source)
	// collectRenewal begins to collect the invoice of a renewal.
	collectRenewal(a *Account, inv Invoice)
	// applyInvoicePayment changes the subscription after its invoice was paid.
	applyInvoicePayment(a *Account, s AccountSubscription, inv Invoice)
	// nextStep returns the next step of the subscription; the zero step if it has none.
	nextStep(a *Account, s AccountSubscription) accountStep
}

// collector returns the collector for the Terms.
func (a *Account) collector() collector {
	if a.Terms.ChargeTerms != nil {
		return chargeCollector{a.Terms.ChargeTerms}
	}
	return transferCollector{}
}

// ChargeTerms contains the conditions under which invoices are charged through a provider that only moves money.
type ChargeTerms struct {
	// Minimum returns the smallest amount that can be charged, in minor units; nil for no minimum. A smaller amount is
	// due with the next invoice.
	Minimum func(currency string) int64
	// SettlementTime is the longest time in which the money of an accepted payment arrives.
	SettlementTime time.Duration
	// OffSession reports whether saved methods can be charged without the customer. If they can't, a renewal is past due
	// until the customer pays it.
	OffSession bool
	// RetryLimits limits the automatic retries of a failed payment, by the kind of the method. A kind without an entry
	// has no limit besides retryDelays.
	RetryLimits map[billing.MethodKind]int
	// KeyRetention is the time for which the provider remembers the keys of payments and refunds. If KeyRetention is 0,
	// no request is sent twice.
	KeyRetention time.Duration
	// LongestRequest is the longest time for which the provider may work on a request that it has received.
	LongestRequest time.Duration
}

// chargeMinimum returns the smallest amount that is charged; 0 for accounts that pay by transfer.
func (t Terms) chargeMinimum(currency string) int64 {
	if t.ChargeTerms == nil || t.ChargeTerms.Minimum == nil {
		return 0
	}
	return t.ChargeTerms.Minimum(currency)
}
