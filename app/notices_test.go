package app_test

import (
	"slices"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/vc-admin/diy/adapters/devmail"
	"github.com/vc-admin/diy/adapters/fakepayment"
	"github.com/vc-admin/diy/adapters/invoicepayment"
	"github.com/vc-admin/diy/app"
	"github.com/vc-admin/diy/domain/account"
	"github.com/vc-admin/diy/domain/billing"
	"github.com/vc-admin/diy/domain/money"
	"github.com/vc-admin/diy/ports/identity"
	"github.com/vc-admin/diy/ports/payment"
)

// noticeFixture is a fixture whose emails about billing are read.
type noticeFixture struct {
	*fixture
	caller identity.Identity
	read   int // emails
}

func newNoticeFixture(t *testing.T) *noticeFixture {
	t.Helper()
	f := &noticeFixture{fixture: newFixture(t)}
	f.caller = f.signUp()
	f.next()
	return f
}

// next does the background work, sends what is due and returns the new emails, oldest first.
func (f *noticeFixture) next() []devmail.Email {
	f.t.Helper()
	f.DeliverEvents()
	_, err := f.RefreshBilling.Do(f.t.Context())
	require.NoError(f.t, err)
	_, err = f.DeliverMail.Do(f.t.Context())
	require.NoError(f.t, err)
	all := f.Mailbox.Emails()
	slices.Reverse(all)
	fresh := all[f.read:]
	f.read = len(all)
	return fresh
}

// subjects returns the subjects of the new emails.
func (f *noticeFixture) subjects() []string {
	f.t.Helper()
	var subjects []string
	for _, email := range f.next() {
		subjects = append(subjects, email.Subject)
	}
	return subjects
}

// pass moves the clock by the duration, with the background work every six hours, and returns the subjects of the new
// emails.
func (f *noticeFixture) pass(duration time.Duration) []string {
	f.t.Helper()
	const step = 6 * time.Hour
	var subjects []string
	for ; duration > 0; duration -= step {
		f.Advance(min(step, duration))
		subjects = append(subjects, f.subjects()...)
	}
	return subjects
}

func (f *noticeFixture) change(choice app.PriceChoice, when billing.When) billing.Subscription {
	f.t.Helper()
	changed, err := f.ChangePlan.Do(f.t.Context(), f.caller, app.ChangeRequest{PriceChoice: choice, When: when})
	require.NoError(f.t, err)
	return changed
}

// The emails of a customer who pays by card, from the trial to the refund.
func TestNotices_OfSubscriptionPaidByCard(t *testing.T) {
	f := newNoticeFixture(t)

	f.subscribe(f.caller, visa, monthly, false)
	assert.Equal(t, []string{"Your trial has started: free until 8 March, then $39 AUD"}, f.subjects())
	assert.Equal(t, []string{"Your trial ends on 8 March: $39 AUD then"}, f.pass(7*day-time.Hour))
	assert.Equal(t, []string{"Payment received: $39 AUD"}, f.pass(2*day))

	f.addCard(f.caller, unchargeableCard)
	assert.Equal(t, []string{"Payment failed: $39 AUD, next attempt on 11 April"}, f.pass(31*day))
	assert.Equal(t, []string{"Payment failed: $39 AUD, next attempt on 16 April"}, f.pass(3*day))
	f.addCard(f.caller, visa)
	recovered := f.next()
	require.Len(t, recovered, 1)
	assert.Contains(t, recovered[0].Text, "We received your payment: $39 AUD on 13 April 2026, from Visa •••• 4242\n")
	assert.Equal(t, "Payment received: $39 AUD", recovered[0].Subject)
	assert.Contains(t, recovered[0].Text, "The payment that had failed has gone through. Your Standard plan continues.")

	paid := f.change(professional, billing.ChangeNow).LatestInvoice.AmountPaid.FormatWithSymbol()
	assert.Equal(t, []string{"Your plan is now Professional, monthly: " + paid + " AUD paid", "Payment received: " + paid + " AUD"}, f.subjects())
	f.change(yearly, billing.ChangeAtRenewal)
	assert.Equal(t, []string{"Your plan changes to Professional, yearly on 8 May 2026"}, f.subjects())
	_, err := f.CancelScheduledChange.Do(t.Context(), f.caller)
	require.NoError(t, err)
	assert.Equal(t, []string{"You keep Professional, monthly"}, f.subjects())

	f.end()
	assert.Equal(t, []string{"Your Professional plan ends on 8 May 2026"}, f.subjects())
	_, err = f.ResumeSubscription.Do(t.Context(), f.caller)
	require.NoError(t, err)
	assert.Equal(t, []string{"Your Professional plan continues"}, f.subjects())
	f.end()
	assert.Equal(t, []string{"Your Professional plan ends on 8 May 2026"}, f.subjects(), "as before the resumption")
	assert.Equal(t, []string{"Your Professional plan has ended"}, f.pass(30*day))

	f.Refund(f.newestInvoice().ID, 1000, "AUD")
	refunded := f.next()
	require.Len(t, refunded, 1)
	assert.Equal(t, "Refund: $10 AUD of invoice "+f.newestInvoice().Number, refunded[0].Subject)
	f.Refund(f.newestInvoice().ID, 500, "AUD")
	assert.Equal(t, []string{"Refund: $5 AUD of invoice " + f.newestInvoice().Number}, f.subjects())
	assert.Empty(t, f.pass(60*day))
}

