package billing

import (
	"github.com/vc-admin/diy/domain/catalogue"
	"github.com/vc-admin/diy/domain/fault"
)

// CheckSubscribe refuses a subscription that the account must not start: Forbidden for a developer
// license, Conflict for a second live subscription, for another currency than the first one's and
// for an organisation without a customer. An incomplete subscription is no hindrance; see PlanPurchase.
func CheckSubscribe(a *Account, ref catalogue.PriceRef) error {
	if a.DevLicense != nil {
		return errDeveloper()
	}
	if live := a.Live(); live != nil {
		return errLive(live.Status)
	}
	if a.CustomerID == "" {
		return fault.New(fault.Conflict, "Your organisation is not set up for payments yet. Choose a plan to begin.")
	}
	return checkCurrency(a, ref)
}

// AlreadySubscribed is the refusal of a second subscription beside a live one in the status.
func AlreadySubscribed(status Status) error { return errLive(status) }

func errDeveloper() error {
	return fault.New(fault.Forbidden, "Your organisation has a developer licence, which can't be bought or changed here.")
}

func errLive(status Status) error {
	if status == PastDue {
		return fault.New(fault.Conflict, "Your organisation has a subscription whose last payment did not go through. "+
			"Update your card instead of subscribing again.")
	}
	return fault.New(fault.Conflict, "Your organisation already has a subscription. Change its plan instead.")
}

func checkCurrency(a *Account, ref catalogue.PriceRef) error {
	if a.Currency == "" || a.Currency == ref.Currency {
		return nil
	}
	return fault.Newf(fault.Conflict, "Your organisation pays in %s, and the currency can't be changed.", a.Currency)
}
