package billing

import (
	"time"

	"github.com/vc-admin/diy/domain/money"
)

// Quote is what a new subscription or a plan change would cost. Asking for one changes nothing. Sending
// the same request for the same instant charges exactly DueNow.
type Quote struct {
	At           time.Time // the proration date of a change now; the time of a change at renewal
	Lines        []Line    // of the invoice that is due now, or of the one at the renewal
	Tax          money.Amount
	Total        money.Amount // the sum of Lines
	DueNow       money.Amount // Total after credit, never negative; zero for a change at renewal
	CreditBefore money.Amount // the customer's credit before
	CreditAfter  money.Amount // and afterwards; a negative Total increases it
	EndsTrial    bool         // a running trial ends
	Next         Charge       // the first automatic charge afterwards
}

// Charge is an automatic charge in the future.
type Charge struct {
	Amount money.Amount // after credit
	At     time.Time
}
