package engine_test

import (
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/vc-admin/diy/domain/billing"
	"github.com/vc-admin/diy/domain/engine"
)

func TestNextAttemptAt_IsZeroIfNoRetryChargesTheMethod(t *testing.T) {
	decline := sendAndReportState(engine.AttemptFailed)
	hardDecline := sendAndReport(engine.PaymentReport{State: engine.AttemptFailed, Decline: engine.HardDecline})
	declineWithoutCustomer := sendAndReport(engine.PaymentReport{State: engine.AttemptFailed, Decline: engine.CustomerNeeded})
	openPage := func(a *engine.Account) error {
		if err := pay(pageSource)(a); err != nil {
			return err
		}
		return sendAndReportState(engine.AttemptOpen)(a)
	}
	makeCardDefault := func(a *engine.Account) error { return a.SetDefaultMethod(savedCard.Ref) }
	removeCard := func(a *engine.Account) error { return a.RemoveMethod(savedCard.Ref) }
	for name, tt := range map[string]struct {
		commands commands
		want     time.Duration // after the renewal; 0 for never
	}{
		"soft decline":                               {afterRenewal(decline), 3 * day},
		"second soft decline":                        {afterRenewal(decline, advance(3*day), decline), 8 * day},
		"soft decline with an open page":             {afterRenewal(decline, openPage), 3 * day},
		"hard decline":                               {afterRenewal(hardDecline), 0},
		"hard decline with an open page":             {afterRenewal(hardDecline, openPage), 0},
		"hard decline of another method":             {afterRenewal(hardDecline, makeDebitDefault), 3 * day},
		"hard decline of the default method again":   {afterRenewal(hardDecline, makeDebitDefault, makeCardDefault), 0},
		"the customer is needed":                     {afterRenewal(declineWithoutCustomer), 0},
		"the customer is needed and a page is open":  {afterRenewal(declineWithoutCustomer, openPage), 0},
		"the customer is needed for another method":  {afterRenewal(declineWithoutCustomer, makeDebitDefault), 3 * day},
		"the customer is needed after an approval":   {afterRenewal(declineWithoutCustomer, pay(cardSource), declineWithoutCustomer), 0},
		"the approval is declined":                   {afterRenewal(declineWithoutCustomer, pay(cardSource), decline), 0},
		"no method":                                  {afterRenewal(decline, removeCard), 0},
		"last retry of a bank account":               {afterPurchase(makeDebitDefault, advanceToRenewal, decline, advance(3*day), decline), 0},
		"first retry of a bank account":              {afterPurchase(makeDebitDefault, advanceToRenewal, decline), 3 * day},
		"retry of a bank account after its last one": {afterRenewal(decline, advance(3*day), decline, makeDebitDefault), 0},
	} {
		t.Run(name, func(t *testing.T) {
			a := newChargedAccount()
			for _, command := range tt.commands {
				require.NoError(t, command(a))
			}
			require.Equal(t, billing.PastDue, a.Subscriptions[0].Status)
			want := time.Time{}
			if tt.want > 0 {
				want = a.Subscriptions[0].PeriodStart.Add(tt.want)
			}
			assert.Equal(t, want, a.NextAttemptAt(a.Invoices[0]))
		})
	}
}
