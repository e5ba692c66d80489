package app

import (
	"context"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/mock"
	"github.com/stretchr/testify/require"

	"github.com/vc-admin/diy/domain/account"
	"github.com/vc-admin/diy/domain/billing"
	"github.com/vc-admin/diy/domain/fault"
	"github.com/vc-admin/diy/ports/payment"
)

// unverified registered an hour ago.
func unverified() account.User {
	user := ann
	user.CreatedAt = noon.Add(-time.Hour)
	return user
}

// findsToken answers the question for the token "abc", which is asked for by its hash only.
func findsToken(good time.Duration) step {
	return step{"Verification", func(b *bench, err error) {
		found := account.Verification{UserID: "usr_1", ExpiresAt: noon.Add(good)}
		b.store.EXPECT().Verification(mock.Anything, hash("abc")).Return(found, err).Once()
	}}
}

// findsOwner answers with the user whom the token was sent to.
func findsOwner(user account.User) step {
	return step{"User", func(b *bench, err error) {
		b.store.EXPECT().User(mock.Anything, "usr_1").Return(user, err).Once()
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

// customerUnavailable ends the creation of the customer at its first step.
var customerUnavailable = step{"", func(b *bench, _ error) {
	b.store.EXPECT().BeginOperation(mock.Anything, mock.Anything).Return(billing.Operation{}, errOutage).Once()
}}

// verifying are the steps of a verification that succeeds, up to the customer.
func verifying(stored *account.User) []step {
	return []step{findsToken(time.Microsecond), findsOwner(*stored), updatesUser(stored)}
}

func here(string) bool      { return true }
func elsewhere(string) bool { return false }

func verify(t *testing.T) func(*bench) error {
	return func(b *bench) error {
		_, _, err := b.VerifyEmail.Do(t.Context(), "abc", here)
		return err
	}
}

func TestVerifyEmail_VerifiesInTheBrowserThatRegistered(t *testing.T) {
	b, stored := newBench(t), unverified()
	for _, s := range append(verifying(&stored), customerUnavailable) {
		s.expect(b, nil)
	}
	email, verified, err := b.VerifyEmail.Do(t.Context(), "abc", func(userID string) bool { return userID == "usr_1" })

	require.NoError(t, err)
	assert.True(t, verified)
	assert.Equal(t, "ann@example.com", email)
	assert.Equal(t, noon, stored.VerifiedAt)
	assert.Contains(t, b.log.String(), "customer will be made later", "a provider that is down costs no verification")
}

func TestVerifyEmail_ChangesNothingInAnotherBrowser(t *testing.T) {
	b := newBench(t)
	findsToken(time.Hour).expect(b, nil)
	findsOwner(unverified()).expect(b, nil)

	_, verified, err := b.VerifyEmail.Do(t.Context(), "abc", elsewhere)

	require.NoError(t, err)
	assert.False(t, verified)
}

func TestVerifyEmail_IsHarmlessASecondTime(t *testing.T) {
	b, verified := newBench(t), unverified()
	verified.Verify(noon.Add(-time.Minute))
	findsToken(time.Hour).expect(b, nil)
	findsOwner(verified).expect(b, nil)

	_, still, err := b.VerifyEmail.Do(t.Context(), "abc", elsewhere)

	require.NoError(t, err)
	assert.True(t, still)
}

func TestVerifyEmail_MakesTheCustomer(t *testing.T) {
	b, stored, org := newBench(t), unverified(), stranger()
	for _, s := range verifying(&stored) {
		s.expect(b, nil)
	}
	b.store.EXPECT().BeginOperation(mock.MatchedBy(endsWithin(customerTimeout)), mock.Anything).RunAndReturn(asked).Once()
	b.readsOrganisation(org, nil)
	b.provider.EXPECT().CreateCustomer(mock.MatchedBy(endsWithin(customerTimeout)), mock.Anything).
		RunAndReturn(func(_ context.Context, in payment.NewCustomer) (billing.Customer, error) {
			assert.Equal(t, payment.NewCustomer{Key: in.Key, OrganisationID: "org_1", Name: "Practice"}, in)
			return customer, nil
		}).Once()
	b.updatesOrganisation(&org, nil)
	settles(billing.CustomerOperation, "cus_1").expect(b, nil)

	require.NoError(t, verify(t)(b))

	assert.Equal(t, "cus_1", org.Billing.CustomerID)
}

func TestVerifyEmail_RefusesTokensAlike(t *testing.T) {
	expired, deleted := unverified(), step{"", func(b *bench, _ error) {
		findsOwner(account.User{}).expect(b, fault.New(fault.NotFound, "no such row"))
	}}
	expired.CreatedAt = noon.Add(-48 * time.Hour)
	tests := map[string]struct {
		token string
		steps []step
	}{
		"none":    {"", nil},
		"too old": {"abc", []step{findsToken(0)}},
		"unknown": {"abc", []step{{"", func(b *bench, _ error) {
			findsToken(time.Hour).expect(b, fault.New(fault.NotFound, "no such row"))
		}}}},
		"of an expired registration": {"abc", []step{findsToken(time.Hour), findsOwner(expired)}},
		"of a deleted registration":  {"abc", []step{findsToken(time.Hour), deleted}},
		"deleted while verifying": {"abc", []step{findsToken(time.Hour), findsOwner(unverified()), {"", func(b *bench, _ error) {
			updatesUser(&account.User{}).expect(b, fault.New(fault.NotFound, "no such row"))
		}}}},
		"expired while verifying": {"abc", []step{findsToken(time.Hour), findsOwner(unverified()), updatesUser(&expired)}},
	}
	for name, tt := range tests {
		t.Run(name, func(t *testing.T) {
			b := newBench(t)
			for _, s := range tt.steps {
				s.expect(b, nil)
			}
			_, _, err := b.VerifyEmail.Do(t.Context(), tt.token, here)
			assert.Equal(t, errUnknownToken(), err)
			assert.False(t, expired.Verified())
		})
	}
}

func TestVerifyEmail_Fails(t *testing.T) {
	stored := unverified()
	failsAtEveryStep(t, errOutage, verifying(&stored), verify(t))
	assert.False(t, stored.Verified())
}
