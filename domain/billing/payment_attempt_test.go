package billing_test

import (
	"slices"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/vc-admin/diy/domain/billing"
	"github.com/vc-admin/diy/domain/fault"
)

func TestCheckPaymentAttempt_LimitsAttemptsWithCard(t *testing.T) {
	now := time.Date(2026, 3, 4, 12, 0, 0, 0, time.UTC)
	attemptsAgo := func(ages ...time.Duration) (attempts []billing.PaymentAttempt) {
		for _, age := range ages {
			attempts = append(attempts, billing.PaymentAttempt{Card: "card", At: now.Add(-age)})
		}
		return attempts
	}
	hardDecline := billing.PaymentAttempt{Card: "card", At: now.Add(-30 * 24 * time.Hour), HardDecline: true}
	hardDeclineOfNewCard := billing.PaymentAttempt{At: now.Add(-time.Minute), HardDecline: true}
	tests := []struct {
		name           string
		earlier        []billing.PaymentAttempt
		code           fault.Code
		wantRetryAfter time.Duration
	}{
		{"first attempt", nil, "", 0},
		{"third attempt within an hour", attemptsAgo(50*time.Minute, time.Minute), "", 0},
		{"fourth attempt within an hour", attemptsAgo(50*time.Minute, time.Minute, 0), fault.RateLimited, 10 * time.Minute},
		{"fourth attempt after an hour", attemptsAgo(time.Hour, time.Minute, 0), "", 0},
		{"sixth attempt, after four within an hour",
			attemptsAgo(90*time.Minute, 59*time.Minute, 20*time.Minute, 2*time.Minute, time.Minute), fault.RateLimited, time.Minute},
		{"attempt after a hard decline", []billing.PaymentAttempt{hardDecline}, fault.Declined, 0},
		{"new card after a hard decline of another new card", []billing.PaymentAttempt{hardDeclineOfNewCard}, "", 0},
		{"attempts stored while the clock was ahead", attemptsAgo(-2*time.Hour, -2*time.Hour, -2*time.Hour), fault.RateLimited,
			time.Hour},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			err := billing.CheckPaymentAttempt(tt.earlier, now)
			assert.Equal(t, tt.code, fault.CodeOf(err))
			assert.Equal(t, tt.wantRetryAfter, fault.RetryAfterOf(err))
		})
	}
}

func TestCheckPaymentAttempt_NamesWhatWasTriedTooOften(t *testing.T) {
	for card, want := range map[string]string{
		"hash of a card": "This payment method was tried too often for this invoice. Please use another one, or try again later.",
		"":               "Too many new payment methods were tried for this invoice. Please try again later.",
	} {
		attempt := billing.PaymentAttempt{Card: card, At: time.Now()}
		limit := map[bool]int{true: billing.MaxNewCardAttempts, false: billing.MaxPaymentAttempts}[card == ""]
		attempts := slices.Repeat([]billing.PaymentAttempt{attempt}, limit)
		require.NoError(t, billing.CheckPaymentAttempt(attempts[1:], attempt.At))
		err := billing.CheckPaymentAttempt(attempts, attempt.At)
		assert.Equal(t, want, fault.MessageOf(err))
	}
}
