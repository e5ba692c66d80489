package engine_test

import (
	"testing"
	"time"

	"github.com/vc-admin/diy/domain/engine"
)

func TestCharges_ChangeIsPendingUntilPaid(t *testing.T) {
	decline := sendAndReportState(engine.AttemptFailed)
	chargeCases{
		"a change waits for its payment": {
			afterPurchase(changeNow(professionalMonthly, cardSource)),
			"active standard_monthly pending professional_monthly; credit 0; paid 3900 of 3900; open 0 of 3700; paid/stored",
		},
		"a paid change is made": {
			afterPurchase(changeNow(professionalMonthly, cardSource), sendAndReportState(engine.AttemptPaid)),
			"active professional_monthly; credit 0; paid 3900 of 3900; paid 3700 of 3700; paid/paid",
		},
		"a declined change is canceled": {
			afterPurchase(changeNow(professionalMonthly, cardSource), decline, advance(23*time.Hour)),
			"active standard_monthly; credit 0; paid 3900 of 3900; void 0 of 3700; paid/failed",
		},
		"a change to a cheaper price creates credit": {
			afterPurchase(changeNow(yearly, cardSource), sendAndReportState(engine.AttemptPaid), changeNow(monthly, pageSource)),
			"active standard_monthly; credit 38100; paid 3900 of 3900; paid 38100 of 38100; paid 0 of 0; paid/paid",
		},
		"credit pays a change": {
			afterPurchase(addCredit(9000), changeNow(professionalMonthly, pageSource)),
			"active professional_monthly; credit 5300; paid 3900 of 3900; paid 0 of 0; paid",
		},
		"a purchase paid by credit saves the new card": {
			commands{addCredit(9000), buy(0, tokenSource)},
			"active standard_monthly; credit 5100; paid 0 of 0; stored",
		},
		"an amount below the minimum is carried over": {
			afterPurchase(addCredit(3660), changeNow(professionalMonthly, pageSource)),
			"active professional_monthly; credit -40; paid 3900 of 3900; paid 0 of 0; paid",
		},
		"a change with an open page is canceled": {
			afterPurchase(
				changeNow(professionalMonthly, pageSource), sendAndReportState(engine.AttemptOpen), cancelPendingChange,
				reportState(engine.AttemptCanceled),
			),
			"active standard_monthly; credit 0; paid 3900 of 3900; void 0 of 3700; paid/canceled",
		},
		"a canceled change is made if its page is paid before the page is canceled": {
			afterPurchase(
				changeNow(professionalMonthly, pageSource), sendAndReportState(engine.AttemptOpen), cancelPendingChange,
				reportState(engine.AttemptPaid),
			),
			"active professional_monthly; credit 0; paid 3900 of 3900; paid 3700 of 3700; paid/paid",
		},
		"a renewal waits for a change": {
			afterPurchase(changeNow(professionalMonthly, debitSource), sendAndReportState(engine.AttemptProcessing), advance(40*day)),
			"active standard_monthly pending professional_monthly; credit 0; paid 3900 of 3900; open 0 of 3700; paid/processing",
		},
		"a renewal follows the late failure of a change": {
			afterPurchase(
				changeNow(professionalMonthly, debitSource), sendAndReportState(engine.AttemptProcessing), advance(40*day),
				reportState(engine.AttemptFailed),
			),
			"active standard_monthly; credit 0; paid 3900 of 3900; void 0 of 3700; open 0 of 3900; paid/failed/stored",
		},
	}.run(t)
}

func TestCharges_EndWaitsForOpenPayment(t *testing.T) {
	decline := sendAndReportState(engine.AttemptFailed)
	chargeCases{
		"an order is withdrawn": {
			commands{buy(0, cardSource), endNow(false)},
			"incomplete_expired standard_monthly; credit 0; void 0 of 3900; canceled",
		},
		"the page of an order is canceled before the order ends": {
			commands{buy(0, pageSource), sendAndReportState(engine.AttemptOpen), endNow(false)},
			"incomplete standard_monthly; credit 0; open 0 of 3900; canceling",
		},
		"an order ends when its page is canceled": {
			commands{buy(0, pageSource), sendAndReportState(engine.AttemptOpen), endNow(false), reportState(engine.AttemptCanceled)},
			"incomplete_expired standard_monthly; credit 0; void 0 of 3900; canceled",
		},
		"an order does not end if its page is paid first": {
			commands{buy(0, pageSource), sendAndReportState(engine.AttemptOpen), endNow(false), reportState(engine.AttemptPaid)},
			"active standard_monthly; credit 0; paid 3900 of 3900; paid",
		},
		"a renewal whose payment is processing stays owed": {
			afterPurchase(makeDebitDefault, advanceToRenewal, sendAndReportState(engine.AttemptProcessing), endNow(false)),
			"canceled standard_monthly; credit 0; paid 3900 of 3900; open 0 of 3900; paid/processing",
		},
		"a renewal whose payment is processing is paid after the end": {
			afterPurchase(
				makeDebitDefault, advanceToRenewal, sendAndReportState(engine.AttemptProcessing), endNow(false),
				reportState(engine.AttemptPaid),
			),
			"canceled standard_monthly; credit 0; paid 3900 of 3900; paid 3900 of 3900; paid/paid",
		},
		"an overdue plan ends and stays owed": {
			afterRenewal(decline, endNow(false)),
			"canceled standard_monthly; credit 0; paid 3900 of 3900; open 0 of 3900; paid/failed",
		},
		"an owed invoice is paid after the end": {
			afterRenewal(decline, endNow(false), pay(cardSource), sendAndReportState(engine.AttemptPaid)),
			"canceled standard_monthly; credit 0; paid 3900 of 3900; paid 3900 of 3900; paid/failed/paid",
		},
		"an overdue plan ends and its invoice is voided": {
			afterRenewal(decline, endNow(true)),
			"canceled standard_monthly; credit 0; paid 3900 of 3900; void 0 of 3900; paid/failed",
		},
	}.run(t)
}

