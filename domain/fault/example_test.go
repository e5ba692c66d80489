package fault_test

import (
	"errors"
	"fmt"

	"github.com/vc-admin/diy/domain/fault"
)

// A fault keeps its cause, has a code for the program, and a message that can be shown to the user.
func ExampleWrap() {
	errRefused := errors.New("connection refused")
	err := fmt.Errorf("read customer: %w", fault.Wrap(errRefused, fault.Unavailable, "The payment provider can't be reached"))
	fmt.Println(fault.CodeOf(err), errors.Is(err, errRefused))
	fmt.Println(fault.MessageOf(err))
	fmt.Println(fault.CodeOf(errRefused))
	// Output:
	// unavailable true
	// The payment provider can't be reached
	// internal
}

// Fields collects the problems of a form and returns one error, or nil.
func ExampleFields() {
	var fields fault.Fields
	fields.Check(false, "email", "Please enter an email address.")
	fields.Check(true, "name", "Please enter a name.")
	for _, field := range fault.FieldsOf(fields.Err()) {
		fmt.Printf("%+v\n", field)
	}
	// Output: {Name:email Message:Please enter an email address.}
}
