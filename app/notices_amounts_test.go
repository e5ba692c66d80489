package app_test

import (
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/vc-admin/diy/domain/billing"
)

// The reminder, the billing page and the charge have the same amount.
func TestNotices_AnnounceTheAmountAfterCredit(t *testing.T) {
	f := newNoticeFixture(t)
	f.subscribe(f.caller, visa, monthly, false)
	f.subjects()
	f.addCredit(f.caller, 1250)
	page, err := f.ShowBilling.Do(t.Context(), f.caller)
	require.NoError(t, err)
	require.Equal(t, "$26.50", page.Next.Amount.FormatWithSymbol())

	assert.Equal(t, []string{"Your trial ends on 8 March: $26.50 AUD then"}, f.passTime(7*day-time.Hour))
	assert.Equal(t, []string{"Payment received: $26.50 AUD"}, f.passTime(2*day))
	assert.Equal(t, page.Next.Amount, f.newestInvoice(f.caller).AmountPaid)
}

// The receipt contains the lines of the invoice, and both emails about a change contain its tax.
func TestNotices_AmountsEqualThoseOfTheInvoice(t *testing.T) {
	f := newNoticeFixture(t)
	f.subscribe(f.caller, visa, monthly, true)
	receipt := f.newEmails()
	require.Len(t, receipt, 1)
	assert.Contains(t, receipt[0].Text,
		"\nStandard, monthly (1 March 2026 to 1 April 2026): $39 AUD\nTotal (includes $3.55 GST): $39 AUD\nPaid: −$39 AUD\n")

	f.Advance(10 * day)
	invoice := f.change(professional, billing.ChangeNow).LatestInvoice
	emails := f.newEmails()
	require.Len(t, emails, 2, "the change and its receipt")
	for _, email := range emails {
		assert.Contains(t, email.Text,
			"\nTotal (includes "+f.newestInvoice(f.caller).Tax.FormatWithSymbol()+" GST): "+invoice.Total.FormatWithSymbol()+" AUD\n")
	}
}

// A change to a cheaper plan gives credit, which the emails about it and about later changes deduct.
func TestNotices_NextChargeAfterAChangeEqualsTheBillingPage(t *testing.T) {
	f := newNoticeFixture(t)
	f.subscribe(f.caller, visa, standardYearly, true)
	f.subjects()
	steps := []struct {
		subject string
		send    func() error
	}{
		{"Your plan is now Standard, monthly: nothing to pay", func() error { f.change(monthly, billing.ChangeNow); return nil }},
		{"Your plan changes to Professional, yearly on 1 April 2026", func() error {
			f.change(yearly, billing.ChangeAtRenewal)
			return nil
		}},
		{"You keep Standard, monthly", func() error { _, err := f.CancelScheduledChange.Do(t.Context(), f.caller); return err }},
		{"Your Standard plan ends on 1 April 2026", func() error { f.end(f.caller); return nil }},
		{"Your Standard plan continues", func() error { _, err := f.ResumeSubscription.Do(t.Context(), f.caller); return err }},
	}
	for _, step := range steps {
		require.NoError(t, step.send())
		page, err := f.ShowBilling.Do(t.Context(), f.caller)
		require.NoError(t, err)
		email := f.newEmails()[0]
		require.Equal(t, step.subject, email.Subject)
		if page.Next != nil {
			assert.Contains(t, email.Text, ": "+page.Next.Amount.FormatWithSymbol()+" AUD on 1 April 2026.", email.Subject)
		}
	}
}

func TestNotices_ChangeIsReportedWithoutCreditThatCannotBeRead(t *testing.T) {
	f := newNoticeFixture(t)
	f.subscribe(f.caller, visa, monthly, true)
	f.subjects()
	f.injectFaults(failAlways("Customer"))
	f.change(yearly, billing.ChangeAtRenewal)
	assert.Contains(t, f.newEmails()[0].Text, "less any credit you have then")
}
