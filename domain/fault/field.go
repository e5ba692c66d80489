package fault

import (
	"errors"
	"slices"
)

// Field is one rule that one input field breaks.
type Field struct {
	Name    string // the field, as the caller named it
	Message string // what to tell the person who filled it in
}

// Fields collects the broken rules of one input, so that a person hears of all of them at once.
// The zero value is ready to use.
type Fields struct{ list []Field }

// Add notes a broken rule; the first one of a field wins.
func (f *Fields) Add(name, message string) {
	for _, known := range f.list {
		if known.Name == name {
			return
		}
	}
	f.list = append(f.list, Field{Name: name, Message: message})
}

// Check adds the rule's message when the field does not keep it.
func (f *Fields) Check(kept bool, name, message string) {
	if !kept {
		f.Add(name, message)
	}
}

// Err returns nil when no rule was broken, else an Invalid fault that holds them in the order
// they were added.
func (f *Fields) Err() error {
	if len(f.list) == 0 {
		return nil
	}
	return &Error{Code: Invalid, Message: f.list[0].Message, Fields: slices.Clone(f.list)}
}

// FieldsOf returns the broken fields an error carries, or nil.
func FieldsOf(err error) []Field {
	if f, ok := errors.AsType[*Error](err); ok {
		return f.Fields
	}
	return nil
}
