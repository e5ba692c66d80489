package app_test

import (
	"context"
	"errors"
	"log/slog"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/vc-admin/diy/adapters/flakypayment"
	"github.com/vc-admin/diy/app"
	"github.com/vc-admin/diy/domain/billing"
	"github.com/vc-admin/diy/domain/fault"
	"github.com/vc-admin/diy/ports/identity"
	"github.com/vc-admin/diy/ports/payment"
)

// requestQuote returns a quote of a plan change, or of a first subscription if the caller has none.
func (f *fixture) requestQuote(caller identity.Identity, choice app.PriceChoice, timing billing.ChangeTiming) app.SignedQuote {
	f.t.Helper()
	quote, err := f.QuotePrice.Do(f.t.Context(), caller, app.QuoteRequest{Price: choice, When: timing})
	require.NoError(f.t, err)
	return quote
}

func TestQuote_ChangeChargesExactlyTheQuotedAmount(t *testing.T) {
	f, caller := newSignedUpFixture(t)
	f.subscribe(caller, visa, standardMonthly, true)
	f.Advance(10*day + 7*time.Second)

	quote := f.requestQuote(caller, professionalYearly, billing.ChangeNow)
	assert.Len(t, quote.Lines, 2)
	assert.Equal(t, f.Clock.Now().Add(10*time.Minute), quote.ExpiresAt)
	f.Advance(9 * time.Minute)
	sub, err := f.ChangePlan.Do(t.Context(), caller, app.ChangeRequest{PriceChoice: professionalYearly, Quote: quote.Token})

	require.NoError(t, err)
	assert.Equal(t, priceOf(t, professionalYearly), sub.Price)
	assert.Equal(t, quote.DueNow, sub.LatestInvoice.AmountDue)
	assert.Less(t, quote.DueNow.Minor(), int64(81600), "unused time is deducted")
}

// A first payment is open. The same plan is quoted with its invoice, and another plan is quoted as a new subscription.
func TestQuote_PurchaseWithAnOpenFirstPaymentChargesExactlyTheQuotedAmount(t *testing.T) {
	f, caller := newSignedUpFixture(t)
	openSub := f.subscribe(caller, declinedChargesCard, standardMonthly, true)

	openInvoiceQuote := f.requestQuote(caller, standardMonthly, billing.ChangeNow)
	assert.Equal(t, openSub.LatestInvoice.AmountDue, openInvoiceQuote.DueNow, "the same plan pays the open invoice")
	assert.Len(t, openInvoiceQuote.Lines, 1)
	quote, err := f.QuotePrice.Do(t.Context(), caller, app.QuoteRequest{Price: professionalYearly, NoTrial: true})
	require.NoError(t, err)
	sub, err := f.Subscribe.Do(t.Context(), caller,
		app.SubscribeRequest{MethodID: f.CreateCard(visa), Price: professionalYearly, NoTrial: true, Quote: quote.Token})
	require.NoError(t, err)
	assert.Equal(t, quote.DueNow, sub.LatestInvoice.AmountDue)
}

// Replacing an open subscription voids its invoice, which returns the credit that it used.
func TestQuote_IncludesTheCreditOfTheReplacedInvoice(t *testing.T) {
	f, caller := newSignedUpFixture(t)
	f.addCredit(caller, 1000)
	openSub := f.subscribe(caller, declinedChargesCard, standardMonthly, true)
	require.Equal(t, int64(2900), openSub.LatestInvoice.AmountDue.Minor())

	quote, err := f.QuotePrice.Do(t.Context(), caller, app.QuoteRequest{Price: professionalYearly, NoTrial: true})
	require.NoError(t, err)
	sub, err := f.Subscribe.Do(t.Context(), caller,
		app.SubscribeRequest{MethodID: f.CreateCard(visa), Price: professionalYearly, NoTrial: true, Quote: quote.Token})
	require.NoError(t, err)

	assert.Equal(t, int64(80600), quote.DueNow.Minor())
	assert.Equal(t, quote.DueNow, sub.LatestInvoice.AmountDue)
	assert.Equal(t, int64(81600), quote.Next.Amount.Minor())
}

