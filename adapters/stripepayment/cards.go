package stripepayment

import (
	"cmp"
	"context"
	"slices"

	"github.com/stripe/stripe-go/v85"

	"github.com/vc-admin/diy/domain/billing"
	"github.com/vc-admin/diy/domain/fault"
	"github.com/vc-admin/diy/ports/payment"
)

// pageSize is Stripe's maximum for a page of a list.
const pageSize = 100

// Cards lists the customer's saved cards and bank accounts, newest first, which is Stripe's order.
func (p *Provider) Cards(ctx context.Context, customerID string) ([]billing.PaymentMethod, error) {
	if err := checkID(customerID, "customer"); err != nil {
		return nil, err
	}
	params := &stripe.CustomerListPaymentMethodsParams{Customer: &customerID}
	params.Limit = new(int64(pageSize))
	methods := []billing.PaymentMethod{}
	for method, err := range p.stripe.V1Customers.ListPaymentMethods(ctx, params).All(ctx) {
		if err != nil {
			return nil, p.logFault(ctx, "list methods", err)
		}
		methods = append(methods, paymentMethodOf(method))
	}
	return methods, nil
}

// AddCard saves a card and makes it the default, unless req.KeepDefault is set. Stripe verifies the card with its issuer.
func (p *Provider) AddCard(ctx context.Context, req payment.NewCard) (billing.PaymentMethod, error) {
	if err := checkKey(req.Key); err != nil {
		return billing.PaymentMethod{}, err
	}
	method, err := p.attachMethod(ctx, req, req.Key)
	if err == nil && !req.KeepDefault {
		_, err = p.setDefaultMethod(ctx, req.Key, req.CustomerID, method.ID)
	}
	if err != nil {
		return billing.PaymentMethod{}, err
	}
	return paymentMethodOf(method), nil
}

// attachMethod saves a card or bank account to the customer. Callers must use the id of the returned payment method,
// because Stripe creates a new one for the id of a test card, such as pm_card_visa.
func (p *Provider) attachMethod(ctx context.Context, req payment.NewCard, key string) (*stripe.PaymentMethod, error) {
	if err := checkCustomerAndMethodID(req.CustomerID, req.MethodID); err != nil {
		return nil, err
	}
	params := &stripe.PaymentMethodAttachParams{Customer: &req.CustomerID}
	params.SetIdempotencyKey(key)
	method, err := p.stripe.V1PaymentMethods.Attach(ctx, req.MethodID, params)
	switch {
	case err == nil:
		return method, nil
	case failureOf(err).isRefused():
		return p.readRefusedMethod(ctx, req)
	}
	return nil, p.logKeyFault(ctx, "attach method", req.CustomerID, key, err)
}

// readRefusedMethod reads a payment method that Stripe refused to attach. It returns the method if it is already attached to the
// customer, NotFound if it belongs to another customer, and Conflict if it was used or detached before and can't be
// attached again.
func (p *Provider) readRefusedMethod(ctx context.Context, req payment.NewCard) (*stripe.PaymentMethod, error) {
	method, err := p.stripe.V1PaymentMethods.Retrieve(ctx, req.MethodID, nil)
	switch {
	case err != nil:
		return nil, p.logFault(ctx, "read method", err)
	case method.Customer == nil:
		return nil, fault.New(fault.Conflict, "This card can't be saved any more. Please enter it again.")
	case method.Customer.ID != req.CustomerID:
		return nil, errNotFound("card")
	}
	return method, nil
}

