package app

import (
	"context"

	"github.com/vc-admin/diy/domain/account"
	"github.com/vc-admin/diy/domain/billing"
	"github.com/vc-admin/diy/domain/catalogue"
	"github.com/vc-admin/diy/domain/fault"
	"github.com/vc-admin/diy/ports/identity"
	"github.com/vc-admin/diy/ports/payment"
)

// Subscribe starts the organisation's subscription, or pays for the one that is still open.
type Subscribe struct {
	catalogue *catalogue.Catalogue
	store     operationStore
	provider  payment.Provider
	ops       operations
	sync      *syncBilling
}

// SubscribeRequest is what somebody asks for.
type SubscribeRequest struct {
	CustomerID string // refused when it is not the organisation's own; "" is fine
	CardID     string // the card to pay with from now on; "" for the default card
	Price      PriceChoice
	NoTrial    bool // can only take a trial away
}

// Do returns the subscription as the provider has it, with what the browser may have to finish.
// A repeat of the request that made the running subscription returns it again; any other one is
// Conflict. Declined when the card can't even be saved.
func (u *Subscribe) Do(ctx context.Context, who identity.Identity, in SubscribeRequest) (billing.Subscription, error) {
	price, err := in.Price.resolve(u.catalogue)
	if err != nil {
		return billing.Subscription{}, err
	}
	plan, _ := u.catalogue.Plan(price.Product)
	p := purchase{Subscribe: u, plan: plan, price: price, cardID: in.CardID, noTrial: in.NoTrial}
	if err := p.look(ctx, who.OrganisationID, in.CustomerID); err != nil {
		return billing.Subscription{}, err
	}
	err = u.ops.run(ctx, request{
		organisationID: who.OrganisationID, lane: billing.SubscriptionLane, fingerprint: p.fingerprint(), do: p.do,
	})
	return p.made, err
}

func checkCustomerID(org account.Organisation, customerID string) error {
	if customerID != "" && customerID != org.Billing.CustomerID {
		return fault.New(fault.Forbidden, "This customer is not your organisation's.")
	}
	return nil
}
