package stripepayment

import (
	"context"
	"slices"

	"github.com/stripe/stripe-go/v85"

	"github.com/vc-admin/diy/domain/billing"
	"github.com/vc-admin/diy/domain/fault"
	"github.com/vc-admin/diy/ports/payment"
)

// pageSize is Stripe's maximum for lists.
const pageSize = 100

// Cards lists the customer's saved cards and bank accounts, newest first, which is Stripe's order.
func (p *Provider) Cards(ctx context.Context, customerID string) ([]billing.PaymentMethod, error) {
	if err := checkID(customerID, "customer"); err != nil {
		return nil, err
	}
	params := &stripe.CustomerListPaymentMethodsParams{Customer: &customerID}
	params.Limit = new(int64(pageSize))
	cards := []billing.PaymentMethod{}
	for card, err := range p.stripe.V1Customers.ListPaymentMethods(ctx, params).All(ctx) {
		if err != nil {
			return nil, p.fault(ctx, "list cards", err)
		}
		cards = append(cards, cardOf(card))
	}
	return cards, nil
}

// AddCard saves a card and makes it the default, unless req.KeepDefault is set. Stripe verifies the
// card with its bank.
func (p *Provider) AddCard(ctx context.Context, req payment.NewCard) (billing.PaymentMethod, error) {
	if err := checkKey(req.Key); err != nil {
		return billing.PaymentMethod{}, err
	}
	saved, err := p.attachCard(ctx, req, req.Key)
	if err == nil && !req.KeepDefault {
		_, err = p.setDefault(ctx, req.Key, req.CustomerID, saved.ID)
	}
	if err != nil {
		return billing.PaymentMethod{}, err
	}
	return cardOf(saved), nil
}

// attachCard saves the card to the customer. In test mode the id may stand for a new card
// (pm_card_visa), so callers must use the returned id.
func (p *Provider) attachCard(ctx context.Context, req payment.NewCard, key string) (*stripe.PaymentMethod, error) {
	if err := checkIDs(req.CustomerID, req.MethodID); err != nil {
		return nil, err
	}
	params := &stripe.PaymentMethodAttachParams{Customer: &req.CustomerID}
	params.SetIdempotencyKey(key)
	saved, err := p.stripe.V1PaymentMethods.Attach(ctx, req.MethodID, params)
	switch {
	case err == nil:
		return saved, nil
	case failureOf(err).isRefused():
		return p.explainRefusedAttach(ctx, req)
	}
	return nil, p.keyFault(ctx, "attach card", req.CustomerID, key, err)
}

// explainRefusedAttach reads a card that Stripe refused to attach. It returns the card if it is the
// customer's already, NotFound if it is another customer's, and Conflict if it was used or detached
// before and can't be attached again.
func (p *Provider) explainRefusedAttach(ctx context.Context, req payment.NewCard) (*stripe.PaymentMethod, error) {
	card, err := p.stripe.V1PaymentMethods.Retrieve(ctx, req.MethodID, nil)
	switch {
	case err != nil:
		return nil, p.fault(ctx, "read card", err)
	case card.Customer == nil:
		return nil, fault.New(fault.Conflict, "This card can't be saved any more. Please enter it again.")
	case card.Customer.ID != req.CustomerID:
		return nil, errNotFound("card")
	}
	return card, nil
}

func cardOf(m *stripe.PaymentMethod) billing.PaymentMethod {
	var out billing.PaymentMethod
	switch {
	case m.Card != nil:
		out.Card = billing.Card{
			Brand: string(m.Card.Brand), Last4: m.Card.Last4,
			ExpMonth: int(m.Card.ExpMonth), ExpYear: int(m.Card.ExpYear), Fingerprint: m.Card.Fingerprint,
		}
	case m.AUBECSDebit != nil:
		out = bankDebit(becsDebit, m.AUBECSDebit.Last4, m.AUBECSDebit.Fingerprint)
	case m.BACSDebit != nil:
		out = bankDebit(bacsDebit, m.BACSDebit.Last4, m.BACSDebit.Fingerprint)
	case m.SEPADebit != nil:
		out = bankDebit(sepaDebit, m.SEPADebit.Last4, m.SEPADebit.Fingerprint)
	case m.USBankAccount != nil:
		out = bankDebit(m.USBankAccount.BankName, m.USBankAccount.Last4, m.USBankAccount.Fingerprint)
	default:
		out.Kind, out.Label = billing.OtherMethod, string(m.Type)
	}
	out.ID = m.ID
	return out
}

// The names of debit schemes as customers see them.
const (
	becsDebit = "BECS Direct Debit"
	bacsDebit = "Bacs Direct Debit"
	sepaDebit = "SEPA Direct Debit"
)

func bankDebit(name, last4, fingerprint string) billing.PaymentMethod {
	return billing.PaymentMethod{Kind: billing.BankDebitMethod, Label: name + " •••• " + last4, Fingerprint: fingerprint}
}

// SetDefaultCard makes one of the customer's cards the default.
func (p *Provider) SetDefaultCard(ctx context.Context, req payment.SavedCard) (billing.Customer, error) {
	if err := checkKey(req.Key); err != nil {
		return billing.Customer{}, err
	}
	if err := p.checkOwnCard(ctx, req.CustomerID, req.MethodID); err != nil {
		return billing.Customer{}, err
	}
	changed, err := p.setDefault(ctx, req.Key, req.CustomerID, req.MethodID)
	if err != nil {
		return billing.Customer{}, err
	}
	return customerOf(changed), nil
}