func TestNotices_OfAChangeToTheTrial(t *testing.T) {
	f := newNoticeFixture(t)
	sub := f.subscribe(f.caller, visa, monthly, false)
	f.subjects()
	f.pass(5 * day)

	_, err := f.provider.ExtendTrial(t.Context(), payment.TrialExtension{Key: "extend", SubscriptionID: sub.ID, Until: sub.TrialEnd.Add(7 * day)})
	require.NoError(t, err)
	assert.Equal(t, []string{"Your trial ends on 15 March: $39 AUD then"}, f.pass(8*day), "a second reminder")

	_, err = f.EndSubscription.Do(t.Context(), f.caller, app.EndRequest{})
	require.NoError(t, err)
	assert.Equal(t, []string{"Your Standard plan ends on 15 March 2026"}, f.subjects())
	assert.Equal(t, []string{"Your Standard plan has ended"}, f.pass(3*day))
}

func TestNotices_OfATrialThatIsEndedAtOnce(t *testing.T) {
	f := newNoticeFixture(t)
	f.subscribe(f.caller, visa, monthly, false)
	f.subjects()
	_, err := f.EndSubscription.Do(t.Context(), f.caller, app.EndRequest{})
	require.NoError(t, err)
	assert.Len(t, f.subjects(), 1)
	assert.Equal(t, []string{"Your Standard plan has ended"}, f.pass(10*day), "no reminder of a charge that is not made")
}

// What happened to the overdue bill is in the email about the end.
func TestNotices_OfAnOverduePlanThatWasEnded(t *testing.T) {
	for name, c := range map[string]struct {
		voidedBefore bool
		subject      string
		text         string
	}{
		"voided": {false, "Your Standard plan has ended", "The overdue bill of $39 AUD is cancelled: you need not pay it."},
		"owed":   {true, "Your Standard plan has ended: $39 AUD is still to be paid", "The overdue bill of $39 AUD stays owed. Pay it before you subscribe again."},
	} {
		t.Run(name, func(t *testing.T) {
			f := newNoticeFixture(t)
			f.subscribe(f.caller, visa, monthly, true)
			f.addCard(f.caller, unchargeableCard)
			f.pass(32 * day)
			if c.voidedBefore {
				_, err := f.Store.UpdateOrganisation(t.Context(), f.caller.OrganisationID, func(o *account.Organisation) error {
					o.Billing.Voided = billing.VoidedBill{SubscriptionID: "earlier", At: f.Clock.Now()}
					return nil
				})
				require.NoError(t, err)
			}

			_, err := f.EndSubscription.Do(t.Context(), f.caller, app.EndRequest{})
			require.NoError(t, err)

			ended := f.next()
			require.Len(t, ended, 1)
			assert.Equal(t, c.subject, ended[0].Subject)
			assert.Contains(t, ended[0].Text, c.text)
			assert.Contains(t, ended[0].Text, "as you requested")
			assert.Empty(t, f.pass(2*day))
		})
	}
}

