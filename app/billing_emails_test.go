package app_test

import (
	"math/rand/v2"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/vc-admin/diy/adapters/devmail"
	"github.com/vc-admin/diy/adapters/invoicepayment"
	"github.com/vc-admin/diy/adapters/sqlstorage"
	"github.com/vc-admin/diy/app"
	"github.com/vc-admin/diy/app/apptest"
	"github.com/vc-admin/diy/domain/account"
	"github.com/vc-admin/diy/domain/billing"
	"github.com/vc-admin/diy/domain/catalogue"
	"github.com/vc-admin/diy/domain/money"
	"github.com/vc-admin/diy/ports/identity"
	"github.com/vc-admin/diy/ports/payment"
	"github.com/vc-admin/diy/ports/payment/plugin"
)

const day = 24 * time.Hour

// invoiceFixture is a fixture with servers that collect by invoice, and a caller.
type invoiceFixture struct {
	*fixture
	servers  []*app.UseCases
	invoices *invoicepayment.Provider
	caller   identity.Identity
	read     int // emails that newSubjects has returned
}

// newInvoiceServers returns two servers with the settings, and an organisation.
func newInvoiceServers(t *testing.T, settings plugin.Settings, options ...apptest.Option) *invoiceFixture {
	t.Helper()
	f := &invoiceFixture{fixture: newFixture(t, options...)}
	require.NoError(t, f.Store.MigratePlugin(t.Context(), "invoice", invoicepayment.Adapter{}))
	for _, store := range []*sqlstorage.Store{f.Store, f.OpenStore()} {
		provider, err := invoicepayment.Open(settings,
			plugin.Dependencies{Database: store.Database(), Clock: f.Clock, Catalogue: catalogue.Default()})
		require.NoError(t, err)
		f.invoices, f.UseCases = provider, f.NewApp(store, provider)
		f.servers = append(f.servers, f.UseCases)
	}
	f.caller = f.signUp()
	return f
}

// newInvoiceFixture returns two servers, and an organisation with a billing email that has subscribed.
func newInvoiceFixture(t *testing.T, options ...apptest.Option) *invoiceFixture {
	t.Helper()
	f := newInvoiceServers(t, plugin.Settings{}, options...)
	_, err := f.Store.UpdateOrganisation(t.Context(), f.caller.OrganisationID, func(o *account.Organisation) error {
		details := o.BillingDetails()
		details.BillingEmail = "accounts@example.com"
		o.Details = &details
		return nil
	})
	require.NoError(t, err)
	_, err = f.Subscribe.Do(t.Context(), f.caller, app.SubscribeRequest{Price: monthly, NoTrial: true})
	require.NoError(t, err)
	return f
}

// tick does the background work of one server.
func (f *invoiceFixture) tick(server *app.UseCases) {
	f.t.Helper()
	_, err := f.invoices.Tick(f.t.Context(), server.ReceiveEvent.Apply)
	require.NoError(f.t, err)
	_, err = server.RefreshBilling.Do(f.t.Context())
	require.NoError(f.t, err)
}

// deliver sends the emails that wait and returns the subjects of all billing emails to the user so far,
// oldest first. It requires that a billing email got the same ones.
func (f *invoiceFixture) deliver() []string {
	f.t.Helper()
	_, err := f.DeliverMail.Do(f.t.Context())
	require.NoError(f.t, err)
	subjects := map[string][]string{}
	for _, email := range f.Mailbox.Emails() {
		if !strings.Contains(email.Subject, "email address") {
			subjects[email.To] = append([]string{email.Subject}, subjects[email.To]...)
		}
	}
	if details := f.organisation().Details; details != nil && details.BillingEmail != "" {
		require.Equal(f.t, subjects["ann@example.com"], subjects[details.BillingEmail])
	}
	return subjects["ann@example.com"]
}

