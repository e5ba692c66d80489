package app

import (
	"context"
	"regexp"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/mock"
	"github.com/stretchr/testify/require"

	"github.com/vc-admin/diy/domain/account"
	"github.com/vc-admin/diy/domain/fault"
	"github.com/vc-admin/diy/ports/mail"
)

var ann = account.User{ID: "usr_1", OrganisationID: "org_1", FirstName: "Ann", Email: "ann@example.com", PasswordHash: "$hash"}

// findsUser answers the question for ann@example.com.
func findsUser(user account.User) step {
	return step{"UserByEmail", func(b *bench, err error) {
		b.store.EXPECT().UserByEmail(mock.Anything, "ann@example.com").Return(user, err).Once()
	}}
}

// sent is a verification and its letter as they were stored.
type sent struct {
	verification account.Verification
	letter       mail.Message
}

func addsVerification(s *sent) step {
	return step{"AddVerification", func(b *bench, err error) {
		b.store.EXPECT().AddVerification(mock.Anything, mock.Anything, mock.Anything, noon).
			Run(func(_ context.Context, v account.Verification, letter mail.Message, _ time.Time) {
				s.verification, s.letter = v, letter
			}).Return(err).Once()
	}}
}

func resend(t *testing.T) func(*bench) error {
	return func(b *bench) error { return b.ResendVerification.Do(t.Context(), "ann@example.com") }
}

// assertVerifies wants a letter that carries the token whose hash is stored, and only the letter.
func (s sent) assertVerifies(t *testing.T) {
	t.Helper()
	link := regexp.MustCompile(`https://diy\.example/vc-admin/auth/verify\?token=(\w+)`).FindStringSubmatch(s.letter.Text)
	require.NotNil(t, link, "the letter has no link")
	assert.Equal(t, hash(link[1]), s.verification.TokenHash)
	assert.GreaterOrEqual(t, len(link[1]), 26, "the token has to be beyond guessing")
	assert.Equal(t, "usr_1", s.verification.UserID)
	assert.Equal(t, noon.Add(48*time.Hour), s.verification.ExpiresAt)
	assert.Equal(t, "ann@example.com", s.letter.To)
	assert.NoError(t, s.letter.Check())
}

func TestResendVerificationSendsAFreshToken(t *testing.T) {
	var first, second sent
	passes(t, []step{findsUser(ann), addsVerification(&first)}, resend(t))
	passes(t, []step{findsUser(ann), addsVerification(&second)}, resend(t))
	first.assertVerifies(t)
	second.assertVerifies(t)
	assert.NotEqual(t, first.verification.TokenHash, second.verification.TokenHash)
}

func TestResendVerificationTellsNobodyWhoHasAnAccount(t *testing.T) {
	verified := ann
	verified.VerifiedAt = noon
	unknown := step{"", func(b *bench, _ error) { findsUser(account.User{}).expect(b, fault.New(fault.NotFound, "")) }}
	passes(t, []step{unknown}, resend(t))
	passes(t, []step{findsUser(verified)}, resend(t))
}

func TestResendVerificationFails(t *testing.T) {
	failsAtEveryStep(t, errOutage, []step{findsUser(ann), addsVerification(&sent{})}, resend(t))
}