func TestNotices_EndAfterLastAttemptReportsTheVoidedBill(t *testing.T) {
	f := newNoticeFixture(t)
	f.subscribe(f.caller, visa, monthly, true)
	f.addCard(f.caller, unchargeableCard)
	subjects := f.pass(60 * day)
	assert.Equal(t, "Your Standard plan has ended: $39 AUD was not paid", subjects[len(subjects)-1])
	assert.Len(t, subjects, 5, "the first payment, three attempts and the end: %v", subjects)
	require.Equal(t, billing.InvoiceVoid, f.newestInvoice().Status)
	assert.Contains(t, f.Mailbox.Emails()[0].Text, "because its last bill was not paid.\n\nThe overdue bill of $39 AUD is cancelled: you need not pay it.")
}

func TestNotices_OfAPendingChangeThatIsDropped(t *testing.T) {
	f := newNoticeFixture(t)
	f.leavePendingChange(f.caller)
	f.subjects()
	_, err := f.CancelPendingChange.Do(t.Context(), f.caller)
	require.NoError(t, err)
	dropped := f.next()
	require.Len(t, dropped, 1)
	assert.Equal(t, "You keep Standard, monthly", dropped[0].Subject)
	assert.Contains(t, dropped[0].Text, "The change to Professional, yearly was cancelled or not paid in time.")
}

func TestNotices_EndOrChangeNowReportsTheDroppedScheduledChange(t *testing.T) {
	const dropped = "The change to Professional, yearly on 1 April 2026 will not be made."
	for name, act := range map[string]func(*noticeFixture){
		"Your Standard plan ends on 1 April 2026":              (*noticeFixture).end,
		"Your plan is now Professional, monthly: $37 AUD paid": func(f *noticeFixture) { f.change(professional, billing.ChangeNow) },
	} {
		t.Run(name, func(t *testing.T) {
			f := newNoticeFixture(t)
			f.subscribe(f.caller, visa, monthly, true)
			f.change(yearly, billing.ChangeAtRenewal)
			f.subjects()

			act(f)

			sent := f.next()
			require.NotEmpty(t, sent)
			assert.Equal(t, name, sent[0].Subject)
			assert.Contains(t, sent[0].Text, dropped)
		})
	}
}

func TestNotices_OfADisputedPayment(t *testing.T) {
	f := newNoticeFixture(t)
	f.subscribe(f.caller, visa, monthly, true)
	f.change(yearly, billing.ChangeAtRenewal)
	f.subjects()
	f.Dispute(f.newestInvoice().ID)
	returned := f.next()
	require.Len(t, returned, 1)
	assert.Equal(t, "Your bank has taken back a payment of $39 AUD", returned[0].Subject)
	assert.Contains(t, returned[0].Text, "Taken back for invoice "+f.newestInvoice().Number)
	assert.Contains(t, returned[0].Text, "The change to Professional, yearly on 1 April 2026 will not be made.")
	assert.Empty(t, f.pass(10*day))
}

// The emails of a customer who pays by bank transfer and whose orders are checked.
func TestNotices_OfSubscriptionPaidByTransfer(t *testing.T) {
	f := newOrderFixture(t)
	f.run(1, 30*time.Minute)
	assert.Equal(t, []string{"Your order of Standard, monthly: $39 AUD per month"}, f.newSubjects())
	_, err := f.invoices.Allow(t.Context(), f.caller.OrganisationID)
	require.NoError(t, err)
	f.run(1, time.Minute)
	assert.Equal(t, []string{"Your Standard plan has started", "Invoice INV-000001: $39 AUD due on 15 March 2026"}, f.newSubjects())
	started := f.newest("Your Standard plan has started")
	assert.Contains(t, started.Text, "Your order is approved.")
	assert.Contains(t, started.Text, "It is free of charge until 8 March 2026.")
	assert.Contains(t, started.Text, "Reference: INV-000001")

	f.run(4, day)
	reminder := "Your trial ends on 8 March: $39 AUD then"
	assert.Equal(t, []string{reminder}, f.newSubjects())
	assert.Contains(t, f.newest(reminder).Text, "Your first invoice of $39 AUD is due on 15 March 2026.")
	f.payInvoice()
	f.run(1, time.Minute)
	assert.Equal(t, []string{receiptEmail}, f.newSubjects())

	_, err = f.EndSubscription.Do(t.Context(), f.caller, app.EndRequest{})
	require.NoError(t, err)
	f.run(1, time.Minute)
	assert.Equal(t, []string{"Your Standard plan ends on 8 March 2026"}, f.newSubjects())
	f.run(5, day)
	assert.ElementsMatch(t, []string{"Your Standard plan has ended", "Credit: $39 AUD for invoice INV-000001"}, f.newSubjects())
}