func TestQuote_WithTrialIsRefusedForPurchaseWithoutTrial(t *testing.T) {
	f, caller := newSignedUpFixture(t)
	trialQuote := f.requestQuote(caller, standardMonthly, billing.ChangeNow)
	assert.Zero(t, trialQuote.DueNow.Minor())
	assert.Equal(t, int64(3900), trialQuote.Next.Amount.Minor())
	card := f.CreateCard(visa)
	_, err := f.Subscribe.Do(t.Context(), caller,
		app.SubscribeRequest{MethodID: card, Price: standardMonthly, NoTrial: true, Quote: trialQuote.Token})
	var quoteErr *app.QuoteError
	require.ErrorAs(t, err, &quoteErr)
	assert.Equal(t, int64(3900), quoteErr.NewQuote.DueNow.Minor())
	assert.Empty(t, f.Subscriptions())

	sub, err := f.Subscribe.Do(t.Context(), caller,
		app.SubscribeRequest{MethodID: card, Price: standardMonthly, NoTrial: true, Quote: quoteErr.NewQuote.Token})
	require.NoError(t, err)
	assert.Equal(t, int64(3900), sub.LatestInvoice.AmountDue.Minor())
}

func TestQuote_OutdatedQuoteIsRefusedWithANewQuoteThatIsAccepted(t *testing.T) {
	for name, change := range map[string]func(f *fixture, caller identity.Identity){
		"quote has expired":    func(f *fixture, _ identity.Identity) { f.Advance(10 * time.Minute) },
		"new period has begun": func(f *fixture, _ identity.Identity) { f.Advance(31 * day) },
		"key was replaced": func(f *fixture, _ identity.Identity) {
			f.UseCases = app.New(app.Ports{
				Store: f.Store, Provider: f.provider, Clock: f.Clock, Log: slog.New(slog.DiscardHandler),
				QuoteKey: []byte("rotated"),
			})
		},
		"plan was changed": func(f *fixture, caller identity.Identity) {
			_, err := f.ChangePlan.Do(f.t.Context(), caller, app.ChangeRequest{PriceChoice: professionalMonthly})
			require.NoError(f.t, err)
		},
	} {
		t.Run(name, func(t *testing.T) {
			f, caller := newSignedUpFixture(t)
			f.subscribe(caller, visa, standardMonthly, true)
			f.Advance(day)
			quote := f.requestQuote(caller, professionalYearly, billing.ChangeNow)
			change(f, caller)
			chargeCount := len(f.User(caller).Charges())

			_, err := f.ChangePlan.Do(t.Context(), caller, app.ChangeRequest{PriceChoice: professionalYearly, Quote: quote.Token})

			var quoteErr *app.QuoteError
			require.ErrorAs(t, err, &quoteErr)
			assertCode(t, fault.Conflict, err)
			assert.Len(t, f.User(caller).Charges(), chargeCount, "nothing is charged")
			sub, err := f.ChangePlan.Do(t.Context(), caller,
				app.ChangeRequest{PriceChoice: professionalYearly, Quote: quoteErr.NewQuote.Token})
			require.NoError(t, err)
			assert.Equal(t, quoteErr.NewQuote.DueNow, sub.LatestInvoice.AmountDue)
		})
	}
}

func TestQuote_IsInvalidForAnotherRequest(t *testing.T) {
	f := newFixture(t)
	caller, bob := f.signUp(), f.SignUpOnServer(f.UseCases, "bob").Identity
	f.subscribe(caller, visa, standardMonthly, true)
	f.subscribe(bob, visa, standardMonthly, true)
	quote := f.requestQuote(caller, professionalYearly, billing.ChangeNow)
	for name, tt := range map[string]struct {
		caller identity.Identity
		req    app.ChangeRequest
	}{
		"another organisation": {bob, app.ChangeRequest{PriceChoice: professionalYearly, Quote: quote.Token}},
		"another price":        {caller, app.ChangeRequest{PriceChoice: professionalMonthly, Quote: quote.Token}},
		"another time": {caller,
			app.ChangeRequest{PriceChoice: professionalYearly, When: billing.ChangeAtRenewal, Quote: quote.Token}},
		"cut off":  {caller, app.ChangeRequest{PriceChoice: professionalYearly, Quote: quote.Token[:len(quote.Token)-2]}},
		"no token": {caller, app.ChangeRequest{PriceChoice: professionalYearly, Quote: "x"}},
	} {
		_, err := f.ChangePlan.Do(t.Context(), tt.caller, tt.req)
		assertCode(t, fault.Invalid, err)
		require.Len(t, fault.FieldsOf(err), 1, name)
		assert.Equal(t, "quote", fault.FieldsOf(err)[0].Name)
	}
}

