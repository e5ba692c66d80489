package app_test

import (
	"context"
	"errors"
	"fmt"
	"math/rand/v2"
	"sync"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/vc-admin/diy/adapters/fakegateway"
	"github.com/vc-admin/diy/app"
	"github.com/vc-admin/diy/app/apptest"
	"github.com/vc-admin/diy/domain/billing"
	"github.com/vc-admin/diy/domain/catalogue"
	"github.com/vc-admin/diy/domain/money"
	"github.com/vc-admin/diy/ports/payment"
)

// An operator refunds the first payment at a random instant of a plan change that credit would pay. The refund withdraws
// credit.
func TestChangePlan_IsChargedAsQuotedOrRefusedWhileARefundIsMade(t *testing.T) {
	const rounds = 100
	t.Run("fakepayment", func(t *testing.T) {
		f := newFixture(t)
		f.checkConcurrentRefunds(f.provider, rounds, func(user *apptest.User) {
			f.subscribe(user.Identity, visa, standardMonthly, true)
		})
	})
	t.Run("enginepayment", func(t *testing.T) {
		f := newGatewayFixture(t)
		f.checkConcurrentRefunds(f.engine, rounds, func(user *apptest.User) {
			f.subscribeAndPayOnPage(user, fakegateway.Pays)
			f.advanceAndRunWorker(3 * day)
		})
	})
}

// checkConcurrentRefunds makes the plan change and the refund of a new organisation concurrently in each round. subscribe
// starts a paid subscription to the monthly standard plan.
func (f *fixture) checkConcurrentRefunds(provider payment.Provider, rounds int, subscribe func(*apptest.User)) {
	ctx := f.t.Context()
	credit, err := money.New(80000, "AUD")
	require.NoError(f.t, err)
	refusals := 0
	for round := range rounds {
		user := f.SignUpOnServer(f.UseCases, fmt.Sprint("user", round))
		subscribe(user)
		paidInvoice := f.account(user.Identity).LiveSubscription().LatestInvoice
		_, err := provider.AddCredit(ctx, payment.CreditGrant{
			Key: fmt.Sprint("credit", round), CustomerID: f.account(user.Identity).CustomerID, Amount: credit,
		})
		require.NoError(f.t, err)
		quote := f.requestQuote(user.Identity, professionalYearly, billing.ChangeNow)
		require.Zero(f.t, quote.DueNow.Minor())

		var refund sync.WaitGroup
		delay := time.Duration(rand.Int64N(int64(6 * time.Millisecond)))
		refund.Go(func() {
			<-time.After(delay)
			_, err := provider.Refund(context.WithoutCancel(ctx), payment.RefundRequest{
				Key: fmt.Sprint("refund", round), InvoiceID: paidInvoice.ID, Amount: paidInvoice.AmountPaid,
			})
			assert.NoError(f.t, err)
		})
		sub, err := f.ChangePlan.Do(ctx, user.Identity, app.ChangeRequest{PriceChoice: professionalYearly, Quote: quote.Token})
		refund.Wait()

		if quoteErr, isRefused := errors.AsType[*app.QuoteError](err); isRefused {
			refusals++
			assert.Equal(f.t, catalogue.Monthly, f.account(user.Identity).LiveSubscription().Price.Interval)
			assert.Positive(f.t, quoteErr.NewQuote.DueNow.Minor())
			continue
		}
		require.NoError(f.t, err)
		assert.Equal(f.t, quote.DueNow.Minor(), sub.LatestInvoice.AmountDue.Minor())
		assert.Nil(f.t, sub.QuoteDifference)
	}
	f.t.Logf("%d of %d changes were refused", refusals, rounds)
}