// The invoice of the time after the trial becomes void at the trial's end.
func TestNotices_EndOfInvoicedTrialSaysNotToPayTheInvoice(t *testing.T) {
	f := newOrderFixture(t)
	_, err := f.invoices.Allow(t.Context(), f.caller.OrganisationID)
	require.NoError(t, err)
	f.run(1, time.Minute)
	f.newSubjects()

	_, err = f.EndSubscription.Do(t.Context(), f.caller, app.EndRequest{})
	require.NoError(t, err)
	f.run(1, time.Minute)
	const ending, ended = "Your Standard plan ends on 8 March 2026", "Your Standard plan has ended"
	assert.Equal(t, []string{ending}, f.newSubjects())
	assert.Contains(t, f.newest(ending).Text, "Please do not pay invoice INV-000001 of $39 AUD: it is cancelled when the trial ends.")

	f.run(8, day)
	assert.Equal(t, billing.InvoiceVoid, f.invoice().Status)
	assert.Equal(t, []string{ended}, f.newSubjects())
	assert.Contains(t, f.newest(ended).Text, "Invoice INV-000001 of $39 AUD is cancelled: you need not pay it.")
}

func TestNotices_ApprovalAtOnceIsReportedOnce(t *testing.T) {
	f := newOrderFixture(t)
	f.run(1, time.Second)
	f.newSubjects()
	_, err := f.invoices.Allow(t.Context(), f.caller.OrganisationID)
	require.NoError(t, err)
	f.run(2, 30*time.Second)
	assert.Equal(t, []string{"Your Standard plan has started", "Invoice INV-000001: $39 AUD due on 15 March 2026"}, f.newSubjects())
}

func TestNotices_OfAnOrderThatWasNotApproved(t *testing.T) {
	f := newOrderFixture(t)
	f.run(1, time.Minute)
	f.newSubjects()
	f.run(40, day)
	assert.Equal(t, []string{"Your order of Standard has ended"}, f.newSubjects())
}

func TestNotices_WithdrawnOrderIsReportedAsRequested(t *testing.T) {
	f := newOrderFixture(t)
	f.run(1, time.Minute)
	f.newSubjects()
	_, err := f.EndSubscription.Do(t.Context(), f.caller, app.EndRequest{})
	require.NoError(t, err)
	f.run(1, time.Minute)
	const ended = "Your order of Standard has ended"
	assert.Equal(t, []string{ended}, f.newSubjects())
	assert.Contains(t, f.newest(ended).Text, "Your order of the Standard plan is withdrawn, as you requested.")
}

// newSubjects sends the emails that wait and returns the subjects of those that were not returned before, oldest first.
func (f *invoiceFixture) newSubjects() []string {
	f.t.Helper()
	all := f.deliver()
	fresh := all[f.seen:]
	f.seen = len(all)
	return fresh
}

// newest returns the newest email with the subject.
func (f *invoiceFixture) newest(subject string) devmail.Email {
	f.t.Helper()
	i := slices.IndexFunc(f.Mailbox.Emails(), func(e devmail.Email) bool { return e.Subject == subject })
	require.GreaterOrEqual(f.t, i, 0, subject)
	return f.Mailbox.Emails()[i]
}

func (f *noticeFixture) end() {
	f.t.Helper()
	_, err := f.EndSubscription.Do(f.t.Context(), f.caller, app.EndRequest{})
	require.NoError(f.t, err)
}

func (f *noticeFixture) newestInvoice() billing.Invoice {
	f.t.Helper()
	stored, err := f.Store.Invoices(f.t.Context(), f.caller.OrganisationID)
	require.NoError(f.t, err)
	require.NotEmpty(f.t, stored)
	return stored[0]
}

