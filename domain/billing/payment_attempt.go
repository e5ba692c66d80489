package billing

import (
	"slices"
	"time"

	"github.com/vc-admin/diy/domain/fault"
)

const (
	// MaxPaymentAttempts is the number of times that the server may charge one invoice with one card within
	// PaymentAttemptWindow. Card schemes fine merchants who retry more often.
	MaxPaymentAttempts = 3
	// MaxNewCardAttempts is the number of times that the server may charge one invoice with new cards within
	// PaymentAttemptWindow, if they are charged before they are saved. New cards count together, because a card that is
	// entered again is not recognised. Their limit is higher, because a customer may try several cards.
	MaxNewCardAttempts = 6
	// PaymentAttemptWindow is the time within which attempts are counted.
	PaymentAttemptWindow = time.Hour
	// PaymentAttemptRetention is the time for which attempts are stored. It is longer than the time for
	// which any invoice is collected.
	PaymentAttemptRetention = 60 * 24 * time.Hour
)

// PaymentAttempt is a request of the server to charge an invoice with a card. A payment that the
// customer confirms in the browser goes to the provider directly and is not counted.
type PaymentAttempt struct {
	Key            string // the idempotency key of the charge; a repeat of the request has the same key and is the same attempt
	OrganisationID string
	InvoiceID      string
	// Card is a hash that is equal for identical cards. It is "" for a card that is charged before it is saved, because that
	// card gets a new id each time it is entered.
	Card        string
	At          time.Time
	HardDecline bool // see Intent.HardDecline
}

// CheckPaymentAttempt returns an error when the earlier attempts, which all have the same Card, do not allow another one:
// Declined after a hard decline, and RateLimited with a RetryAfter when MaxPaymentAttempts were made within
// PaymentAttemptWindow. New cards are limited to MaxNewCardAttempts, also after a hard decline of one of them.
func CheckPaymentAttempt(earlierAttempts []PaymentAttempt, now time.Time) error {
	var recentTimes []time.Time
	for _, a := range earlierAttempts {
		if a.HardDecline && a.Card != "" { // other new cards may still be tried
			return fault.New(fault.Declined, "Your bank has refused this payment method for good. Please use another one.")
		}
		if now.Sub(a.At) < PaymentAttemptWindow {
			recentTimes = append(recentTimes, a.At)
		}
	}
	limit := MaxPaymentAttempts
	message := "This payment method was tried too often for this invoice. Please use another one, or try again later."
	if len(earlierAttempts) > 0 && earlierAttempts[0].Card == "" {
		limit = MaxNewCardAttempts
		message = "Too many new payment methods were tried for this invoice. Please try again later."
	}
	if len(recentTimes) < limit {
		return nil
	}
	oldest := slices.MinFunc(recentTimes, time.Time.Compare)
	err := fault.New(fault.RateLimited, message)
	err.RetryAfter = min(oldest.Add(PaymentAttemptWindow).Sub(now), PaymentAttemptWindow)
	return err
}
