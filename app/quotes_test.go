package app_test

import (
	"context"
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
)

// quoteOf quotes a plan change or a first subscription.
func (f *fixture) quoteOf(caller identity.Identity, choice app.PriceChoice, when billing.ChangeTiming) app.SignedQuote {
	f.t.Helper()
	quote, err := f.QuotePrice.Do(f.t.Context(), caller, app.QuoteRequest{Price: choice, When: when})
	require.NoError(f.t, err)
	return quote
}

func TestQuote_IsChargedExactly(t *testing.T) {
	f, caller := signUp(t)
	f.subscribe(caller, visa, monthly, true)
	f.Advance(10*day + 7*time.Second)

	quote := f.quoteOf(caller, yearly, billing.ChangeNow)
	assert.Len(t, quote.Lines, 2)
	assert.Equal(t, f.Clock.Now().Add(10*time.Minute), quote.ExpiresAt)
	f.Advance(9 * time.Minute)
	sub, err := f.ChangePlan.Do(t.Context(), caller, app.ChangeRequest{PriceChoice: yearly, Quote: quote.Token})

	require.NoError(t, err)
	assert.Equal(t, priceOf(t, yearly), sub.Price)
	assert.Equal(t, quote.DueNow, sub.LatestInvoice.AmountDue)
	assert.Less(t, quote.DueNow.Minor(), int64(81600), "unused time is deducted")
}

// Subscribing to another plan ends the subscription whose first payment is open, so the quote is not refused.
func TestQuote_IsChargedExactlyWhileAFirstPaymentIsOpen(t *testing.T) {
	f, caller := signUp(t)
	openSub := f.subscribe(caller, declinedChargesCard, monthly, true)

	openInvoiceQuote := f.quoteOf(caller, monthly, billing.ChangeNow)
	assert.Equal(t, openSub.LatestInvoice.AmountDue, openInvoiceQuote.DueNow, "the same plan pays the open invoice")
	assert.Len(t, openInvoiceQuote.Lines, 1)
	quote, err := f.QuotePrice.Do(t.Context(), caller, app.QuoteRequest{Price: yearly, NoTrial: true})
	require.NoError(t, err)
	sub, err := f.Subscribe.Do(t.Context(), caller,
		app.SubscribeRequest{MethodID: f.CreateCard(visa), Price: yearly, NoTrial: true, Quote: quote.Token})
	require.NoError(t, err)
	assert.Equal(t, quote.DueNow, sub.LatestInvoice.AmountDue)
}

// Replacing an open subscription voids its invoice, which returns the credit that it used.
func TestQuote_IncludesTheCreditOfTheReplacedInvoice(t *testing.T) {
	f, caller := signUp(t)
	f.addCredit(caller, 1000)
	openSub := f.subscribe(caller, declinedChargesCard, monthly, true)
	require.Equal(t, int64(2900), openSub.LatestInvoice.AmountDue.Minor())

	quote, err := f.QuotePrice.Do(t.Context(), caller, app.QuoteRequest{Price: yearly, NoTrial: true})
	require.NoError(t, err)
	sub, err := f.Subscribe.Do(t.Context(), caller,
		app.SubscribeRequest{MethodID: f.CreateCard(visa), Price: yearly, NoTrial: true, Quote: quote.Token})
	require.NoError(t, err)

	assert.Equal(t, int64(80600), quote.DueNow.Minor())
	assert.Equal(t, quote.DueNow, sub.LatestInvoice.AmountDue)
	assert.Equal(t, int64(81600), quote.Next.Amount.Minor())
}

func TestQuote_WithTrialIsRefusedForPurchaseWithoutTrial(t *testing.T) {
	f, caller := signUp(t)
	trial := f.quoteOf(caller, monthly, billing.ChangeNow)
	assert.Zero(t, trial.DueNow.Minor())
	assert.Equal(t, int64(3900), trial.Next.Amount.Minor())
	card := f.CreateCard(visa)
	_, err := f.Subscribe.Do(t.Context(), caller,
		app.SubscribeRequest{MethodID: card, Price: monthly, NoTrial: true, Quote: trial.Token})
	var quoteErr *app.QuoteError
	require.ErrorAs(t, err, &quoteErr, "the quote was with a trial")
	assert.Equal(t, int64(3900), quoteErr.NewQuote.DueNow.Minor())
	assert.Empty(t, f.Subscriptions())

	sub, err := f.Subscribe.Do(t.Context(), caller,
		app.SubscribeRequest{MethodID: card, Price: monthly, NoTrial: true, Quote: quoteErr.NewQuote.Token})
	require.NoError(t, err)
	assert.Equal(t, int64(3900), sub.LatestInvoice.AmountDue.Minor())
}

