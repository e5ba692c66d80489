package app

import (
	"context"
	"errors"
	"slices"
	"strconv"

	"github.com/vc-admin/diy/domain/account"
	"github.com/vc-admin/diy/domain/billing"
	"github.com/vc-admin/diy/domain/catalogue"
	"github.com/vc-admin/diy/domain/fault"
	"github.com/vc-admin/diy/ports/identity"
	"github.com/vc-admin/diy/ports/payment"
	"github.com/vc-admin/diy/ports/storage"
)

// Subscribe starts the organisation's subscription, or pays for the one that is still open.
type Subscribe struct {
	catalogue *catalogue.Catalogue
	store     operationStore
	provider  payment.Provider
	ops       operations
	steps     steps
	sync      *syncBilling
	cards     savedCards
}

// SubscribeRequest is what somebody asks for.
type SubscribeRequest struct {
	CustomerID string // refused when it is not the organisation's own; "" is fine
	CardID     string // the card to pay with from now on; "" for the default card
	Price      PriceChoice
	NoTrial    bool // can only take a trial away
}

// Do returns the subscription as the provider has it, with what the browser may have to finish.
// A repeat of a request that made or paid the running subscription returns it again; any other one
// is Conflict. Declined when the card can't even be saved.
func (u *Subscribe) Do(ctx context.Context, who identity.Identity, in SubscribeRequest) (billing.Subscription, error) {
	price, err := in.Price.resolve(u.catalogue)
	if err != nil {
		return billing.Subscription{}, err
	}
	org, err := u.store.Organisation(ctx, who.OrganisationID)
	if err == nil {
		err = checkCustomerID(org, in.CustomerID)
	}
	if err != nil {
		return billing.Subscription{}, err
	}
	plan, _ := u.catalogue.Plan(price.Product)
	p := purchase{
		Subscribe: u, organisationID: who.OrganisationID,
		wanted: billing.Purchase{Plan: plan, Price: price, CardID: in.CardID, NoTrial: in.NoTrial},
	}
	err = u.ops.run(ctx, request{
		organisationID: p.organisationID, kind: billing.SubscriptionOperation, fingerprint: p.fingerprint(), plan: p.plan, do: p.do,
	})
	if p.outdated && fault.Is(err, fault.Conflict) {
		err = p.refused(ctx, err)
	}
	if err == nil && !p.isKnown(p.made.ID) {
		u.noteFirstCharge(ctx, p.before, p.made)
	}
	return p.made, err
}

// noteFirstCharge counts the charge that a new subscription began with, if it did not succeed. It
// charged the default card. A failure is only logged: one more attempt will be allowed.
func (u *Subscribe) noteFirstCharge(ctx context.Context, org account.Organisation, made billing.Subscription) {
	if made.Status != billing.Incomplete || made.LatestInvoice == nil {
		return
	}
	ctx, cancel := context.WithTimeout(context.WithoutCancel(ctx), patience)
	defer cancel()
	customer, err := u.provider.Customer(ctx, org.Billing.CustomerID)
	if err != nil || customer.Default == nil {
		u.steps.attempts.log.WarnContext(ctx, "first payment attempt not recorded", "org", org.ID, "error", err)
		return
	}
	u.steps.attempts.note(ctx, org.ID, made.LatestInvoice.ID+"-first", *customer.Default, made)
}

// isKnown reports whether the organisation had the subscription before this request.
func (p *purchase) isKnown(subscriptionID string) bool {
	return slices.ContainsFunc(p.before.Billing.Subscriptions, func(s billing.Subscription) bool { return s.ID == subscriptionID })
}

func checkCustomerID(org account.Organisation, customerID string) error {
	if customerID != "" && customerID != org.Billing.CustomerID {
		return fault.New(fault.Forbidden, "This customer is not your organisation's.")
	}
	return nil
}

// purchase is one request to subscribe on its way.
type purchase struct {
	*Subscribe
	organisationID string
	wanted         billing.Purchase

	before   account.Organisation // when the steps were planned, or joined
	made     billing.Subscription
	outdated bool // the provider refused because of something that we have not heard of
}

func (p *purchase) fingerprint() string {
	w := p.wanted
	return fingerprint("subscribe", w.CardID, w.Price.PriceID(), w.Price.Currency, strconv.FormatBool(w.NoTrial))
}

