package app_test

import (
	"context"
	"slices"
	"sync"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/vc-admin/diy/adapters/fakepayment"
	"github.com/vc-admin/diy/adapters/flakypayment"
	"github.com/vc-admin/diy/app"
	"github.com/vc-admin/diy/app/apptest"
	"github.com/vc-admin/diy/app/operators"
	"github.com/vc-admin/diy/domain/account"
	"github.com/vc-admin/diy/domain/audit"
	"github.com/vc-admin/diy/domain/billing"
	"github.com/vc-admin/diy/domain/catalogue"
	"github.com/vc-admin/diy/domain/fault"
	"github.com/vc-admin/diy/domain/money"
	"github.com/vc-admin/diy/ports/identity"
	"github.com/vc-admin/diy/ports/payment"
	"github.com/vc-admin/diy/ports/storage"
)

const day = 24 * time.Hour

// The fake provider's cards and bank accounts.
const (
	visa                = apptest.Visa
	mastercard          = apptest.Mastercard
	authenticationCard  = apptest.AuthenticationCard
	declinedCard        = apptest.DeclinedCard
	declinedChargesCard = apptest.DeclinedChargesCard
	paysOnceCard        = apptest.PaysOnceCard
	lostCard            = "4000000000009987" // can be saved, but every charge is a hard decline

	settlingAccount  = apptest.SettlingAccount
	failingAccount   = apptest.FailingAccount
	returningAccount = apptest.ReturningAccount
)

// Currencies are accepted in upper and lower case.
var (
	standardMonthly     = app.PriceChoice{PriceID: "standard_monthly", Interval: "monthly", Currency: "aud"}
	professionalMonthly = app.PriceChoice{PriceID: "professional_monthly", Interval: "monthly", Currency: "AUD"}
	professionalYearly  = app.PriceChoice{PriceID: "professional_yearly", Interval: "yearly", Currency: "AUD"}
	standardYearly      = app.PriceChoice{PriceID: "standard_yearly", Interval: "yearly", Currency: "AUD"}
)

// fixture runs the use cases on SQLite, the fake provider and a clock that the test moves.
type fixture struct {
	env
	*app.UseCases
	provider apptest.Provider
	t        *testing.T
}

// env embeds apptest.Env one level deeper than fixture embeds accounts.UseCases, so that fixture.SignUp is the use case.
type (
	env         struct{ embeddedEnv }
	embeddedEnv struct{ *apptest.Env }
)

func newFixture(t *testing.T, options ...apptest.Option) *fixture {
	t.Helper()
	e := apptest.New(t, options...)
	return &fixture{env: env{embeddedEnv{e}}, UseCases: e.App, provider: e.Provider, t: t}
}

// newSignedUpFixture returns a new fixture and a verified user of an organisation with a customer.
func newSignedUpFixture(t *testing.T) (*fixture, identity.Identity) {
	t.Helper()
	f := newFixture(t)
	return f, f.signUp()
}

// injectFaults replaces the use cases by ones with a provider that fails according to the plan.
func (f *fixture) injectFaults(plan flakypayment.FaultPlan) *flakypayment.Provider {
	flakyProvider := flakypayment.New(f.provider, plan)
	f.UseCases = f.NewApp(f.Store, flakyProvider)
	return flakyProvider
}

// signUpUnverified signs an organisation up without verifying it.
func (f *fixture) signUpUnverified() account.User {
	f.t.Helper()
	user, err := f.SignUp.Do(f.t.Context(), apptest.Registration("ann"), nil)
	require.NoError(f.t, err)
	return user
}

// signUp signs an organisation up and verifies it.
func (f *fixture) signUp() identity.Identity {
	f.t.Helper()
	return f.SignUpOnServer(f.UseCases, "ann").Identity
}

// subscribe subscribes with a new card.
func (f *fixture) subscribe(caller identity.Identity, number string, choice app.PriceChoice, noTrial bool) billing.Subscription {
	f.t.Helper()
	sub, err := f.Subscribe.Do(f.t.Context(), caller,
		app.SubscribeRequest{MethodID: f.CreateCard(number), Price: choice, NoTrial: noTrial})
	require.NoError(f.t, err)
	return sub
}

// account returns the stored account of the organisation.
func (f *fixture) account(caller identity.Identity) *billing.Account {
	f.t.Helper()
	org, err := f.Store.Organisation(context.Background(), caller.OrganisationID)
	require.NoError(f.t, err)
	return &org.Billing
}

// createPendingChange subscribes to the standard plan, changes to the professional plan with a card that is declined, and
// returns the request that pays the pending change.
func (f *fixture) createPendingChange(caller identity.Identity) app.PayRequest {
	f.t.Helper()
	f.subscribe(caller, visa, standardMonthly, true)
	f.addCard(caller, declinedChargesCard)
	sub, err := f.ChangePlan.Do(f.t.Context(), caller, app.ChangeRequest{PriceChoice: professionalYearly})
	require.NoError(f.t, err)
	require.NotNil(f.t, sub.Pending)
	return app.PayRequest{InvoiceID: sub.Pending.InvoiceID, Amount: sub.Pending.Amount.Minor()}
}

// addCard saves a card and makes it the default one.
func (f *fixture) addCard(caller identity.Identity, number string) billing.PaymentMethod {
	f.t.Helper()
	card, err := f.AddCard.Do(f.t.Context(), caller, f.CreateCard(number))
	require.NoError(f.t, err)
	return card.PaymentMethod
}

// cardIDs returns the ids of the saved cards, newest first.
func (f *fixture) cardIDs(caller identity.Identity) []string {
	f.t.Helper()
	cards, err := f.provider.Cards(f.t.Context(), f.account(caller).CustomerID)
	require.NoError(f.t, err)
	ids := []string{}
	for _, card := range cards {
		ids = append(ids, card.ID)
	}
	return ids
}