// paymentMethodOf converts a card or a bank account. Other types have only a label, which is Stripe's name of the type;
// see billing.MethodTypeName.
func paymentMethodOf(m *stripe.PaymentMethod) billing.PaymentMethod {
	var method billing.PaymentMethod
	switch {
	case m.Card != nil:
		method.Card = billing.Card{
			Brand: string(m.Card.Brand), Last4: m.Card.Last4,
			ExpMonth: int(m.Card.ExpMonth), ExpYear: int(m.Card.ExpYear), Fingerprint: m.Card.Fingerprint,
		}
	case m.ACSSDebit != nil:
		method = newBankDebitMethod(string(m.Type), "", m.ACSSDebit.Last4, m.ACSSDebit.Fingerprint)
	case m.AUBECSDebit != nil:
		method = newBankDebitMethod(string(m.Type), "", m.AUBECSDebit.Last4, m.AUBECSDebit.Fingerprint)
	case m.BACSDebit != nil:
		method = newBankDebitMethod(string(m.Type), "", m.BACSDebit.Last4, m.BACSDebit.Fingerprint)
	case m.NzBankAccount != nil:
		method = newBankDebitMethod(string(m.Type), m.NzBankAccount.BankName, m.NzBankAccount.Last4, "")
	case m.SEPADebit != nil:
		method = newBankDebitMethod(string(m.Type), "", m.SEPADebit.Last4, m.SEPADebit.Fingerprint)
	case m.USBankAccount != nil:
		method = newBankDebitMethod(string(m.Type), m.USBankAccount.BankName, m.USBankAccount.Last4, m.USBankAccount.Fingerprint)
	default:
		method.Kind, method.Label = billing.OtherMethod, string(m.Type)
	}
	method.ID = m.ID
	return method
}

// newBankDebitMethod returns a bank account with the name of its bank or, if bankName is "", of its debit scheme.
func newBankDebitMethod(methodType, bankName, last4, fingerprint string) billing.PaymentMethod {
	label := cmp.Or(bankName, billing.MethodTypeName(methodType))
	if last4 != "" {
		label += " •••• " + last4
	}
	return billing.PaymentMethod{Kind: billing.BankDebitMethod, Label: label, Fingerprint: fingerprint}
}

// SetDefaultCard makes one of the customer's cards the default.
func (p *Provider) SetDefaultCard(ctx context.Context, req payment.SavedCardRequest) (billing.Customer, error) {
	if err := checkKey(req.Key); err != nil {
		return billing.Customer{}, err
	}
	if err := p.checkMethodOfCustomer(ctx, req.CustomerID, req.MethodID); err != nil {
		return billing.Customer{}, err
	}
	customer, err := p.setDefaultMethod(ctx, req.Key, req.CustomerID, req.MethodID)
	if err != nil {
		return billing.Customer{}, err
	}
	return customerOf(customer), nil
}

// setDefaultMethod makes the payment method the customer's default, also for existing subscriptions. It returns the
// customer with its subscriptions.
func (p *Provider) setDefaultMethod(ctx context.Context, key, customerID, methodID string) (*stripe.Customer, error) {
	defaultKey := stepKey(key, "default")
	params := &stripe.CustomerUpdateParams{
		InvoiceSettings: &stripe.CustomerUpdateInvoiceSettingsParams{DefaultPaymentMethod: &methodID},
	}
	params.AddExpand(expandDefaultMethod)
	params.AddExpand(expandSubscriptions)
	params.SetIdempotencyKey(defaultKey)
	customer, err := p.stripe.V1Customers.Update(ctx, customerID, params)
	if err != nil {
		return nil, p.logKeyFault(ctx, "set default method", customerID, defaultKey, err)
	}
	if customer.Deleted {
		return nil, errCustomerDeleted()
	}
	return customer, p.useDefaultForSubscriptions(ctx, key, customer)
}

// useDefaultForSubscriptions makes the customer's subscriptions charge the default payment method. It removes cards
// that were set on a subscription in the dashboard or in Stripe's portal, because they take precedence over the
// customer's default. It also allows the type of the default method, for example a bank account. Stripe includes ten
// subscriptions with the customer, which is enough because an organisation has one live subscription.
func (p *Provider) useDefaultForSubscriptions(ctx context.Context, key string, c *stripe.Customer) error {
	if c.Subscriptions == nil {
		return nil
	}
	for _, s := range c.Subscriptions.Data {
		params := defaultMethodParams(s, defaultMethodOf(c))
		if params == nil {
			continue
		}
		params.SetIdempotencyKey(stepKey(key, "use-default-"+s.ID))
		if _, err := p.stripe.V1Subscriptions.Update(ctx, s.ID, params); err != nil {
			return p.logFault(ctx, "use default method for subscription", err)
		}
	}
	return nil
}

