package httpapi_test

import (
	"context"
	"log/slog"
	"net/http"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/vc-admin/diy/adapters/flakypayment"
	"github.com/vc-admin/diy/adapters/httpapi"
	"github.com/vc-admin/diy/domain/billing"
	"github.com/vc-admin/diy/domain/money"
	"github.com/vc-admin/diy/ports/payment"
)

type moneyAmount struct {
	Amount   int64
	Currency string
}

type futureCharge struct {
	Amount   int64
	Currency string
	At       time.Time
}

type priceQuote struct {
	Quote     string
	ExpiresAt time.Time
	DueNow    moneyAmount
	Lines     []struct {
		Description string
		Amount      int64
		Period      struct{ Start, End time.Time }
	}
	Tax, CreditBefore, CreditAfter moneyAmount
	Next, AfterNext                *futureCharge
	EndsTrial                      bool
}

type pause struct{ Until *time.Time }

type billingSummary struct {
	Subscription *struct {
		Status, PriceID, Interval, Currency string
		Amount                              int64
		PeriodEnd, TrialEnd, EndsAt         *time.Time
		Hold                                *string
		Pause                               *pause
		Scheduled                           *struct {
			PriceID string
			Amount  int64
			At      time.Time
		}
	}
	Next   *futureCharge
	Credit *moneyAmount
	Card   *struct{ ID string }
	End    *struct {
		Kind string
		At   *time.Time
	}
}

func (b *browser) billing() billingSummary {
	b.t.Helper()
	return decodeJSON[billingSummary](b.get("/vc-admin/org/billing"))
}

func (b *browser) quote(body map[string]any) priceQuote {
	b.t.Helper()
	return decodeJSON[priceQuote](b.post("/vc-admin/org/subscription/quote", body))
}

func TestChangePlan_WithExpiredQuoteIsRefusedWithNewQuote(t *testing.T) {
	s := newTestServer(t)
	b := s.signUpWithPaidPlan(t)
	s.advance(t, 24*time.Hour)
	change := priceBody("professional_yearly", "yearly")
	quote := b.quote(change)
	require.Len(t, quote.Lines, 2)
	assert.Equal(t, quote.DueNow.Amount, quote.Lines[0].Amount+quote.Lines[1].Amount)
	assert.Equal(t, "AUD", quote.DueNow.Currency)
	assert.WithinDuration(t, s.clock.Now().Add(10*time.Minute), quote.ExpiresAt, time.Minute)
	assert.Equal(t, int64(81600), quote.Next.Amount)

	s.advance(t, 11*time.Minute)
	change["quote"] = quote.Quote
	conflict := b.post("/vc-admin/org/subscription/update", change)
	conflict.requireError(http.StatusConflict, "ERRQUOTE")
	change["quote"] = decodeJSON[struct{ Quote priceQuote }](conflict).Quote.Quote
	assert.Equal(t, "professional_yearly", decodeJSON[subscription](b.post("/vc-admin/org/subscription/update", change)).PriceID)
}

func TestChangePlan_RefusesForgedQuote(t *testing.T) {
	b := newTestServer(t).signUpWithPaidPlan(t)
	change := priceBody("professional_yearly", "yearly")
	change["quote"] = "forged"
	b.post("/vc-admin/org/subscription/update", change).requireError(http.StatusBadRequest, "ERRVALIDATION")
}

func TestQuote_RefusesUnknownTimeOfChange(t *testing.T) {
	b := newTestServer(t).signUpWithPaidPlan(t)
	change := priceBody("professional_yearly", "yearly")
	change["when"] = "tomorrow"
	b.send(b.newRequest(http.MethodPost, "/vc-admin/org/subscription/quote", change)).requireError(http.StatusBadRequest, "ERRVALIDATION")
}

// A credit that is added between the last preview and the charge changes the cost.
func TestChangePlan_RefusesChargeThatDiffersFromQuote(t *testing.T) {
	s := newUnstartedServer(t, nil)
	var customerID string
	s.faults = func(c flakypayment.Call) flakypayment.Fault {
		if c.Method != "ChangePlan" {
			return nil
		}
		return func(ctx context.Context, _ *flakypayment.Request) error {
			credit, err := money.New(1000, "AUD")
			require.NoError(t, err)
			_, err = s.provider.AddCredit(ctx, payment.CreditGrant{Key: "late", CustomerID: customerID, Amount: credit})
			return err
		}
	}
	s.start(t, httpapi.Site{Payments: fakeProviderWeb})
	b := s.signUpWithPaidPlan(t)
	customerID = decodeJSON[struct{ ID string }](b.post("/vc-admin/org/customer", nil)).ID
	change := priceBody("professional_yearly", "yearly")
	quote := b.quote(change)
	change["quote"] = quote.Quote

	b.send(b.newRequest(http.MethodPost, "/vc-admin/org/subscription/update", change)).requireError(http.StatusConflict, "ERRQUOTE")
	assert.Equal(t, quote.DueNow.Amount-1000, b.quote(priceBody("professional_yearly", "yearly")).DueNow.Amount)
}

// providerWithoutPeriodEnd can neither end nor change a subscription at the end of a period.
type providerWithoutPeriodEnd struct{ payment.Provider }

func (p providerWithoutPeriodEnd) Capabilities() payment.Capabilities {
	c := p.Provider.Capabilities()
	c.Missing = map[payment.Capability]string{payment.AtPeriodEnd: "for the test"}
	return c
}

