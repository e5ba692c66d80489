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
	"github.com/vc-admin/diy/ports/identity"
	"github.com/vc-admin/diy/ports/mail"
	"github.com/vc-admin/diy/ports/storage"
)

func TestForgotPassword_StoresTheRequestForAnyAddress(t *testing.T) {
	forgot := func(b *bench) error { return b.ForgotPassword.Do(t.Context(), " ANN@example.com") }
	passes(t, []step{storesRequest(storage.PasswordResetEmail)}, forgot)
	failsAtEveryStep(t, errOutage, []step{storesRequest(storage.PasswordResetEmail)}, forgot)
	assert.NoError(t, newBench(t).ForgotPassword.Do(t.Context(), "no address"))
}

func TestAnswerEmailRequests_SendsAPasswordResetToEveryUser(t *testing.T) {
	for name, user := range map[string]account.User{"verified": verifiedAnn(), "unverified": unverified()} {
		t.Run(name, func(t *testing.T) {
			var reset account.PasswordReset
			var email mail.Message
			answers(t, claimsRequest(storage.PasswordResetEmail), findsUser(user), step{"", func(b *bench, _ error) {
				b.store.EXPECT().AddPasswordReset(mock.Anything, mock.Anything, mock.Anything, noon).
					Run(func(_ context.Context, r account.PasswordReset, queued mail.Message, _ time.Time) {
						reset, email = r, queued
					}).Return(nil).Once()
			}}, finishesRequest)

			link := regexp.MustCompile(`https://diy\.example/vc-admin/auth/reset\?token=(\w+)`).FindStringSubmatch(email.Text)
			require.NotNil(t, link, "the email has no link")
			assert.GreaterOrEqual(t, len(link[1]), 26)
			assert.Equal(t, account.PasswordReset{TokenHash: hash(link[1]), UserID: "usr_1", ExpiresAt: noon.Add(time.Hour)}, reset)
			assert.Equal(t, "ann@example.com", email.To)
			assert.NoError(t, email.Check())
		})
	}
}

func TestAnswerEmailRequests_SendsNoPasswordResetToAnExpiredRegistration(t *testing.T) {
	answers(t, claimsRequest(storage.PasswordResetEmail), findsUser(ann), finishesRequest)
}

var notCommon = step{"", func(b *bench, _ error) { b.passwords.EXPECT().Common("Secret456").Return(false).Once() }}

func findsReset(good time.Duration) step {
	return step{"PasswordReset", func(b *bench, err error) {
		found := account.PasswordReset{UserID: "usr_1", ExpiresAt: noon.Add(good)}
		b.store.EXPECT().PasswordReset(mock.Anything, hash("abc")).Return(found, err).Once()
	}}
}

var hashesNew = step{"Hash", func(b *bench, err error) {
	b.passwords.EXPECT().Hash(mock.Anything, "Secret456").Return("$new", err).Once()
}}

func usesReset(stored *account.User, notice *mail.Message) step {
	return step{"UsePasswordReset", func(b *bench, err error) {
		b.store.EXPECT().UsePasswordReset(mock.Anything, hash("abc"), mock.Anything, noon, mock.Anything).RunAndReturn(
			func(_ context.Context, _ string, email mail.Message, _ time.Time, fn func(*account.User) error) (account.User, error) {
				*notice = email
				if err == nil {
					err = fn(stored)
				}
				return *stored, err
			}).Once()
	}}
}

func signedIn(userID string) step {
	return step{"", func(b *bench, _ error) {
		b.sessions.EXPECT().Current(mock.Anything).Return(identity.Identity{UserID: userID}, userID != "").Once()
	}}
}

var endsSession = step{"", func(b *bench, _ error) { b.sessions.EXPECT().End(mock.Anything).Return(nil).Once() }}

func reset(t *testing.T) func(*bench) error {
	return func(b *bench) error {
		_, err := b.ResetPassword.Do(t.Context(), "abc", "Secret456", "Secret456")
		return err
	}
}