func (f *invoiceFixture) organisation() account.Organisation {
	f.t.Helper()
	org, err := f.Store.Organisation(f.t.Context(), f.caller.OrganisationID)
	require.NoError(f.t, err)
	return org
}

// run moves the clock in steps and does the background work after each.
func (f *invoiceFixture) run(steps int, step time.Duration) {
	for range steps {
		f.Advance(step)
		f.tick(f.UseCases)
	}
}

// invoice returns the newest stored invoice.
func (f *invoiceFixture) invoice() billing.Invoice {
	f.t.Helper()
	stored, err := f.Store.Invoices(f.t.Context(), f.caller.OrganisationID)
	require.NoError(f.t, err)
	require.NotEmpty(f.t, stored)
	return stored[0]
}

func (f *invoiceFixture) payInvoice() {
	f.t.Helper()
	_, err := f.invoices.MarkPaid(f.t.Context(), invoicepayment.Transfer{
		Number: f.invoice().Number, Amount: f.invoice().AmountDue, Reference: "transfer of " + f.invoice().Number,
	})
	require.NoError(f.t, err)
}

// The subjects for the first invoice.
const (
	issuedEmail  = "Invoice INV-000001: $39 AUD due on 15 March 2026"
	overdueEmail = "Invoice INV-000001: $39 AUD overdue since 15 March 2026"
	endedEmail   = "Your Standard plan has ended: $39 AUD was not paid"
	receiptEmail = "Payment received: $39 AUD"
)

func TestBillingEmails_UnpaidInvoiceIsIssuedOverdueAndEnded(t *testing.T) {
	f := newInvoiceFixture(t)
	assert.Empty(t, f.deliver())
	f.run(1, time.Minute)
	assert.Equal(t, []string{issuedEmail}, f.deliver(), "without an event of the provider")
	assert.Equal(t, "$39", f.invoice().AmountDue.FormatWithSymbol())
	text := f.Mailbox.Emails()[0].Text
	for _, line := range []string{"Reference: INV-000001", "https://diy.test/vc-admin/diy/invoices"} {
		assert.Contains(t, text, line)
	}

	f.run(14, day)
	assert.Equal(t, []string{issuedEmail, overdueEmail}, f.deliver())
	assert.Contains(t, f.Mailbox.Emails()[0].Text, "Your Standard plan ends on 22 March 2026")
	f.run(7, day)
	assert.Equal(t, []string{issuedEmail, overdueEmail, endedEmail}, f.deliver())
	assert.Contains(t, f.Mailbox.Emails()[0].Text, "pay it first")
	f.run(30, day)
	assert.Len(t, f.deliver(), 3)
}

func TestBillingEmails_OmitAnInvoicePaidBeforeDelivery(t *testing.T) {
	f := newInvoiceFixture(t)
	f.run(1, time.Minute)
	f.payInvoice()
	f.run(1, time.Minute)
	assert.Equal(t, []string{receiptEmail}, f.deliver(), "paid before the first delivery")

	f.run(31, day)
	assert.Len(t, f.deliver(), 2, "the renewal")
	f.run(15, day)
	f.payInvoice()
	f.run(1, time.Minute)
	assert.Equal(t, receiptEmail, f.deliver()[2], "paid after it was overdue, before the delivery")
	assert.Len(t, f.deliver(), 3)
	assert.Equal(t, billing.InvoicePaid, f.invoice().Status)
}