// defaultMethodParams returns the parameters that make the subscription charge the default method, or nil if it does so
// already.
func defaultMethodParams(s *stripe.Subscription, method *stripe.PaymentMethod) *stripe.SubscriptionUpdateParams {
	var params stripe.SubscriptionUpdateParams
	hasOwnMethod := s.DefaultPaymentMethod != nil || s.DefaultSource != nil
	if hasOwnMethod {
		params.DefaultPaymentMethod = new("")
	}
	if s.DefaultSource != nil {
		params.DefaultSource = new("")
	}
	isAllowed := method == nil || s.PaymentSettings == nil || len(s.PaymentSettings.PaymentMethodTypes) == 0 ||
		slices.Contains(s.PaymentSettings.PaymentMethodTypes,
			stripe.SubscriptionPaymentSettingsPaymentMethodType(method.Type))
	switch {
	case isAllowed && !hasOwnMethod:
		return nil
	case !isAllowed:
		params.PaymentSettings = &stripe.SubscriptionUpdatePaymentSettingsParams{
			PaymentMethodTypes: stripe.StringSlice(allowedMethodTypes(method)),
		}
	}
	return &params
}

// allowedMethodTypes returns the types of payment methods that a subscription may charge: cards and the type of the
// default method.
func allowedMethodTypes(method *stripe.PaymentMethod) []string {
	types := []string{string(stripe.PaymentMethodTypeCard)}
	if method != nil && method.Type != stripe.PaymentMethodTypeCard && method.Type != "" {
		types = append(types, string(method.Type))
	}
	return types
}

// DeleteCard detaches the card. It reads the card first, because Stripe's request to detach it does not name the
// customer. If an earlier attempt of the same request has detached the card, Stripe replays its response. Stripe
// refuses requests with other keys.
func (p *Provider) DeleteCard(ctx context.Context, req payment.SavedCardRequest) error {
	if err := checkKey(req.Key); err != nil {
		return err
	}
	if err := p.checkDetachable(ctx, req); err != nil {
		return err
	}
	params := &stripe.PaymentMethodDetachParams{}
	params.SetIdempotencyKey(req.Key)
	_, err := p.stripe.V1PaymentMethods.Detach(ctx, req.MethodID, params)
	if err != nil && failureOf(err).isRefused() {
		return errNotFound("card") // another request has detached it
	}
	return p.logKeyFault(ctx, "detach method", req.CustomerID, req.Key, err)
}

// checkDetachable returns NotFound for a card of another customer. It accepts a detached card, so that a repeated request
// gets Stripe's stored response.
func (p *Provider) checkDetachable(ctx context.Context, req payment.SavedCardRequest) error {
	if err := checkCustomerAndMethodID(req.CustomerID, req.MethodID); err != nil {
		return err
	}
	method, err := p.stripe.V1PaymentMethods.Retrieve(ctx, req.MethodID, nil)
	switch {
	case err != nil:
		return p.logFault(ctx, "read method", err)
	case method.Customer != nil && method.Customer.ID != req.CustomerID:
		return errNotFound("card")
	}
	return nil
}

// checkMethodOfCustomer returns NotFound if the customer has not saved the payment method.
func (p *Provider) checkMethodOfCustomer(ctx context.Context, customerID, methodID string) error {
	if err := checkCustomerAndMethodID(customerID, methodID); err != nil {
		return err
	}
	params := &stripe.CustomerRetrievePaymentMethodParams{Customer: &customerID}
	_, err := p.stripe.V1Customers.RetrievePaymentMethod(ctx, methodID, params)
	return p.logFault(ctx, "read method of customer", err)
}

func checkCustomerAndMethodID(customerID, methodID string) error {
	if err := checkID(customerID, "customer"); err != nil {
		return err
	}
	return checkID(methodID, "card")
}