// A request is refused when something has changed since its quote. The error contains a new quote that is accepted.
func TestQuote_StaleQuoteReturnsANewOne(t *testing.T) {
	for name, change := range map[string]func(f *fixture, caller identity.Identity){
		"expired":      func(f *fixture, _ identity.Identity) { f.Advance(10 * time.Minute) },
		"a new period": func(f *fixture, _ identity.Identity) { f.Advance(31 * day) },
		"another key": func(f *fixture, _ identity.Identity) {
			f.UseCases = app.New(app.Ports{
				Store: f.Store, Provider: f.provider, Clock: f.Clock, Log: slog.New(slog.DiscardHandler),
				QuoteKey: []byte("rotated"),
			})
		},
		"another plan": func(f *fixture, caller identity.Identity) {
			_, err := f.ChangePlan.Do(f.t.Context(), caller, app.ChangeRequest{PriceChoice: professional})
			require.NoError(f.t, err)
		},
	} {
		t.Run(name, func(t *testing.T) {
			f, caller := signUp(t)
			f.subscribe(caller, visa, monthly, true)
			f.Advance(day)
			quote := f.quoteOf(caller, yearly, billing.ChangeNow)
			change(f, caller)
			chargeCount := len(f.User(caller).Charges())

			_, err := f.ChangePlan.Do(t.Context(), caller, app.ChangeRequest{PriceChoice: yearly, Quote: quote.Token})

			var quoteErr *app.QuoteError
			require.ErrorAs(t, err, &quoteErr)
			assertCode(t, fault.Conflict, err)
			assert.Len(t, f.User(caller).Charges(), chargeCount, "nothing is charged")
			sub, err := f.ChangePlan.Do(t.Context(), caller,
				app.ChangeRequest{PriceChoice: yearly, Quote: quoteErr.NewQuote.Token})
			require.NoError(t, err)
			assert.Equal(t, quoteErr.NewQuote.DueNow, sub.LatestInvoice.AmountDue)
		})
	}
}

func TestQuote_IsInvalidForAnotherRequest(t *testing.T) {
	f := newFixture(t)
	caller, replacementQuote := f.signUp(), f.SignUpOn(f.UseCases, "bob").Identity
	f.subscribe(caller, visa, monthly, true)
	f.subscribe(replacementQuote, visa, monthly, true)
	quote := f.quoteOf(caller, yearly, billing.ChangeNow)
	for name, tt := range map[string]struct {
		caller identity.Identity
		req    app.ChangeRequest
	}{
		"another organisation": {replacementQuote, app.ChangeRequest{PriceChoice: yearly, Quote: quote.Token}},
		"another price":        {caller, app.ChangeRequest{PriceChoice: professional, Quote: quote.Token}},
		"another time": {caller,
			app.ChangeRequest{PriceChoice: yearly, When: billing.ChangeAtRenewal, Quote: quote.Token}},
		"cut off":  {caller, app.ChangeRequest{PriceChoice: yearly, Quote: quote.Token[:len(quote.Token)-2]}},
		"no token": {caller, app.ChangeRequest{PriceChoice: yearly, Quote: "x"}},
	} {
		_, err := f.ChangePlan.Do(t.Context(), tt.caller, tt.req)
		assertCode(t, fault.Invalid, err)
		require.Len(t, fault.FieldsOf(err), 1, name)
		assert.Equal(t, "quote", fault.FieldsOf(err)[0].Name)
	}
}

