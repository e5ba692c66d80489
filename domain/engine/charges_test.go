package engine_test

import (
	"slices"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/vc-admin/diy/domain/engine"
	"github.com/vc-admin/diy/domain/fault"
)

func TestCharges_PurchaseIsActiveWhenPaidAndExpiresWhenNot(t *testing.T) {
	decline := sendAndReportState(engine.AttemptFailed)
	hardDecline := sendAndReport(engine.PaymentReport{State: engine.AttemptFailed, Decline: engine.HardDecline})
	chargeCases{
		"a paid purchase is active": {
			afterPurchase(),
			"active standard_monthly; credit 0; paid 3900 of 3900; paid",
		},
		"a declined purchase waits": {
			commands{buy(0, cardSource), decline},
			"incomplete standard_monthly; credit 0; open 0 of 3900; failed",
		},
		"a declined purchase expires": {
			commands{buy(0, cardSource), decline, advance(23 * time.Hour)},
			"incomplete_expired standard_monthly; credit 0; void 0 of 3900; failed",
		},
		"another card pays a declined purchase": {
			commands{buy(0, cardSource), hardDecline, pay(debitSource), sendAndReportState(engine.AttemptPaid)},
			"active standard_monthly; credit 0; paid 3900 of 3900; failed/paid",
		},
		"a payment that is not sent does not expire": {
			commands{buy(0, cardSource), advance(5 * day)},
			"incomplete standard_monthly; credit 0; open 0 of 3900; stored",
		},
		"a payment with an unknown outcome does not expire": {
			commands{buy(0, cardSource), sendWithoutReport, advance(5 * day)},
			"incomplete standard_monthly; credit 0; open 0 of 3900; claimed",
		},
		"a debit is paid after days": {
			commands{
				buy(0, debitSource), sendAndReportState(engine.AttemptProcessing), advance(3 * day),
				reportState(engine.AttemptPaid),
			},
			"active standard_monthly; credit 0; paid 3900 of 3900; paid",
		},
		"a late failure leaves 23 hours": {
			commands{
				buy(0, debitSource), sendAndReportState(engine.AttemptProcessing), advance(3 * day),
				reportState(engine.AttemptFailed), advance(22 * time.Hour),
			},
			"incomplete standard_monthly; credit 0; open 0 of 3900; failed",
		},
		"a purchase expires 23 hours after a late failure": {
			commands{
				buy(0, debitSource), sendAndReportState(engine.AttemptProcessing), advance(3 * day),
				reportState(engine.AttemptFailed), advance(23 * time.Hour),
			},
			"incomplete_expired standard_monthly; credit 0; void 0 of 3900; failed",
		},
		"an expired page is canceled": {
			commands{buy(0, pageSource), sendAndReportState(engine.AttemptOpen), advance(23 * time.Hour)},
			"incomplete standard_monthly; credit 0; open 0 of 3900; canceling",
		},
		"a purchase expires when its page is canceled": {
			commands{
				buy(0, pageSource), sendAndReportState(engine.AttemptOpen), advance(23 * time.Hour),
				reportState(engine.AttemptCanceled),
			},
			"incomplete_expired standard_monthly; credit 0; void 0 of 3900; canceled",
		},
		"a page paid before it is canceled pays the purchase": {
			commands{
				buy(0, pageSource), sendAndReportState(engine.AttemptOpen), advance(23 * time.Hour),
				reportState(engine.AttemptPaid),
			},
			"active standard_monthly; credit 0; paid 3900 of 3900; paid",
		},
		"a payment after the expiry becomes credit": {
			commands{
				buy(0, pageSource), sendAndReportState(engine.AttemptOpen), advance(23 * time.Hour), reportState(engine.AttemptCanceled),
				reportState(engine.AttemptPaid),
			},
			"incomplete_expired standard_monthly; credit 3900; void 0 of 3900; paid",
		},
		"a second request for a page keeps the open page": {
			commands{buy(0, pageSource), sendAndReportState(engine.AttemptOpen), pay(pageSource)},
			"incomplete standard_monthly; credit 0; open 0 of 3900; open",
		},
		"another method cancels the page": {
			commands{buy(0, pageSource), sendAndReportState(engine.AttemptOpen), pay(cardSource)},
			"incomplete standard_monthly; credit 0; open 0 of 3900; canceling/stored",
		},
		"another method is charged when the page is canceled": {
			commands{
				buy(0, pageSource), sendAndReportState(engine.AttemptOpen), pay(cardSource),
				reportFirstState(engine.AttemptCanceled), sendAndReportState(engine.AttemptPaid),
			},
			"active standard_monthly; credit 0; paid 3900 of 3900; canceled/paid",
		},
		"another method is not charged if the page was paid": {
			commands{
				buy(0, pageSource), sendAndReportState(engine.AttemptOpen), pay(cardSource), reportFirstState(engine.AttemptPaid),
			},
			"active standard_monthly; credit 0; paid 3900 of 3900; paid/canceled",
		},
	}.run(t)
}

