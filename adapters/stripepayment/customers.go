package stripepayment

import (
	"context"
	"strings"

	"github.com/stripe/stripe-go/v85"

	"github.com/vc-admin/diy/domain/account"
	"github.com/vc-admin/diy/domain/billing"
	"github.com/vc-admin/diy/domain/fault"
	"github.com/vc-admin/diy/ports/payment"
)

// What we keep in the metadata of Stripe's objects.
const (
	metaOrganisation = "org_id"
	metaCurrency     = "currency"
	metaProduct      = "product"
	metaInterval     = "interval"
	metaPrice        = "price_id"
)

// What shows a customer's default card, and the subscriptions that are not over, with the customer.
const (
	defaultCard       = "invoice_settings.default_payment_method"
	unfinishedOfTheir = "subscriptions"
)

// CreateCustomer makes the organisation's customer.
func (p *Provider) CreateCustomer(ctx context.Context, in payment.NewCustomer) (billing.Customer, error) {
	if err := checkKey(in.Key); err != nil {
		return billing.Customer{}, err
	}
	params := &stripe.CustomerCreateParams{
		Name: optional(in.Name), Email: optional(in.Email), Phone: optional(shortened(in.Phone)), Address: addressOf(in.Address),
		Metadata: metadata(metaOrganisation, in.OrganisationID, metaCurrency, in.Currency),
	}
	params.SetIdempotencyKey(in.Key)
	made, err := p.stripe.V1Customers.Create(ctx, params)
	if err != nil {
		return billing.Customer{}, p.fault(ctx, "create customer", err)
	}
	return customerOf(made), nil
}

// Customer returns the customer with its default card. Stripe remembers deleted customers; here
// they are not there.
func (p *Provider) Customer(ctx context.Context, id string) (billing.Customer, error) {
	found, err := p.customer(ctx, id)
	if err != nil {
		return billing.Customer{}, err
	}
	return customerOf(found), nil
}

func (p *Provider) customer(ctx context.Context, id string, more ...string) (*stripe.Customer, error) {
	if err := known(id, "customer"); err != nil {
		return nil, err
	}
	params := &stripe.CustomerRetrieveParams{}
	params.AddExpand(defaultCard)
	for _, path := range more {
		params.AddExpand(path)
	}
	found, err := p.stripe.V1Customers.Retrieve(ctx, id, params)
	if err != nil {
		return nil, p.fault(ctx, "read customer", err)
	}
	if found.Deleted {
		return nil, errDeleted()
	}
	return found, nil
}

func errDeleted() error {
	return fault.Wrap(payment.ErrCustomerDeleted, fault.NotFound, "There is no such customer.")
}

func customerOf(c *stripe.Customer) billing.Customer {
	out := billing.Customer{
		ID: c.ID, OrganisationID: c.Metadata[metaOrganisation],
		Currency: code(c.Currency), Preferred: c.Metadata[metaCurrency],
	}
	if card := defaultOf(c); card != nil {
		shown := cardOf(card)
		out.Default = &shown
	}
	return out
}

// defaultOf is the customer's default card, or nil.
func defaultOf(c *stripe.Customer) *stripe.PaymentMethod {
	if c == nil || c.InvoiceSettings == nil {
		return nil
	}
	return c.InvoiceSettings.DefaultPaymentMethod
}

func addressOf(a account.Address) *stripe.AddressParams {
	if a == (account.Address{}) {
		return nil
	}
	return &stripe.AddressParams{
		Line1: optional(a.Line1), Line2: optional(a.Line2), City: optional(a.City),
		State: optional(a.State), PostalCode: optional(a.PostalCode), Country: optional(a.Country),
	}
}

// longestPhone is Stripe's limit, which a number with its separators can pass.
const longestPhone = 20

// shortened is a phone number as Stripe takes it: without separators when it is too long with
// them, and none when it is too long all the same. It is for receipts only.
func shortened(phone string) string {
	if len(phone) > longestPhone {
		phone = strings.NewReplacer(" ", "", ".", "", "-", "").Replace(phone)
	}
	if len(phone) > longestPhone {
		return ""
	}
	return phone
}

// optional leaves a parameter out when there is nothing to say.
func optional(text string) *string {
	if text == "" {
		return nil
	}
	return &text
}

// metadata is the pairs of names and values that have a value.
func metadata(pairs ...string) map[string]string {
	out := map[string]string{}
	for i := 0; i+1 < len(pairs); i += 2 {
		if pairs[i+1] != "" {
			out[pairs[i]] = pairs[i+1]
		}
	}
	return out
}

// code is a currency as we write it; Stripe writes them small.
func code(c stripe.Currency) string { return strings.ToUpper(string(c)) }
