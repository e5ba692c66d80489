package billing

import (
	"time"

	"github.com/vc-admin/diy/domain/catalogue"
)

// License is what an organisation may use, or used to: the view of its subscription that the
// rest of the product sees.
type License struct {
	ID               string // the subscription's id; a developer license has its own
	Price            catalogue.PriceRef
	Status           Status
	IsDev            bool // granted on the command line, never bought
	CurrentPeriodEnd time.Time
	TrialEnd         time.Time
}

// LicenseOf is the license a subscription makes.
func LicenseOf(s Subscription) License {
	return License{
		ID: s.ID, Price: s.Price, Status: s.Status,
		CurrentPeriodEnd: s.CurrentPeriodEnd, TrialEnd: s.TrialEnd,
	}
}