func TestCharges_RenewalIsRetriedUntilPlanEnds(t *testing.T) {
	decline := sendAndReportState(engine.AttemptFailed)
	hardDecline := sendAndReport(engine.PaymentReport{State: engine.AttemptFailed, Decline: engine.HardDecline})
	declineWithoutCustomer := sendAndReport(engine.PaymentReport{State: engine.AttemptFailed, Decline: engine.CustomerNeeded})
	chargeCases{
		"a renewal is charged": {
			afterRenewal(sendAndReportState(engine.AttemptPaid)),
			"active standard_monthly; credit 0; paid 3900 of 3900; paid 3900 of 3900; paid/paid",
		},
		"a renewal that is not sent waits": {
			afterRenewal(advance(400 * day)),
			"active standard_monthly; credit 0; paid 3900 of 3900; open 0 of 3900; paid/stored",
		},
		"a declined renewal is past due": {
			afterRenewal(decline),
			"past_due standard_monthly; credit 0; paid 3900 of 3900; open 0 of 3900; paid/failed",
		},
		"a declined renewal is charged again after 3 days": {
			afterRenewal(decline, advance(3*day)),
			"past_due standard_monthly; credit 0; paid 3900 of 3900; open 0 of 3900; paid/failed/stored",
		},
		"the last declined retry ends the plan": {
			afterRenewal(decline, advance(3*day), decline, advance(5*day), decline, advance(7*day), decline),
			"canceled standard_monthly; credit 0; paid 3900 of 3900; void 0 of 3900; paid/failed/failed/failed/failed",
		},
		"a canceled authentication at the last retry ends the plan": {
			afterRenewal(
				decline, advance(3*day), decline, advance(5*day), decline, advance(7*day), sendAndReportState(engine.AttemptOpen),
				reportState(engine.AttemptCanceled),
			),
			"canceled standard_monthly; credit 0; paid 3900 of 3900; void 0 of 3900; paid/failed/failed/failed/canceled",
		},
		"a method is not charged after a hard decline": {
			afterRenewal(hardDecline, advance(14*day)),
			"past_due standard_monthly; credit 0; paid 3900 of 3900; open 0 of 3900; paid/failed",
		},
		"a plan without retries ends after 15 days": {
			afterRenewal(hardDecline, advance(15*day)),
			"canceled standard_monthly; credit 0; paid 3900 of 3900; void 0 of 3900; paid/failed",
		},
		"a retry charges the new default method": {
			afterRenewal(hardDecline, makeDebitDefault, advance(3*day), sendAndReportState(engine.AttemptPaid)),
			"active standard_monthly; credit 0; paid 3900 of 3900; paid 3900 of 3900; paid/failed/paid",
		},
		"the customer pays a renewal that needs authentication": {
			afterRenewal(declineWithoutCustomer, advance(3*day), pay(cardSource), sendAndReportState(engine.AttemptPaid)),
			"active standard_monthly; credit 0; paid 3900 of 3900; paid 3900 of 3900; paid/failed/paid",
		},
		"a renewal that needs authentication is not charged again without the customer": {
			afterRenewal(declineWithoutCustomer, advance(3*day), advance(5*day)),
			"past_due standard_monthly; credit 0; paid 3900 of 3900; open 0 of 3900; paid/failed",
		},
		"a renewal whose approval fails is not charged again without the customer": {
			afterRenewal(declineWithoutCustomer, pay(cardSource), decline, advance(14*day)),
			"past_due standard_monthly; credit 0; paid 3900 of 3900; open 0 of 3900; paid/failed/failed",
		},
		"a renewal that still needs the customer after the approval is not charged again without the customer": {
			afterRenewal(declineWithoutCustomer, pay(cardSource), declineWithoutCustomer, advance(14*day)),
			"past_due standard_monthly; credit 0; paid 3900 of 3900; open 0 of 3900; paid/failed/failed",
		},
		"a renewal charges the new default method after the approval has failed": {
			afterRenewal(declineWithoutCustomer, pay(cardSource), declineWithoutCustomer, makeDebitDefault, advance(3*day)),
			"past_due standard_monthly; credit 0; paid 3900 of 3900; open 0 of 3900; paid/failed/failed/stored",
		},
		"a bank account is charged again once": {
			afterPurchase(makeDebitDefault, advanceToRenewal, decline, advance(3*day), decline, advance(11*day)),
			"past_due standard_monthly; credit 0; paid 3900 of 3900; open 0 of 3900; paid/failed/failed",
		},
		"a renewal without a method is past due": {
			afterPurchase(func(a *engine.Account) error { return a.RemoveMethod("card") }, advanceToRenewal),
			"past_due standard_monthly; credit 0; paid 3900 of 3900; open 0 of 3900; paid",
		},
		"a renewal is not charged off session": {
			afterPurchase(
				func(a *engine.Account) error { a.Terms.ChargeTerms.OffSession = false; return nil }, advanceToRenewal,
			),
			"past_due standard_monthly; credit 0; paid 3900 of 3900; open 0 of 3900; paid",
		},
		"a renewal waits for a debit that takes long": {
			afterPurchase(
				makeDebitDefault, advanceToRenewal, sendAndReportState(engine.AttemptProcessing), advance(35*day),
				reportState(engine.AttemptPaid),
			),
			"active standard_monthly; credit 0; paid 3900 of 3900; paid 3900 of 3900; open 0 of 3900; paid/paid/stored",
		},
	}.run(t)
}

