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

// Keys in the metadata of Stripe's objects.
const (
	metaOrganisation = "org_id"
	metaCurrency     = "currency"
	metaProduct      = "product"
	metaInterval     = "interval"
	metaPriceID      = "price_id"
)

// Paths that expand the customer's default payment method, and the customer's subscriptions that have not ended.
const (
	expandDefaultMethod = "invoice_settings.default_payment_method"
	expandSubscriptions = "subscriptions"
)

// CreateCustomer creates the organisation's customer.
func (p *Provider) CreateCustomer(ctx context.Context, req payment.NewCustomer) (billing.Customer, error) {
	if err := checkKey(req.Key); err != nil {
		return billing.Customer{}, err
	}
	params := &stripe.CustomerCreateParams{
		Name: optionalString(req.Name), Email: optionalString(req.Email), Phone: optionalString(shortenPhone(req.Phone)),
		Address:  addressParams(req.Address),
		Metadata: newMetadata(metaOrganisation, req.OrganisationID, metaCurrency, req.Currency),
	}
	params.SetIdempotencyKey(req.Key)
	customer, err := p.stripe.V1Customers.Create(ctx, params)
	if err != nil {
		return billing.Customer{}, p.logFault(ctx, "create customer", err)
	}
	return customerOf(customer), nil
}

// Customer returns the customer with its default payment method, and with the details that the next invoice will show.
func (p *Provider) Customer(ctx context.Context, id string) (billing.Customer, error) {
	customer, err := p.readCustomer(ctx, id, expandTaxIDs)
	if err != nil {
		return billing.Customer{}, err
	}
	reported := customerOf(customer)
	reported.Buyer, reported.Phone = nextBuyerOf(customer), customer.Phone
	return reported, nil
}

// readCustomer reads a customer with its default payment method, and expands the further paths. It returns NotFound
// for a deleted customer, which Stripe still returns.
func (p *Provider) readCustomer(ctx context.Context, id string, expand ...string) (*stripe.Customer, error) {
	if err := checkID(id, "customer"); err != nil {
		return nil, err
	}
	params := &stripe.CustomerRetrieveParams{}
	params.AddExpand(expandDefaultMethod)
	for _, path := range expand {
		params.AddExpand(path)
	}
	customer, err := p.stripe.V1Customers.Retrieve(ctx, id, params)
	if err != nil {
		return nil, p.logFault(ctx, "read customer", err)
	}
	if customer.Deleted {
		return nil, errCustomerDeleted()
	}
	return customer, nil
}

func errCustomerDeleted() error {
	return fault.Wrap(payment.ErrCustomerDeleted, fault.NotFound, "There is no such customer.")
}

func customerOf(c *stripe.Customer) billing.Customer {
	customer := billing.Customer{
		ID: c.ID, OrganisationID: c.Metadata[metaOrganisation],
		Currency: currencyCode(c.Currency), PreferredCurrency: c.Metadata[metaCurrency],
		Credit:     fromStripeUnits(-c.Balance, currencyCode(c.Currency)),
		HeldCredit: fromStripeUnits(heldCreditOf(c), currencyCode(c.Currency)), Hold: holdOfCustomer(c),
	}
	if method := defaultMethodOf(c); method != nil {
		customer.Default = new(paymentMethodOf(method))
	}
	return customer
}

// defaultMethodOf returns the customer's default payment method, or nil.
func defaultMethodOf(c *stripe.Customer) *stripe.PaymentMethod {
	if c == nil || c.InvoiceSettings == nil {
		return nil
	}
	return c.InvoiceSettings.DefaultPaymentMethod
}

func addressParams(a account.Address) *stripe.AddressParams {
	if a == (account.Address{}) {
		return nil
	}
	return &stripe.AddressParams{
		Line1: optionalString(a.Line1), Line2: optionalString(a.Line2), City: optionalString(a.City),
		State: optionalString(a.State), PostalCode: optionalString(a.PostalCode), Country: optionalString(a.Country),
	}
}

// maxPhoneLength is Stripe's limit. A phone number with separators can exceed it.
const maxPhoneLength = 20

// shortenPhone removes the separators from a phone number that is too long for Stripe, and returns "" if it is still too
// long. Stripe only prints the number on receipts.
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

// newMetadata returns a map of the alternating keys and values. It omits empty values.
func newMetadata(pairs ...string) map[string]string {
	entries := map[string]string{}
	for i := 0; i+1 < len(pairs); i += 2 {
		if pairs[i+1] != "" {
			entries[pairs[i]] = pairs[i+1]
		}
	}
	return entries
}

// currencyCode returns the ISO 4217 code for Stripe's lower-case code.
func currencyCode(c stripe.Currency) string { return strings.ToUpper(string(c)) }

// CustomerOf returns the oldest customer of the organisation among those with its email address. It lists customers
// instead of using Stripe's search API. The search lags by a minute or more and is not available in every country;
// lists are always current. CustomerOf does not find a customer whose email address was changed at Stripe.
func (p *Provider) CustomerOf(ctx context.Context, owner payment.Owner) (billing.Customer, error) {
	if owner.OrganisationID == "" || owner.Email == "" {
		return billing.Customer{}, errNotFound("customer")
	}
	params := &stripe.CustomerListParams{Email: &owner.Email}
	params.Limit = new(int64(pageSize))
	params.AddExpand("data." + expandDefaultMethod)
	var oldestCustomer *stripe.Customer
	for customer, err := range p.stripe.V1Customers.List(ctx, params).All(ctx) {
		if err != nil {
			return billing.Customer{}, p.logFault(ctx, "find customer", err)
		}
		if customer.Metadata[metaOrganisation] == owner.OrganisationID {
			oldestCustomer = customer // the list is newest first
		}
	}
	if oldestCustomer == nil {
		return billing.Customer{}, errNotFound("customer")
	}
	return customerOf(oldestCustomer), nil
}
