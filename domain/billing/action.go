package billing

import (
	"time"

	"github.com/vc-admin/diy/domain/catalogue"
	"github.com/vc-admin/diy/domain/money"
)

// ActionKind is the kind of an action. Its values are stored.
type ActionKind string

// The kinds of actions. A card stands for any saved payment method, as in the specification.
const (
	SaveCardAction              ActionKind = "save card"        // also makes the card the default one
	SetDefaultCardAction        ActionKind = "set default card" // for a card that is saved already
	DeleteCardAction            ActionKind = "delete card"
	SetUpMethodAction           ActionKind = "set up method"           // opens the provider's page that saves a method
	EndUnpaidAction             ActionKind = "end unpaid subscription" // has no effect if the subscription was paid first
	StartSubscriptionAction     ActionKind = "start subscription"
	PayInvoiceAction            ActionKind = "pay invoice"
	ChangePlanAction            ActionKind = "change plan"
	CancelPendingChangeAction   ActionKind = "cancel pending change"
	ScheduleChangeAction        ActionKind = "schedule change"
	CancelScheduledChangeAction ActionKind = "cancel scheduled change"
	EndAtPeriodEndAction        ActionKind = "end at period end"
	ResumeAction                ActionKind = "resume"         // cancels the end of a subscription that is ending
	EndNowAction                ActionKind = "end now"        // ends a subscription that is past due
	WithdrawOrderAction         ActionKind = "withdraw order" // has no effect if the order was approved first
	CreateCustomerAction        ActionKind = "create customer"
	UpdateCustomerAction        ActionKind = "update customer" // sends its billing details
	ExtendTrialAction           ActionKind = "extend trial"    // this and the following kinds are requested by operators
	RefundAction                ActionKind = "refund"
	AddCreditAction             ActionKind = "add credit"
	LiftHoldAction              ActionKind = "lift hold" // without a CustomerID, lifts only the holds of former customers
)

// CanCharge reports whether an action of this kind can charge a card. It is true for an unknown kind, which
// a newer server may have stored.
func (k ActionKind) CanCharge() bool {
	switch k {
	case SaveCardAction, SetDefaultCardAction, DeleteCardAction, SetUpMethodAction, EndUnpaidAction, CancelPendingChangeAction,
		ScheduleChangeAction, CancelScheduledChangeAction, EndAtPeriodEndAction, ResumeAction, EndNowAction, WithdrawOrderAction,
		CreateCustomerAction, UpdateCustomerAction, ExtendTrialAction, RefundAction, AddCreditAction, LiftHoldAction:
		return false
	case StartSubscriptionAction, PayInvoiceAction, ChangePlanAction:
	}
	return true
}

// ChangesBilling reports whether an action of this kind changes data at the provider that its response does not contain, so
// that our copy has to be refreshed.
func (k ActionKind) ChangesBilling() bool {
	return k == ExtendTrialAction || k == RefundAction || k == AddCreditAction || k == LiftHoldAction
}

// Action is one request to the payment provider with all its parameters. It is stored with its
// operation, and every attempt sends exactly these parameters. Which fields are set depends on the
// kind.
type Action struct {
	Kind              ActionKind
	Key               string // the idempotency key of the request; set by AssignKeys
	CustomerID        string
	SubscriptionID    string
	InvoiceID         string
	MethodID          string
	Amount            money.Amount       // that the customer agreed to pay, or that is refunded or granted as credit
	Quoted            QuotedAmounts      // the amounts that the customer agreed to; zero without a quote
	From              catalogue.PriceRef // the price before a change
	Price             catalogue.PriceRef // the price that is bought
	TrialDays         int
	FirstSubscription bool      // no earlier subscription of the customer is known
	KeepDefault       bool      // a saved card does not become the default one
	NewMethod         bool      // MethodID is a new method, which the payment saves
	IfDeclined        bool      // sent only after a declined payment, instead of the other actions that follow the payment
	EndTrial          bool      // a plan change ends the running trial
	SubscriptionEnded bool      // the invoice to be paid belongs to an ended subscription
	ProrationDate     time.Time // the time from which a plan change is prorated
	VoidInvoices      bool      // the end of the subscription voids its open invoices
	Details           string    // billing details, encoded by account.BillingDetails
	Email             string    // the contact email of a new customer, or of an updated one; "" keeps it
	Until             time.Time // the new end of a trial
}

// SaveCard returns the action that saves a payment method and makes it the default one.
func SaveCard(customerID, methodID string) Action {
	return Action{Kind: SaveCardAction, CustomerID: customerID, MethodID: methodID}
}

// SetDefaultCard returns the action that makes a saved payment method the default one.
func SetDefaultCard(customerID, methodID string) Action {
	return Action{Kind: SetDefaultCardAction, CustomerID: customerID, MethodID: methodID}
}

// DeleteCard returns the action that detaches a saved payment method.
func DeleteCard(customerID, methodID string) Action {
	return Action{Kind: DeleteCardAction, CustomerID: customerID, MethodID: methodID}
}

// DetachIfDeclined returns the actions that undo the saving of a new payment method if its payment is declined. They make
// the former default method the default one again, unless formerDefaultID is "", and detach the new method.
func DetachIfDeclined(customerID, methodID, formerDefaultID string) []Action {
	actions := []Action{DeleteCard(customerID, methodID)}
	if formerDefaultID != "" {
		actions = []Action{SetDefaultCard(customerID, formerDefaultID), DeleteCard(customerID, methodID)}
	}
	for i := range actions {
		actions[i].IfDeclined = true
	}
	return actions
}

// SetUpMethod returns the action that opens the provider's page on which the customer saves a payment method.
func SetUpMethod(customerID string) Action {
	return Action{Kind: SetUpMethodAction, CustomerID: customerID}
}

// CreateCustomer returns the action that creates the organisation's customer with the email. The action stores no other
// parameters: it uses properties of the organisation that don't change.
func CreateCustomer(email string) Action { return Action{Kind: CreateCustomerAction, Email: email} }

// UpdateCustomer returns the action that sends billing details, encoded by account.BillingDetails, and the contact email
// unless it is "".
func UpdateCustomer(customerID, details, email string) Action {
	return Action{Kind: UpdateCustomerAction, CustomerID: customerID, Details: details, Email: email}
}

// subscriptionAction returns an action for a subscription of the account's customer.
func (a *Account) subscriptionAction(kind ActionKind, subscriptionID string) Action {
	return Action{Kind: kind, CustomerID: a.CustomerID, SubscriptionID: subscriptionID}
}

// payInvoiceAction returns the action that pays an invoice of the subscription with the default card.
func (a *Account) payInvoiceAction(subscriptionID, invoiceID string, amount money.Amount) Action {
	action := a.subscriptionAction(PayInvoiceAction, subscriptionID)
	action.InvoiceID, action.Amount = invoiceID, amount
	return action
}

// changePriceAction returns an action of the given kind that changes the price of the live subscription.
func (a *Account) changePriceAction(kind ActionKind, price catalogue.PriceRef) Action {
	liveSub := a.LiveSubscription()
	action := a.subscriptionAction(kind, liveSub.ID)
	action.From, action.Price = liveSub.Price, price
	action.EndTrial = kind == ChangePlanAction && liveSub.Status == Trialing
	return action
}