func TestCharges_TrialSavesMethodThatIsChargedAtItsEnd(t *testing.T) {
	decline := sendAndReportState(engine.AttemptFailed)
	pendingMandate := engine.AccountMethod{Ref: "mandate", Details: savedDebit.Details, Pending: true}
	activeMandate := engine.AccountMethod{Ref: "mandate", Details: savedDebit.Details}
	trialWithMandate := commands{
		buy(7, tokenSource), sendAndReportState(engine.AttemptOpen),
		reportPayment(engine.PaymentReport{State: engine.AttemptPaid, Method: &pendingMandate}),
	}
	chargeCases{
		"a trial needs no attempt for a saved method": {
			commands{buy(7, cardSource)},
			"trialing standard_monthly; credit 0; paid 0 of 0; ",
		},
		"a trial saves a method": {
			commands{buy(7, tokenSource)},
			"trialing standard_monthly; credit 0; paid 0 of 0; stored",
		},
		"a trial continues if the method is not saved": {
			commands{buy(7, tokenSource), decline, advance(6 * day)},
			"trialing standard_monthly; credit 0; paid 0 of 0; failed",
		},
		"a trial starts without a method": {
			commands{buy(7, pageSource)},
			"trialing standard_monthly; credit 0; paid 0 of 0; ",
		},
		"the end of a trial is charged": {
			commands{buy(7, debitSource), advance(7 * day), sendAndReportState(engine.AttemptPaid)},
			"active standard_monthly; credit 0; paid 0 of 0; paid 3900 of 3900; paid",
		},
		"a pending mandate delays the charge": {
			slices.Concat(trialWithMandate, commands{advance(30 * day)}),
			"active standard_monthly; credit 0; paid 0 of 0; open 0 of 3900; processing/stored",
		},
		"a mandate that becomes active is charged": {
			slices.Concat(
				trialWithMandate,
				commands{
					advance(9 * day), reportFirstPayment(engine.PaymentReport{State: engine.AttemptPaid, Method: &activeMandate}),
					sendAndReportState(engine.AttemptPaid),
				},
			),
			"active standard_monthly; credit 0; paid 0 of 0; paid 3900 of 3900; paid/paid",
		},
		"a refused mandate makes the plan past due": {
			slices.Concat(trialWithMandate, commands{advance(9 * day), reportFirstState(engine.AttemptFailed)}),
			"past_due standard_monthly; credit 0; paid 0 of 0; open 0 of 3900; failed/failed",
		},
	}.run(t)
}