// A server of a version without these emails stores the same copy and sends none.
func TestNotices_NoneAboutTheTimeBeforeTheUpdate(t *testing.T) {
	f := newNoticeFixture(t)
	old := app.New(app.Ports{Store: f.Store, Provider: f.provider, Clock: f.Clock, Sessions: f.Session, NoBillingEmails: true})
	_, err := old.Subscribe.Do(t.Context(), f.caller, app.SubscribeRequest{MethodID: f.CreateCard(visa), Price: monthly})
	require.NoError(t, err)
	f.Advance(5 * day)
	events := f.TakeEvents()
	f.Deliver(old, events...)

	_, err = f.Store.UpdateOrganisation(t.Context(), f.caller.OrganisationID, func(o *account.Organisation) error {
		o.Billing.NoticesSince = f.Clock.Now() // as the migration does
		return nil
	})
	require.NoError(t, err)
	event := payment.Event{ID: "evt_1", Kind: payment.SubscriptionChanged, CustomerID: f.account(f.caller).CustomerID}
	require.NoError(t, f.ReceiveEvent.Apply(t.Context(), event))

	assert.Equal(t, []string{"Your trial ends on 8 March: $39 AUD then"}, f.subjects(), "a reminder of what is ahead")
	assert.Equal(t, []string{"Payment received: $39 AUD"}, f.pass(2*day))
}

func TestNotices_OfACardThatExpiresBeforeTheRenewal(t *testing.T) {
	f := newNoticeFixture(t)
	f.subscribe(f.caller, visa, standardYearly, true)
	f.subjects()
	expiring, err := f.provider.CreatePaymentMethod(t.Context(), fakepayment.CardEntry{Number: mastercard, ExpMonth: 2, ExpYear: 2027, CVC: "123"})
	require.NoError(t, err)
	_, err = f.AddCard.Do(t.Context(), f.caller, expiring.ID)
	require.NoError(t, err)

	assert.Empty(t, f.pass(330*day))
	assert.Equal(t, []string{
		"Mastercard •••• 4444 expires before your next charge on 1 March", "Your plan renews on 1 March: $420 AUD",
	}, f.pass(30*day))
}

// An event arrives at the time of the check that reads the card.
func TestNotices_OfACardThatExpires_AfterAnEvent(t *testing.T) {
	f := newNoticeFixture(t)
	expiring, err := f.provider.CreatePaymentMethod(t.Context(), fakepayment.CardEntry{Number: visa, ExpMonth: 3, ExpYear: 2026, CVC: "123"})
	require.NoError(t, err)
	_, err = f.Subscribe.Do(t.Context(), f.caller, app.SubscribeRequest{MethodID: expiring.ID, Price: monthly, NoTrial: true})
	require.NoError(t, err)
	f.Advance(8 * day)
	assert.ElementsMatch(t, []string{"Payment received: $39 AUD", "Visa •••• 4242 expires before your next charge on 1 April"}, f.subjects())
}

// The amount in the reminder is that of the billing page, and what is charged.
func TestNotices_AnnounceTheAmountAfterCredit(t *testing.T) {
	f := newNoticeFixture(t)
	f.subscribe(f.caller, visa, monthly, false)
	f.subjects()
	credit, err := money.New(1250, "AUD")
	require.NoError(t, err)
	_, err = f.provider.AddCredit(t.Context(), payment.Credit{Key: "credit", CustomerID: f.account(f.caller).CustomerID, Amount: credit})
	require.NoError(t, err)
	shown, err := f.ShowBilling.Do(t.Context(), f.caller)
	require.NoError(t, err)
	require.Equal(t, "$26.50", shown.Next.Amount.FormatWithSymbol())

	assert.Equal(t, []string{"Your trial ends on 8 March: $26.50 AUD then"}, f.pass(7*day-time.Hour))
	assert.Equal(t, []string{"Payment received: $26.50 AUD"}, f.pass(2*day))
	assert.Equal(t, shown.Next.Amount, f.newestInvoice().AmountPaid)
}

// The receipt has the lines of the invoice, and both emails about a change its tax.
func TestNotices_AmountsEqualThoseOfTheInvoice(t *testing.T) {
	f := newNoticeFixture(t)
	f.subscribe(f.caller, visa, monthly, true)
	receipt := f.next()
	require.Len(t, receipt, 1)
	assert.Contains(t, receipt[0].Text, "\nStandard, monthly (1 March 2026 to 1 April 2026): $39 AUD\nTotal (includes $3.55 GST): $39 AUD\nPaid: −$39 AUD\n")

	f.Advance(10 * day)
	invoice := f.change(professional, billing.ChangeNow).LatestInvoice
	emails := f.next()
	require.Len(t, emails, 2, "the change and its receipt")
	for _, email := range emails {
		assert.Contains(t, email.Text, "\nTotal (includes "+f.newestInvoice().Tax.FormatWithSymbol()+" GST): "+invoice.Total.FormatWithSymbol()+" AUD\n")
	}
}

