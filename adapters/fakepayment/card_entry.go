package fakepayment

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"strings"
	"time"

	"github.com/vc-admin/diy/domain/billing"
)

// CardEntry is what somebody typed into the card field. It is read once and kept nowhere.
type CardEntry struct {
	Number   string // spaces between the digits do not matter
	ExpMonth int    // 1 to 12; 0 when it was left out
	ExpYear  int    // 2034, or 34
	CVC      string
}

// CreatePaymentMethod makes a payment method as the browser does, for AddCard to save. What is
// wrong with the card is Declined, in the words for its holder.
func (p *Provider) CreatePaymentMethod(ctx context.Context, in CardEntry) (out billing.PaymentMethod, err error) {
	err = p.act(ctx, func(t *tx) error {
		made, wrong := in.read(t.now)
		if wrong != nil {
			return wrong.declined()
		}
		made.ID = newID(cardPrefix)
		t.cards.put(made)
		out = made.show()
		return nil
	})
	return out, err
}

// read checks the entry, field by field, and keeps what may be kept of it.
func (in CardEntry) read(now time.Time) (card, *problem) {
	digits := strings.ReplaceAll(in.Number, " ", "")
	brand := brandOf(digits)
	for _, wrong := range []*problem{
		checkNumber(digits, brand), in.checkExpiry(now), checkCVC(in.CVC, brand),
	} {
		if wrong != nil {
			return card{}, wrong
		}
	}
	does, known := testCards[digits]
	if !known {
		return card{}, &notATestCard
	}
	return card{Behaviour: does, Card: billing.Card{
		Brand: brand.name, Last4: digits[len(digits)-4:], ExpMonth: in.ExpMonth, ExpYear: in.year(now),
		Fingerprint: cardFingerprint(digits),
	}}, nil
}

// cardFingerprint is equal for equal numbers, as Stripe's is. Only numbers of test cards get here.
func cardFingerprint(digits string) string {
	sum := sha256.Sum256([]byte("fakepayment " + digits))
	return hex.EncodeToString(sum[:8])
}

// year has four digits; one of two is meant in this century.
func (in CardEntry) year(now time.Time) int {
	if in.ExpYear >= 0 && in.ExpYear < 100 {
		return now.Year()/100*100 + in.ExpYear
	}
	return in.ExpYear
}

// furthestExpiry is how many years ahead an expiry is believed.
const furthestExpiry = 50

func (in CardEntry) checkExpiry(now time.Time) *problem {
	year := in.year(now)
	switch {
	case in.ExpMonth == 0 || in.ExpYear == 0:
		return &problem{Code: "incomplete_expiry", Param: "exp_month", Message: "Your card's expiration date is incomplete."}
	case in.ExpMonth < 1 || in.ExpMonth > 12:
		return &problem{Code: "invalid_expiry_month", Param: "exp_month", Message: "Your card's expiration month is invalid."}
	case year < 1000 || year > now.Year()+furthestExpiry:
		return &problem{Code: "invalid_expiry_year", Param: "exp_year", Message: "Your card's expiration year is invalid."}
	case past(billing.Card{ExpMonth: in.ExpMonth, ExpYear: year}, now):
		return &problem{Code: "invalid_expiry_past", Param: "exp_year", Message: "Your card's expiration date is in the past."}
	}
	return nil
}
