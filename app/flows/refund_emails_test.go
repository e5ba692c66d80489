package flows

import (
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/vc-admin/diy/app"
	"github.com/vc-admin/diy/app/apptest"
	"github.com/vc-admin/diy/domain/billing"
	"github.com/vc-admin/diy/domain/money"
)

// receiveEmails delivers the queued events and emails. It returns the subject and the text of each of these emails, oldest
// first.
func (env *testEnv) receiveEmails() (texts []string) {
	env.t.Helper()
	emailCount := len(env.Mailbox.Emails())
	env.DeliverEvents()
	_, err := env.App.DeliverMail.Do(env.t.Context())
	require.NoError(env.t, err)
	all := env.Mailbox.Emails()
	for _, email := range slices.Backward(all[:len(all)-emailCount]) {
		texts = append(texts, email.Subject+"\n"+email.Text)
	}
	return texts
}

// Stripe's reports of refunds and disputes name a charge, and the charge does not name its invoice.
func TestReturnedPayment_EmailsAboutStripeChargesNameTheInvoice(t *testing.T) {
	t.Parallel()
	env := newStripeEnv(t)
	invoice := env.user.SubscribeWithoutTrial(apptest.Visa, apptest.ProfessionalYearly).LatestInvoice
	_, err := env.App.ChangePlan.Do(t.Context(), env.user.Identity, app.ChangeRequest{PriceChoice: apptest.StandardMonthly})
	require.NoError(t, err)
	require.EqualValues(t, 77700, env.user.Customer().Credit.Minor())
	env.receiveEmails()
	number := env.readStoredInvoice(env.user, invoice.ID).Number
	amount, err := money.New(1000, "AUD")
	require.NoError(t, err)

	require.NoError(t, env.FakeProvider().RefundKeepingCredit(t.Context(), invoice.ID, amount))
	refundEmails := env.receiveEmails()
	require.NoError(t, env.FakeProvider().OpenDisputeWithoutHold(t.Context(), invoice.ID))
	disputeEmails := env.receiveEmails()

	require.Len(t, refundEmails, 1)
	assert.Contains(t, refundEmails[0],
		"$10 AUD of your credit was withdrawn, because invoice "+number+" was refunded. You have a credit of $767 AUD left.")
	require.Len(t, disputeEmails, 1)
	assert.Contains(t, disputeEmails[0], "taken back your payment of $806 AUD for invoice "+number)
}

// Stripe's invoice stays paid, also after a lost dispute.
func TestDispute_StripeInvoiceShowsEachDisputeAndItsDecision(t *testing.T) {
	t.Parallel()
	env := newStripeEnv(t)
	invoiceID := env.user.SubscribeWithoutTrial(apptest.Visa, apptest.StandardMonthly).LatestInvoice.ID
	env.receiveEmails()
	var subjects []string
	for _, isWon := range []bool{true, false} {
		env.Advance(day)
		require.NoError(t, env.FakeProvider().OpenDisputeWithoutHold(t.Context(), invoiceID))
		openedEmails := env.receiveEmails()
		env.Advance(day)
		require.NoError(t, env.FakeProvider().CloseDisputeKeepingCredit(t.Context(), invoiceID, isWon))
		for _, text := range slices.Concat(openedEmails, env.receiveEmails()) {
			subject, _, _ := strings.Cut(text, "\n")
			subjects = append(subjects, subject)
		}
	}

	invoice := env.readStoredInvoice(env.user, invoiceID)
	returned, settled := "Your bank has taken back a payment of $39 AUD", "Dispute settled: $39 AUD for invoice "+invoice.Number
	assert.Equal(t, []string{returned, "Your account is no longer on hold", returned, settled}, subjects)
	var kinds []billing.MovementKind
	for _, m := range invoice.Movements() {
		kinds = append(kinds, m.Kind)
		assert.False(t, m.At.IsZero(), "%s has a date", m.Kind)
	}
	assert.Equal(t, []billing.MovementKind{
		billing.MovementPayment, billing.MovementDispute, billing.MovementDisputeWon, billing.MovementDispute, billing.MovementDisputeLost,
	}, kinds)
}