func TestQuote_PendingChangeIsPaidWithItsQuoteOrWithAQuoteOfItsInvoice(t *testing.T) {
	for _, usesNewQuote := range []bool{false, true} {
		f, caller := newSignedUpFixture(t)
		f.subscribe(caller, visa, standardMonthly, true)
		f.addCard(caller, declinedChargesCard)
		quote := f.requestQuote(caller, professionalYearly, billing.ChangeNow)
		req := app.ChangeRequest{PriceChoice: professionalYearly, Quote: quote.Token}
		pendingSub, err := f.ChangePlan.Do(t.Context(), caller, req)
		require.NoError(t, err)
		require.NotNil(t, pendingSub.Pending)

		f.addCard(caller, mastercard)
		newQuote := f.requestQuote(caller, professionalYearly, billing.ChangeNow)
		assert.Equal(t, quote.DueNow, newQuote.DueNow)
		assert.NotEmpty(t, newQuote.Lines)
		if usesNewQuote {
			req.Quote = newQuote.Token
		}
		sub, err := f.ChangePlan.Do(t.Context(), caller, req)
		require.NoError(t, err)
		assert.Equal(t, priceOf(t, professionalYearly), sub.Price)
		assert.Equal(t, pendingSub.Pending.InvoiceID, sub.LatestInvoice.ID, "no other invoice was made")
	}
}

// A new change would cost another amount, which the customer has not seen.
func TestQuote_QuoteOfAPendingChangeIsRefusedAfterTheChangeHasExpired(t *testing.T) {
	f, caller := newSignedUpFixture(t)
	f.subscribe(caller, visa, standardMonthly, true)
	f.addCard(caller, declinedChargesCard)
	pendingSub, err := f.ChangePlan.Do(t.Context(), caller, app.ChangeRequest{PriceChoice: professionalMonthly})
	require.NoError(t, err)
	require.NotNil(t, pendingSub.Pending)
	f.addCard(caller, mastercard)
	f.Advance(pendingSub.Pending.ExpiresAt.Sub(f.Clock.Now()) - time.Minute)
	quote := f.requestQuote(caller, professionalMonthly, billing.ChangeNow)
	chargeCount := len(f.User(caller).Charges())
	f.Advance(2 * time.Minute)

	_, err = f.ChangePlan.Do(t.Context(), caller, app.ChangeRequest{PriceChoice: professionalMonthly, Quote: quote.Token})

	var quoteErr *app.QuoteError
	require.ErrorAs(t, err, &quoteErr)
	assert.Len(t, f.User(caller).Charges(), chargeCount, "nothing is charged")
	assert.NotEqual(t, quote.DueNow, quoteErr.NewQuote.DueNow, "a day of the period has passed")
	sub, err := f.ChangePlan.Do(t.Context(), caller,
		app.ChangeRequest{PriceChoice: professionalMonthly, Quote: quoteErr.NewQuote.Token})
	require.NoError(t, err)
	assert.Equal(t, quoteErr.NewQuote.DueNow, sub.LatestInvoice.AmountDue)
}

func TestQuote_QuoteOfAnOpenFirstPaymentIsRefusedAfterTheSubscriptionHasExpired(t *testing.T) {
	f, caller := newSignedUpFixture(t)
	openSub := f.subscribe(caller, declinedChargesCard, standardMonthly, true)
	require.Equal(t, billing.Incomplete, openSub.Status)
	f.addCard(caller, mastercard)
	f.Advance(22*time.Hour + 55*time.Minute)
	quote := f.requestQuote(caller, standardMonthly, billing.ChangeNow)
	assert.Equal(t, openSub.LatestInvoice.AmountDue, quote.DueNow)
	f.Advance(6 * time.Minute)
	subscribe := func(token string) error {
		_, err := f.Subscribe.Do(t.Context(), caller, app.SubscribeRequest{Price: standardMonthly, NoTrial: true, Quote: token})
		return err
	}

	var quoteErr *app.QuoteError
	require.ErrorAs(t, subscribe(quote.Token), &quoteErr)

	assert.Empty(t, f.User(caller).Charges())
	require.NoError(t, subscribe(quoteErr.NewQuote.Token))
	assert.Len(t, f.User(caller).Charges(), 1)
}