// defaultCardID returns the id of the default card, or "" when there is none.
func (f *fixture) defaultCardID(caller identity.Identity) string {
	f.t.Helper()
	customer, err := f.provider.Customer(f.t.Context(), f.account(caller).CustomerID)
	require.NoError(f.t, err)
	if customer.Default == nil {
		return ""
	}
	return customer.Default.ID
}

// newestInvoice returns the newest stored invoice.
func (f *fixture) newestInvoice(caller identity.Identity) billing.Invoice {
	f.t.Helper()
	invoices, err := f.Store.Invoices(f.t.Context(), caller.OrganisationID)
	require.NoError(f.t, err)
	require.NotEmpty(f.t, invoices)
	return invoices[0]
}

// addCredit gives the customer a credit in AUD, in minor units.
func (f *fixture) addCredit(caller identity.Identity, minor int64) {
	f.t.Helper()
	amount, err := money.New(minor, "AUD")
	require.NoError(f.t, err)
	_, err = f.provider.AddCredit(f.t.Context(),
		payment.CreditGrant{Key: "credit", CustomerID: f.account(caller).CustomerID, Amount: amount})
	require.NoError(f.t, err)
}

// createExpiringCard creates a card that expires at the end of the month, and returns its id.
func (f *fixture) createExpiringCard(number string, month time.Month, year int) string {
	f.t.Helper()
	card, err := f.provider.CreatePaymentMethod(f.t.Context(),
		fakepayment.CardEntry{Number: number, ExpMonth: int(month), ExpYear: year, CVC: "123"})
	require.NoError(f.t, err)
	return card.ID
}

// recordVoidedInvoice records that the invoice of a former subscription was voided, so that the next overdue invoice stays
// owed.
func (f *fixture) recordVoidedInvoice(caller identity.Identity) {
	f.t.Helper()
	_, err := f.Store.UpdateOrganisation(f.t.Context(), caller.OrganisationID, func(o *account.Organisation) error {
		o.Billing.LastVoidedInvoice = billing.VoidedInvoice{SubscriptionID: "sub_former", At: f.Clock.Now()}
		return nil
	})
	require.NoError(f.t, err)
}

// failOnce returns a plan that applies the fault to the first call of the method.
func failOnce(method string, kind flakypayment.FaultKind) flakypayment.FaultPlan {
	hasFailed := false
	return func(c flakypayment.Call) flakypayment.Fault {
		if hasFailed || c.Method != method {
			return nil
		}
		hasFailed = true
		return kind.Fault()
	}
}

// failAlways returns a plan that lets all calls of the methods time out.
func failAlways(methods ...string) flakypayment.FaultPlan {
	return func(c flakypayment.Call) flakypayment.Fault {
		if slices.Contains(methods, c.Method) {
			return flakypayment.TimeoutBeforeExecution.Fault()
		}
		return nil
	}
}

// assertCode asserts that the error has the code. The code of nil is "".
func assertCode(t *testing.T, want fault.Code, err error) {
	t.Helper()
	assert.Equal(t, want, fault.CodeOf(err), "%v", err)
}

// takeoverWait is longer than the age at which operations are taken over.
const takeoverWait = 3 * time.Minute

// identityOf returns the identity of a signed-in user.
func identityOf(user account.User) identity.Identity {
	return identity.Identity{UserID: user.ID, OrganisationID: user.OrganisationID, Role: account.Owner}
}

// priceOf returns the price that the choice selects.
func priceOf(t *testing.T, choice app.PriceChoice) catalogue.PriceRef {
	t.Helper()
	price, err := catalogue.Default().ResolvePrice(choice.PriceID, choice.Interval, choice.Currency)
	require.NoError(t, err)
	return price
}

// countCalls returns how often the method was called.
func countCalls(calls []string, method string) int {
	return len(slices.DeleteFunc(slices.Clone(calls), func(n string) bool { return n != method }))
}

// callBeforeBegin replaces the use cases by ones that call fn before they begin their first operation.
func (f *fixture) callBeforeBegin(fn func()) {
	f.UseCases = f.NewApp(&storeWithBeginHook{Store: f.Store, beforeBegin: sync.OnceFunc(fn)}, f.provider)
}

// storeWithBeginHook is a store that calls beforeBegin before an operation begins.
type storeWithBeginHook struct {
	storage.Store
	beforeBegin func()
}

func (s *storeWithBeginHook) BeginOperation(
	ctx context.Context, op billing.Operation, revision int64,
) (storage.PendingOperation, error) {
	s.beforeBegin()
	return s.Store.BeginOperation(ctx, op, revision)
}

// license returns the license that the caller sees, or nil.
func (f *fixture) license(caller identity.Identity) *billing.License {
	f.t.Helper()
	return f.User(caller).License()
}

// isKnownBrowser reports that the user has signed in with the browser before.
func isKnownBrowser(account.User) bool { return true }

// asOperator returns the context of an operator who may do everything.
func asOperator(ctx context.Context) context.Context {
	return operators.WithOperator(ctx, operators.CommandLine("olga"))
}

// newActionRequest returns the request of an operator for an action on the caller's organisation.
func newActionRequest(caller identity.Identity, key string) operators.ActionRequest {
	return operators.ActionRequest{
		OrganisationID: caller.OrganisationID, Key: key, Reason: audit.Goodwill, Ticket: "T-1", Note: "called twice",
	}
}

// grantDevLicense grants the organisation a developer license.
func (f *fixture) grantDevLicense(caller identity.Identity, product string) {
	f.t.Helper()
	err := f.GrantDevLicense.Do(asOperator(f.t.Context()), newActionRequest(caller, "act_license"), product)
	require.NoError(f.t, err)
}