func TestCharges_ReturnedPaymentIsOwedOrPutsAccountOnHold(t *testing.T) {
	decline := sendAndReportState(engine.AttemptFailed)
	chargeCases{
		"a returned debit is past due": {
			commands{
				buy(0, debitSource), sendAndReportState(engine.AttemptPaid), advance(10 * day),
				reportState(engine.AttemptReturned),
			},
			"past_due standard_monthly; credit 0; open 0 of 3900; returned",
		},
		"a returned debit is not charged again": {
			commands{
				buy(0, debitSource), sendAndReportState(engine.AttemptPaid), advance(10 * day),
				reportState(engine.AttemptReturned), advance(14 * day),
			},
			"past_due standard_monthly; credit 0; open 0 of 3900; returned",
		},
		"a returned debit ends the plan after 15 days": {
			commands{
				buy(0, debitSource), sendAndReportState(engine.AttemptPaid), advance(10 * day),
				reportState(engine.AttemptReturned), advance(15 * day),
			},
			"canceled standard_monthly; credit 0; void 0 of 3900; returned",
		},
		"the customer pays a returned debit again": {
			commands{
				buy(0, debitSource), sendAndReportState(engine.AttemptPaid), advance(10 * day),
				reportState(engine.AttemptReturned), pay(cardSource), sendAndReportState(engine.AttemptPaid),
			},
			"active standard_monthly; credit 0; paid 3900 of 3900; returned/paid",
		},
		"a chargeback puts the account on hold": {
			afterPurchase(addCredit(1000), reportState(engine.AttemptReturned)),
			"active standard_monthly; credit 0; paid 3900 of 3900; disputed 0; returned",
		},
		"a chargeback holds the credit": {
			afterPurchase(addCredit(9000), reportState(engine.AttemptReturned)),
			"active standard_monthly; credit 0; paid 3900 of 3900; disputed 5100; returned",
		},
		"a return of an older payment puts the account on hold": {
			afterPurchase(
				makeDebitDefault, advanceToRenewal, sendAndReportState(engine.AttemptPaid),
				reportFirstState(engine.AttemptReturned),
			),
			"active standard_monthly; credit 0; paid 3900 of 3900; paid 3900 of 3900; disputed 0; returned/paid",
		},
		"a hold cancels a change": {
			afterPurchase(changeNow(yearly, cardSource), decline, reportFirstState(engine.AttemptReturned)),
			"active standard_monthly; credit 0; paid 3900 of 3900; void 0 of 38100; disputed 0; returned/failed",
		},
		"a hold keeps a change whose payment is processing": {
			afterPurchase(
				changeNow(yearly, cardSource), sendAndReportState(engine.AttemptProcessing),
				reportFirstState(engine.AttemptReturned),
			),
			"active standard_monthly pending standard_yearly; credit 0; paid 3900 of 3900; open 0 of 38100; " +
				"disputed 0; returned/processing",
		},
		"a lifted hold makes the held credit usable": {
			afterPurchase(
				addCredit(9000), reportState(engine.AttemptReturned),
				func(a *engine.Account) error { a.LiftHold(); return nil },
			),
			"active standard_monthly; credit 5100; paid 3900 of 3900; returned",
		},
	}.run(t)
}

func TestCharges_RefundWithdrawsCredit(t *testing.T) {
	chargeCases{
		"a refund withdraws credit": {
			afterPurchase(addCredit(1000), requestRefund(900)),
			"active standard_monthly; credit 100; paid 3900 of 3900; paid",
		},
		"a failed refund gives the credit back": {
			afterPurchase(addCredit(1000), requestRefund(900), reportRefund(engine.AttemptFailed)),
			"active standard_monthly; credit 1000; paid 3900 of 3900; paid",
		},
		"a change to a cheaper price does not credit a refunded amount": {
			afterPurchase(
				changeNow(yearly, cardSource), sendAndReportState(engine.AttemptPaid), requestRefund(1000),
				changeNow(monthly, pageSource),
			),
			"active standard_monthly; credit 37100; paid 3900 of 3900; paid 38100 of 38100; paid 0 of 0; paid/paid",
		},
		"a refund is deducted from new credit once": {
			afterPurchase(
				changeNow(yearly, cardSource), sendAndReportState(engine.AttemptPaid), requestRefund(1000),
				changeNow(monthly, pageSource), addCredit(1000), changeNow(yearly, pageSource),
				changeNow(monthly, pageSource),
			),
			"active standard_monthly; credit 38100; paid 3900 of 3900; paid 38100 of 38100; paid 0 of 0; paid 0 of 0; " +
				"paid 0 of 0; paid/paid",
		},
		"a change credits the whole unused time after a renewal": {
			afterPurchase(
				requestRefund(1000), advanceToRenewal, sendAndReportState(engine.AttemptPaid), changeNow(yearly, cardSource),
				sendAndReportState(engine.AttemptPaid), changeNow(monthly, pageSource),
			),
			"active standard_monthly; credit 38100; paid 3900 of 3900; paid 3900 of 3900; paid 38100 of 38100; " +
				"paid 0 of 0; paid/paid/paid",
		},
		"a manual refund withdraws credit": {
			afterPurchase(
				addCredit(1000),
				reportPayment(engine.PaymentReport{State: engine.AttemptPaid, Refunds: []engine.RefundReport{
					{Ref: "re_1", Amount: 900, State: engine.AttemptPaid},
				}}),
			),
			"active standard_monthly; credit 100; paid 3900 of 3900; paid",
		},
	}.run(t)
}
