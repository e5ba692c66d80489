package billing

import "github.com/vc-admin/diy/domain/catalogue"

// Screen is where a plan's button leads.
type Screen string

// The screens. ScreenNewCustomer is a step rather than a page: make the organisation's customer at
// the provider, then ask TargetOf again with its id.
const (
	ScreenNone        Screen = "none"
	ScreenPayment     Screen = "payment"
	ScreenConfirm     Screen = "confirm"
	ScreenRegform     Screen = "regform"
	ScreenContact     Screen = "contact"
	ScreenNewCustomer Screen = "newCustomer"
)

// Param is one query parameter.
type Param struct{ Key, Value string }

// Target is where a plan's button leads, and what it takes along.
type Target struct {
	Screen Screen
	Query  []Param // in the order the address shows them; values are not yet escaped
	Change *Change // for ScreenConfirm only
}

// Change is what the confirmation screen is told.
type Change struct {
	From *catalogue.PriceRef // the current plan; nil after a license that ended
	To   catalogue.PriceRef
	Mode Mode
}

// TargetInput is what the way on depends on.
type TargetInput struct {
	Action     Action // what the button does
	To         catalogue.PriceRef
	Debug      bool
	SignedIn   bool
	CustomerID string // "" when the organisation has no customer at the provider yet
	License    *License
}

// TargetOf decides where a plan's button leads.
func TargetOf(in TargetInput) Target {
	switch in.Action {
	case ActionContact:
		return Target{Screen: ScreenContact, Query: []Param{
			{"product", in.To.Product}, {"interval", string(in.To.Interval)},
		}}
	case ActionUpdate:
		return Target{Screen: ScreenConfirm, Query: withDebug(nil, in.Debug), Change: changeOf(in)}
	case ActionStart:
		return startOf(in)
	default:
		return Target{Screen: ScreenNone}
	}
}

func startOf(in TargetInput) Target {
	choice := []Param{
		{"product", in.To.Product}, {"currency", in.To.Currency}, {"interval", string(in.To.Interval)},
	}
	switch {
	case !in.SignedIn:
		return Target{Screen: ScreenRegform, Query: withDebug(choice, in.Debug)}
	case in.CustomerID == "":
		return Target{Screen: ScreenNewCustomer}
	}
	query := append([]Param{{"customer", in.CustomerID}}, choice...)
	return Target{Screen: ScreenPayment, Query: withDebug(query, in.Debug)}
}

func changeOf(in TargetInput) *Change {
	change := &Change{To: in.To, Mode: ModeUpdate}
	if in.License != nil {
		from := in.License.Price
		change.From = &from
	}
	return change
}

func withDebug(query []Param, on bool) []Param {
	if !on {
		return query
	}
	return append(query, Param{"debug", "true"})
}
