package app

import (
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/mock"
	"github.com/stretchr/testify/require"

	"github.com/vc-admin/diy/domain/account"
	"github.com/vc-admin/diy/domain/fault"
)

func confirm(t *testing.T) func(*bench) error {
	return func(b *bench) error { return b.ConfirmRegistration.Do(t.Context(), "abc", "Secret123") }
}

func TestConfirmRegistration_VerifiesAndSignsIn(t *testing.T) {
	stored := unverified()
	passes(t, []step{
		findsToken(time.Hour), findsOwner(stored), verifies("$hash", true), updatesUser(&stored), customerUnavailable, startsSession, keepsPassword(stored),
	}, confirm(t))
	assert.Equal(t, noon, stored.VerifiedAt)
}

func TestConfirmRegistration_RefusesAWrongPassword(t *testing.T) {
	b := newBench(t)
	for _, s := range []step{findsToken(time.Hour), findsOwner(unverified()), verifies("$hash", false)} {
		s.expect(b, nil)
	}
	assert.Equal(t, fault.Credentials, fault.CodeOf(confirm(t)(b)))
}

func TestConfirmRegistration_RefusesAPasswordThatWasChangedMeanwhile(t *testing.T) {
	b, changed := newBench(t), unverified()
	changed.PasswordHash = "$another"
	for _, s := range []step{findsToken(time.Hour), findsOwner(unverified()), verifies("$hash", true), updatesUser(&changed)} {
		s.expect(b, nil)
	}
	assert.Equal(t, errUnknownToken(), confirm(t)(b))
	assert.False(t, changed.Verified())
}

func TestConfirmRegistration_Fails(t *testing.T) {
	stored := unverified()
	failsAtEveryStep(t, errOutage, []step{findsToken(time.Hour), findsOwner(stored), verifies("$hash", true), updatesUser(&stored)}, confirm(t))
}

func TestShowRegistration_ReturnsUserAndOrganisation(t *testing.T) {
	b := newBench(t)
	for _, s := range []step{findsToken(time.Hour), findsOwner(unverified()), reads("", stranger)} {
		s.expect(b, nil)
	}
	user, org, err := b.ShowRegistration.Do(t.Context(), "abc")
	require.NoError(t, err)
	assert.Equal(t, "Practice", org.Name)
	assert.Equal(t, "ann@example.com", user.Email)
}

func deletesRegistration(org account.Organisation) step {
	return step{"DeleteRegistration", func(b *bench, err error) {
		b.store.EXPECT().DeleteRegistration(mock.Anything, "usr_1").Return(org, err).Once()
	}}
}

func reject(t *testing.T) func(*bench) error {
	return func(b *bench) error { return b.RejectRegistration.Do(t.Context(), "abc") }
}

func TestRejectRegistration_DeletesIt(t *testing.T) {
	passes(t, []step{findsToken(time.Hour), findsOwner(unverified()), deletesRegistration(stranger())}, reject(t))
}

func TestRejectRegistration_PassesOnThatItWasConfirmed(t *testing.T) {
	b := newBench(t)
	findsToken(time.Hour).expect(b, nil)
	findsOwner(unverified()).expect(b, nil)
	deletesRegistration(account.Organisation{}).expect(b, fault.New(fault.Conflict, "confirmed"))
	assert.Equal(t, fault.Conflict, fault.CodeOf(reject(t)(b)))
}

func TestRejectRegistration_Fails(t *testing.T) {
	failsAtEveryStep(t, errOutage, []step{findsToken(time.Hour), findsOwner(unverified()), deletesRegistration(stranger())}, reject(t))
}
