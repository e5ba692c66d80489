package billing_test

import (
	"testing"

	"github.com/vc-admin/diy/domain/billing"
	"github.com/vc-admin/diy/domain/domaintest"
)

// wireSubscription is a subscription as the web app receives it, cut to what decides.
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

type outcomeIn struct {
	Subscription wireSubscription `json:"subscription"`
	Retry        bool             `json:"retry"`
}

func TestDecide(t *testing.T) {
	domaintest.Run(t, "outcome", func(in outcomeIn) billing.Outcome {
		return billing.Decide(in.Subscription.domain(), in.Retry)
	})
}

func (w wireSubscription) domain() billing.Subscription {
	s := billing.Subscription{Status: w.Status, PendingSetup: w.PendingSetup.domain()}
	if w.Invoice != nil {
		s.LatestInvoice = &billing.Invoice{Payment: w.Invoice.Payment.domain()}
	}
	return s
}

func (w *wireIntent) domain() *billing.Intent {
	if w == nil {
		return nil
	}
	return &billing.Intent{Status: w.Status}
}