// plan looks at the provider, however fresh our copy seems, and plans by what it reports. Only a
// first subscription does without: our copy lacks none that we have made, and the provider refuses
// to start a first one for a customer that has had any.
func (p *purchase) plan(ctx context.Context) (plan, error) {
	org, err := p.store.Organisation(ctx, p.organisationID)
	if err == nil && len(org.Billing.Subscriptions) > 0 {
		org, err = p.sync.do(ctx, p.organisationID)
	}
	if err != nil {
		return plan{}, err
	}
	steps, err := billing.PlanPurchase(&org.Billing, p.wanted)
	if err != nil {
		return plan{}, p.unlessRepeated(ctx, org.Billing.Live(), err)
	}
	return plan{steps: steps, org: &org}, nil
}

// unlessRepeated returns the refusal, unless the live subscription came of a repeat of this
// request. A repeat that is still pending is joined; what an earlier one has made is returned again.
func (p *purchase) unlessRepeated(ctx context.Context, live *billing.Subscription, refusal error) error {
	if live == nil || live.Price != p.wanted.Price {
		return refusal
	}
	pending, err := p.store.PendingOperation(ctx, p.organisationID, billing.SubscriptionOperation)
	switch {
	case err == nil && pending.Fingerprint == p.fingerprint():
		return storage.ErrPlanOutdated
	case err != nil && !fault.Is(err, fault.NotFound):
		return err
	}
	repeated, err := p.store.OperationMade(ctx, storage.Made{
		OrganisationID: p.organisationID, Kind: billing.SubscriptionOperation, Fingerprint: p.fingerprint(), Result: live.ID,
	})
	if err != nil {
		return err
	}
	if !repeated {
		return refusal
	}
	p.made, err = p.provider.Subscription(ctx, live.ID) // our copy lacks what the browser may have to finish
	return err
}

// do sends the steps and records the answers. A repeat that was joined gets the old answer again, so
// the subscription is read as it is now.
func (p *purchase) do(ctx context.Context, at attempt) (string, error) {
	p.before = at.org
	card, err := p.noteCard(ctx, at)
	if err != nil {
		return "", err
	}
	done, err := p.steps.send(ctx, at.org.ID, at.steps)
	if err == nil && at.joined {
		done.made, err = p.provider.Subscription(ctx, done.made.ID)
	}
	if err != nil {
		p.outdated = fault.Is(err, fault.Conflict) && !errors.Is(err, payment.ErrKeyRetired)
		return "", p.leave(ctx, at.org, done, err)
	}
	p.made = done.made
	if err := p.sync.keep(ctx, at.org, append([]billing.Subscription{done.made}, done.ended...)...); err != nil {
		return "", err
	}
	p.cards.paid(ctx, at, card, done.made)
	return done.made.ID, nil
}

// noteCard notes the card before it is saved. The steps were planned by the provider's present
// report; a repeat that joined them has to look for itself.
func (p *purchase) noteCard(ctx context.Context, at attempt) (notedCard, error) {
	org := at.org
	if at.joined && len(org.Billing.Subscriptions) > 0 {
		var err error
		if org, err = p.sync.do(ctx, org.ID); err != nil {
			return notedCard{}, err
		}
	}
	return p.cards.note(ctx, at, org, p.wanted.CardID)
}

// leave records what was ended or spared on the way to a refusal.
func (p *purchase) leave(ctx context.Context, org account.Organisation, done progress, refusal error) error {
	if len(done.ended) == 0 || inDoubt(refusal) {
		return refusal
	}
	if err := p.sync.keep(ctx, org, done.ended...); err != nil {
		return err
	}
	return refusal
}

// refused brings our copy up to date after the provider refused the purchase because of something
// that we had not heard of, and returns the reason if that shows it. Nothing is sent again: what
// was offered to the customer may be wrong as well.
func (p *purchase) refused(ctx context.Context, refusal error) error {
	org, err := p.sync.do(ctx, p.organisationID)
	if err != nil {
		return refusal
	}
	if _, err := billing.PlanPurchase(&org.Billing, p.wanted); err != nil {
		return err
	}
	return refusal
}
