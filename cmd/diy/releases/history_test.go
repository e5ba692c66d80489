package releases

import (
	"context"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/vc-admin/diy/adapters/fakegateway"
	"github.com/vc-admin/diy/adapters/invoicepayment"
	"github.com/vc-admin/diy/app"
	"github.com/vc-admin/diy/app/apptest"
	"github.com/vc-admin/diy/app/operators"
	"github.com/vc-admin/diy/domain/account"
	"github.com/vc-admin/diy/domain/audit"
	"github.com/vc-admin/diy/domain/catalogue"
	"github.com/vc-admin/diy/domain/money"
	"github.com/vc-admin/diy/ports/payment/plugin"
)

const day = 24 * time.Hour

var professionalMonthly = app.PriceChoice{PriceID: "professional_monthly", Interval: "monthly", Currency: "AUD"}

// history fills a database by the use cases, on enginepayment with the fake gateway and on invoicepayment.
type history struct {
	*apptest.Env
	t          *testing.T
	invoices   *invoicepayment.Provider
	invoiceApp *app.UseCases // the server that collects by invoice
	reported   *apptest.User // of the organisation of reportedStates
	changes    int           // of invoices by operators
}

// newHistory opens the migrated, empty database at the url.
func newHistory(t *testing.T, url string) *history {
	t.Helper()
	env := apptest.New(t, apptest.WithDatabase(url), apptest.WithGateway(fakegateway.CardsAndDebits(), nil))
	require.NoError(t, env.Store.MigratePlugin(t.Context(), "invoice", invoicepayment.Adapter{}))
	h := &history{Env: env, t: t}
	h.invoices, h.invoiceApp = openInvoices(env, plugin.Settings{Values: map[string]string{"APPROVAL": "required"}})
	return h
}

// openInvoices returns a server that collects by invoice on the database of the Env.
func openInvoices(env *apptest.Env, settings plugin.Settings) (*invoicepayment.Provider, *app.UseCases) {
	provider, err := invoicepayment.Open(settings, plugin.Dependencies{
		Database: env.Store.Database(), Clock: env.Clock, Catalogue: catalogue.Default(),
	})
	if err != nil {
		panic(err) // the settings are constants
	}
	return provider, env.NewApp(env.Store, provider)
}

// pass moves the clock, and runs the workers of both servers.
func (h *history) pass(step time.Duration) {
	h.t.Helper()
	for ; step > 0; step -= day {
		h.Advance(min(step, day))
		h.DeliverEvents()
		_, err := h.invoices.Tick(h.t.Context(), h.invoiceApp.ReceiveEvent.Apply)
		require.NoError(h.t, err)
		h.DeliverEmails(h.App)
		h.DeliverEmails(h.invoiceApp)
	}
}

// asOperator returns the context of a command.
func asOperator(ctx context.Context) context.Context {
	return operators.WithOperator(ctx, operators.CommandLine("olga"))
}

// action returns the request of an operator for an action on the user's organisation.
func action(user *apptest.User, key string, reason audit.Reason) operators.ActionRequest {
	return operators.ActionRequest{
		OrganisationID: user.OrganisationID, Key: key, Reason: reason, Ticket: "T-1", Note: "called twice", OSUser: "root",
	}
}

// fresh returns the user as of a sign-in now.
func (h *history) fresh(user *apptest.User) *apptest.User {
	id := user.Identity
	id.AuthenticatedAt = h.Clock.Now()
	return h.User(id)
}

func dollars(minor int64) money.Amount {
	amount, err := money.New(minor, "AUD")
	if err != nil {
		panic(err) // the currency is a constant
	}
	return amount
}

