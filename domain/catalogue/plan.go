package catalogue

import (
	"maps"
	"regexp"
)

// MaxTrialDays is the longest trial a plan can have.
const MaxTrialDays = 365

// Plan is a product that is sold by subscription.
type Plan struct {
	ID              string // "multi-user": up to 64 lower-case letters, digits and hyphens
	Name            string // the product's name in a license and at the payment provider
	DisplayName     string // "Multi-User"
	Description     string // a sentence about the intended customers
	Disabled        bool   // not sold online: the plans page shows how to contact sales instead of a price
	MostChosen      bool   // the one plan that the plans page recommends, if any
	TrialPeriodDays int    // 0 for no free trial
	Capabilities    Capabilities
}

var planIDPattern = regexp.MustCompile(`^[a-z0-9-]{1,64}$`)

// ValidPlanID reports whether the id has the format of a plan id.
func ValidPlanID(id string) bool { return planIDPattern.MatchString(id) }

// clone returns a deep copy.
func (p Plan) clone() Plan {
	p.Capabilities = maps.Clone(p.Capabilities)
	return p
}

// ComparisonRow is a row of the plan comparison.
type ComparisonRow struct {
	Name      string // the name of the capability in this row
	Label     string // "Virtual waiting room"
	Include   bool   // false hides the row
	Condition bool   // whether the capability has conditions, which Secondary describes
	Secondary string // a second text under the label, usually ""
}

// capabilityNames contains the eighteen capabilities in the order of the specification.
var capabilityNames = []string{
	"maxAttendees", "seats", "lobbyGuest", "lobbyHost", "multivu", "telestrations", "snapshot",
	"screenshare", "email", "encryption", "truesteth", "roomvuLite", "examVu", "branding", "vmr",
	"pms", "roomvuPro", "maxDuration",
}

// Capabilities maps the name of every capability to its value.
type Capabilities map[string]Value

// Value is the value of a capability: yes, no or a text such as "60 minutes". The zero Value is no.
type Value struct {
	on   bool
	text string
}

// Flag returns the value yes or no.
func Flag(on bool) Value { return Value{on: on} }

// Text returns a text value.
func Text(text string) Value { return Value{on: true, text: text} }

// Text returns the text and whether the value is a text.
func (v Value) Text() (string, bool) { return v.text, v.text != "" }

// Any returns the value as a bool or a string, for encoding.
func (v Value) Any() any {
	if text, ok := v.Text(); ok {
		return text
	}
	return v.on
}
