package payment_test

import (
	"fmt"

	"github.com/vc-admin/diy/domain/billing"
	"github.com/vc-admin/diy/domain/fault"
	"github.com/vc-admin/diy/ports/payment"
)

// An adapter stores the response to each request by its key. A repeat gets the stored response, and another request with
// the key is refused.
func ExampleResponse() {
	request := payment.NewCustomer{Key: "key-1", OrganisationID: "org_1"}
	fingerprint, err := payment.Fingerprint("create customer", request.Key, request)
	if err != nil {
		panic(err)
	}
	stored, err := payment.NewResponse(fingerprint, billing.Customer{ID: "cus_1"}, nil)
	if err != nil {
		panic(err)
	}

	var customer billing.Customer
	fmt.Println(stored.Replay(fingerprint, &customer), customer.ID)
	request.OrganisationID = "org_2"
	otherFingerprint, err := payment.Fingerprint("create customer", request.Key, request)
	if err != nil {
		panic(err)
	}
	fmt.Println(fault.CodeOf(stored.Replay(otherFingerprint, &customer)))
	// Output:
	// <nil> cus_1
	// conflict
}

// SelectPage implements InvoiceQuery for providers that have all invoices of a customer at hand.
func ExampleSelectPage() {
	invoices := []billing.Invoice{{ID: "in_3"}, {ID: "in_2"}, {ID: "in_1"}}
	page, err := payment.SelectPage(invoices, payment.InvoiceQuery{CustomerID: "cus_1", After: "in_3", Limit: 1})
	if err != nil {
		panic(err)
	}
	fmt.Println(page.Invoices[0].ID, page.HasMore)
	// Output: in_2 true
}
