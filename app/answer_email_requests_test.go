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
	"github.com/vc-admin/diy/ports/storage"
)

// findsUser answers the question for ann@example.com.
func findsUser(user account.User) step {
	return step{"UserByEmail", func(b *bench, err error) {
		b.store.EXPECT().UserByEmail(mock.Anything, "ann@example.com").Return(user, err).Once()
	}}
}

// sent is a verification and its email as they were stored.
type sent struct {
	verification account.Verification
	email        mail.Message
}

func addsVerification(s *sent) step {
	return step{"AddVerification", func(b *bench, err error) {
		b.store.EXPECT().AddVerification(mock.Anything, mock.Anything, mock.Anything, noon).
			Run(func(_ context.Context, v account.Verification, email mail.Message, _ time.Time) {
				s.verification, s.email = v, email
			}).Return(err).Once()
	}}
}

// assertVerifies wants an email that carries the token whose hash is stored, and only the email.
func (s sent) assertVerifies(t *testing.T, expires time.Time) {
	t.Helper()
	link := regexp.MustCompile(`https://diy\.example/vc-admin/auth/verify\?token=(\w+)`).FindStringSubmatch(s.email.Text)
	require.NotNil(t, link, "the email has no link")
	assert.Equal(t, hash(link[1]), s.verification.TokenHash)
	assert.GreaterOrEqual(t, len(link[1]), 26, "the token has to be beyond guessing")
	assert.Equal(t, "usr_1", s.verification.UserID)
	assert.Equal(t, expires, s.verification.ExpiresAt)
	assert.Equal(t, "ann@example.com", s.email.To)
	assert.NoError(t, s.email.Check())
}

func claimsRequest(kind storage.EmailKind) step {
	return step{"ClaimEmailRequest", func(b *bench, err error) {
		request := storage.EmailRequest{ID: "7", Kind: kind, Email: "ann@example.com", RequestedAt: noon}
		b.store.EXPECT().ClaimEmailRequest(mock.Anything, noon, noon.Add(time.Minute)).Return(request, err).Once()
	}}
}

var finishesRequest = step{"FinishEmailRequest", func(b *bench, err error) {
	b.store.EXPECT().FinishEmailRequest(mock.Anything, "7").Return(err).Once()
}}

var noMoreRequests = step{"", func(b *bench, _ error) {
	b.store.EXPECT().ClaimEmailRequest(mock.Anything, mock.Anything, mock.Anything).
		Return(storage.EmailRequest{}, fault.New(fault.NotFound, "none")).Once()
}}

// answers runs the use case on the steps and wants it to answer one request.
func answers(t *testing.T, steps ...step) {
	t.Helper()
	b := newBench(t)
	for _, s := range append(steps, noMoreRequests) {
		s.expect(b, nil)
	}
	answered, err := b.AnswerEmailRequests.Do(t.Context())
	require.NoError(t, err)
	assert.Equal(t, 1, answered)
}

func TestAnswerEmailRequests_SendsAFreshVerificationThatEndsWithTheRegistration(t *testing.T) {
	var first, second sent
	for _, s := range []*sent{&first, &second} {
		answers(t, claimsRequest(storage.VerificationEmail), findsUser(unverified()), addsVerification(s), finishesRequest)
		s.assertVerifies(t, noon.Add(47*time.Hour))
	}
	assert.NotEqual(t, first.verification.TokenHash, second.verification.TokenHash)
	assert.Contains(t, first.email.Text, "valid for 47 hours")
}

func TestAnswerEmailRequests_SendsNothingToOthers(t *testing.T) {
	verified, expired := unverified(), unverified()
	verified.Verify(noon)
	expired.CreatedAt = noon.Add(-48 * time.Hour)
	unknown := step{"", func(b *bench, _ error) { findsUser(account.User{}).expect(b, fault.New(fault.NotFound, "")) }}
	for name, found := range map[string]step{"unknown": unknown, "verified": findsUser(verified), "expired": findsUser(expired)} {
		t.Run(name, func(t *testing.T) {
			answers(t, claimsRequest(storage.VerificationEmail), found, finishesRequest)
		})
	}
}

func TestAnswerEmailRequests_ForgetsARegistrationThatIsDeletedMeanwhile(t *testing.T) {
	answers(t, claimsRequest(storage.VerificationEmail), findsUser(unverified()), step{"", func(b *bench, _ error) {
		addsVerification(&sent{}).expect(b, fault.New(fault.NotFound, ""))
	}}, finishesRequest)
}

func TestAnswerEmailRequests_Fails(t *testing.T) {
	failsAtEveryStep(t, errOutage, []step{
		claimsRequest(storage.VerificationEmail), findsUser(unverified()), addsVerification(&sent{}), finishesRequest,
	}, func(b *bench) error {
		answered, err := b.AnswerEmailRequests.Do(t.Context())
		assert.Zero(t, answered)
		return err
	})
}
