package app_test

import (
	"context"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/vc-admin/diy/adapters/devmail"
	"github.com/vc-admin/diy/adapters/invoicepayment"
	"github.com/vc-admin/diy/adapters/sqlstorage"
	"github.com/vc-admin/diy/app"
	"github.com/vc-admin/diy/app/apptest"
	"github.com/vc-admin/diy/domain/account"
	"github.com/vc-admin/diy/domain/audit"
	"github.com/vc-admin/diy/domain/billing"
	"github.com/vc-admin/diy/domain/catalogue"
	"github.com/vc-admin/diy/ports/identity"
	"github.com/vc-admin/diy/ports/payment"
	"github.com/vc-admin/diy/ports/payment/plugin"
)

// invoiceFixture is a fixture with two servers that collect by invoice, and with an organisation.
type invoiceFixture struct {
	*fixture
	servers   []*app.UseCases
	invoices  invoiceProvider
	caller    identity.Identity
	readCount int // number of emails that receiveSubjects has returned
}

// invoiceProvider is a provider on which an operator changes invoices.
type invoiceProvider struct{ *invoicepayment.Provider }

func confirmAsOperator(c payment.TransferChange) (audit.Entry, error) {
	return audit.Entry{OrganisationID: c.OrganisationID, Actor: audit.Operator("olga"), Kind: audit.OperatorRecordedPayment}, nil
}

func (p invoiceProvider) RecordPayment(ctx context.Context, t payment.Transfer) (payment.TransferResult, error) {
	return p.Provider.RecordPayment(ctx, t, confirmAsOperator)
}

func (p invoiceProvider) RecordRefund(ctx context.Context, t payment.Transfer) (payment.TransferResult, error) {
	return p.Provider.RecordRefund(ctx, t, confirmAsOperator)
}

func (p invoiceProvider) ApproveOrganisation(ctx context.Context, organisationID string) (int, error) {
	return p.Provider.ApproveOrganisation(ctx, organisationID, confirmAsOperator)
}

// newUnsubscribedInvoiceFixture returns a fixture with two servers that have the settings, and an organisation.
func newUnsubscribedInvoiceFixture(t *testing.T, settings plugin.Settings, options ...apptest.Option) *invoiceFixture {
	t.Helper()
	f := &invoiceFixture{fixture: newFixture(t, options...)}
	require.NoError(t, f.Store.MigratePlugin(t.Context(), "invoice", invoicepayment.Adapter{}))
	for _, store := range []*sqlstorage.Store{f.Store, f.OpenStore()} {
		provider, err := invoicepayment.Open(settings,
			plugin.Dependencies{Database: store.Database(), Clock: f.Clock, Catalogue: catalogue.Default()})
		require.NoError(t, err)
		f.invoices, f.UseCases = invoiceProvider{provider}, f.NewApp(store, provider)
		f.servers = append(f.servers, f.UseCases)
	}
	f.caller = f.signUp()
	return f
}

// newInvoiceFixture returns a fixture with two servers, and an organisation that has a billing email and has subscribed.
func newInvoiceFixture(t *testing.T, options ...apptest.Option) *invoiceFixture {
	t.Helper()
	f := newUnsubscribedInvoiceFixture(t, plugin.Settings{}, options...)
	_, err := f.Store.UpdateOrganisation(t.Context(), f.caller.OrganisationID, func(o *account.Organisation) error {
		details := o.BillingDetails()
		details.BillingEmail = "accounts@example.com"
		o.Details = &details
		return nil
	})
	require.NoError(t, err)
	_, err = f.Subscribe.Do(t.Context(), f.caller, app.SubscribeRequest{Price: standardMonthly, NoTrial: true})
	require.NoError(t, err)
	return f
}

// runWorkers runs the background workers of one server.
func (f *invoiceFixture) runWorkers(server *app.UseCases) {
	f.t.Helper()
	_, err := f.invoices.Tick(f.t.Context(), server.ReceiveEvent.Apply)
	require.NoError(f.t, err)
	_, err = server.RefreshBilling.Do(f.t.Context())
	require.NoError(f.t, err)
}

// deliverAndListAllSubjects sends the queued emails and returns the subjects of all emails about billing to the user so
// far, oldest first. It requires that the billing email, if any, received the same ones.
func (f *invoiceFixture) deliverAndListAllSubjects() []string {
	f.t.Helper()
	_, err := f.DeliverMail.Do(f.t.Context())
	require.NoError(f.t, err)
	subjects := map[string][]string{}
	for _, email := range f.Mailbox.Emails() {
		if !strings.Contains(email.Subject, "email address") {
			subjects[email.To] = append([]string{email.Subject}, subjects[email.To]...)
		}
	}
	if details := f.User(f.caller).Organisation().Details; details != nil && details.BillingEmail != "" {
		require.Equal(f.t, subjects["ann@example.com"], subjects[details.BillingEmail])
	}
	return subjects["ann@example.com"]
}

// advanceInSteps advances the clock and runs the background workers after each step.
func (f *invoiceFixture) advanceInSteps(steps int, step time.Duration) {
	for range steps {
		f.Advance(step)
		f.runWorkers(f.UseCases)
	}
}

// payNewestInvoice records a transfer that pays the newest invoice.
func (f *invoiceFixture) payNewestInvoice() {
	f.t.Helper()
	inv := f.newestInvoice(f.caller)
	_, err := f.invoices.RecordPayment(f.t.Context(),
		payment.Transfer{InvoiceNumber: inv.Number, Amount: inv.AmountDue, Reference: "transfer of " + inv.Number})
	require.NoError(f.t, err)
}

// receiveSubjects sends the queued emails and returns the subjects that no earlier call returned, oldest first.
func (f *invoiceFixture) receiveSubjects() []string {
	f.t.Helper()
	allSubjects := f.deliverAndListAllSubjects()
	subjects := allSubjects[f.readCount:]
	f.readCount = len(allSubjects)
	return subjects
}

// newestEmail returns the newest email with the subject.
func (f *invoiceFixture) newestEmail(subject string) devmail.Email {
	f.t.Helper()
	i := slices.IndexFunc(f.Mailbox.Emails(), func(e devmail.Email) bool { return e.Subject == subject })
	require.GreaterOrEqual(f.t, i, 0, subject)
	return f.Mailbox.Emails()[i]
}

// newOrderFixture returns a fixture with an organisation whose order of the monthly standard plan waits for approval.
func newOrderFixture(t *testing.T) *invoiceFixture {
	t.Helper()
	f := newUnsubscribedInvoiceFixture(t, plugin.Settings{Values: map[string]string{"APPROVAL": "required"}})
	sub, err := f.orderPlan(standardMonthly)
	require.NoError(t, err)
	require.Equal(t, billing.Incomplete, sub.Status)
	return f
}

// orderPlan orders a plan with a trial. It returns the result of Subscribe.
func (f *invoiceFixture) orderPlan(price app.PriceChoice) (billing.Subscription, error) {
	return f.Subscribe.Do(f.t.Context(), f.caller, app.SubscribeRequest{Price: price})
}

// accountShownToUser returns the account that DescribeUser returns to the user. DescribeUser refreshes a stale copy first.
func (f *invoiceFixture) accountShownToUser() *billing.Account {
	f.t.Helper()
	_, org, err := f.DescribeUser.Do(f.t.Context(), f.caller)
	require.NoError(f.t, err)
	return &org.Billing
}
