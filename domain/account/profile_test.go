package account_test

import (
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/vc-admin/diy/domain/account"
	"github.com/vc-admin/diy/domain/fault"
)

func TestProfile_IsNormalised(t *testing.T) {
	p, err := account.Profile{FirstName: "  Ann\u200b ", LastName: "“Lee”", Phone: "tel:+61 2\u20119000 0000"}.Normalise()

	require.NoError(t, err)
	assert.Equal(t, account.Profile{FirstName: "Ann", LastName: "Lee", Phone: "+61 2-9000 0000"}, p)
}

func TestProfile_PhoneIsOptional(t *testing.T) {
	_, err := account.Profile{FirstName: "Ann", LastName: "Lee"}.Normalise()
	require.NoError(t, err)
}

func TestProfile_ReportsInvalidFields(t *testing.T) {
	_, err := account.Profile{FirstName: "4nn", Phone: "12"}.Normalise()

	assert.Equal(t, []fault.Field{
		{Name: "firstName", Message: "Invalid first name"},
		{Name: "lastName", Message: "Last name is required"},
		{Name: "phone", Message: "Invalid contact details"},
	}, fault.FieldsOf(err))
}
