package stripepayment

import (
	"context"

	"github.com/stripe/stripe-go/v85"

	"github.com/vc-admin/diy/domain/billing"
	"github.com/vc-admin/diy/ports/payment"
)

// CustomerOf finds the customer that was made for an organisation, among those with its e-mail
// address. Stripe could search for the organisation itself, but its search lags a minute behind,
// more on a bad day, and is not to be had in every country; the list is always up to date. What it
// can't find is a customer whose address somebody changed at Stripe before we ever heard of it.
func (p *Provider) CustomerOf(ctx context.Context, of payment.Owner) (billing.Customer, error) {
	if of.OrganisationID == "" || of.Email == "" {
		return billing.Customer{}, noSuch("customer")
	}
	params := &stripe.CustomerListParams{Email: &of.Email}
	params.Limit = new(int64(page))
	params.AddExpand("data." + defaultCard)
	var oldest *stripe.Customer
	for found, err := range p.stripe.V1Customers.List(ctx, params).All(ctx) {
		if err != nil {
			return billing.Customer{}, p.fault(ctx, "find customer", err)
		}
		if found.Metadata[metaOrganisation] == of.OrganisationID {
			oldest = found // they come newest first
		}
	}
	if oldest == nil {
		return billing.Customer{}, noSuch("customer")
	}
	return customerOf(oldest), nil
}
