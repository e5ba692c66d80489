package engine

import (
	"time"

	"github.com/vc-admin/diy/domain/billing"
	"github.com/vc-admin/diy/domain/fault"
)

// AttemptState is the state of an attempt to collect an invoice; "" without an attempt.
type AttemptState string

// The states of an attempt, in the order in which they can follow each other. An attempt can skip states.
const (
	AttemptStored     AttemptState = "stored"     // not sent yet
	AttemptClaimed    AttemptState = "claimed"    // sent, or about to be sent; its outcome is unknown
	AttemptOpen       AttemptState = "open"       // the customer pays on a page, or authenticates a card
	AttemptCanceling  AttemptState = "canceling"  // open, and being canceled; the customer may pay nevertheless
	AttemptProcessing AttemptState = "processing" // accepted; the money arrives within days
	AttemptFailed     AttemptState = "failed"
	AttemptCanceled   AttemptState = "canceled"
	AttemptPaid       AttemptState = "paid"     // can follow failed and canceled
	AttemptReturned   AttemptState = "returned" // was paid, and the money went back
)

// isAccepted reports whether the provider has accepted the payment, and the money has not come back.
func (s AttemptState) isAccepted() bool { return s == AttemptProcessing || s == AttemptPaid }

// attemptRanks orders the states. A report never moves an attempt back.
var attemptRanks = map[AttemptState]int{
	AttemptStored: 1, AttemptClaimed: 2, AttemptOpen: 3, AttemptCanceling: 4, AttemptProcessing: 5,
	AttemptFailed: 6, AttemptCanceled: 6, AttemptPaid: 7, AttemptReturned: 8,
}

// Attempt is an attempt to collect an invoice with a provider that only moves money. It is comparable and can be stored
// as JSON. The zero Attempt stands for no attempt. A retry is another attempt with another key.
//
// The caller stores an attempt with the change that it pays for, claims it, sends it outside of any transaction, and
// records the reports of the provider. The caller may begin another attempt for an invoice only if CheckNextAttempt of the
// previous attempt returns nil. This prevents a second charge for the invoice, even with several servers and after
// timeouts and crashes.
type Attempt struct {
	Key     string       `json:"key"` // the idempotency key of the request
	Invoice string       `json:"invoice"`
	Method  string       `json:"method,omitempty"` // the reference of a saved payment method; "" for a page or a token
	Amount  int64        `json:"amount"`           // minor units
	State   AttemptState `json:"state"`
	// SendBy is the end of the claim: the server that has claimed the attempt must send it before then. SendBy and
	// FirstClaimedAt are times of the clock of claims; see Account.ClaimNow.
	SendBy time.Time `json:"send_by,omitzero"`
	// HardDecline reports that the method was declined permanently.
	HardDecline bool `json:"hard_decline,omitempty"`
	// MethodGone reports that the provider does not know the method or token. HardDecline is set too.
	MethodGone bool `json:"method_gone,omitempty"`
	// CustomerNeeded reports that the method was declined because only the customer can make the payment.
	CustomerNeeded bool `json:"customer_needed,omitempty"`

	Currency         string    `json:"currency,omitempty"`         // "" for a method that is saved before the first purchase
	Token            string    `json:"token,omitempty"`            // of a new method; cleared when needsToken is false
	TokenHash        string    `json:"token_hash,omitempty"`       // see AccountMethod.TokenHash
	ReturnTo         string    `json:"return_to,omitempty"`        // see Source.ReturnTo
	CustomerPresent  bool      `json:"customer_present,omitempty"` // the customer can authenticate the payment
	KeepDefault      bool      `json:"keep_default,omitempty"`     // the method does not become the default one
	Retired          bool      `json:"retired,omitempty"`          // it is not sent again, see Account.RetireSetup
	Created          time.Time `json:"created,omitzero"`
	FirstClaimedAt   time.Time `json:"first_claimed_at,omitzero"`
	MissingSince     time.Time `json:"missing_since,omitzero"`      // when the provider first reported the attempt as unknown
	CheckAt          time.Time `json:"check_at,omitzero"`           // when to read it at the provider if no report arrives before
	AnnouncedChanges int       `json:"announced_changes,omitempty"` // how many changes Account.RecordAnnouncedChange has recorded

	Ref           string                `json:"ref,omitempty"`           // the provider's reference
	MethodDetails billing.PaymentMethod `json:"method_details,omitzero"` // the details of Method; zero while unknown
	OpenUntil     time.Time             `json:"open_until,omitzero"`     // see PaymentReport.OpenUntil
	OnPage        bool                  `json:"on_page,omitempty"`       // see PaymentReport.OnPage
	ExpectedBy    time.Time             `json:"expected_by,omitzero"`    // see PaymentReport.ExpectedBy
	Reason        string                `json:"reason,omitempty"`        // why it failed or was returned, for the customer
	PaidAt        time.Time             `json:"paid_at,omitzero"`        // also after it was returned
	FailedAt      time.Time             `json:"failed_at,omitzero"`      // when it failed or was returned
	Surplus       int64                 `json:"surplus,omitempty"`       // the part of Amount that became credit
	ChargedBack   bool                  `json:"charged_back,omitempty"`  // it was returned, and its invoice is not owed again
	Disputed      int64                 `json:"disputed,omitempty"`      // the part of Amount in disputes that are open or lost
}

// maxClaimDuration is longer than any claim.
const maxClaimDuration = 5 * time.Minute

// IsBeingSent reports whether a server has claimed the attempt and may still send it. now is the time of the clock of
// claims. A claim that ends too late was made while that clock was wrong, and counts as expired.
func (a Attempt) IsBeingSent(now time.Time) bool {
	return a.State == AttemptClaimed && now.Before(a.SendBy) && !isTooLate(a.SendBy, now)
}

