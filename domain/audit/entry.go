package audit

import (
	"cmp"
	"errors"
	"fmt"
	"slices"
	"strings"
	"time"
)

// Retention is the age up to which the store refuses to delete entries. Entries of the class Access are deleted later.
const Retention = 400 * 24 * time.Hour

// Class decides how long an entry is kept.
type Class string

// The classes.
const (
	Access Class = "access" // sign-ins and views; deleted after Retention
	Record Class = "record" // changes; kept as long as invoices
)

// Classes returns all classes.
func Classes() []Class { return []Class{Access, Record} }

// Outcome is the outcome of what an entry reports.
type Outcome string

// The outcomes.
const (
	Done    Outcome = "done"
	Refused Outcome = "refused" // nothing was changed, because a rule or a provider refused it
	Failed  Outcome = "failed"
	Unknown Outcome = "unknown" // the provider did not answer
)

// ActorKind is the kind of an actor.
type ActorKind string

// The kinds of actors.
const (
	UserActor     ActorKind = "user"     // the id is that of the user
	VisitorActor  ActorKind = "visitor"  // a person who is not signed in; no id
	OperatorActor ActorKind = "operator" // the id is the operator's name
	ProviderActor ActorKind = "provider" // the payment provider; no id
	SystemActor   ActorKind = "system"   // background work; no id
)

// Actor identifies the person or system that caused what an entry reports. The zero Actor is invalid.
type Actor struct {
	Kind ActorKind
	ID   string
}

// The actors without an id.
var (
	Visitor  = Actor{Kind: VisitorActor}
	Provider = Actor{Kind: ProviderActor}
	System   = Actor{Kind: SystemActor}
)

// User returns the user with the id.
func User(id string) Actor { return Actor{Kind: UserActor, ID: id} }

// Operator returns the operator with the name.
func Operator(name string) Actor { return Actor{Kind: OperatorActor, ID: name} }

func (a Actor) isValid() bool {
	switch a.Kind {
	case UserActor, OperatorActor:
		return a.ID != ""
	case VisitorActor, ProviderActor, SystemActor:
		return a.ID == ""
	}
	return false
}

// Data contains the details of an entry: ids, codes, amounts and dates, under the keys of its kind.
type Data map[string]string

// Entry is an entry of the audit log.
type Entry struct {
	ID             int64     // assigned by the store, in ascending order
	At             time.Time // the store sets a missing time
	OrganisationID string    // "" for none; it remains after the organisation was deleted
	Actor          Actor     // the store sets a missing actor from the context
	Kind           Kind
	Subject        string // the id of the object that the entry is about; "" for none
	Outcome        Outcome
	Data           Data
	Cause          string // the key of the operation or the id of the provider's event; "" for none
	RequestID      string // the trace id of the request or of the background work
	Note           string // free text of an operator, stored outside of the entry so that it can be erased
}

// Class returns the class of the entry's kind.
func (e Entry) Class() Class { return kinds[e.Kind].class }

// maxValue is the largest number of bytes of a value in Data, a subject and a cause.
const maxValue = 255

// Validate returns an error for an unknown kind or outcome, for a missing actor, and for data that the kind does not have
// or that could be personal.
func (e Entry) Validate() error {
	definition, isKnown := kinds[e.Kind]
	switch {
	case !isKnown:
		return fmt.Errorf("audit: unknown kind %q", e.Kind)
	case !e.Actor.isValid():
		return fmt.Errorf("audit: %s has no actor", e.Kind)
	case !slices.Contains([]Outcome{Done, Refused, Failed, Unknown}, e.Outcome):
		return fmt.Errorf("audit: %s has the unknown outcome %q", e.Kind, e.Outcome)
	}
	var errs []error
	for key, value := range e.Data {
		if !slices.Contains(definition.keys, key) || !isCode(value) {
			errs = append(errs, fmt.Errorf("audit: %s must not contain %s", e.Kind, key))
		}
	}
	if !isCode(e.Subject) || !isCode(e.Cause) {
		errs = append(errs, fmt.Errorf("audit: the subject and the cause of %s must be ids", e.Kind))
	}
	slices.SortFunc(errs, func(a, b error) int { return cmp.Compare(a.Error(), b.Error()) })
	return errors.Join(errs...)
}

// isCode reports whether the text can be an id, a code, a date, an amount or a list of them. It returns false for email
// addresses and for names with non-ASCII letters.
func isCode(text string) bool { return text == Code(text) }

// Code returns the text as a value of an entry. It replaces the characters that a value must not have, and cuts a long text.
// Use it for ids that another system has chosen.
func Code(text string) string {
	text = strings.Map(func(r rune) rune {
		if r < ' ' || r > '~' || r == '@' {
			return '?'
		}
		return r
	}, text)
	return text[:min(len(text), maxValue)]
}