// Any customer can send such a request, so the server must not log it as an error.
func TestUnsupportedRequest_ReturnsConflictAndLogsInformation(t *testing.T) {
	s := newUnstartedServer(t, nil)
	var log strings.Builder
	s.wrapProvider = func(p payment.Provider) payment.Provider { return providerWithoutPeriodEnd{p} }
	s.logHandler = slog.NewTextHandler(&log, nil)
	s.start(t, httpapi.Site{Payments: fakeProviderWeb})
	b := s.signUpWithPaidPlan(t)

	b.post("/vc-admin/org/subscription/cancel", nil).requireError(http.StatusConflict, "ERRUNSUPPORTED")
	change := priceBody("professional_yearly", "yearly")
	change["when"] = "renewal"
	b.post("/vc-admin/org/subscription/update", change).requireError(http.StatusConflict, "ERRUNSUPPORTED")

	assert.Contains(t, log.String(), `level=INFO msg="request not supported" route=/vc-admin/org/subscription/cancel`)
	assert.NotContains(t, log.String(), "level=ERROR")
}

// pausingProvider starts subscriptions whose charges an operator has paused.
type pausingProvider struct {
	payment.Provider
	pause billing.Pause
}

func (p pausingProvider) Subscribe(ctx context.Context, req payment.NewSubscription) (billing.Subscription, error) {
	s, err := p.Provider.Subscribe(ctx, req)
	s.Pause = &p.pause
	return s, err
}

func TestBilling_ReportsPauseWithoutNextCharge(t *testing.T) {
	s := newUnstartedServer(t, nil)
	pauseEnd := s.clock.Now().AddDate(5, 0, 0).UTC().Truncate(time.Second)
	s.wrapProvider = func(p payment.Provider) payment.Provider { return pausingProvider{p, billing.Pause{Until: pauseEnd}} }
	s.start(t, httpapi.Site{Payments: fakeProviderWeb})
	b := s.signUpWithPaidPlan(t)

	summary := b.billing()

	assert.Nil(t, summary.Next)
	require.NotNil(t, summary.Subscription.Pause)
	assert.Equal(t, &pauseEnd, summary.Subscription.Pause.Until)
	license := decodeJSON[struct {
		Detail struct {
			License struct {
				NextChargeAt *time.Time `json:"next_charge_at"`
				Pause        *pause
			}
		}
	}](b.get("/vc-admin/user/detail")).Detail.License
	assert.Nil(t, license.NextChargeAt)
	assert.Equal(t, &pause{Until: &pauseEnd}, license.Pause)
}

func TestBilling_ReportsTrialScheduledChangeAndEnd(t *testing.T) {
	_, b := newServerWithUser(t)
	assert.Nil(t, b.billing().Subscription)
	trialQuote := b.quote(priceBody("professional_yearly", "yearly"))
	assert.Zero(t, trialQuote.DueNow.Amount)
	require.NotNil(t, trialQuote.Next)
	require.NotNil(t, trialQuote.AfterNext)
	assert.Equal(t, int64(81600), trialQuote.AfterNext.Amount)
	assert.Equal(t, trialQuote.Next.At.AddDate(1, 0, 0), trialQuote.AfterNext.At)
	body := subscribeBody(b.createCard("4242424242424242"))
	body["quote"] = trialQuote.Quote
	assert.Equal(t, "trialing", b.subscribe(body).Status)

	trialSummary := b.billing()
	assert.Equal(t, int64(81600), trialSummary.Next.Amount)
	assert.WithinDuration(t, trialQuote.Next.At, trialSummary.Next.At, time.Minute,
		"the trial starts with the request, after its quote")
	assert.NotNil(t, trialSummary.Card)
	assert.Equal(t, "period_end", trialSummary.End.Kind)
	assert.Equal(t, trialSummary.Subscription.TrialEnd, trialSummary.End.At)

	change := priceBody("standard_yearly", "yearly")
	change["when"] = "renewal"
	sub := decodeJSON[subscription](b.post("/vc-admin/org/subscription/update", change))
	assert.Equal(t, "trialing", sub.Status, "the trial continues")
	require.NotNil(t, b.billing().Subscription.Scheduled)
	assert.Equal(t, int64(42000), b.billing().Subscription.Scheduled.Amount)
	assert.Equal(t, int64(42000), b.billing().Next.Amount)
	license := b.detail().License
	assert.Equal(t, &struct{ Amount, PerMonth, Annual int64 }{81600, 6800, 81600}, license.Price)
	assert.Equal(t, int64(42000), license.ScheduledChange.Amount)
	require.Equal(t, http.StatusOK, b.post("/vc-admin/org/subscription/scheduled/cancel", map[string]any{}).Status)
	assert.Nil(t, b.billing().Subscription.Scheduled)

	endRequest := map[string]any{"reason": "switching", "comment": "Ada asked"}
	require.Equal(t, http.StatusOK, b.post("/vc-admin/org/subscription/cancel", endRequest).Status)
	canceledSummary := b.billing()
	assert.Equal(t, trialSummary.End.At, canceledSummary.Subscription.EndsAt)
	assert.Nil(t, canceledSummary.Next)
	assert.Nil(t, canceledSummary.End)
	require.Equal(t, http.StatusOK, b.post("/vc-admin/org/subscription/resume", map[string]any{}).Status)
	assert.Equal(t, trialSummary, b.billing())
}
