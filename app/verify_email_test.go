package app

import (
	"context"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/mock"

	"github.com/vc-admin/diy/domain/account"
	"github.com/vc-admin/diy/domain/fault"
)

// findsToken answers the question for the token "abc", which is asked for by its hash only.
func findsToken(good time.Duration) step {
	return step{"Verification", func(b *bench, err error) {
		found := account.Verification{UserID: "usr_1", ExpiresAt: noon.Add(good)}
		b.store.EXPECT().Verification(mock.Anything, hash("abc")).Return(found, err).Once()
	}}
}

func updatesUser(stored *account.User) step {
	return step{"UpdateUser", func(b *bench, err error) {
		b.store.EXPECT().UpdateUser(mock.Anything, "usr_1", mock.Anything).RunAndReturn(
			func(_ context.Context, _ string, fn func(*account.User) error) (account.User, error) {
				if err == nil {
					err = fn(stored)
				}
				return *stored, err
			}).Once()
	}}
}

func verify(t *testing.T) func(*bench) error {
	return func(b *bench) error { return b.VerifyEmail.Do(t.Context(), "abc") }
}

func TestVerifyEmailMarksTheUser(t *testing.T) {
	var stored account.User
	passes(t, []step{findsToken(time.Microsecond), updatesUser(&stored)}, verify(t))
	assert.Equal(t, noon, stored.VerifiedAt)
}

func TestVerifyEmailTwiceKeepsTheFirstTime(t *testing.T) {
	before := noon.Add(-time.Hour)
	stored := account.User{VerifiedAt: before}
	passes(t, []step{findsToken(time.Hour), updatesUser(&stored)}, verify(t))
	assert.Equal(t, before, stored.VerifiedAt)
}

func TestVerifyEmailRefusesTokensAlike(t *testing.T) {
	tests := map[string]struct {
		token string
		steps []step
	}{
		"none":    {"", nil},
		"too old": {"abc", []step{findsToken(0)}},
		"unknown": {"abc", []step{{"", func(b *bench, _ error) {
			findsToken(time.Hour).expect(b, fault.New(fault.NotFound, "no such row"))
		}}}},
	}
	for name, tt := range tests {
		t.Run(name, func(t *testing.T) {
			b := newBench(t)
			for _, s := range tt.steps {
				s.expect(b, nil)
			}
			assert.Equal(t, errUnknownToken(), b.VerifyEmail.Do(t.Context(), tt.token))
		})
	}
}

func TestVerifyEmailFails(t *testing.T) {
	var stored account.User
	failsAtEveryStep(t, errOutage, []step{findsToken(time.Hour), updatesUser(&stored)}, verify(t))
	assert.False(t, stored.Verified())
}
