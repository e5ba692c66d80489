package app_test

import (
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/vc-admin/diy/domain/billing"
)

func TestNotices_ReminderAndBillingPageShowTheAmountThatIsChargedAfterCredit(t *testing.T) {
	f := newNoticeFixture(t)
	f.subscribe(f.caller, visa, standardMonthly, false)
	f.receiveSubjects()
	f.addCredit(f.caller, 1250)
	summary, err := f.ShowBilling.Do(t.Context(), f.caller)
	require.NoError(t, err)
	require.Equal(t, "$26.50", summary.NextCharge.Amount.FormatWithSymbol())

	assert.Equal(t, []string{"Your trial ends on 8 March: $26.50 AUD then"}, f.advanceAndReceiveSubjects(7*day-time.Hour))
	assert.Equal(t, []string{"Payment received: $26.50 AUD"}, f.advanceAndReceiveSubjects(2*day))
	assert.Equal(t, summary.NextCharge.Amount, f.newestInvoice(f.caller).AmountPaid)
}

// The receipt contains the lines of the invoice, and both emails about a change contain its tax.
func TestNotices_AmountsEqualThoseOfTheInvoice(t *testing.T) {
	f := newNoticeFixture(t)
	f.subscribe(f.caller, visa, standardMonthly, true)
	receipts := f.receiveEmails()
	require.Len(t, receipts, 1)
	assert.Contains(t, receipts[0].Text,
		"\nStandard, monthly (1 March 2026 to 1 April 2026): $39.00\nTotal (includes $3.55 GST): $39.00\n"+
			"Paid (Visa •••• 4242, 1 March 2026): −$39.00 AUD\n")

	f.Advance(10 * day)
	invoice := f.changePlan(professionalMonthly, billing.ChangeNow).LatestInvoice
	emails := f.receiveEmails()
	require.Len(t, emails, 2, "an email about the change, and the receipt")
	for _, email := range emails {
		assert.Contains(t, email.Text,
			"\nTotal (includes "+f.newestInvoice(f.caller).Tax.FormatWithSymbol()+" GST): "+invoice.Total.FormatWithSymbol()+"\n")
	}
}

// The change to a cheaper plan gives credit, which all these emails deduct from the next charge.
func TestNotices_NextChargeInEmailsEqualsTheBillingPage(t *testing.T) {
	f := newNoticeFixture(t)
	f.subscribe(f.caller, visa, standardYearly, true)
	f.receiveSubjects()
	steps := []struct {
		subject string
		change  func() error
	}{
		{"Your plan is now Standard, monthly: nothing to pay", func() error { f.changePlan(standardMonthly, billing.ChangeNow); return nil }},
		{"Your plan changes to Professional, yearly on 1 April 2026", func() error {
			f.changePlan(professionalYearly, billing.ChangeAtRenewal)
			return nil
		}},
		{"You keep Standard, monthly", func() error { _, err := f.CancelScheduledChange.Do(t.Context(), f.caller); return err }},
		{"Your Standard plan ends on 1 April 2026", func() error { f.endSubscription(f.caller); return nil }},
		{"Your Standard plan continues", func() error { _, err := f.ResumeSubscription.Do(t.Context(), f.caller); return err }},
	}
	for _, step := range steps {
		require.NoError(t, step.change())
		summary, err := f.ShowBilling.Do(t.Context(), f.caller)
		require.NoError(t, err)
		email := f.receiveEmails()[0]
		require.Equal(t, step.subject, email.Subject)
		if summary.NextCharge == nil {
			continue
		}
		text := ": " + summary.NextCharge.Amount.FormatWithSymbol() + " AUD on 1 April 2026."
		if summary.NextCharge.Amount.Minor() == 0 {
			// $420 less $39 leave a credit of $381. It pays nine months, and $30 of the $39 due on 1 January.
			text = "Your credit pays until 1 January 2027, then $9 AUD."
			require.NotNil(t, summary.AfterCredit)
			assert.Equal(t, int64(900), summary.AfterCredit.Amount.Minor())
			assert.Equal(t, "1 January 2027", summary.AfterCredit.At.Format("2 January 2006"))
		}
		assert.Contains(t, email.Text, text, email.Subject)
	}
}

// The credit pays two months and $12 of the third: $90 = 2 × $39 + $12.
func TestNotices_AnnounceTheFirstMonthlyChargeAfterCreditOnce(t *testing.T) {
	f := newNoticeFixture(t)
	f.subscribe(f.caller, visa, standardMonthly, true)
	f.receiveSubjects()
	f.addCredit(f.caller, 9000)
	chargeAt := time.Date(2026, time.June, 1, 0, 0, 0, 0, time.UTC)
	for _, renewal := range []struct {
		at   time.Time
		text string
	}{
		{chargeAt.AddDate(0, -2, 0), "You have a credit of $51 AUD."},
		{chargeAt.AddDate(0, -1, 0), "You have a credit of $12 AUD."},
	} {
		f.Advance(renewal.at.Add(day).Sub(f.Clock.Now()))
		emails := f.receiveEmails()
		require.Len(t, emails, 1)
		assert.Equal(t, "Paid with your credit: $39 AUD", emails[0].Subject)
		assert.Contains(t, emails[0].Text, renewal.text)
	}
	f.Advance(chargeAt.AddDate(0, 0, -14).Sub(f.Clock.Now()) - day)
	assert.Empty(t, f.receiveEmails())
	f.Advance(2 * day)
	emails := f.receiveEmails()
	require.Len(t, emails, 1)
	assert.Equal(t, "Your plan renews on 1 June: $27 AUD", emails[0].Subject)
	assert.Contains(t, emails[0].Text, "$27 AUD is charged to Visa •••• 4242 then. Until then your credit pays.")
	assert.Empty(t, f.advanceAndReceiveSubjects(12*day), "announced already")
	f.advanceAndReceiveSubjects(2 * day)
	assert.Equal(t, "$27", f.newestInvoice(f.caller).AmountPaid.FormatWithSymbol())
	assert.Empty(t, f.advanceAndReceiveSubjects(20*day), "the next renewal is no first charge after credit")
}

func TestNotices_EmailAboutAChangeOmitsTheAmountOfCreditWhenTheCustomerCannotBeRead(t *testing.T) {
	f := newNoticeFixture(t)
	f.subscribe(f.caller, visa, standardMonthly, true)
	f.receiveSubjects()
	f.injectFaults(failAlways("Customer"))
	f.changePlan(professionalYearly, billing.ChangeAtRenewal)
	assert.Contains(t, f.receiveEmails()[0].Text, "less any credit you have then")
}
