package stripepayment_test

import (
	"net/url"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/vc-admin/diy/domain/account"
	"github.com/vc-admin/diy/domain/billing"
	"github.com/vc-admin/diy/domain/fault"
	"github.com/vc-admin/diy/ports/payment"
)

const readCustomer = "GET /v1/customers/cus_1"

func TestACustomerIsMadeWithWhatReceiptsNeed(t *testing.T) {
	s := newScript(t).on(createCustomer, fine(cardless))
	made, err := s.provider().CreateCustomer(t.Context(), payment.NewCustomer{
		Key: "key-1", OrganisationID: "org_1", Name: "Northside Clinic", Email: "ann@clinic.example", Phone: "+61 2 5550 1234", Currency: "AUD",
		Address: account.Address{Line1: "1 High Street", City: "Sydney", State: "New South Wales", PostalCode: "2000", Country: "AU"},
	})
	require.NoError(t, err)
	assert.Equal(t, billing.Customer{ID: "cus_1", OrganisationID: "org_1", Preferred: "AUD"}, made)
	assert.Equal(t, url.Values{
		"name": {"Northside Clinic"}, "email": {"ann@clinic.example"}, "phone": {"+61 2 5550 1234"},
		"metadata[org_id]": {"org_1"}, "metadata[currency]": {"AUD"},
		"address[line1]": {"1 High Street"}, "address[city]": {"Sydney"}, "address[state]": {"New South Wales"},
		"address[postal_code]": {"2000"}, "address[country]": {"AU"},
	}, s.last(createCustomer).params)
}

func TestWhatIsNotKnownIsLeftOut(t *testing.T) {
	s := newScript(t).on(createCustomer, fine(cardless))
	_, err := s.provider().CreateCustomer(t.Context(), payment.NewCustomer{Key: "key-1", OrganisationID: "org_1"})
	require.NoError(t, err)
	assert.Equal(t, url.Values{"metadata[org_id]": {"org_1"}}, s.last(createCustomer).params)
}

func TestAPhoneNumberIsNeverTooLongForStripe(t *testing.T) {
	for phone, want := range map[string]string{
		"+61 2 5550 1234":        "+61 2 5550 1234",
		"+1 2 3 4 5 6 7 8 9 0 1": "+12345678901",
		"+12345678901234567890":  "",
	} {
		s := newScript(t).on(createCustomer, fine(cardless))
		_, err := s.provider().CreateCustomer(t.Context(), payment.NewCustomer{Key: "key-1", Phone: phone})
		require.NoError(t, err)
		assert.Equal(t, want, s.last(createCustomer).params.Get("phone"))
	}
}

func TestACustomerIsReadWithItsDefaultCard(t *testing.T) {
	s := newScript(t).on(readCustomer, fine(customer.with(object{"currency": "nzd"})))
	found, err := s.provider().Customer(t.Context(), "cus_1")
	require.NoError(t, err)
	assert.Equal(t, billing.Customer{
		ID: "cus_1", OrganisationID: "org_1", Currency: "NZD", Preferred: "AUD",
		Default: &billing.PaymentMethod{ID: "pm_1", Card: billing.Card{Brand: "visa", Last4: "4242", ExpMonth: 12, ExpYear: 2034}},
	}, found)
	assert.Equal(t, url.Values{"expand[0]": {"invoice_settings.default_payment_method"}}, s.last(readCustomer).params)
}

func TestADeletedCustomerIsNotThere(t *testing.T) {
	s := newScript(t).on(readCustomer, fine(object{"id": "cus_1", "object": "customer", "deleted": true}))
	_, err := s.provider().Customer(t.Context(), "cus_1")
	assert.Equal(t, fault.NotFound, fault.CodeOf(err))
}

func TestARequestWithoutAKeyIsRefused(t *testing.T) {
	s := newScript(t)
	p := s.provider()
	_, create := p.CreateCustomer(t.Context(), payment.NewCustomer{})
	_, add := p.AddCard(t.Context(), payment.NewCard{CustomerID: "cus_1", CardID: "pm_1"})
	_, subscribe := p.Subscribe(t.Context(), payment.NewSubscription{CustomerID: "cus_1"})
	_, pay := p.PayInvoice(t.Context(), payment.InvoicePayment{InvoiceID: "in_1"})
	_, drop := p.CancelPendingChange(t.Context(), payment.PendingCancellation{SubscriptionID: "sub_1", InvoiceID: "in_1"})
	_, change := p.ChangePlan(t.Context(), payment.PlanChange{SubscriptionID: "sub_1"})
	_, cancel := p.CancelSubscription(t.Context(), payment.Cancellation{SubscriptionID: "sub_1"})
	for _, err := range []error{create, add, subscribe, pay, drop, change, cancel} {
		assert.Equal(t, fault.Invalid, fault.CodeOf(err))
	}
	assert.Empty(t, s.requests())
}