// A declined change can be paid with the quote that it was made with, and with a quote of its invoice.
func TestQuote_PendingChangeHasTheAmountOfItsInvoice(t *testing.T) {
	for _, usesNewQuote := range []bool{false, true} {
		f, caller := signUp(t)
		f.subscribe(caller, visa, monthly, true)
		f.addCard(caller, declinedChargesCard)
		quote := f.quoteOf(caller, yearly, billing.ChangeNow)
		req := app.ChangeRequest{PriceChoice: yearly, Quote: quote.Token}
		pendingSub, err := f.ChangePlan.Do(t.Context(), caller, req)
		require.NoError(t, err)
		require.NotNil(t, pendingSub.Pending)

		f.addCard(caller, mastercard)
		newQuote := f.quoteOf(caller, yearly, billing.ChangeNow)
		assert.Equal(t, quote.DueNow, newQuote.DueNow)
		assert.NotEmpty(t, newQuote.Lines)
		if usesNewQuote {
			req.Quote = newQuote.Token
		}
		sub, err := f.ChangePlan.Do(t.Context(), caller, req)
		require.NoError(t, err)
		assert.Equal(t, priceOf(t, yearly), sub.Price)
		assert.Equal(t, pendingSub.Pending.InvoiceID, sub.LatestInvoice.ID, "no other invoice was made")
	}
}

// The change is not started again for an amount that the customer has not seen.
func TestQuote_ExpiredPendingChangeReturnsANewQuote(t *testing.T) {
	f, caller := signUp(t)
	f.subscribe(caller, visa, monthly, true)
	f.addCard(caller, declinedChargesCard)
	pendingSub, err := f.ChangePlan.Do(t.Context(), caller, app.ChangeRequest{PriceChoice: professional})
	require.NoError(t, err)
	require.NotNil(t, pendingSub.Pending)
	f.addCard(caller, mastercard)
	f.Advance(pendingSub.Pending.ExpiresAt.Sub(f.Clock.Now()) - time.Minute)
	quote := f.quoteOf(caller, professional, billing.ChangeNow)
	chargeCount := len(f.User(caller).Charges())
	f.Advance(2 * time.Minute)

	_, err = f.ChangePlan.Do(t.Context(), caller, app.ChangeRequest{PriceChoice: professional, Quote: quote.Token})

	var quoteErr *app.QuoteError
	require.ErrorAs(t, err, &quoteErr)
	assert.Len(t, f.User(caller).Charges(), chargeCount, "nothing is charged")
	assert.NotEqual(t, quote.DueNow, quoteErr.NewQuote.DueNow, "a day of the period has passed")
	sub, err := f.ChangePlan.Do(t.Context(), caller,
		app.ChangeRequest{PriceChoice: professional, Quote: quoteErr.NewQuote.Token})
	require.NoError(t, err)
	assert.Equal(t, quoteErr.NewQuote.DueNow, sub.LatestInvoice.AmountDue)
}

func TestQuote_ExpiredFirstPaymentReturnsANewQuote(t *testing.T) {
	f, caller := signUp(t)
	openSub := f.subscribe(caller, declinedChargesCard, monthly, true)
	require.Equal(t, billing.Incomplete, openSub.Status)
	f.addCard(caller, mastercard)
	f.Advance(22*time.Hour + 55*time.Minute)
	quote := f.quoteOf(caller, monthly, billing.ChangeNow)
	assert.Equal(t, openSub.LatestInvoice.AmountDue, quote.DueNow)
	f.Advance(6 * time.Minute)
	subscribe := func(token string) error {
		_, err := f.Subscribe.Do(t.Context(), caller, app.SubscribeRequest{Price: monthly, NoTrial: true, Quote: token})
		return err
	}

	var quoteErr *app.QuoteError
	require.ErrorAs(t, subscribe(quote.Token), &quoteErr)

	assert.Empty(t, f.User(caller).Charges())
	require.NoError(t, subscribe(quoteErr.NewQuote.Token))
	assert.Len(t, f.User(caller).Charges(), 1)
}

// injectLateCredit replaces the use cases with ones whose provider gives the customer a credit of $10 after the last
// preview, before it executes the call with the name. The first response to that call is lost. injectLateCredit
// returns a counter of the reported differences.
func (f *fixture) injectLateCredit(caller identity.Identity, call string) *int {
	f.t.Helper()
	isLost := false
	flaky := flakypayment.New(f.provider, func(c flakypayment.Call) flakypayment.Fault {
		if c.Method != call || isLost {
			return nil
		}
		isLost = true
		return func(ctx context.Context, r *flakypayment.Request) error {
			f.addCredit(caller, 1000)
			return flakypayment.TimeoutAfter.Fault()(ctx, r)
		}
	})
	differences := 0
	f.UseCases = app.New(app.Ports{
		Store: f.Store, Provider: flaky, Clock: f.Clock, Log: slog.New(slog.DiscardHandler),
		OnQuoteDifference: func() { differences++ },
	})
	return &differences
}

