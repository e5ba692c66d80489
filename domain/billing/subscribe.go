package billing

import (
	"github.com/vc-admin/diy/domain/catalogue"
	"github.com/vc-admin/diy/domain/fault"
)

// CheckSubscribe refuses a subscription that the account must not start: Forbidden for a developer
// license, Conflict for a second live subscription, for another currency than the first one's and
// for an organisation without a customer. An incomplete subscription is no hindrance; see StepOf.
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

// Step is how a subscription begins.
type Step string

// The steps.
const (
	StepCreate   Step = "create"   // nothing is open: start one
	StepContinue Step = "continue" // pay the open subscription's invoice with the new card
	StepReplace  Step = "replace"  // cancel the open subscription first, then start one
)

// StepOf decides how a subscription that CheckSubscribe allows begins. An open one is continued,
// so that two clicks never make two of them; but only for the price that was asked for now,
// because what was shown is what is charged.
func StepOf(a *Account, ref catalogue.PriceRef) Step {
	switch open := a.Open(); {
	case open == nil:
		return StepCreate
	case open.Price == ref:
		return StepContinue
	}
	return StepReplace
}

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
