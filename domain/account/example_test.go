package account_test

import (
	"fmt"

	"github.com/vc-admin/diy/domain/account"
	"github.com/vc-admin/diy/domain/fault"
)

func ExampleRegistration() {
	form := account.Registration{
		FirstName: " Ada ", LastName: "King", Org: "Northside  Clinic", Email: "ADA@northside.example", Password: "Secret-pass-1",
		Address: account.Address{
			Line1: "1 High Street", City: "Sydney", State: "New South Wales", PostalCode: "2000", Country: "au",
		},
		Phone: "12",
	}
	for _, field := range fault.FieldsOf(form.Validate()) {
		fmt.Println(field.Name + ": " + field.Message)
	}
	normalisedForm := form.Normalise()
	fmt.Println(normalisedForm.FirstName, normalisedForm.Org, normalisedForm.Email, normalisedForm.Address.Country)
	// Output:
	// contact: Invalid contact details
	// Ada Northside Clinic ada@northside.example AU
}
