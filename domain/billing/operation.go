package billing

import (
	"cmp"
	"slices"
	"strconv"
	"time"
	"unicode"

	"github.com/vc-admin/diy/domain/audit"
	"github.com/vc-admin/diy/domain/fault"
)

// OperationKind groups the operations of an organisation that exclude each other. While an operation of a kind is
// pending, no other operation of that kind may begin.
type OperationKind string

// The kinds of operations.
const (
	CustomerOperation     OperationKind = "customer"     // creates the organisation's customer
	SubscriptionOperation OperationKind = "subscription" // changes its subscription or saved cards
	DetailsOperation      OperationKind = "details"      // changes its billing details
)

// Operation is a request that must act once at the payment provider. It is stored with all its actions before the
// first action is sent, so that the same actions can be repeated or stopped after a crash. An operation stays pending
// until its outcome is known. A timeout leaves the outcome unknown.
type Operation struct {
	Key            string // random and without personal data; the keys of the actions begin with it
	OrganisationID string
	Kind           OperationKind
	Fingerprint    string   // a hash of the parameters, equal only for repeats of the same request
	Actions        []Action // sent in this order; empty once the operation is settled
	CreatedAt      time.Time
	SettledAt      time.Time // zero while pending
	Result         string    // the id of the subscription or customer that was created or changed, or ""
	// Entry describes the request of an operator. It is added to the audit log when the operation is settled, with the
	// outcome and with the key as its cause. It is nil for other requests and once the operation is settled.
	Entry *audit.Entry
}

// Settlement contains the outcome of an operation.
type Settlement struct {
	Result  string        // see Operation.Result
	Outcome audit.Outcome // audit.Unknown if the provider did not report whether it carried out the actions
	Reason  string        // the code of the error of a refused request or a failed payment, or ""
}

// CanCharge reports whether the operation can charge a card.
func (o Operation) CanCharge() bool {
	return slices.ContainsFunc(o.Actions, func(a Action) bool { return a.Kind.CanCharge() })
}

// ChangesBilling reports whether our copy has to be refreshed after the operation, see ActionKind.ChangesBilling.
func (o Operation) ChangesBilling() bool {
	return slices.ContainsFunc(o.Actions, func(a Action) bool { return a.Kind.ChangesBilling() })
}

// FindResult returns the id of the subscription that the operation has created, paid or changed, if it is live or its
// first payment is processing. It also returns the id of a subscription that the operation has created and whose first
// payment is open, because a repeat of the request must find it. Otherwise it returns "". It compares the keys and ids of
// the actions with the subscription, never times.
func (o Operation) FindResult(a *Account) string {
	paidSub := cmp.Or(a.LiveSubscription(), a.StartingSubscription())
	sub := cmp.Or(paidSub, a.OpenSubscription())
	if sub == nil {
		return ""
	}
	for _, action := range o.Actions {
		isPaidOrChanged := paidSub != nil && action.Kind.CanCharge() && action.SubscriptionID == sub.ID
		if action.Key == sub.StartKey || isPaidOrChanged {
			return sub.ID
		}
	}
	return ""
}

// AssignKeys returns a copy of the actions, each with a different idempotency key that is derived from the
// operation's key. A provider refuses a key that was used for a different request.
func AssignKeys(operationKey string, actions []Action) []Action {
	result := make([]Action, len(actions))
	for i, action := range actions {
		action.Key = operationKey + "-" + strconv.Itoa(i+1)
		result[i] = action
	}
	return result
}

// CheckMethodIDs returns NotFound when the MethodID of an action looks like a card number. A user may have typed
// the number into a wrong field, and card numbers must not be stored.
func CheckMethodIDs(actions []Action) error {
	if slices.ContainsFunc(actions, func(action Action) bool { return looksLikeCardNumber(action.MethodID) }) {
		return fault.New(fault.NotFound, "There is no such card.")
	}
	return nil
}

// looksLikeCardNumber reports whether the text has at least as many digits as a card number, and no letters.
func looksLikeCardNumber(text string) bool {
	const minDigits = 12
	digits := 0
	for _, r := range text {
		switch {
		case '0' <= r && r <= '9':
			digits++
		case unicode.IsLetter(r):
			return false
		}
	}
	return digits >= minDigits
}

// IsDone reports whether the account shows the result of the action. The result is a subscription that the action
// started, an invoice that is paid, or a plan change that was made or is pending. IsDone returns false for actions
// of all other kinds.
func (action Action) IsDone(a *Account) bool {
	return slices.ContainsFunc(a.Subscriptions, action.isDoneIn)
}

// isDoneIn reports whether the subscription shows the result of the action.
func (action Action) isDoneIn(sub Subscription) bool {
	switch action.Kind {
	case StartSubscriptionAction:
		return sub.StartKey == action.Key
	case ChangePlanAction:
		isMadeOrPending := sub.Price == action.Price || sub.Pending != nil && sub.Pending.To == action.Price
		return sub.ChangeKey == action.Key && isMadeOrPending
	case PayInvoiceAction:
		inv := sub.LatestInvoice
		return inv != nil && inv.ID == action.InvoiceID && inv.Status == InvoicePaid
	case SaveCardAction, SetDefaultCardAction, DeleteCardAction, SetUpMethodAction, EndUnpaidAction, CancelPendingChangeAction,
		ScheduleChangeAction, CancelScheduledChangeAction, EndAtPeriodEndAction, ResumeAction, EndNowAction, WithdrawOrderAction,
		CreateCustomerAction, UpdateCustomerAction, ExtendTrialAction, RefundAction, AddCreditAction, LiftHoldAction:
	}
	return false
}