// unconditionalProvider ignores the quoted amounts, as a provider does whose service can't check and charge in one step.
type unconditionalProvider struct{ payment.Provider }

func (p unconditionalProvider) Subscribe(ctx context.Context, req payment.NewSubscription) (billing.Subscription, error) {
	req.Quoted = billing.QuotedAmounts{}
	return p.Provider.Subscribe(ctx, req)
}

func (p unconditionalProvider) ChangePlan(ctx context.Context, req payment.PriceChange) (billing.Subscription, error) {
	req.Quoted = billing.QuotedAmounts{}
	return p.Provider.ChangePlan(ctx, req)
}

// injectLateCredit replaces the use cases by ones whose provider gives the customer a credit of $10 after the last
// preview, just before it executes the first call of the method. The response to that call is lost. injectLateCredit
// returns a counter of the differences that the use cases report.
func (f *fixture) injectLateCredit(caller identity.Identity, provider payment.Provider, method string) *int {
	f.t.Helper()
	wasCalled := false
	flakyProvider := flakypayment.New(provider, func(c flakypayment.Call) flakypayment.Fault {
		if c.Method != method || wasCalled {
			return nil
		}
		wasCalled = true
		return func(ctx context.Context, r *flakypayment.Request) error {
			f.addCredit(caller, 1000)
			return flakypayment.TimeoutAfterExecution.Fault()(ctx, r)
		}
	})
	differenceCount := 0
	f.UseCases = app.New(app.Ports{
		Store: f.Store, Provider: flakyProvider, Clock: f.Clock, Log: slog.New(slog.DiscardHandler),
		OnQuoteDifference: func() { differenceCount++ },
	})
	return &differenceCount
}

func TestQuote_RefusedChargeOfALostResponseIsQuotedAgain(t *testing.T) {
	f, caller := newSignedUpFixture(t)
	f.subscribe(caller, visa, standardMonthly, true)
	differenceCount := f.injectLateCredit(caller, f.provider, "ChangePlan")
	quote := f.requestQuote(caller, professionalYearly, billing.ChangeNow)
	req := app.ChangeRequest{PriceChoice: professionalYearly, Quote: quote.Token}
	_, err := f.ChangePlan.Do(t.Context(), caller, req)
	assertCode(t, fault.Unavailable, err)

	_, err = f.ChangePlan.Do(t.Context(), caller, req)

	quoteErr, ok := errors.AsType[*app.QuoteError](err)
	require.True(t, ok, err)
	assert.Equal(t, quote.DueNow.Minor()-1000, quoteErr.NewQuote.DueNow.Minor())
	assert.Len(t, f.User(caller).Charges(), 1, "only the first subscription was charged")
	assert.Zero(t, *differenceCount)
	req.Quote = quoteErr.NewQuote.Token
	sub, err := f.ChangePlan.Do(t.Context(), caller, req)
	require.NoError(t, err)
	assert.Equal(t, quoteErr.NewQuote.DueNow, sub.LatestInvoice.AmountDue)
}

// A difference is possible if the service of the provider can't check the amount and charge in one step.
func TestQuote_RepeatAfterALostResponseReportsAChargeThatDiffers(t *testing.T) {
	for name, tt := range map[string]struct {
		method     string
		prepare    func(f *fixture, caller identity.Identity)
		newRequest func(f *fixture, caller identity.Identity) (send func() (billing.Subscription, error))
	}{
		"plan change": {"ChangePlan", func(f *fixture, caller identity.Identity) {
			f.subscribe(caller, visa, standardMonthly, true)
		}, func(f *fixture, caller identity.Identity) func() (billing.Subscription, error) {
			req := app.ChangeRequest{PriceChoice: professionalYearly, Quote: f.requestQuote(caller, professionalYearly, billing.ChangeNow).Token}
			return func() (billing.Subscription, error) { return f.ChangePlan.Do(f.t.Context(), caller, req) }
		}},
		"first subscription": {"Subscribe", func(*fixture, identity.Identity) {
		}, func(f *fixture, caller identity.Identity) func() (billing.Subscription, error) {
			quote, err := f.QuotePrice.Do(f.t.Context(), caller, app.QuoteRequest{Price: professionalYearly, NoTrial: true})
			require.NoError(f.t, err)
			req := app.SubscribeRequest{MethodID: f.CreateCard(visa), Price: professionalYearly, NoTrial: true, Quote: quote.Token}
			return func() (billing.Subscription, error) { return f.Subscribe.Do(f.t.Context(), caller, req) }
		}},
	} {
		t.Run(name, func(t *testing.T) {
			f, caller := newSignedUpFixture(t)
			tt.prepare(f, caller)
			differenceCount := f.injectLateCredit(caller, unconditionalProvider{f.provider}, tt.method)
			send := tt.newRequest(f, caller)
			_, err := send()
			assertCode(t, fault.Unavailable, err)

			sub, err := send()

			require.NoError(t, err)
			require.NotNil(t, sub.QuoteDifference)
			assert.Equal(t, sub.LatestInvoice.AmountDue, sub.QuoteDifference.Charged)
			assert.Equal(t, int64(1000), sub.QuoteDifference.Quoted.Minor()-sub.QuoteDifference.Charged.Minor())
			assert.Equal(t, 1, *differenceCount)
			assert.Nil(t, f.account(caller).LiveSubscription().QuoteDifference, "the difference is not stored")
		})
	}
}