// Providers can't make a charge conditional on the quoted amount, so a difference is reported, also in the response
// to a repeat.
func TestQuote_ReportsAChargeThatDiffers(t *testing.T) {
	for name, tt := range map[string]struct {
		call    string
		prepare func(f *fixture, caller identity.Identity)
		send    func(f *fixture, caller identity.Identity) func() (billing.Subscription, error)
	}{
		"of a plan change": {"ChangePlan", func(f *fixture, caller identity.Identity) {
			f.subscribe(caller, visa, monthly, true)
		}, func(f *fixture, caller identity.Identity) func() (billing.Subscription, error) {
			req := app.ChangeRequest{PriceChoice: yearly, Quote: f.quoteOf(caller, yearly, billing.ChangeNow).Token}
			return func() (billing.Subscription, error) { return f.ChangePlan.Do(f.t.Context(), caller, req) }
		}},
		"of a first subscription": {"Subscribe", func(*fixture, identity.Identity) {
		}, func(f *fixture, caller identity.Identity) func() (billing.Subscription, error) {
			quote, err := f.QuotePrice.Do(f.t.Context(), caller, app.QuoteRequest{Price: yearly, NoTrial: true})
			require.NoError(f.t, err)
			req := app.SubscribeRequest{MethodID: f.CreateCard(visa), Price: yearly, NoTrial: true, Quote: quote.Token}
			return func() (billing.Subscription, error) { return f.Subscribe.Do(f.t.Context(), caller, req) }
		}},
	} {
		t.Run(name, func(t *testing.T) {
			f, caller := signUp(t)
			tt.prepare(f, caller)
			differences := f.injectLateCredit(caller, tt.call)
			send := tt.send(f, caller)
			_, err := send()
			assertCode(t, fault.Unavailable, err)

			sub, err := send()

			require.NoError(t, err)
			require.NotNil(t, sub.QuoteDifference)
			assert.Equal(t, sub.LatestInvoice.AmountDue, sub.QuoteDifference.Charged)
			assert.Equal(t, int64(1000), sub.QuoteDifference.Quoted.Minor()-sub.QuoteDifference.Charged.Minor())
			assert.Equal(t, 1, *differences)
			assert.Nil(t, f.account(caller).Live().QuoteDifference, "only the response has it")
		})
	}
}

// A repeat after the response was received reports the difference again, until the latest invoice is another one.
func TestQuote_RepeatReportsTheDifference(t *testing.T) {
	f, caller := signUp(t)
	f.injectLateCredit(caller, "Subscribe")
	quote, err := f.QuotePrice.Do(t.Context(), caller, app.QuoteRequest{Price: monthly, NoTrial: true})
	require.NoError(t, err)
	req := app.SubscribeRequest{MethodID: f.CreateCard(visa), Price: monthly, NoTrial: true, Quote: quote.Token}
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

// A request with another quote may be for another amount, so it does not join the pending one.
func TestQuote_RepeatWithAnotherQuoteIsAnotherRequest(t *testing.T) {
	f, caller := signUp(t)
	f.injectFaults(flakypayment.Sequence()) // all servers have the same key
	card := f.CreateCard(visa)
	subscribe := func(quote app.SignedQuote) error {
		_, err := f.Subscribe.Do(t.Context(), caller, app.SubscribeRequest{MethodID: card, Price: monthly, Quote: quote.Token})
		return err
	}
	firstQuote := f.quoteOf(caller, monthly, billing.ChangeNow)
	f.Advance(time.Minute)
	secondQuote := f.quoteOf(caller, monthly, billing.ChangeNow)
	f.injectFaults(func(c flakypayment.Call) flakypayment.Fault {
		if c.Method == "Subscribe" {
			return flakypayment.TimeoutAfter.Fault()
		}
		return nil
	})
	assertCode(t, fault.Unavailable, subscribe(firstQuote))

	assertCode(t, fault.Conflict, subscribe(secondQuote))
	assertCode(t, fault.Unavailable, subscribe(firstQuote))
}
