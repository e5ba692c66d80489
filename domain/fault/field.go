package fault

import (
	"errors"
	"slices"
)

// Field is an invalid input field.
type Field struct {
	Name    string // the field by its wire name
	Message string // the message for the user
}

// Fields collects all invalid fields of an input. The zero value is ready to use.
type Fields struct{ list []Field }

// Add adds an invalid field. The first message of a field wins.
func (f *Fields) Add(name, message string) {
	for _, known := range f.list {
		if known.Name == name {
			return
		}
	}
	f.list = append(f.list, Field{Name: name, Message: message})
}

// Check adds the field unless ok is true.
func (f *Fields) Check(ok bool, name, message string) {
	if !ok {
		f.Add(name, message)
	}
}

// AddFrom adds the fields of the error. It adds nothing for nil and for an error without fields.
func (f *Fields) AddFrom(err error) {
	for _, field := range FieldsOf(err) {
		f.Add(field.Name, field.Message)
	}
}

// Err returns nil when no field is invalid, otherwise an Invalid fault with the fields in the order in
// which they were added.
func (f *Fields) Err() error {
	if len(f.list) == 0 {
		return nil
	}
	return &Error{Code: Invalid, Message: f.list[0].Message, Fields: slices.Clone(f.list)}
}

// FieldsOf returns the fields of the first fault in err's chain, or nil.
func FieldsOf(err error) []Field {
	if f, ok := errors.AsType[*Error](err); ok {
		return f.Fields
	}
	return nil
}
