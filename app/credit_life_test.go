package app_test

import (
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/vc-admin/diy/app"
	"github.com/vc-admin/diy/domain/billing"
)

// An organisation changes from a yearly Professional plan to a monthly Standard plan, and pays with its credit until the
// first charge. The confirmation, the billing page and all emails state the same first charge, which is then made.
func TestNotices_FirstChargeAfterDowngradeIsTheSameEverywhereUntilItIsMade(t *testing.T) {
	f := newNoticeFixture(t)
	f.subscribe(f.caller, visa, professionalYearly, true)
	f.Advance(200 * day)
	f.receiveSubjects()

	quote := f.requestQuote(f.caller, standardMonthly, billing.ChangeNow)
	require.NotNil(t, quote.AfterCredit)
	require.Zero(t, quote.Next.Amount.Minor())
	charge := *quote.AfterCredit
	firstAmount, firstDate := charge.Amount.FormatWithSymbol()+" AUD", charge.At.Format("2 January 2006")
	creditText := "Your credit pays until " + firstDate + ", then " + firstAmount + "."
	require.NoError(t, f.changePlanWithQuote(f.caller, standardMonthly, quote))
	f.assertAfterCredit(charge)
	changeEmails := f.receiveEmails()
	require.Len(t, changeEmails, 1)
	assert.Equal(t, "Your plan is now Standard, monthly: nothing to pay", changeEmails[0].Subject)
	assert.Contains(t, changeEmails[0].Text, creditText)

	renewalCount, reminderCount := 0, 0
	for f.Clock.Now().Add(day).Before(charge.At) {
		f.Advance(day)
		for _, email := range f.receiveEmails() {
			assert.NotContains(t, email.Text, "$0")
			switch email.Subject {
			case "Paid with your credit: $39 AUD":
				renewalCount++
				if f.nextChargeAt().Before(charge.At) {
					assert.Contains(t, email.Text, creditText)
					f.assertAfterCredit(charge)
				} else {
					assert.Contains(t, email.Text, "Next charge: "+firstAmount+" on "+firstDate+".")
				}
			case "Your plan renews on " + charge.At.Format("2 January") + ": " + firstAmount:
				reminderCount++
				assert.WithinDuration(t, charge.At.AddDate(0, 0, -14), f.Clock.Now(), day)
				assert.Contains(t, email.Text, firstAmount+" is charged to Visa •••• 4242 then. Until then your credit pays.")
			default:
				assert.Fail(t, "another email: "+email.Subject)
			}
		}
	}
	assert.Positive(t, renewalCount)
	assert.Equal(t, 1, reminderCount)

	assert.Equal(t, []string{"Payment received: " + firstAmount}, f.advanceAndReceiveSubjects(2*day))
	inv := f.newestInvoice(f.caller)
	assert.Equal(t, charge.Amount, inv.AmountPaid)
	assert.WithinDuration(t, charge.At, inv.CreatedAt, 2*time.Hour)
	assert.Equal(t, int64(3900), inv.CreditUsed.Minor()+inv.AmountPaid.Minor())
}

// The server reads the invoices of two renewals at once, for example after an outage.
func TestNotices_EachRenewalPaidByCreditStatesTheCreditThatItLeft(t *testing.T) {
	f := newNoticeFixture(t)
	f.subscribe(f.caller, visa, standardMonthly, true)
	f.receiveSubjects()
	f.addCredit(f.caller, 2*3900+500)

	f.Advance(65 * day)

	credits := map[string]string{}
	for _, email := range f.receiveEmails() {
		if _, text, found := strings.Cut(email.Text, "You have a credit of "); found {
			credit, _, _ := strings.Cut(text, ".")
			_, number, _ := strings.Cut(email.Text, "Nothing was charged for invoice ")
			number, _, _ = strings.Cut(number, ".")
			credits[number] = credit
		}
	}
	want := map[string]string{}
	invoices, err := f.Store.Invoices(t.Context(), f.caller.OrganisationID)
	require.NoError(t, err)
	require.Len(t, invoices, 3)
	for i, credit := range []string{"$5 AUD", "$44 AUD"} { // newest first
		want[invoices[i].Number] = credit
	}
	assert.Equal(t, want, credits)
}

// showBilling returns the data of the billing page.
func (f *noticeFixture) showBilling() app.BillingSummary {
	f.t.Helper()
	summary, err := f.ShowBilling.Do(f.t.Context(), f.caller)
	require.NoError(f.t, err)
	return summary
}

// nextChargeAt returns the date of the next charge, which can be zero, on the billing page.
func (f *noticeFixture) nextChargeAt() time.Time {
	f.t.Helper()
	summary := f.showBilling()
	require.NotNil(f.t, summary.NextCharge)
	return summary.NextCharge.At
}

// assertAfterCredit requires that the billing page shows the charge as the first one after the credit.
func (f *noticeFixture) assertAfterCredit(charge billing.Charge) {
	f.t.Helper()
	summary := f.showBilling()
	require.NotNil(f.t, summary.AfterCredit)
	assert.Equal(f.t, charge.Amount, summary.AfterCredit.Amount)
	assert.Equal(f.t, charge.At.UTC(), summary.AfterCredit.At.UTC())
}
