package billing

import (
	"time"

	"github.com/vc-admin/diy/domain/fault"
)

const (
	// MaxPaymentAttempts is how often the server charges one invoice with one card within
	// PaymentAttemptWindow. Card schemes fine merchants who retry more often.
	MaxPaymentAttempts = 3
	// PaymentAttemptWindow is the time within which attempts are counted.
	PaymentAttemptWindow = time.Hour
	// PaymentAttemptRetention is how long attempts are kept. An invoice is not collected for longer.
	PaymentAttemptRetention = 60 * 24 * time.Hour
)

// PaymentAttempt is one request of the server to charge an invoice with a card. What the customer
// confirms in the browser goes to the provider directly and is not an attempt.
type PaymentAttempt struct {
	Key            string // the idempotency key of the charge: a repeat of it is the same attempt
	OrganisationID string
	InvoiceID      string
	Card           string // identifies the card without naming it; equal for identical cards
	At             time.Time
	HardDecline    bool // see Intent.HardDecline
}

// CheckPaymentAttempt refuses to charge an invoice with a card again, given the attempts so far:
// Declined after a hard decline, and RateLimited with a RetryAfter when MaxPaymentAttempts were made
// within PaymentAttemptWindow.
func CheckPaymentAttempt(earlier []PaymentAttempt, now time.Time) error {
	var recent []PaymentAttempt
	for _, a := range earlier {
		if a.HardDecline {
			return fault.New(fault.Declined, "Your bank has refused this card for good. Please use another card.")
		}
		if now.Sub(a.At) < PaymentAttemptWindow {
			recent = append(recent, a)
		}
	}
	if len(recent) < MaxPaymentAttempts {
		return nil
	}
	freed := recent[0].At
	for _, a := range recent {
		if a.At.Before(freed) {
			freed = a.At
		}
	}
	refusal := fault.New(fault.RateLimited, "This card was tried too often for this bill. Please use another card, or try again later.")
	refusal.RetryAfter = min(freed.Add(PaymentAttemptWindow).Sub(now), PaymentAttemptWindow)
	return refusal
}
