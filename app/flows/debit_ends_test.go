package flows

import (
	"slices"
	"strings"
	"sync"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/vc-admin/diy/app"
	"github.com/vc-admin/diy/app/apptest"
	"github.com/vc-admin/diy/domain/billing"
)

// receiveEndsOfFailedPayments delivers emails for 40 days. It returns the date of the end of the plan that each email about
// a failed payment announces, and the date on which the plan ended.
func (env *testEnv) receiveEndsOfFailedPayments(user *apptest.User, onFailure func()) (announced []string, ended string) {
	env.t.Helper()
	for range 40 {
		env.Advance(day)
		for _, text := range env.receiveEmails() {
			if strings.HasPrefix(text, "Payment failed: ") {
				_, rest, _ := strings.Cut(text, "Your Standard plan ends on ")
				date, _, _ := strings.Cut(rest, " unless")
				announced = append(announced, date)
				onFailure()
			}
		}
		if ended == "" && user.Account().LiveSubscription() == nil {
			org := user.Organisation()
			ended = org.TimeZone().Date(env.Clock.Now())
		}
	}
	return announced, ended
}

// Each retry of a bank debit takes days to fail. The announced end allows for that, so that it stays true.
func TestFailedPayments_EmailsAnnounceTheEndOfThePlan(t *testing.T) {
	t.Parallel()
	for name, tt := range map[string]struct {
		number      string // of the method that is charged for the renewal
		nextNumber  string // of the method that is charged for the retries
		wantChanges int    // how often the announced end changes
	}{
		"debits":                   {apptest.FailingAccount, apptest.FailingAccount, 0},
		"a card":                   {apptest.DeclinedChargesCard, apptest.DeclinedChargesCard, 0},
		"a debit, then a card":     {apptest.FailingAccount, apptest.DeclinedChargesCard, 0},
		"a card, then bank debits": {apptest.DeclinedChargesCard, apptest.FailingAccount, 1},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			env := newEnv(t)
			user := env.SignUp("ben")
			sub := user.SubscribeWithoutTrial(apptest.Visa, apptest.StandardMonthly)
			user.AddCard(tt.number)
			env.Advance(sub.CurrentPeriodEnd.Sub(env.Clock.Now()))
			env.receiveEmails()

			changeMethod := sync.OnceFunc(func() { env.setDefaultAtProvider(user, tt.nextNumber) })
			announced, ended := env.receiveEndsOfFailedPayments(user, changeMethod)

			require.NotEmpty(t, announced)
			assert.Equal(t, ended, announced[len(announced)-1])
			assert.Len(t, slices.Compact(announced), 1+tt.wantChanges)
		})
	}
}

// A customer pays a returned debit again shortly before the end, and this debit fails after it. The end moves once.
func TestReturnedPayment_EmailAnnouncesTheEndThatALateFailureMoves(t *testing.T) {
	t.Parallel()
	env := newEnv(t)
	user := env.SignUp("ben")
	user.SubscribeWithoutTrial(apptest.ReturningAccount, apptest.StandardMonthly)
	env.Advance(10 * day)
	emails := env.receiveEmails()
	firstEnd := user.Account().LiveSubscription().UnpaidEndsAt
	org := user.Organisation()
	assert.Contains(t, strings.Join(emails, "\n"), "plan ends on "+org.TimeZone().Date(firstEnd))
	env.Advance(14 * day)

	user.Pay(apptest.FailingAccount)
	env.Advance(3 * day)
	emails = env.receiveEmails()

	newEnd := user.Account().LiveSubscription().UnpaidEndsAt
	assert.True(t, newEnd.After(firstEnd))
	assert.Contains(t, strings.Join(emails, "\n"), "plan ends on "+org.TimeZone().Date(newEnd))
}

func TestEndSubscription_EmailSaysThatThePaymentIsOnItsWay(t *testing.T) {
	t.Parallel()
	for name, newProviderEnv := range providerEnvs {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			env := newProviderEnv(t)
			user := env.SignUp("ben")
			user.SubscribeWithoutTrial(apptest.Visa, apptest.StandardMonthly)
			user.AddCard(apptest.DeclinedChargesCard)
			env.Advance(32 * day)
			user.AddCard(apptest.SettlingAccount)
			env.receiveEmails()
			require.Equal(t, billing.PastDue, user.LicenseStatus())

			_, err := env.App.EndSubscription.Do(t.Context(), user.Identity, app.EndRequest{})
			require.NoError(t, err)

			emails := env.receiveEmails()
			require.Len(t, emails, 1)
			assert.True(t, strings.HasPrefix(emails[0], "Your Standard plan has ended: $39 AUD is on its way"), emails[0])
			assert.Contains(t, emails[0], "•••• 6819 is on its way and is not stopped")
			assert.NotContains(t, emails[0], "Pay the invoice")
			assert.NotContains(t, emails[0], "stays owed. Pay it")

			env.Advance(10 * day)
			assert.Contains(t, strings.Join(env.receiveEmails(), "\n"), "Payment received: $39 AUD")
		})
	}
}
