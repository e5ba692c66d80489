package catalogue

import "slices"

// capabilityKeys are the eighteen capabilities, in the specification's order.
var capabilityKeys = []string{
	"maxAttendees", "seats", "lobbyGuest", "lobbyHost", "multivu", "telestrations", "snapshot",
	"screenshare", "email", "encryption", "truesteth", "roomvuLite", "examVu", "branding", "vmr",
	"pms", "roomvuPro", "maxDuration",
}

// CapabilityKeys returns the names of all capabilities, in the specification's order.
func CapabilityKeys() []string { return slices.Clone(capabilityKeys) }

// Capabilities says what a plan can do: a value for every one of CapabilityKeys.
type Capabilities map[string]Value

// Value is a capability's value: yes, no, or a text such as "60 minutes". The zero Value is no.
type Value struct {
	on   bool
	text string
}

// Flag is a capability that a plan has or has not.
func Flag(on bool) Value { return Value{on: on} }

// Text is a capability whose extent is told in words or figures.
func Text(text string) Value { return Value{on: true, text: text} }

// On reports whether the plan has the capability; one that is told by a text it has.
func (v Value) On() bool { return v.on }

// Text returns the text, and whether the value is one.
func (v Value) Text() (string, bool) { return v.text, v.text != "" }

// Any is the value as a bool or a string, for those who write it out.
func (v Value) Any() any {
	if text, ok := v.Text(); ok {
		return text
	}
	return v.on
}
