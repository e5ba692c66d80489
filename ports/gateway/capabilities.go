package gateway

import (
	"context"
	"time"

	"github.com/vc-admin/diy/domain/billing"
	"github.com/vc-admin/diy/domain/fault"
	"github.com/vc-admin/diy/ports/payment"
)

// Capability is something that some gateways can't do.
type Capability string

// The capabilities.
const (
	SaveOnly   Capability = "save_only"   // orders of 0, which save a method
	OffSession Capability = "off_session" // Order.MethodRef without Order.CustomerPresent
	Refunds    Capability = "refunds"     // Refund
	Webhooks   Capability = "webhooks"    // Parse
	Signatures Capability = "signatures"  // of webhooks; without them anyone can have sent a delivery
	Polling    Capability = "polling"     // Changed
)

// Capabilities declares what a gateway can do, and for how long.
type Capabilities struct {
	Entry   payment.Entry         // EntryCardField or EntryRedirect
	Missing map[Capability]string // the reason for each missing capability
	// KeyRetention is how long the provider remembers the keys of orders and refunds. With 0 it has none, and a payment is
	// found by its key: Find must know it as soon as Start has returned.
	KeyRetention time.Duration
	// LongestRequest is how long the provider may work on a request after it was made.
	LongestRequest time.Duration
	// Settlement is how long it takes at most until the money of accepted payments and refunds arrives, 0 for at once, and
	// ReturnWindow how long after that a bank can return a payment.
	Settlement, ReturnWindow time.Duration
	// Retries limits how often a failed payment is made again by itself, by the kind of the method. A kind that is absent
	// has no limit but the retries of the billing.
	Retries map[billing.MethodKind]int
	// Minimum returns the smallest amount that can be charged, in minor units.
	Minimum func(currency string) int64
}

// Has reports whether the gateway has the capability.
func (c Capabilities) Has(capability Capability) bool {
	_, missing := c.Missing[capability]
	return !missing
}

// Unimplemented returns Unsupported from all methods that belong to a capability. A gateway without some of them embeds
// it and declares them as missing.
type Unimplemented struct{}

// Refund needs Refunds.
func (Unimplemented) Refund(context.Context, RefundOrder) (Refund, error) {
	return Refund{}, unsupported(Refunds)
}

// Parse needs Webhooks.
func (Unimplemented) Parse(context.Context, payment.Delivery) ([]Reference, error) {
	return nil, unsupported(Webhooks)
}

// Changed needs Polling.
func (Unimplemented) Changed(context.Context, string) ([]Reference, string, error) {
	return nil, "", unsupported(Polling)
}

func unsupported(missing Capability) error {
	return fault.Newf(fault.Unsupported, "The payment provider does not support %s.", missing)
}
