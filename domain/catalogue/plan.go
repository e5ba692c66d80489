package catalogue

import (
	"maps"
	"regexp"
)

// Plan is a product that is sold by subscription.
type Plan struct {
	ID              string // "multi-user": up to 64 lower-case letters, digits and hyphens
	Name            string // the product's name in a license and at the payment provider
	DisplayName     string // the name people see: "Multi-User"
	Description     string // one sentence about whom it is for
	Disabled        bool   // not sold here: contact sales, price on application
	TrialPeriodDays int    // 0 when there is no free trial
	Capabilities    Capabilities
}

// Row is one line of the plan comparison.
type Row struct {
	Name      string // the capability it shows
	Label     string // "Virtual waiting room"
	Include   bool   // false keeps it out of the comparison
	Condition bool   // conditions apply, which Secondary tells
	Secondary string // a second, quieter text under the label; mostly ""
}

// MaxTrialDays is the longest trial a plan can have.
const MaxTrialDays = 365

var planID = regexp.MustCompile(`^[a-z0-9-]{1,64}$`)

// ValidPlanID reports whether the text could be a plan's id.
func ValidPlanID(id string) bool { return planID.MatchString(id) }

// clone is a copy that shares nothing with the original.
func (p Plan) clone() Plan {
	p.Capabilities = maps.Clone(p.Capabilities)
	return p
}
