package billing

import (
	"time"

	"github.com/vc-admin/diy/domain/money"
)

// Due is the first charge of a new subscription.
type Due struct {
	Amount money.Amount
	At     time.Time // when it is charged; zero means now
}

// DueOf is the total due: the price, now or once the trial ends. A trial's day has 24 hours, as
// it has at the payment provider.
func DueOf(price money.Amount, trialDays int, now time.Time) Due {
	if trialDays <= 0 {
		return Due{Amount: price}
	}
	end := now.UTC().AddDate(0, 0, trialDays)
	return Due{Amount: price, At: end.Truncate(time.Microsecond)}
}
