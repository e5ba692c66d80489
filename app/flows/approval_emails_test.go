package flows

import (
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/vc-admin/diy/adapters/fakepayment"
	"github.com/vc-admin/diy/app/apptest"
	"github.com/vc-admin/diy/domain/billing"
)

// receiveSubjectsInReverse delivers the queued events newest first and twice, as Stripe may, then the emails. It returns
// the subjects of the emails.
func (env *testEnv) receiveSubjectsInReverse() (subjects []string) {
	env.t.Helper()
	payloads := env.TakeEvents()
	slices.Reverse(payloads)
	env.DeliverPayloads(env.App, slices.Concat(payloads, payloads)...)
	for _, text := range env.receiveEmails() {
		subject, _, _ := strings.Cut(text, "\n")
		subjects = append(subjects, subject)
	}
	return subjects
}

// The customer pays an overdue invoice with a card whose bank asks for an approval in the browser.
func TestApprovalEmail_IsSentOnlyIfTheCustomerLeavesTheDialogOpen(t *testing.T) {
	t.Parallel()
	for provider, newProviderEnv := range providerEnvs {
		for name, tt := range map[string]struct {
			outcome     fakepayment.Outcome // of the dialog; "" if it stays open
			immediately []string
			later       []string
		}{
			"open":     {"", nil, []string{"Please approve your payment of $39 AUD"}},
			"approved": {fakepayment.OutcomeComplete, []string{"Payment received: $39 AUD"}, nil},
			"failed":   {fakepayment.OutcomeFail, nil, nil},
		} {
			t.Run(provider+" "+name, func(t *testing.T) {
				t.Parallel()
				env := newProviderEnv(t)
				user := env.SignUp("ben")
				user.SubscribeWithoutTrial(apptest.Visa, apptest.StandardMonthly)
				user.AddCard(apptest.DeclinedChargesCard)
				env.Advance(32 * day)
				env.receiveEmails()

				sub := user.Pay(apptest.AuthenticationCard)
				require.Equal(t, billing.ConfirmPayment, sub.Next.Kind)
				assert.Empty(t, env.receiveSubjectsInReverse(), "the dialog is open")
				env.Advance(14 * time.Minute)
				assert.Empty(t, env.receiveSubjectsInReverse())
				if tt.outcome != "" {
					env.ConfirmIntent(sub.LatestInvoice.Payment, tt.outcome)
				}
				assert.Equal(t, tt.immediately, env.receiveSubjectsInReverse())
				env.Advance(2 * time.Minute)
				assert.Equal(t, tt.later, env.receiveSubjectsInReverse())
				env.Advance(time.Hour)
				assert.Empty(t, env.receiveSubjectsInReverse())
			})
		}
	}
}