// A change to a cheaper plan gives credit, which the emails about it and about later changes deduct.
func TestNotices_NextChargeAfterAChangeEqualsTheBillingPage(t *testing.T) {
	f := newNoticeFixture(t)
	f.subscribe(f.caller, visa, standardYearly, true)
	f.subjects()
	steps := []struct {
		subject string
		do      func() error
	}{
		{"Your plan is now Standard, monthly: nothing to pay", func() error { f.change(monthly, billing.ChangeNow); return nil }},
		{"Your plan changes to Professional, yearly on 1 April 2026", func() error { f.change(yearly, billing.ChangeAtRenewal); return nil }},
		{"You keep Standard, monthly", func() error { _, err := f.CancelScheduledChange.Do(t.Context(), f.caller); return err }},
		{"Your Standard plan ends on 1 April 2026", func() error { f.end(); return nil }},
		{"Your Standard plan continues", func() error { _, err := f.ResumeSubscription.Do(t.Context(), f.caller); return err }},
	}
	for _, step := range steps {
		require.NoError(t, step.do())
		shown, err := f.ShowBilling.Do(t.Context(), f.caller)
		require.NoError(t, err)
		email := f.next()[0]
		require.Equal(t, step.subject, email.Subject)
		if shown.Next != nil {
			assert.Contains(t, email.Text, ": "+shown.Next.Amount.FormatWithSymbol()+" AUD on 1 April 2026.", email.Subject)
		}
	}
}

func TestNotices_ChangeIsReportedWithoutTheCreditIfItCanNotBeRead(t *testing.T) {
	f := newNoticeFixture(t)
	f.subscribe(f.caller, visa, monthly, true)
	f.subjects()
	f.withFaults(failAlways("Customer"))
	f.change(yearly, billing.ChangeAtRenewal)
	assert.Contains(t, f.next()[0].Text, "less any credit you have then")
}

// A transfer of more than the invoice is reported with what became credit.
func TestNotices_OfAnOverpayment(t *testing.T) {
	f := newOrderFixture(t)
	_, err := f.invoices.Allow(t.Context(), f.caller.OrganisationID)
	require.NoError(t, err)
	f.run(1, time.Minute)
	f.newSubjects()
	pay := func(text, reference string) devmail.Email {
		amount, err := money.Parse(text, "AUD")
		require.NoError(t, err)
		_, err = f.invoices.MarkPaid(t.Context(), invoicepayment.Transfer{Number: f.invoice().Number, Amount: amount, Reference: reference})
		require.NoError(t, err)
		f.run(1, time.Minute)
		subject := "Payment received: $" + text + " AUD"
		assert.Equal(t, []string{subject}, f.newSubjects())
		return f.newest(subject)
	}
	receipt := pay("50", "1")
	assert.Contains(t, receipt.Text, "We received your payment: $50 AUD on 1 March 2026, by bank transfer")
	assert.Contains(t, receipt.Text, "$39 AUD paid invoice INV-000001. The other $11 AUD became your credit.")
	assert.Contains(t, receipt.Text, "You have a credit of $11 AUD. It is deducted from your next invoices.")

	receipt = pay("7", "2")
	assert.Contains(t, receipt.Text, "The $7 AUD became your credit, because invoice INV-000001 was paid already.")
	assert.Contains(t, receipt.Text, "You have a credit of $18 AUD.")

	refunded, err := money.Parse("30", "AUD")
	require.NoError(t, err)
	_, err = f.invoices.RecordRefund(t.Context(), invoicepayment.Transfer{Number: f.invoice().Number, Amount: refunded, Reference: "3"})
	require.NoError(t, err)
	f.run(1, time.Minute)
	const refund = "Refund: $30 AUD of invoice INV-000001"
	assert.Equal(t, []string{refund}, f.newSubjects())
	assert.Contains(t, f.newest(refund).Text, "$18 AUD of your credit was withdrawn, because invoice INV-000001 was refunded. You have no credit left.")
	f.run(3, day)
	assert.Empty(t, f.newSubjects())
}