// fill creates all states.
func (h *history) fill() {
	h.t.Helper()
	ended, erased := h.oldPlans()
	h.invoicePlans()
	h.pass(20 * day)
	h.pass(10 * day)
	h.SignUp("overdue").SubscribeWithoutTrial(apptest.PaysOnceCard, apptest.StandardMonthly)
	h.pass(24 * day)
	h.disputesAndRefunds()
	h.pass(14 * day)
	_, err := h.App.CarryOutErasures.Do(h.t.Context())
	require.NoError(h.t, err)
	_, err = h.Store.Organisation(h.t.Context(), erased.OrganisationID)
	require.Error(h.t, err)
	ended.SubscribeWithoutTrial(apptest.Visa, apptest.StandardMonthly)
	h.newPlans()
	h.operatorActions()
	h.reportedStates()
	h.accounts()
	h.unsentNotice()
	h.servers()
	h.remainingEntries()
	h.Advance(time.Hour)
	for range 2 {
		_, err = h.App.SealAuditLog.Do(h.t.Context())
		require.NoError(h.t, err)
		h.Advance(10 * time.Minute)
	}
	h.internalStates()
}

// oldPlans creates the plans whose states need time. It returns one that ends after a month, and one that is erased after two weeks.
func (h *history) oldPlans() (ended, erased *apptest.User) {
	h.t.Helper()
	ctx := h.t.Context()
	h.SignUp("failing").SubscribeWithoutTrial(apptest.FailingAccount, apptest.StandardMonthly)
	h.SignUp("returning").SubscribeWithoutTrial(apptest.ReturningAccount, apptest.StandardMonthly)

	ended = h.SignUp("ended")
	ended.SubscribeWithoutTrial(apptest.Visa, apptest.StandardMonthly)
	_, err := h.App.EndSubscription.Do(ctx, ended.Identity, app.EndRequest{Reason: "too_expensive", Comment: "Maybe later."})
	require.NoError(h.t, err)

	erased = h.SignUp("erased")
	erased.SubscribeWithoutTrial(apptest.Visa, apptest.StandardMonthly)
	require.NotNil(h.t, erased.Account().LiveSubscription())
	_, err = h.Provider.CancelSubscription(ctx, cancellation(erased))
	require.NoError(h.t, err)
	h.pass(day)
	_, err = h.App.RequestErasure.ForOrganisation(asOperator(ctx), erased.OrganisationID, "olga", nil)
	require.NoError(h.t, err)
	return ended, erased
}

// disputesAndRefunds creates the organisations with money that went back.
func (h *history) disputesAndRefunds() {
	h.t.Helper()
	ctx := asOperator(h.t.Context())
	for _, name := range []string{"disputed", "won", "lifted"} {
		user := h.SignUp(name)
		invoice := user.SubscribeWithoutTrial(apptest.Visa, apptest.ProfessionalYearly).LatestInvoice.ID
		if name == "disputed" { // with credit
			_, err := h.App.ChangePlan.Do(ctx, user.Identity, app.ChangeRequest{PriceChoice: apptest.StandardMonthly})
			require.NoError(h.t, err)
		}
		h.Dispute(invoice)
		h.DeliverEvents()
		if name != "disputed" {
			h.CloseDispute(invoice, name == "won")
			h.DeliverEvents()
		}
		if name == "lifted" {
			err := h.App.LiftHold.Do(ctx, action(user, "act_lift", audit.DisputeSettled))
			require.NoError(h.t, err)
		}
	}
	user := h.SignUp("refunded")
	invoice := user.SubscribeWithoutTrial(apptest.Visa, apptest.StandardMonthly).LatestInvoice.ID
	err := h.App.RefundInvoice.Do(ctx, action(user, "act_refund", audit.DuplicatePayment), invoice, "15.00")
	require.NoError(h.t, err)
	err = h.App.GrantFreeMonth.Do(ctx, action(user, "act_month", audit.ServiceProblem))
	require.NoError(h.t, err)
	h.DeliverEvents()
}