func TestResetPassword_ReplacesThePasswordAndSendsANotice(t *testing.T) {
	b, stored, notice := newBench(t), verifiedAnn(), mail.Message{}
	for _, s := range []step{notCommon, findsReset(time.Microsecond), findsOwner(stored), hashesNew, usesReset(&stored, &notice), signedIn("")} {
		s.expect(b, nil)
	}

	email, err := b.ResetPassword.Do(t.Context(), "abc", "Secret456", "Secret456")

	require.NoError(t, err)
	assert.Equal(t, "ann@example.com", email)
	assert.Equal(t, "$new", stored.PasswordHash)
	assert.Equal(t, "ann@example.com", notice.To)
	assert.Contains(t, notice.Text, "was changed")
	assert.Contains(t, notice.Text, "https://diy.example/vc-admin/auth/forgot")
	assert.NoError(t, notice.Check())
}

func TestResetPassword_VerifiesTheAddressAndMakesTheCustomer(t *testing.T) {
	stored, notice := unverified(), mail.Message{}
	passes(t, []step{
		notCommon, findsReset(time.Hour), findsOwner(stored), hashesNew, usesReset(&stored, &notice), customerUnavailable, signedIn(""),
	}, reset(t))
	assert.Equal(t, noon, stored.VerifiedAt)
}

func TestResetPassword_TakesBackTheSessionOfThisBrowser(t *testing.T) {
	stored, notice := verifiedAnn(), mail.Message{}
	steps := []step{notCommon, findsReset(time.Hour), findsOwner(stored), hashesNew, usesReset(&stored, &notice)}
	passes(t, append(steps, signedIn("usr_1"), endsSession), reset(t))
	passes(t, append(steps, signedIn("usr_other")), reset(t))
}

func TestResetPassword_RefusesTokensAlike(t *testing.T) {
	unknown := func(s step) step {
		return step{"", func(b *bench, _ error) { s.expect(b, fault.New(fault.NotFound, "no such row")) }}
	}
	expired, notice := ann, mail.Message{}
	for name, steps := range map[string][]step{
		"unknown":                    {unknown(findsReset(time.Hour))},
		"too old":                    {findsReset(0)},
		"of a deleted user":          {findsReset(time.Hour), unknown(findsOwner(ann))},
		"used meanwhile":             {findsReset(time.Hour), findsOwner(ann), hashesNew, unknown(usesReset(&expired, &notice))},
		"of an expired registration": {findsReset(time.Hour), findsOwner(ann), hashesNew, usesReset(&expired, &notice)},
	} {
		t.Run(name, func(t *testing.T) {
			b := newBench(t)
			for _, s := range append(steps, notCommon) {
				s.expect(b, nil)
			}
			assert.Equal(t, errUnknownReset(), reset(t)(b))
			assert.Equal(t, "$hash", expired.PasswordHash)
		})
	}
}

func TestResetPassword_RefusesAPasswordByField(t *testing.T) {
	b := newBench(t)
	b.passwords.EXPECT().Common("secret").Return(true).Once()

	_, err := b.ResetPassword.Do(t.Context(), "abc", "secret", "other")

	require.Equal(t, fault.Invalid, fault.CodeOf(err))
	fields := fault.FieldsOf(err)
	require.Len(t, fields, 2)
	assert.Contains(t, fields[0].Message, "Password policy not followed")
	assert.Equal(t, fault.Field{Name: "password_repeat", Message: "Passwords did not match"}, fields[1])

	b.passwords.EXPECT().Common("Secret456").Return(true).Once()
	err = reset(t)(b)
	assert.Equal(t, []fault.Field{{Name: "password", Message: tooCommon}}, fault.FieldsOf(err))
}

func TestResetPassword_Fails(t *testing.T) {
	stored, notice := verifiedAnn(), mail.Message{}
	failsAtEveryStep(t, errOutage, []step{findsReset(time.Hour), findsOwner(stored), hashesNew, usesReset(&stored, &notice)}, func(b *bench) error {
		notCommon.expect(b, nil)
		return reset(t)(b)
	})
}
