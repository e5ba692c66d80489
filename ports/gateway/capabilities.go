package gateway

import (
	"context"
	"time"

	"github.com/vc-admin/diy/domain/billing"
	"github.com/vc-admin/diy/domain/fault"
	"github.com/vc-admin/diy/ports/payment"
)

// Capability names a feature that some gateways lack.
type Capability string

// The capabilities.
const (
	SaveOnly   Capability = "save_only"   // orders with the amount 0, which only save a method
	OffSession Capability = "off_session" // Order.MethodRef without Order.CustomerPresent
	Refunds    Capability = "refunds"     // Refund
	Webhooks   Capability = "webhooks"    // ParseEvents
	Signatures Capability = "signatures"  // signed webhooks; without signatures anyone can send a delivery
	Polling    Capability = "polling"     // ListChanges
	Disputes   Capability = "disputes"    // Payment.Disputes
	// Authentication is the payment of a token or a saved method that is open until the customer authenticates it. Without
	// it, such a payment fails with CustomerNeeded, and the customer enters a method again.
	Authentication Capability = "authentication"
)

// Capabilities declares the features, times and limits of a gateway.
type Capabilities struct {
	Entry   payment.Entry         // EntryCardField or EntryRedirect
	Missing map[Capability]string // the reason for each missing capability
	// KeyRetention is how long the provider remembers the keys of orders and refunds. If KeyRetention is 0, the provider
	// ignores keys, and Find must find a payment by its key as soon as Start has returned.
	KeyRetention time.Duration
	// LongestRequest is the longest time from the beginning of a request until the provider acts on it.
	LongestRequest time.Duration
	// Settlement is the longest time until the money of accepted payments arrives. It is 0 if the money arrives
	// immediately. Refunds may take longer. ReturnWindow is how long a bank can return a payment after its money has arrived.
	Settlement, ReturnWindow time.Duration
	// SettlementByKind replaces Settlement for payments with the kinds of methods that it contains, for example 0 for cards
	// if the gateway also debits bank accounts. No value exceeds Settlement.
	SettlementByKind map[billing.MethodKind]time.Duration
	// Retries limits how often the billing retries a failed payment without the customer. It has a limit for each kind
	// of method; for a kind that it lacks, only the billing's own limit applies.
	Retries map[billing.MethodKind]int
	// Minimum returns the smallest amount that can be charged, in minor units.
	Minimum func(currency string) int64
}

// Has reports whether the gateway has the capability.
func (c Capabilities) Has(capability Capability) bool {
	_, missing := c.Missing[capability]
	return !missing
}

// Unimplemented returns Unsupported from each method that belongs to a capability. A gateway that lacks a capability embeds
// Unimplemented and declares the capability as missing.
type Unimplemented struct{}

// Refund returns Unsupported. It belongs to the capability Refunds.
func (Unimplemented) Refund(context.Context, RefundOrder) (Refund, error) {
	return Refund{}, unsupported(Refunds)
}

// ParseEvents returns Unsupported. It belongs to the capability Webhooks.
func (Unimplemented) ParseEvents(context.Context, payment.Delivery) ([]Reference, error) {
	return nil, unsupported(Webhooks)
}

// ListChanges returns Unsupported. It belongs to the capability Polling.
func (Unimplemented) ListChanges(context.Context, string) ([]Reference, string, error) {
	return nil, "", unsupported(Polling)
}

func unsupported(c Capability) error {
	return fault.Newf(fault.Unsupported, "The payment provider does not support %s.", c)
}