// setDefault makes the card the one that is charged, for running subscriptions too.
func (p *Provider) setDefault(ctx context.Context, key, customerID, cardID string) (*stripe.Customer, error) {
	params := &stripe.CustomerUpdateParams{
		InvoiceSettings: &stripe.CustomerUpdateInvoiceSettingsParams{DefaultPaymentMethod: &cardID},
	}
	params.AddExpand(expandDefaultCard)
	params.AddExpand(expandSubscriptions)
	params.IdempotencyKey = keyFor(key, "default")
	changed, err := p.stripe.V1Customers.Update(ctx, customerID, params)
	if err != nil {
		return nil, p.keyFault(ctx, "set default card", customerID, *params.IdempotencyKey, err)
	}
	if changed.Deleted {
		return nil, errDeleted()
	}
	return changed, p.chargeDefault(ctx, key, changed)
}

// chargeDefault makes the subscriptions of the customer charge the default. It removes the cards that are set on
// subscriptions themselves, because they take precedence over the customer's default: the adapter sets none, but the
// dashboard and Stripe's portal do. It also allows the type of the default, such as that of a bank account. An organisation
// has one live subscription, so the ten that Stripe includes with the customer are all.
func (p *Provider) chargeDefault(ctx context.Context, key string, c *stripe.Customer) error {
	if c.Subscriptions == nil {
		return nil
	}
	for _, s := range c.Subscriptions.Data {
		params := chargeDefaultParams(s, defaultCardOf(c))
		if params == nil {
			continue
		}
		params.IdempotencyKey = keyFor(key, "unpin-"+s.ID)
		if _, err := p.stripe.V1Subscriptions.Update(ctx, s.ID, params); err != nil {
			return p.fault(ctx, "unpin card of subscription", err)
		}
	}
	return nil
}

// chargeDefaultParams returns the change that makes the subscription charge the method; nil if it does so already.
func chargeDefaultParams(s *stripe.Subscription, method *stripe.PaymentMethod) *stripe.SubscriptionUpdateParams {
	var params stripe.SubscriptionUpdateParams
	isPinned := s.DefaultPaymentMethod != nil || s.DefaultSource != nil
	if isPinned {
		params.DefaultPaymentMethod = new("")
	}
	if s.DefaultSource != nil {
		params.DefaultSource = new("")
	}
	isAllowed := method == nil || s.PaymentSettings == nil || len(s.PaymentSettings.PaymentMethodTypes) == 0 ||
		slices.Contains(s.PaymentSettings.PaymentMethodTypes,
			stripe.SubscriptionPaymentSettingsPaymentMethodType(method.Type))
	switch {
	case isAllowed && !isPinned:
		return nil
	case !isAllowed:
		params.PaymentSettings = &stripe.SubscriptionUpdatePaymentSettingsParams{PaymentMethodTypes: stripe.StringSlice(methodTypes(method))}
	}
	return &params
}

// methodTypes returns the types of payment methods that a subscription may charge: cards, and the type of the customer's
// default method.
func methodTypes(method *stripe.PaymentMethod) []string {
	types := []string{string(stripe.PaymentMethodTypeCard)}
	if method != nil && method.Type != stripe.PaymentMethodTypeCard && method.Type != "" {
		types = append(types, string(method.Type))
	}
	return types
}

// DeleteCard detaches the card. Stripe's detach request does not name a customer, so the card is
// read first. A card without a customer may have been detached by an earlier attempt of this
// request: Stripe replays that response for the key, and refuses any other key.
func (p *Provider) DeleteCard(ctx context.Context, req payment.SavedCard) error {
	if err := checkKey(req.Key); err != nil {
		return err
	}
	if err := p.checkDeletable(ctx, req); err != nil {
		return err
	}
	params := &stripe.PaymentMethodDetachParams{}
	params.SetIdempotencyKey(req.Key)
	_, err := p.stripe.V1PaymentMethods.Detach(ctx, req.MethodID, params)
	if err != nil && failureOf(err).isRefused() {
		return errNotFound("card") // it was detached before, by another request
	}
	return p.keyFault(ctx, "detach card", req.CustomerID, req.Key, err)
}

// checkDeletable returns NotFound for a card of another customer.
func (p *Provider) checkDeletable(ctx context.Context, req payment.SavedCard) error {
	if err := checkIDs(req.CustomerID, req.MethodID); err != nil {
		return err
	}
	card, err := p.stripe.V1PaymentMethods.Retrieve(ctx, req.MethodID, nil)
	switch {
	case err != nil:
		return p.fault(ctx, "read card", err)
	case card.Customer != nil && card.Customer.ID != req.CustomerID:
		return errNotFound("card")
	}
	return nil
}

// checkOwnCard returns NotFound unless the card is the customer's.
func (p *Provider) checkOwnCard(ctx context.Context, customerID, cardID string) error {
	if err := checkIDs(customerID, cardID); err != nil {
		return err
	}
	params := &stripe.CustomerRetrievePaymentMethodParams{Customer: &customerID}
	_, err := p.stripe.V1Customers.RetrievePaymentMethod(ctx, cardID, params)
	return p.fault(ctx, "read card of customer", err)
}

func checkIDs(customerID, cardID string) error {
	if err := checkID(customerID, "customer"); err != nil {
		return err
	}
	return checkID(cardID, "card")
}