func TestBillingEmails_ShowPartPayments(t *testing.T) {
	f := newInvoiceFixture(t)
	f.run(1, time.Minute)
	ten, err := money.New(1000, "AUD")
	require.NoError(t, err)
	_, err = f.invoices.MarkPaid(t.Context(), invoicepayment.Transfer{Number: f.invoice().Number, Amount: ten, Reference: "part"})
	require.NoError(t, err)

	f.run(1, time.Minute)
	assert.Equal(t, []string{issuedEmail, "Payment received: $10 AUD, $29 AUD still to be paid"}, f.deliver())
	receipt := f.Mailbox.Emails()[0]
	for _, want := range []string{
		"Receipt for invoice INV-000001", "$29 AUD of invoice INV-000001 is still to be paid by 15 March 2026.",
		"Paid: −$10 AUD\nAmount due: $29 AUD", "Reference: INV-000001",
	} {
		assert.Contains(t, receipt.Text, want)
	}
	f.run(14, day)
	f.deliver()
	overdue := f.Mailbox.Emails()[0]

	assert.Equal(t, "Invoice INV-000001: $29 AUD overdue since 15 March 2026", overdue.Subject)
	for _, want := range []string{"has not been paid in full yet", "Total: $39 AUD\nPaid: −$10 AUD\nAmount due: $29 AUD", "Amount: $29 AUD"} {
		assert.Contains(t, overdue.Text, want)
	}
}

// Delivered emails don't depend on how often and on which server the background work runs.
func TestBillingEmails_AnyScheduleSendsTheSameEmails(t *testing.T) {
	for seed := range uint64(6) {
		random := rand.New(rand.NewPCG(seed, 0))
		f := newInvoiceFixture(t)
		start := f.Clock.Now()
		for f.Clock.Now().Before(start.Add(22 * day)) {
			f.Advance(time.Duration(1 + random.Int64N(int64(5*day))))
			for range random.IntN(4) {
				f.tick(f.servers[random.IntN(2)])
			}
			if random.IntN(2) == 0 {
				_, err := f.servers[random.IntN(2)].DeliverMail.Do(t.Context())
				require.NoError(t, err)
			}
			f.tick(f.UseCases)
			f.deliver()
		}
		assert.Equal(t, []string{issuedEmail, overdueEmail, endedEmail}, f.deliver(), "seed %d", seed)
	}
}

func TestBillingEmails_ConcurrentServersQueueEachOnce(t *testing.T) {
	f := newInvoiceFixture(t)
	f.Advance(time.Minute)
	event := payment.Event{ID: "evt_1", Kind: payment.SubscriptionChanged, CustomerID: f.account(f.caller).CustomerID}
	done := make(chan error)
	for i := range 8 {
		go func() { done <- f.servers[i%2].ReceiveEvent.Apply(t.Context(), event) }()
	}
	for range 8 {
		require.NoError(t, <-done)
	}
	assert.Equal(t, []string{issuedEmail}, f.deliver())
}

func TestBillingEmails_NotSentWhenTheProviderSendsThem(t *testing.T) {
	f := newInvoiceFixture(t)
	f.Advance(time.Minute)
	f.tick(app.New(app.Ports{Store: f.Store, Provider: f.invoices, Clock: f.Clock, NoBillingEmails: true}))
	assert.Empty(t, f.deliver())
	assert.Equal(t, billing.InvoiceOpen, f.invoice().Status, "it is stored")
}

func TestBillingEmails_NotSentForADeveloperLicense(t *testing.T) {
	f := newInvoiceFixture(t)
	f.run(1, time.Minute)
	require.NoError(t, f.GrantDevLicense.Do(t.Context(), f.caller.OrganisationID, "standard"))
	f.run(20, day)
	assert.Empty(t, f.deliver())
}

// newSubjects sends the emails that wait and returns the subjects of those that were not returned before, oldest first.
func (f *invoiceFixture) newSubjects() []string {
	f.t.Helper()
	all := f.deliver()
	fresh := all[f.read:]
	f.read = len(all)
	return fresh
}

// newest returns the newest email with the subject.
func (f *invoiceFixture) newest(subject string) devmail.Email {
	f.t.Helper()
	i := slices.IndexFunc(f.Mailbox.Emails(), func(e devmail.Email) bool { return e.Subject == subject })
	require.GreaterOrEqual(f.t, i, 0, subject)
	return f.Mailbox.Emails()[i]
}