// isTooLate reports whether the time of a claim can only have been computed while the clock of claims was wrong.
func isTooLate(t, now time.Time) bool { return t.After(now.Add(maxClaimDuration)) }

// Claim returns the attempt as claimed by a server that will send it before sendBy. It returns Conflict if another
// server may still send the attempt, and if the attempt is not in the state stored or claimed. A server can safely send
// a claimed attempt again with the same key while the provider remembers the key.
func (a Attempt) Claim(now, sendBy time.Time) (Attempt, error) {
	if a.State != AttemptStored && a.State != AttemptClaimed || a.IsBeingSent(now) {
		return a, fault.New(fault.Conflict, "The payment is being made already.")
	}
	a.State, a.SendBy, a.MissingSince = AttemptClaimed, sendBy, time.Time{}
	if a.FirstClaimedAt.IsZero() {
		a.FirstClaimedAt = now
	}
	return a, nil
}

// Cancel returns the attempt after a request to cancel it. A stored attempt is canceled immediately. An open attempt is
// canceling until the provider reports that it is canceled, or that the customer has paid first. Cancel returns Conflict
// for an attempt that is claimed, processing or paid.
func (a Attempt) Cancel() (Attempt, error) {
	switch a.State {
	case AttemptStored:
		a.State = AttemptCanceled
	case AttemptOpen:
		a.State, a.CheckAt = AttemptCanceling, time.Time{}
	case AttemptClaimed, AttemptProcessing, AttemptPaid:
		return a, billing.ErrPaymentProcessing()
	}
	return a, nil
}

// AdvanceTo returns the attempt in the state that the provider has reported, or unchanged if it already has a later
// state. Reports can be late, repeated and in any order.
func (a Attempt) AdvanceTo(state AttemptState) Attempt {
	if attemptRanks[state] > attemptRanks[a.State] {
		a.State = state
	}
	return a
}

// CheckNextAttempt returns the reason why no other attempt to collect the invoice may begin, or nil. After a hard decline,
// another attempt needs another method. If the method was declined because only the customer can make the payment, and
// after a return, the customer has to request another attempt.
func (a Attempt) CheckNextAttempt(method string, byCustomer bool) error {
	switch a.State {
	case "", AttemptCanceled:
		return nil
	case AttemptFailed:
		return a.checkAfterFailure(method, byCustomer)
	case AttemptReturned:
		if !byCustomer {
			return fault.New(fault.Conflict, "A returned payment is made again by the customer only.")
		}
		return nil
	case AttemptPaid:
		return fault.New(fault.Conflict, "The invoice is paid.")
	case AttemptOpen:
		return fault.New(fault.Conflict, "The payment is open. Finish or cancel it first.")
	}
	return billing.ErrPaymentProcessing()
}

// checkAfterFailure returns the reason why the method can't be charged after the attempt has failed, or nil.
func (a Attempt) checkAfterFailure(method string, byCustomer bool) error {
	isSame := method == a.Method && method != "" // a page or a token can be used with another method
	switch {
	case isSame && a.HardDecline:
		return fault.New(fault.Conflict, "This payment method was declined. Please use another one.")
	case isSame && a.CustomerNeeded && !byCustomer:
		return fault.New(fault.Conflict, "Only the customer can make this payment.")
	}
	return nil
}

// needsApproval reports whether the attempt was made without the customer, and the bank wants the customer to
// authenticate the payment.
func (a Attempt) needsApproval() bool {
	return a.State == AttemptFailed && a.CustomerNeeded && !a.CustomerPresent
}

// HasToken reports whether the attempt was made with the token.
func (a Attempt) HasToken(token string) bool { return token != "" && a.TokenHash == hashToken(token) }

// needsToken reports whether the attempt can still be sent, which needs its token. A token can contain an encrypted card.
func (a Attempt) needsToken() bool {
	return !a.Retired && (a.State == AttemptStored || a.State == AttemptClaimed)
}

// HasUnknownToken reports whether the attempt has failed because the provider does not know its token. No account was
// charged.
func (a Attempt) HasUnknownToken() bool { return a.MethodGone && a.TokenHash != "" && a.Method == "" }

// isReceived reports whether the money of the payment has arrived, also if it was returned since.
func (a Attempt) isReceived() bool { return attemptRanks[a.State] >= attemptRanks[AttemptPaid] }

// IsOver reports whether the attempt has ended. The provider can still report later that it is paid or returned.
func (a Attempt) IsOver() bool { return attemptRanks[a.State] >= attemptRanks[AttemptFailed] }

// DelaysNextStep reports whether the next step of the subscription has to wait for the outcome of the attempt. It returns
// false for an open attempt, which the caller cancels when the step is due.
func (a Attempt) DelaysNextStep() bool {
	switch a.State {
	case AttemptStored, AttemptClaimed, AttemptCanceling, AttemptProcessing:
		return true
	}
	return false
}

// CheckSubscriptionEnd reports whether the attempt has to be canceled before the subscription ends, its change is
// canceled or another price is bought. It returns Conflict if the attempt can't be canceled and prevents this. isLive
// is true if the subscription has started and the attempt is not for a change. Such a subscription may end while the
// payment is processing, and the invoice stays owed.
func (a Attempt) CheckSubscriptionEnd(isLive bool) (mustCancel bool, err error) {
	switch a.State {
	case AttemptStored, AttemptOpen:
		return true, nil
	case AttemptClaimed, AttemptCanceling:
		return false, billing.ErrPaymentProcessing()
	case AttemptProcessing:
		if !isLive {
			return false, billing.ErrPaymentProcessing()
		}
	}
	return false, nil
}