// Staff mark an overdue invoice as paid at Stripe, for example after a bank transfer. Stripe has then no charge for it.
func TestInvoicePaidOutsideOfStripe_RestoresTheSubscriptionAndQueuesTheReceipt(t *testing.T) {
	t.Parallel()
	env := newStripeEnv(t)
	env.user.SubscribeWithoutTrial(apptest.Visa, apptest.StandardMonthly)
	env.user.AddCard(apptest.DeclinedChargesCard)
	env.Advance(32 * day)
	env.receiveEmails()
	require.Equal(t, billing.PastDue, env.user.LicenseStatus())
	invoiceID := env.user.Account().OpenPayment().InvoiceID

	require.NoError(t, env.FakeProvider().MarkPaidOutside(t.Context(), invoiceID))
	emails := strings.Join(env.receiveEmails(), "\n")

	assert.Equal(t, billing.Active, env.user.LicenseStatus())
	assert.Contains(t, emails, "Payment received: $39 AUD")
	assert.Contains(t, emails, "outside of our online payments")
	assert.Contains(t, emails, env.readStoredInvoice(env.user, invoiceID).Number)
}

// readStoredInvoice returns the stored copy of the user's invoice.
func (env *testEnv) readStoredInvoice(user *apptest.User, id string) billing.Invoice {
	env.t.Helper()
	invoices, err := env.Store.Invoices(env.t.Context(), user.OrganisationID)
	require.NoError(env.t, err)
	i := slices.IndexFunc(invoices, func(inv billing.Invoice) bool { return inv.ID == id })
	require.GreaterOrEqual(env.t, i, 0, id)
	return invoices[i]
}

// A refresh lists only newer invoices. It reads the refunded invoice because the event names it.
func TestRefund_RefundOfAnOlderInvoiceIsStoredAndReported(t *testing.T) {
	t.Parallel()
	for name, newProviderEnv := range providerEnvs {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			env := newProviderEnv(t)
			provider := env.FakeProvider()
			user := env.SignUp("ben")
			firstInvoice := user.SubscribeWithoutTrial(apptest.Visa, apptest.StandardMonthly).LatestInvoice
			for range 22 {
				env.Advance(31 * day)
				env.receiveEmails()
			}
			amount, err := money.New(1000, "AUD")
			require.NoError(t, err)

			require.NoError(t, provider.RefundKeepingCredit(t.Context(), firstInvoice.ID, amount))
			emails := env.receiveEmails()

			refundedInvoice := env.readStoredInvoice(user, firstInvoice.ID)
			assert.Equal(t, amount, refundedInvoice.Refunded)
			require.Len(t, emails, 1)
			assert.Contains(t, emails[0], "Refund: $10 AUD of invoice "+refundedInvoice.Number)
		})
	}
}

// receiveReturnEmails delivers events and emails for the number of days, and returns the emails about returned payments.
func (env *testEnv) receiveReturnEmails(days int) (texts []string) {
	env.t.Helper()
	for range days {
		env.Advance(day)
		for _, text := range env.receiveEmails() {
			if strings.HasPrefix(text, "Payment returned: ") || strings.HasPrefix(text, "Your bank has taken back a payment") {
				texts = append(texts, text)
			}
		}
	}
	return texts
}

func TestReturnedPayment_EachReturnOfOneInvoiceHasAnEmail(t *testing.T) {
	t.Parallel()
	env := newEnv(t)
	user := env.SignUp("ben")
	invoice := user.SubscribeWithoutTrial(apptest.ReturningAccount, apptest.StandardMonthly).LatestInvoice

	firstEmails := env.receiveReturnEmails(11)
	user.Pay(apptest.ReturningAccount)
	secondEmails := env.receiveReturnEmails(11)

	number := env.readStoredInvoice(user, invoice.ID).Number
	for _, emails := range [][]string{firstEmails, secondEmails} {
		require.Len(t, emails, 1)
		assert.Contains(t, emails[0], "Your bank returned your payment of $39 AUD from bank account •••• 4406 for invoice "+number+" on ")
	}
}

// The provider reports such a return as a dispute that is lost already.
func TestReturnedPayment_EmailAboutAReturnAfterADowngradeNamesAmountAndInvoice(t *testing.T) {
	t.Parallel()
	env := newEnv(t)
	user := env.SignUp("ben")
	invoice := user.SubscribeWithoutTrial(apptest.ReturningAccount, apptest.ProfessionalYearly).LatestInvoice
	assert.Empty(t, env.receiveReturnEmails(5))
	user.AddCard(apptest.Visa)
	_, err := env.App.ChangePlan.Do(t.Context(), user.Identity, app.ChangeRequest{PriceChoice: apptest.StandardMonthly})
	require.NoError(t, err)

	emails := env.receiveReturnEmails(10)

	require.Len(t, emails, 1)
	assert.Contains(t, emails[0], "Your bank has taken back your payment of $816 AUD for invoice "+
		env.readStoredInvoice(user, invoice.ID).Number+". Please contact us.")
}