// newPlans creates the plans as they are shortly after a request.
func (h *history) newPlans() {
	h.t.Helper()
	ctx := h.t.Context()
	trial := h.SignUp("trial")
	trial.Subscribe(apptest.Visa, apptest.StandardMonthly)
	h.SignUp("samecard").Subscribe(apptest.Visa, apptest.StandardMonthly)
	err := h.App.ExtendTrial.Do(asOperator(ctx), action(trial, "act_trial", audit.Goodwill), 10)
	require.NoError(h.t, err)

	scheduled := h.SignUp("scheduled")
	scheduled.SubscribeWithoutTrial(apptest.Visa, apptest.ProfessionalYearly)
	_, err = h.App.ChangePlan.Do(ctx, scheduled.Identity, app.ChangeRequest{PriceChoice: apptest.StandardYearly, When: "renewal"})
	require.NoError(h.t, err)

	ending := h.SignUp("ending")
	ending.SubscribeWithoutTrial(apptest.Mastercard, apptest.StandardMonthly)
	ending.End()
	ending.Resume()
	ending.End()

	pending := h.SignUp("pending")
	pending.SubscribeWithoutTrial(apptest.Visa, apptest.StandardMonthly)
	pending.AddCard(apptest.DeclinedChargesCard)
	_, err = h.App.ChangePlan.Do(ctx, pending.Identity, app.ChangeRequest{PriceChoice: apptest.ProfessionalYearly})
	require.NoError(h.t, err)
	pending.Pay("4000000000009987") // a lost card

	h.SignUp("unauthenticated").SubscribeWithoutTrial("4000002760003184", apptest.StandardMonthly)
	h.order("ordered")
	h.allow(h.order("allowed"))
	h.SignUp("processing").SubscribeWithoutTrial(apptest.SettlingAccount, apptest.StandardMonthly)
	h.DeliverEvents()
	h.DeliverEmails(h.App)
}

// accounts creates the states of users and members. The emails about them stay in the outbox.
func (h *history) accounts() {
	h.t.Helper()
	ctx := h.t.Context()
	h.SignUp("factors")
	owner := h.SignUp("team")
	h.Member(owner, "biller", account.BillingMember)
	h.Member(owner, "reader", account.ReadingMember)
	leaver := h.Member(owner, "leaver", account.ReadingMember)
	_, err := h.App.SignUp.Do(ctx, apptest.Registration("mistyped"), nil)
	require.NoError(h.t, err)
	corrected := apptest.Registration("unverified")
	corrected.Org, corrected.Address.Line2 = apptest.Registration("mistyped").Org, "Level 2"
	corrected.Choice = account.Choice{Product: "professional", Interval: catalogue.Yearly}
	_, err = h.App.SignUp.Do(ctx, corrected, func(account.User) bool { return true })
	require.NoError(h.t, err)

	owner = h.fresh(owner)
	require.NoError(h.t, h.App.InviteMember.Do(ctx, owner.Identity, "invited@example.com", account.Owner))
	require.NoError(h.t, h.App.InviteMember.Do(ctx, owner.Identity, "revoked@example.com", account.BillingMember))
	h.DeliverEmails(h.App) // some of the emails, to keep the dump small
	require.NoError(h.t, h.App.RemoveMember.Do(ctx, owner.Identity, leaver.UserID))
	require.NoError(h.t, h.App.RevokeInvitation.Do(ctx, owner.Identity, "revoked@example.com"))
	h.details(owner)
	h.factors()
}

// details enters billing details and turns emails off.
func (h *history) details(owner *apptest.User) {
	h.t.Helper()
	ctx := h.t.Context()
	_, isEmailSent, err := h.App.EditBillingDetails.Do(ctx, owner.Identity, func(d *account.BillingDetails) {
		d.LegalName, d.BillingEmail, d.PurchaseOrder = "Harbour Clinic Pty Ltd", "accounts@example.com", "PO 7"
		d.Address.Line2 = "Level 2"
	})
	require.NoError(h.t, err)
	require.True(h.t, isEmailSent)
	require.NoError(h.t, h.Store.DeclineNotice(ctx, owner.OrganisationID, "team@example.com", "card_expires"))
	require.NoError(h.t, h.Store.MarkUnreachable(ctx, owner.OrganisationID, "gone@example.com", h.Clock.Now()))
}
