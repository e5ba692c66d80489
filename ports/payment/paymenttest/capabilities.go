package paymenttest

import (
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/vc-admin/diy/domain/billing"
	"github.com/vc-admin/diy/domain/fault"
	"github.com/vc-admin/diy/ports/payment"
)

var capabilityBehaviours = []behaviour{
	{name: "every missing capability is known and has a reason", check: func(t *env) {
		capabilities := []payment.Capability{payment.CheaperChangeNow}
		for c := range requestsThatNeed(t) {
			capabilities = append(capabilities, c)
		}
		for c, reason := range t.Provider.Capabilities().Missing {
			assert.Contains(t, capabilities, c)
			assert.NotEmpty(t, reason, c)
		}
		for c, reason := range t.Missing {
			assert.Contains(t, environmentCapabilities, c)
			assert.NotEmpty(t, reason, c)
		}
	}},
	{name: "the entry is one of the Entry constants", check: func(t *env) {
		entries := []payment.Entry{payment.EntryCardField, payment.EntryRedirect, payment.EntryInvoice}
		assert.Contains(t, entries, t.Provider.Capabilities().Entry)
	}},
	{name: "every request that needs a missing capability returns Unsupported", check: func(t *env) {
		c, err := t.Provider.CreateCustomer(t.Context(), customerRequest())
		require.NoError(t, err)
		for capability, requests := range requestsThatNeed(t) {
			if _, missing := t.missingReason(capability); !missing {
				continue
			}
			for name, send := range requests {
				assert.Equal(t, fault.Unsupported, fault.CodeOf(send(c.ID)), "%s is declared missing: %s", capability, name)
			}
		}
	}},
	{name: "a provider without fencing declares its longest request", check: func(t *env) {
		if capabilities := t.Provider.Capabilities(); !capabilities.Has(payment.Fencing) {
			assert.Positive(t, capabilities.LongestRequest)
		}
	}},
}

// environmentCapabilities can be declared missing in Harness.Missing.
var environmentCapabilities = []payment.Capability{
	ClockControl, Payments, Authentication, Signatures, Disputes, InvoiceReopening,
}

// requestsThatNeed returns, for each capability, the requests that need it, by name.
func requestsThatNeed(t *env) map[payment.Capability]map[string]func(customerID string) error {
	p, ctx := t.Provider, t.Context()
	return map[payment.Capability]map[string]func(string) error{
		payment.SavedMethods: {
			"Cards": func(id string) error { _, err := p.Cards(ctx, id); return err },
			"AddCard": func(id string) error {
				_, err := p.AddCard(ctx, payment.NewCard{Key: newKey(), CustomerID: id, MethodID: "card_1"})
				return err
			},
			"SetDefaultCard": func(id string) error {
				_, err := p.SetDefaultCard(ctx, payment.SavedCardRequest{Key: newKey(), CustomerID: id, MethodID: "card_1"})
				return err
			},
			"DeleteCard": func(id string) error {
				return p.DeleteCard(ctx, payment.SavedCardRequest{Key: newKey(), CustomerID: id, MethodID: "card_1"})
			},
			"Subscribe with a card": func(id string) error {
				_, err := p.Subscribe(ctx, payment.NewSubscription{Key: newKey(), CustomerID: id, MethodID: "card_1", Price: standard})
				return err
			},
		},
		methodPage: {"SetUpMethod": func(id string) error {
			_, err := p.SetUpMethod(ctx, payment.MethodSetup{Key: newKey(), CustomerID: id, ReturnTo: returnTo})
			return err
		}},
		payment.Trials: {
			"Subscribe with trial days": func(id string) error {
				_, err := p.Subscribe(ctx, payment.NewSubscription{Key: newKey(), CustomerID: id, Price: standard, TrialDays: trialDays})
				return err
			},
			"ExtendTrial": func(string) error {
				_, err := p.ExtendTrial(ctx, payment.TrialExtension{Key: newKey(), SubscriptionID: "sub_1", Until: t.Now().Add(day)})
				return err
			},
		},
		onlinePayment: {"PayInvoice": func(string) error {
			_, err := p.PayInvoice(ctx, payment.InvoicePayment{Key: newKey(), InvoiceID: "in_1", Amount: aud(1)})
			return err
		}},
		payment.ChangeNow: {
			"ChangePlan": func(string) error {
				_, err := p.ChangePlan(ctx, payment.PriceChange{Key: newKey(), SubscriptionID: "sub_1", From: standard, To: professional})
				return err
			},
			"CancelPendingChange": func(string) error {
				_, err := p.CancelPendingChange(ctx,
					payment.PendingChangeCancellation{Key: newKey(), SubscriptionID: "sub_1", InvoiceID: "in_1"})
				return err
			},
		},
		payment.Quoting: {
			"QuoteSubscription": func(id string) error {
				_, err := p.QuoteSubscription(ctx, payment.NewSubscription{CustomerID: id, Price: standard})
				return err
			},
			"QuoteChange": func(string) error {
				_, err := p.QuoteChange(ctx, payment.PriceChange{SubscriptionID: "sub_1", From: standard, To: professional})
				return err
			},
		},
		payment.AtPeriodEnd: {
			"ChangePlan at renewal": func(string) error {
				_, err := p.ChangePlan(ctx, changeAtRenewal(billing.Subscription{ID: "sub_1", Price: standard}, professional))
				return err
			},
			"CancelScheduledChange": func(string) error {
				_, err := p.CancelScheduledChange(ctx, payment.ScheduledChangeCancellation{Key: newKey(), SubscriptionID: "sub_1"})
				return err
			},
			"SetEndAtPeriodEnd": func(string) error {
				_, err := p.SetEndAtPeriodEnd(ctx, payment.EndRequest{Key: newKey(), SubscriptionID: "sub_1", End: true})
				return err
			},
		},
		payment.InvoicePDF: {"InvoicePDF": func(id string) error {
			_, err := p.InvoicePDF(ctx, id, "in_1")
			return err
		}},
		payment.Refunds: {"Refund": func(string) error {
			_, err := p.Refund(ctx, payment.RefundRequest{Key: newKey(), InvoiceID: "in_1", Amount: aud(1)})
			return err
		}},
		payment.CustomerCredit: {"AddCredit": func(id string) error {
			_, err := p.AddCredit(ctx, payment.CreditGrant{Key: newKey(), CustomerID: id, Amount: aud(1)})
			return err
		}},
		payment.Fencing: {"Retire": func(id string) error {
			return p.Retire(ctx, payment.Retirement{Key: newKey(), CustomerID: id})
		}},
		payment.Webhooks: {"ParseEvents": func(string) error {
			_, err := p.ParseEvents(ctx, payment.Delivery{Body: []byte("{}")})
			return err
		}},
	}
}
