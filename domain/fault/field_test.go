package fault_test

import (
	"fmt"
	"io"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/vc-admin/diy/domain/fault"
)

func TestFields_ErrIsNilWithoutInvalidFields(t *testing.T) {
	var f fault.Fields
	f.Check(true, "email", "email is required")
	assert.NoError(t, f.Err(), "a nil *Error in an error would not be nil")
}

func TestFields_KeepOrderAndFirstMessage(t *testing.T) {
	var f fault.Fields
	f.Check(false, "email", "email is required")
	f.Add("org", "Org name is required")
	f.Add("email", "Invalid email address!")
	err := f.Err()

	assert.Equal(t, fault.Invalid, fault.CodeOf(err))
	assert.Equal(t, "email is required", fault.MessageOf(err))
	assert.Equal(t, []fault.Field{
		{Name: "email", Message: "email is required"},
		{Name: "org", Message: "Org name is required"},
	}, fault.FieldsOf(fmt.Errorf("signing up: %w", err)))
}

func TestFields_AddFromKeepsTheFirstMessages(t *testing.T) {
	var invalid, f fault.Fields
	invalid.Add("org", "Org name is required")
	invalid.Add("email", "Invalid email address!")
	f.Add("email", "email is required")
	f.AddFrom(nil)
	f.AddFrom(io.EOF)
	f.AddFrom(fmt.Errorf("signing up: %w", invalid.Err()))
	assert.Equal(t, []fault.Field{
		{Name: "email", Message: "email is required"},
		{Name: "org", Message: "Org name is required"},
	}, fault.FieldsOf(f.Err()))
}

func TestFields_AddDoesNotChangeEarlierErrors(t *testing.T) {
	var f fault.Fields
	f.Add("a", "1")
	f.Add("b", "2")
	f.Add("c", "3") // leaves spare capacity in the slice
	first := f.Err()
	f.Add("d", "4")
	second := f.Err()
	require.Len(t, fault.FieldsOf(first), 3)
	fault.FieldsOf(first)[0].Message = "changed"
	assert.Equal(t, "1", fault.FieldsOf(second)[0].Message)
}

func TestFieldsOf_IsEmptyForErrorsWithoutFields(t *testing.T) {
	assert.Nil(t, fault.FieldsOf(nil))
	assert.Nil(t, fault.FieldsOf(io.EOF))
	assert.Empty(t, fault.FieldsOf(fault.New(fault.Invalid, "No")))
}
