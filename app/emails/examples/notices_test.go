package examples_test

import (
	htmlpkg "html"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/vc-admin/diy/ports/mail"
)

func TestNotices_HaveTheirSubjectsAndTexts(t *testing.T) {
	messages := map[string]mail.Message{}
	for _, e := range newExamples() {
		messages[strings.TrimSpace(e.Name+" "+e.Variant)] = e.Message
	}
	cases := map[string][]string{ // the subject, followed by texts that both parts contain
		"trial_started": {
			"Your trial has started: free until 28 November, then $816 AUD", "free of charge until 28 November 2026",
			"Then $816 AUD is charged to Visa •••• 4242, and the plan renews every year until you end it.", "“End plan”",
		},
		"trial_started by invoice": {"Your trial has started: free until 28 November, then $816 AUD",
			"Your first invoice of $816 AUD is due on 5 December 2026."},
		"trial_ends_soon": {"Your trial ends on 28 November: $816 AUD then", "ends on 28 November 2026"},
		"trial_ends_soon card to be approved": {"Your trial ends on 28 November: $816 AUD then",
			"Your bank wants you to approve your card first.", "https://vision.example/vc-admin/diy/pay"},
		"trial_ends_soon covered by credit": {"Your trial ends on 28 November",
			"Your credit covers the first year, so nothing is charged then."},
		"plan_renews_soon": {"Your plan renews on 28 November: $816 AUD",
			"renews for another year on 28 November 2026. $816 AUD is charged to Visa •••• 4242 then."},
		"card_expires": {"Visa •••• 4242 expires before your next charge on 28 November",
			"expires at the end of October 2026. The next charge is on 28 November 2026.",
			"Next charge: $816 AUD on 28 November 2026."},
		"plan_renews_soon covered by credit": {"Your plan renews on 28 November",
			"Nothing is charged then. Your credit pays until 28 November 2027, then $12.50 AUD."},
		"plan_renews_soon after credit": {"Your plan renews on 28 November: $12.50 AUD",
			"$12.50 AUD is charged to Visa •••• 4242 then. Until then your credit pays."},
		"plan_renews_soon scheduled change": {
			"Your plan renews on 28 November: $420 AUD",
			"Your plan changes from Professional, yearly to Standard, yearly on 28 November 2026, as scheduled.",
		},
		"trial_ends_soon scheduled change": {
			"Your trial ends on 28 November: $39 AUD then",
			"Then your plan changes to Standard, monthly, as scheduled: $39 AUD is charged to Visa •••• 4242, and the plan renews every month until you end it.",
		},
		"order_received": {"Your order of Professional, yearly: $816 AUD per year",
			"We check it before your plan starts.",
			"The invoice follows after the approval and is due 14 days later."},
		"plan_started order approved": {"Your Professional plan has started", "Your order is approved.",
			"free of charge until 28 November 2026", "INV-0001"},
		"plan_started payment has arrived": {"Your Professional plan has started", "Your payment has arrived."},
		"order_ended":                      {"Your order of Professional has ended", "there is nothing to pay"},
		"plan_changed": {"Your plan is now Professional, yearly: $569.27 AUD paid",
			"$569.27 AUD", "from Standard, monthly to Professional, yearly", "$604.27", "−$35.00", "less any credit you have then"},
		"plan_changed covered by credit": {"Your plan is now Professional, yearly: nothing to pay", "Credit used",
			"−$604.27 AUD"},
		"paid_by_credit": {"Paid with your credit: $604.27 AUD", "Nothing was charged for invoice K7Q2-0003.",
			"You have a credit of $803.50 AUD.", "Credit used", "−$604.27 AUD", "Your credit pays until 28 November 2027, then $12.50 AUD."},
		"change_scheduled": {"Your plan changes to Professional, yearly on 28 November 2026",
			"You keep Standard, monthly until 28 November 2026."},
		"change_dropped scheduled": {"You keep Standard, monthly",
			"The change to Professional, yearly on 28 November 2026 will not be made."},
		"change_dropped not paid": {"You keep Standard, monthly",
			"was cancelled or not paid in time. Nothing was charged for it."},
		"plan_end_requested": {"Your Professional plan ends on 28 November 2026", "It does not renew"},
		"plan_end_requested open invoice": {"Your Professional plan ends on 28 November 2026",
			"Your open invoice of $39 AUD stays due."},
		"plan_resumed": {"Your Professional plan continues", "28 November 2026", "$816 AUD"},
		"plan_ended":   {"Your Professional plan has ended", "ended on 28 November 2026, as you requested"},
		"plan_ended invoice voided": {"Your Professional plan has ended",
			"The overdue invoice of $816 AUD is cancelled: you need not pay it."},
		"plan_ended invoice owed": {"Your Professional plan has ended: $816 AUD is still to be paid",
			"Pay it before you subscribe again.", "https://vision.example/vc-admin/diy/pay"},
		"plan_ended not paid": {"Your Professional plan has ended: $816 AUD was not paid",
			"because its last invoice was not paid.", "The overdue invoice of $816 AUD is cancelled: you need not pay it."},
		"payment_returned": {
			"Your bank has taken back a payment of $569.27 AUD",
			"Your bank has taken back your payment of $569.27 AUD for invoice K7Q2-0003, because it was disputed. Please contact us.",
			"you keep your plan", "Your dashboard shows a message until then.",
			"Disputed, taken back by your bank", "Not due during the dispute",
		},
		"payment_returned returned by the bank": {
			"Your bank has taken back a payment of $569.27 AUD",
			"Your bank has taken back your payment of $569.27 AUD for invoice K7Q2-0003. Please contact us.",
			"Dispute accepted, not owed again",
		},
		"dispute_decided": {
			"Dispute settled: $569.27 AUD for invoice K7Q2-0003", "your bank keeps the $569.27 AUD that it has taken back.",
			"Your account is still on hold", "Dispute accepted, not owed again",
		},
		"dispute_decided won": {
			"Dispute settled: $569.27 AUD for invoice K7Q2-0003", "the payment counts as made.", "Dispute rejected, payment counts",
		},
		"hold_lifted": {
			"Your account is no longer on hold", "You can change your plan and subscribe again.",
			"The dispute about the payment for invoice K7Q2-0003 is settled: the payment counts as made.", "You have a credit of $15 AUD.",
		},
		"hold_lifted dispute lost": {
			"Your account is no longer on hold", "your bank keeps the $569.27 AUD that it has taken back.",
		},
		"order_ended withdrawn": {
			"Your order of Professional has ended",
			"is withdrawn, as you requested. The plan has not started, and there is nothing to pay.",
		},
		"credit_issued of a cancelled invoice": {
			"Credit: $25 AUD for invoice K7Q2-0003", "The invoice was cancelled, so what was paid for it has become your credit.",
		},
		"payment_refunded credit withdrawn": {
			"Refund: $100 AUD of invoice K7Q2-0003",
			"$15 AUD of your credit was withdrawn, because invoice K7Q2-0003 was refunded. You have a credit of $2 AUD left.",
		},
		"trial_ends_soon without a payment method": {
			"Your trial ends on 28 November: $816 AUD then",
			"You have not saved a payment method yet. Please add one before the trial ends.", "Then $816 AUD is due",
			"Add a payment method",
		},
		"payment_returned scheduled change": {
			"Your bank has taken back a payment of $569.27 AUD",
			"$15 AUD of your credit was withdrawn, because the payment was taken back. You have no credit left.",
			"The change to Standard, monthly on 28 November 2026 will not be made.",
		},
		"plan_end_requested scheduled change": {
			"Your Professional plan ends on 28 November 2026",
			"The change to Standard, monthly on 28 November 2026 will not be made.",
		},
		"plan_changed instead of a scheduled change": {
			"Your plan is now Professional, yearly: $569.27 AUD paid",
			"The change to Standard, monthly on 28 November 2026 will not be made.",
		},
		"plan_end_requested invoiced trial": {
			"Your Professional plan ends on 28 November 2026",
			"Please do not pay invoice INV-0001 of $816 AUD: it is cancelled when the trial ends.",
		},
		"plan_ended invoiced trial": {
			"Your Professional plan has ended", "Invoice INV-0001 of $816 AUD is cancelled: you need not pay it.",
		},
		"payment_received": {
			"Payment received: $569.27 AUD", "https://vision.example/vc-admin/diy/invoices/in_1",
			"Receipt for invoice K7Q2-0003", "$569.27", "on 28 November 2026, from Visa •••• 4242",
			"28 November 2026 to 28 November 2027",
			"−$211.73", "Professional, yearly", "includes $54.93 GST", "You have a credit of $11 AUD.",
		},
		"payment_received of a former plan": {"Payment received: $569.27 AUD",
			"on 28 November 2026, from bank account •••• 6819", "The invoice of your former plan is paid."},
		"payment_received after a failed attempt": {"Payment received: $569.27 AUD",
			"The payment that had failed has gone through. Your Professional plan continues."},
		"payment_received after an approval": {"Payment received: $569.27 AUD",
			"The payment has gone through. Your Professional plan continues."},
		"payment_received more than the invoice": {
			"Payment received: $600 AUD", "$600", "on 28 November 2026, by bank transfer",
			"$569.27 AUD paid invoice K7Q2-0003. The other $30.73 AUD became your credit.", "You have a credit of $30.73 AUD.",
		},
		"payment_received for a paid invoice": {
			"Payment received: $569.27 AUD", "The $569.27 AUD became your credit, because invoice K7Q2-0003 was paid already.",
		},
		"payment_received without plan and method": {"Payment received: $569.27 AUD", "on 28 November 2026"},
		"payment_received in part": {"Payment received: $69.27 AUD, $500 AUD still to be paid",
			"$500 AUD of invoice K7Q2-0003 is still to be paid by 28 November 2026.", "INV-0001"},
		"payment_received in part, overdue": {"Payment received: $69.27 AUD, $500 AUD still to be paid",
			"$500 AUD of invoice K7Q2-0003 was due on 28 November 2026. Your Professional plan ends on 13 December 2026 unless the " +
				"invoice is paid by then."},
		"payment_processing": {"Your payment of $569.27 AUD is on its way", "It can take several days to arrive."},
		"payment_processing with its date": {
			"Your payment of $569.27 AUD is on its way", "from bank account •••• 6819", "expected by 1 December 2026",
			"don't pay a second time",
		},
		"payment_failed_late": {
			"Payment failed: $569.27 AUD", "from bank account •••• 9110",
			"has not arrived. Your bank account has insufficient funds. Your Professional plan has not started.",
			"with another payment method", "https://vision.example/vc-admin/diy/pay",
		},
		"payment_failed_late of a plan change": {"Payment failed: $569.27 AUD",
			"Your plan has not changed: you keep Professional."},
		"payment_failed_late of a former plan": {"Payment failed: $569.27 AUD", "The invoice of your former plan is still open."},
		"payment_failed returned": {
			"Payment returned: $500 AUD",
			"Your bank returned your payment of $500 AUD from bank account •••• 4406 for invoice K7Q2-0003 on 28 November 2026. " +
				"It has to be made again. Your bank account has insufficient funds.",
			"We will not try again automatically. Your Professional plan ends on 13 December 2026", "with another payment method",
		},
		"payment_failed returned, charged again": {
			"Payment returned: $500 AUD, next attempt on 1 December",
			"on 28 November 2026. Your bank account has insufficient funds.", "We will try again on 1 December 2026.",
		},
		"payment_failed returned after a part payment": {
			"Payment returned: $569.27 AUD",
			"Your bank returned your payment of $569.27 AUD from bank account •••• 4406 for invoice K7Q2-0003 on 28 November 2026. " +
				"$500 AUD is still to be paid. Your bank account has insufficient funds.",
		},
		"payment_failed": {
			"Payment failed: $500 AUD, next attempt on 1 December",
			"$500 AUD from Visa •••• 4242 for invoice K7Q2-0003. Your card was declined.",
			"We will try again on 1 December 2026. Your Professional plan ends on 13 December 2026 unless the invoice is paid by then.", "https://vision.example/vc-admin/diy/pay",
		},
		"payment_failed last attempt": {"Payment failed: $500 AUD", "We will not try again automatically."},
		"approval_needed": {"Please approve your payment of $500 AUD", "Approve the payment",
			"Without your approval it is not made.", "Your Professional plan ends on 13 December 2026 unless the invoice is paid by then."},
		"refund_failed": {"Refund failed: $100 AUD of invoice K7Q2-0003", "the money was not returned to you",
			"Please contact us", "Your credit is $15 AUD now."},
		"payment_refunded": {"Refund: $100 AUD of invoice K7Q2-0003", "returned in the way you had paid it"},
		"credit_issued":    {"Credit: $25 AUD for invoice K7Q2-0003", "It is deducted from your next invoices."},
		"credit_issued reduces an invoice": {"Credit: $100 AUD for invoice K7Q2-0003",
			"It reduces what you pay for the invoice: $400 AUD is still to be paid.", "Credit note", "−$100.00"},
	}
	assert.NotContains(t, messages["approval_needed"].Text, "try again", "only the customer can make the payment")
	for name, want := range cases {
		t.Run(name, func(t *testing.T) {
			m := messages[name]
			require.Equal(t, want[0], m.Subject)
			for part, body := range map[string]string{"text": m.Text, "html": strings.ReplaceAll(htmlpkg.UnescapeString(m.HTML), "\u00a0", " ")} {
				for _, words := range append(want[1:], "in charge of the billing of Northside Clinic at Vision") {
					assert.Contains(t, body, words, part)
				}
			}
		})
	}
}
