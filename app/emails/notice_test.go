package emails

import (
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/vc-admin/diy/domain/billing"
	"github.com/vc-admin/diy/domain/money"
	"github.com/vc-admin/diy/ports/mail"
)

func TestMethodName_ReturnsBrandOrLabelWithTheLastDigits(t *testing.T) {
	card := func(brand string) billing.PaymentMethod {
		return billing.PaymentMethod{Card: billing.Card{Brand: brand, Last4: "4242"}}
	}
	assert.Equal(t, "Visa •••• 4242", MethodName(card("visa")))
	assert.Equal(t, "American Express •••• 4242", MethodName(card("amex")))
	assert.Equal(t, "Card •••• 4242", MethodName(card("")))
	assert.Equal(t, "BECS Direct Debit •••• 3456",
		MethodName(billing.PaymentMethod{Kind: billing.BankDebitMethod, Label: "BECS Direct Debit •••• 3456"}))
	assert.Equal(t, "bank account •••• 6819",
		MethodName(billing.PaymentMethod{Kind: billing.BankDebitMethod, Label: "Bank account •••• 6819"}))
}

func TestNotices_RemoveLineBreaksAndEscapeHTML(t *testing.T) {
	frame := Frame{Sender: Sender{Brand: "Vision\r\nBcc: all@example.com"}, PublicURL: "https://vision.example"}
	plan := Plan{Name: "A\r\nBcc: x <b>"}
	p := Payment{
		Frame: frame, Plan: plan, Reason: "<script>x</script>\nvisit evil.example", Invoice: billing.Invoice{Number: "1\n2 <i>"},
	}
	for _, m := range []mail.Message{PaymentReceived(p), PaymentFailed(p), PlanChanged(Change{Frame: frame, From: plan, To: plan})} {
		require.NoError(t, mail.Message{To: "ann@example.com", Subject: m.Subject, Text: m.Text, HTML: m.HTML}.Check())
		assert.NotContains(t, m.HTML, "<script>")
		assert.NotContains(t, m.HTML, "<b>")
		assert.NotContains(t, m.HTML, "<i>")
	}
}

func TestNotices_StateThatNothingIsChargedInsteadOfAnAmountOfZero(t *testing.T) {
	gbp := func(minor int64) money.Amount {
		a, err := money.New(minor, "GBP")
		require.NoError(t, err)
		return a
	}
	charge := Charge{Amount: gbp(0), At: time.Date(2026, 11, 27, 10, 0, 0, 0, time.UTC)}
	firstCharge := Charge{Amount: gbp(1024), At: charge.At.AddDate(1, 0, 0)}
	chargeAfterCredit := charge
	chargeAfterCredit.AfterCredit = &firstCharge
	for name, m := range map[string]mail.Message{
		"plan changed": PlanChanged(Change{To: Plan{Name: "Standard"}, NextCharge: chargeAfterCredit}),
		"plan resumed": PlanResumed(End{Plan: Plan{Name: "Standard"}, NextCharge: chargeAfterCredit}),
		"renewal":      PlanRenewsSoon(Renewal{Plan: Plan{Name: "Standard"}, At: charge.At, NextCharge: chargeAfterCredit}),
		"trial":        TrialEndsSoon(Trial{EndsAt: charge.At, FirstCharge: chargeAfterCredit}),
		"receipt":      PaymentReceived(Payment{NextCharge: chargeAfterCredit}),
	} {
		assert.Contains(t, m.Text, "our credit pays until 27 November 2027, then £10.24 GBP.", name)
		assert.NotContains(t, m.Subject+m.Text, "£0", name)
	}
	for name, m := range map[string]mail.Message{
		"plan changed": PlanChanged(Change{To: Plan{Name: "Standard"}, NextCharge: charge}),
		"renewal":      PlanRenewsSoon(Renewal{Plan: Plan{Name: "Standard"}, At: charge.At, NextCharge: charge}),
	} {
		assert.Contains(t, m.Text, "Nothing is charged", name)
		assert.NotContains(t, m.Subject+m.Text, "£0", name)
	}
}

func TestSetClosing_NamesTheNextChargeOrInvoice(t *testing.T) {
	amount, err := money.New(81600, "AUD")
	require.NoError(t, err)
	at := time.Date(2027, 11, 28, 0, 0, 0, 0, time.UTC)
	for want, charge := range map[string]Charge{
		"Next charge: $816 AUD on 28 November 2027.":  {Amount: amount, At: at},
		"Next invoice: $816 AUD on 28 November 2027.": {Amount: amount, At: at, IsInvoiced: true},
	} {
		n := Frame{}.newNotice("", "", "")
		n.setClosing("Next charge", charge)
		assert.Equal(t, want, n.Closing)
	}
}
