package billing

import "github.com/vc-admin/diy/domain/catalogue"

// Action is what a plan's button does.
type Action string

// The actions.
const (
	ActionNone    Action = "none"
	ActionStart   Action = "start"   // towards a first subscription
	ActionUpdate  Action = "update"  // towards another plan, or a new one after one that ended
	ActionContact Action = "contact" // the plan is sold by people, not by this page
)

// Button is the button under a plan.
type Button struct {
	Label    string
	Disabled bool
	Action   Action // ActionNone exactly when disabled
}

// ButtonInput is what a plan's button depends on.
type ButtonInput struct {
	Mode     Mode
	Product  string
	Disabled bool // the plan is on application only
	Priced   bool // the plan has a price for the interval and currency shown
	Interval catalogue.Interval
	License  *License // the current one; a past license is nobody's current plan

	TrialUsed bool // the organisation has had its only trial
}

// ButtonOf decides the button under one plan. A plan without a price for what is shown can't be
// bought, so it is treated like one that is sold by people.
func ButtonOf(in ButtonInput) Button {
	label, action := offer(in)
	if in.Mode != ModeNew && in.Mode != ModeUpdate {
		action = ActionNone
	}
	return Button{Label: label, Disabled: action == ActionNone, Action: action}
}

func offer(in ButtonInput) (string, Action) {
	switch {
	case in.Disabled, !in.Priced:
		return "Contact us", ActionContact
	case isCurrent(in):
		return "Your current plan", ActionNone
	case in.Mode == ModeUpdate, in.License != nil, in.TrialUsed:
		return "Update your plan", ActionUpdate
	}
	return "Start your free trial", ActionStart
}

func isCurrent(in ButtonInput) bool {
	return in.License != nil &&
		in.License.Price.Product == in.Product && in.License.Price.Interval == in.Interval
}
