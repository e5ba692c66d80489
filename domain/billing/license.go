package billing

import (
	"time"

	"github.com/vc-admin/diy/domain/catalogue"
)

// License entitles an organisation to use the product, now or in the past: a subscription or
// a developer license.
type License struct {
	ID               string // the id of the subscription or of the developer license
	Price            catalogue.PriceRef
	Status           Status
	IsDev            bool // a developer license, granted on the command line
	CurrentPeriodEnd time.Time
	TrialEnd         time.Time
}

// NewLicense returns the license of a subscription.
func NewLicense(s Subscription) License {
	return License{
		ID: s.ID, Price: s.Price, Status: s.Status,
		CurrentPeriodEnd: s.CurrentPeriodEnd, TrialEnd: s.TrialEnd,
	}
}

// License returns the current license, or nil. A developer license precedes a subscription.
func (a *Account) License() *License {
	if a.DevLicense != nil {
		return a.DevLicense
	}
	return a.firstLicense(Status.Live)
}

// PastLicense returns the newest license that has ended, or nil.
func (a *Account) PastLicense() *License { return a.firstLicense(Status.Ended) }

// firstLicense returns the license of the newest subscription with a matching status, or nil.
func (a *Account) firstLicense(matches func(Status) bool) *License {
	s := a.firstWithStatus(matches)
	if s == nil {
		return nil
	}
	license := NewLicense(*s)
	return &license
}