func TestQuote_RepeatAfterSuccessReportsTheDifferenceUntilTheNextInvoice(t *testing.T) {
	f, caller := newSignedUpFixture(t)
	f.injectLateCredit(caller, unconditionalProvider{f.provider}, "Subscribe")
	quote, err := f.QuotePrice.Do(t.Context(), caller, app.QuoteRequest{Price: standardMonthly, NoTrial: true})
	require.NoError(t, err)
	req := app.SubscribeRequest{MethodID: f.CreateCard(visa), Price: standardMonthly, NoTrial: true, Quote: quote.Token}
	for range 2 {
		_, _ = f.Subscribe.Do(t.Context(), caller, req)
	}

	sub, err := f.Subscribe.Do(t.Context(), caller, req)
	require.NoError(t, err)
	assert.NotNil(t, sub.QuoteDifference)
	f.Advance(32 * day)
	sub, err = f.Subscribe.Do(t.Context(), caller, req)
	require.NoError(t, err)
	assert.Nil(t, sub.QuoteDifference)
}

func TestQuote_RepeatAfterADeclineReportsTheDifference(t *testing.T) {
	f, caller := newSignedUpFixture(t)
	f.injectLateCredit(caller, unconditionalProvider{f.provider}, "Subscribe")
	quote, err := f.QuotePrice.Do(t.Context(), caller, app.QuoteRequest{Price: standardMonthly, NoTrial: true})
	require.NoError(t, err)
	req := app.SubscribeRequest{
		MethodID: f.CreateCard(declinedChargesCard), Price: standardMonthly, NoTrial: true, Quote: quote.Token,
	}
	_, err = f.Subscribe.Do(t.Context(), caller, req)
	assertCode(t, fault.Unavailable, err)
	for range 2 {
		sub, err := f.Subscribe.Do(t.Context(), caller, req)
		require.NoError(t, err)
		assert.Equal(t, billing.Incomplete, sub.Status)
		assert.NotNil(t, sub.QuoteDifference)
	}
	assert.Empty(t, f.cardIDs(caller), "the declined card is detached, so a repeat can't charge it")
}

// A request with another quote may be for another amount.
func TestQuote_RequestWithAnotherQuoteDoesNotJoinThePendingRequest(t *testing.T) {
	f, caller := newSignedUpFixture(t)
	f.injectFaults(flakypayment.NoFaults)
	card := f.CreateCard(visa)
	subscribe := func(quote app.SignedQuote) error {
		_, err := f.Subscribe.Do(t.Context(), caller, app.SubscribeRequest{MethodID: card, Price: standardMonthly, Quote: quote.Token})
		return err
	}
	firstQuote := f.requestQuote(caller, standardMonthly, billing.ChangeNow)
	f.Advance(time.Minute)
	secondQuote := f.requestQuote(caller, standardMonthly, billing.ChangeNow)
	f.injectFaults(func(c flakypayment.Call) flakypayment.Fault {
		if c.Method == "Subscribe" {
			return flakypayment.TimeoutAfterExecution.Fault()
		}
		return nil
	})
	assertCode(t, fault.Unavailable, subscribe(firstQuote))

	assertCode(t, fault.Conflict, subscribe(secondQuote))
	assertCode(t, fault.Unavailable, subscribe(firstQuote))
}
