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

// Names in the metadata of Stripe's objects.
const (
	metaOrganisation = "org_id"
	metaCurrency     = "currency"
	metaProduct      = "product"
	metaInterval     = "interval"
	metaPrice        = "price_id"
)

// Paths to expand: the customer's default card, and its subscriptions that have not ended.
const (
	expandDefaultCard   = "invoice_settings.default_payment_method"
	expandSubscriptions = "subscriptions"
)

// CreateCustomer creates the organisation's customer.
func (p *Provider) CreateCustomer(ctx context.Context, req payment.NewCustomer) (billing.Customer, error) {
	if err := checkKey(req.Key); err != nil {
		return billing.Customer{}, err
	}
	params := &stripe.CustomerCreateParams{
		Name: optionalString(req.Name), Email: optionalString(req.Email), Phone: optionalString(shortenPhone(req.Phone)),
		Address:  addressOf(req.Address),
		Metadata: metadata(metaOrganisation, req.OrganisationID, metaCurrency, req.Currency),
	}
	params.SetIdempotencyKey(req.Key)
	created, err := p.stripe.V1Customers.Create(ctx, params)
	if err != nil {
		return billing.Customer{}, p.fault(ctx, "create customer", err)
	}
	return customerOf(created), nil
}

// Customer returns the customer with its default card. Stripe still returns deleted customers; here
// they are NotFound.
func (p *Provider) Customer(ctx context.Context, id string) (billing.Customer, error) {
	found, err := p.customer(ctx, id)
	if err != nil {
		return billing.Customer{}, err
	}
	return customerOf(found), nil
}

func (p *Provider) customer(ctx context.Context, id string, more ...string) (*stripe.Customer, error) {
	if err := checkID(id, "customer"); err != nil {
		return nil, err
	}
	params := &stripe.CustomerRetrieveParams{}
	params.AddExpand(expandDefaultCard)
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
		Currency: currencyCode(c.Currency), Preferred: c.Metadata[metaCurrency],
		Credit:     fromStripeUnits(-c.Balance, currencyCode(c.Currency)),
		HeldCredit: fromStripeUnits(heldCreditOf(c), currencyCode(c.Currency)), Hold: holdOfCustomer(c),
	}
	if card := defaultCardOf(c); card != nil {
		method := cardOf(card)
		out.Default = &method
	}
	return out
}

// defaultCardOf returns the customer's default card, or nil.
func defaultCardOf(c *stripe.Customer) *stripe.PaymentMethod {
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
		Line1: optionalString(a.Line1), Line2: optionalString(a.Line2), City: optionalString(a.City),
		State: optionalString(a.State), PostalCode: optionalString(a.PostalCode), Country: optionalString(a.Country),
	}
}

// maxPhoneLength is Stripe's limit. A formatted number can exceed it.
const maxPhoneLength = 20

// shortenPhone removes separators from a phone number that is too long for Stripe, and returns ""
// if that is not enough. Stripe only prints it on receipts.
func shortenPhone(phone string) string {
	if len(phone) > maxPhoneLength {
		phone = strings.NewReplacer(" ", "", ".", "", "-", "").Replace(phone)
	}
	if len(phone) > maxPhoneLength {
		return ""
	}
	return phone
}

// optionalString returns nil for "", which leaves the parameter out.
func optionalString(text string) *string {
	if text == "" {
		return nil
	}
	return &text
}

// metadata returns the pairs of names and values without those whose value is "".
func metadata(pairs ...string) map[string]string {
	out := map[string]string{}
	for i := 0; i+1 < len(pairs); i += 2 {
		if pairs[i+1] != "" {
			out[pairs[i]] = pairs[i+1]
		}
	}
	return out
}

// currencyCode returns the ISO 4217 code of Stripe's lower-case one.
func currencyCode(c stripe.Currency) string { return strings.ToUpper(string(c)) }

// CustomerOf returns the oldest customer of the organisation among those with its email address.
// Stripe's search API could find the organisation itself, but it lags by a minute or more and is
// not available in every country; lists are always current. A customer whose email address was
// changed at Stripe is not found.
func (p *Provider) CustomerOf(ctx context.Context, owner payment.Owner) (billing.Customer, error) {
	if owner.OrganisationID == "" || owner.Email == "" {
		return billing.Customer{}, errNotFound("customer")
	}
	params := &stripe.CustomerListParams{Email: &owner.Email}
	params.Limit = new(int64(pageSize))
	params.AddExpand("data." + expandDefaultCard)
	var oldest *stripe.Customer
	for found, err := range p.stripe.V1Customers.List(ctx, params).All(ctx) {
		if err != nil {
			return billing.Customer{}, p.fault(ctx, "find customer", err)
		}
		if found.Metadata[metaOrganisation] == owner.OrganisationID {
			oldest = found // the list is newest first
		}
	}
	if oldest == nil {
		return billing.Customer{}, errNotFound("customer")
	}
	return customerOf(oldest), nil
}
