package billing_test

import (
	"testing"
	"time"

	"github.com/stretchr/testify/assert"

	"github.com/vc-admin/diy/domain/billing"
	"github.com/vc-admin/diy/domain/domaintest"
)

func TestDeriveNextAction_FollowsStatusOfPaymentOrSetup(t *testing.T) {
	setPaymentStatus := func(s billing.Subscription, status billing.IntentStatus) billing.Subscription {
		s.LatestInvoice.Payment.Status = status
		return s
	}
	trial := newTrialSub("a", billing.Trialing, 0)
	trial.PendingSetup = &billing.Intent{Status: billing.RequiresAction, ClientSecret: "setup secret"}
	paymentAction := func(kind billing.NextActionKind, secret string, until time.Time) billing.NextAction {
		next := billing.NextAction{Kind: kind, InvoiceID: "in_1", Secret: secret, Until: until, Reason: "no"}
		if kind == billing.NewPaymentMethod {
			next.Failed = declinedAttempt
		}
		return next
	}
	noTime := time.Time{}
	for name, c := range map[string]struct {
		sub  billing.Subscription
		want billing.NextAction
	}{
		"declined": {newDeclinedSub(billing.Incomplete), paymentAction(billing.NewPaymentMethod, "secret", noTime)},
		"needs authentication": {setPaymentStatus(newDeclinedSub(billing.PastDue), billing.RequiresAction),
			paymentAction(billing.ConfirmPayment, "secret", noTime)},
		"processing": {setPaymentStatus(newDeclinedSub(billing.PastDue), billing.Processing),
			paymentAction(billing.Wait, "", noTime)},
		"paid": {setPaymentStatus(newDeclinedSub(billing.PastDue), billing.Succeeded), billing.NextAction{}},
		"pending change": {newSubWithPendingChange(billing.Active),
			paymentAction(billing.NewPaymentMethod, "secret", day0.Add(23*time.Hour))},
		"card to authenticate": {trial, billing.NextAction{Kind: billing.ConfirmSetup, Secret: "setup secret", Reason: "no"}},
		"active, payment intent canceled": {setPaymentStatus(newDeclinedSub(billing.Active), billing.IntentCanceled),
			billing.NextAction{}},
		"canceled, unpaid": {newDeclinedSub(billing.Canceled), paymentAction(billing.NewPaymentMethod, "secret", noTime)},
		"expired, unpaid":  {newDeclinedSub(billing.IncompleteExpired), billing.NextAction{}},
		"unpaid":           {newDeclinedSub(billing.Unpaid), billing.NextAction{}},
	} {
		t.Run(name, func(t *testing.T) {
			assert.Equal(t, c.want, billing.DeriveNextAction(c.sub, "no"))
		})
	}
}

// wireSubscription decodes a subscription of outcome.json, which has some of the fields of the server's response.
type wireSubscription struct {
	Status       billing.Status `json:"status"`
	PendingSetup *wireIntent    `json:"pending_setup_intent"`
	Invoice      *struct {
		Payment *wireIntent `json:"payment_intent"`
	} `json:"latest_invoice"`
}

type wireIntent struct {
	Status billing.IntentStatus `json:"status"`
}

type outcomeInput struct {
	Subscription wireSubscription `json:"subscription"`
	Retry        bool             `json:"retry"`
}

func TestDecideOutcome_MatchesTestVectors(t *testing.T) {
	domaintest.RunVectors(t, "outcome", func(input outcomeInput) billing.Outcome {
		return billing.DecideOutcome(input.Subscription.toDomain(), input.Retry)
	})
}

// toDomain converts the subscription to what the adapter of a provider with payment intents reports.
func (w wireSubscription) toDomain() billing.Subscription {
	s := billing.Subscription{Status: w.Status, PendingSetup: w.PendingSetup.toDomain()}
	if w.Invoice != nil {
		s.LatestInvoice = &billing.Invoice{Status: billing.InvoiceOpen, Payment: w.Invoice.Payment.toDomain()}
		if s.LatestInvoice.Payment != nil && s.LatestInvoice.Payment.Status == billing.Succeeded {
			s.LatestInvoice.Status = billing.InvoicePaid
		}
	}
	s.Next = billing.DeriveNextAction(s, "")
	return s
}

func (w *wireIntent) toDomain() *billing.Intent {
	if w == nil {
		return nil
	}
	return &billing.Intent{Status: w.Status}
}

func TestDecideOutcome_WithPendingChangeReturnsOutcomeOfItsPayment(t *testing.T) {
	s := newSubWithPendingChange(billing.Active)
	assert.Equal(t, billing.OutcomeCardDeclined, billing.DecideOutcome(s, false))
	assert.Equal(t, billing.OutcomeConfirmPayment, billing.DecideOutcome(s, true))
	s.Next.Kind = billing.ConfirmPayment
	assert.Equal(t, billing.OutcomeConfirmPayment, billing.DecideOutcome(s, false))
	s.Pending = nil
	assert.Equal(t, billing.OutcomeSucceeded, billing.DecideOutcome(s, false))
}

func TestNeedsBankApproval_IncludesApprovalOnPage(t *testing.T) {
	s := newDeclinedSub(billing.Incomplete)
	s.Next.Kind = billing.Redirect
	assert.False(t, s.NeedsBankApproval())
	s.LatestInvoice.Payment.Status = billing.RequiresAction
	assert.True(t, s.NeedsBankApproval())
	s.LatestInvoice.Payment = nil
	assert.False(t, s.NeedsBankApproval())
}

func TestDecideInvoiceOutcome_ReturnsOutcomeOfOwedInvoice(t *testing.T) {
	s := newDeclinedSub(billing.Canceled)
	s.Next = billing.DeriveNextAction(s, "")
	assert.Equal(t, billing.OutcomeCardDeclined, billing.DecideInvoiceOutcome(s))
	s.LatestInvoice.Payment.Status = billing.RequiresAction
	s.Next = billing.DeriveNextAction(s, "")
	assert.Equal(t, billing.OutcomeConfirmPayment, billing.DecideInvoiceOutcome(s))
	s.LatestInvoice.Status, s.LatestInvoice.Payment.Status = billing.InvoicePaid, billing.Succeeded
	s.Next = billing.DeriveNextAction(s, "")
	assert.Equal(t, billing.OutcomeSucceeded, billing.DecideInvoiceOutcome(s))
	assert.Equal(t, billing.OutcomeFailed, billing.DecideOutcome(s, false), "the subscription has ended")
	assert.Equal(t, billing.OutcomeSucceeded, billing.DecideInvoiceOutcome(newSub("a", billing.Active, 0)))
}

func TestDecideOutcome_WithoutIntentsFollowsNextAction(t *testing.T) {
	for kind, want := range map[billing.NextActionKind]billing.Outcome{
		billing.Redirect: billing.OutcomeRedirect,
		billing.Wait:     billing.OutcomeProcessing,
		billing.NoAction: billing.OutcomeFailed,
	} {
		s := billing.Subscription{Status: billing.Incomplete, Next: billing.NextAction{Kind: kind}}
		assert.Equal(t, want, billing.DecideOutcome(s, false))
	}
}