func TestCharges_RefusedCommandsChangeNothing(t *testing.T) {
	chargeback := reportState(engine.AttemptReturned)
	for name, tt := range map[string]struct {
		setup          commands
		refusedCommand func(*engine.Account) error
		want           fault.Code
	}{
		"a purchase with an unknown method": {nil, buy(0, engine.Source{Method: "other"}), fault.NotFound},
		"a purchase while the account is on hold": {
			afterPurchase(chargeback),
			buy(0, cardSource),
			fault.Conflict,
		},
		"a change while the account is on hold": {
			afterPurchase(chargeback),
			changeNow(yearly, cardSource),
			fault.Conflict,
		},
		"new credit while the account is on hold": {
			afterPurchase(chargeback),
			addCredit(1000),
			fault.Conflict,
		},
		"a change that settles after the period": {
			afterPurchase(advance(29 * day)),
			changeNow(yearly, cardSource),
			fault.Conflict,
		},
		"another payment before the first is sent": {
			commands{buy(0, cardSource)},
			pay(debitSource),
			fault.Conflict,
		},
		"another payment while the first may be sent": {
			commands{buy(0, cardSource), sendWithoutReport},
			pay(debitSource),
			fault.Conflict,
		},
		"another payment while the first is processing": {
			commands{buy(0, cardSource), sendAndReportState(engine.AttemptProcessing)},
			pay(pageSource),
			fault.Conflict,
		},
		"a payment with the same card after a hard decline": {
			commands{
				buy(0, cardSource),
				sendAndReport(engine.PaymentReport{State: engine.AttemptFailed, Decline: engine.HardDecline}),
			},
			pay(cardSource),
			fault.Conflict,
		},
		"a payment of another amount": {
			commands{buy(0, cardSource), sendAndReportState(engine.AttemptFailed)},
			func(a *engine.Account) error { return a.Pay(engine.PayRequest{Invoice: "in_1", Amount: 1}) },
			fault.Conflict,
		},
		"a payment of an unknown invoice": {
			afterPurchase(),
			func(a *engine.Account) error { return a.Pay(engine.PayRequest{Invoice: "in_9"}) },
			fault.NotFound,
		},
		"an end while the first payment may be sent": {
			commands{buy(0, cardSource), sendWithoutReport},
			endNow(false),
			fault.Conflict,
		},
		"an end while the first payment is processing": {
			commands{buy(0, cardSource), sendAndReportState(engine.AttemptProcessing)},
			endNow(false),
			fault.Conflict,
		},
		"an end that voids an invoice whose payment is processing": {
			afterRenewal(sendAndReportState(engine.AttemptProcessing)),
			endNow(true),
			fault.Conflict,
		},
		"the cancellation of a change whose payment is processing": {
			afterPurchase(changeNow(yearly, cardSource), sendAndReportState(engine.AttemptProcessing)),
			cancelPendingChange,
			fault.Conflict,
		},
		"the voiding of an invoice whose payment is processing": {
			commands{buy(0, cardSource), sendAndReportState(engine.AttemptProcessing)},
			func(a *engine.Account) error { return a.Void("in_1") },
			fault.Conflict,
		},
		"a refund of more than was paid": {afterPurchase(), requestRefund(3901), fault.Conflict},
		"a refund of a payment that was charged back": {
			afterPurchase(chargeback),
			requestRefund(1),
			fault.Conflict,
		},
		"a refund of an invoice that credit has paid": {
			commands{addCredit(9000), buy(0, pageSource)},
			requestRefund(1),
			fault.Conflict,
		},
	} {
		t.Run(name, func(t *testing.T) {
			a := newChargedAccount()
			for _, command := range tt.setup {
				require.NoError(t, command(a))
			}
			initial := describeCharges(a)
			assert.Equal(t, tt.want, fault.CodeOf(tt.refusedCommand(a)))
			assert.Equal(t, initial, describeCharges(a))
		})
	}
}
