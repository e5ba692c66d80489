package app

import (
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/mock"

	"github.com/vc-admin/diy/domain/account"
	"github.com/vc-admin/diy/domain/fault"
)

// verifies answers whether the password "Secret123" belongs to the hash.
func verifies(hash string, right bool) step {
	return step{"Verify", func(b *bench, err error) {
		b.passwords.EXPECT().Verify(mock.Anything, "Secret123", hash).Return(right, err).Once()
	}}
}

var startsSession = step{"Start", func(b *bench, err error) {
	b.sessions.EXPECT().Start(mock.Anything, who).Return(err).Once()
}}

// unknownUser is what the store answers for an e-mail nobody has.
var unknownUser = step{"UserByEmail", func(b *bench, _ error) {
	findsUser(account.User{}).expect(b, fault.New(fault.NotFound, "no such user"))
}}

// keepsPassword finds the password as it was when the session had been stored.
func keepsPassword(user account.User) step { return updatesUser(&user) }

func signIn(t *testing.T) func(*bench) error {
	return func(b *bench) error { return b.SignIn.Do(t.Context(), "ann@example.com", "Secret123") }
}

func verifiedAnn() account.User {
	user := ann
	user.VerifiedAt = noon
	return user
}

func TestSignInStartsASession(t *testing.T) {
	passes(t, []step{findsUser(verifiedAnn()), verifies("$hash", true), startsSession, keepsPassword(verifiedAnn())}, signIn(t))
}

func TestSignInFails(t *testing.T) {
	failsAtEveryStep(t, errOutage, []step{findsUser(verifiedAnn()), verifies("$hash", true), startsSession}, signIn(t))
}

func TestSignIn_EndsTheSessionWhenThePasswordWasResetMeanwhile(t *testing.T) {
	changed := verifiedAnn()
	changed.PasswordHash = "$new"
	deleted := step{"", func(b *bench, _ error) { updatesUser(&changed).expect(b, fault.New(fault.NotFound, "")) }}
	for name, after := range map[string]step{"reset": updatesUser(&changed), "deleted": deleted} {
		t.Run(name, func(t *testing.T) {
			b := newBench(t)
			for _, s := range []step{findsUser(verifiedAnn()), verifies("$hash", true), startsSession, after, endsSession} {
				s.expect(b, nil)
			}
			assert.Equal(t, errWrongPassword(), signIn(t)(b))
		})
	}
}

func TestSignInRefuses(t *testing.T) {
	tests := map[string]struct {
		steps []step
		want  fault.Code
	}{
		"a wrong password":                  {[]step{findsUser(verifiedAnn()), verifies("$hash", false)}, fault.Credentials},
		"an unknown e-mail":                 {[]step{unknownUser, verifies("", false)}, fault.Credentials},
		"a wrong password before verifying": {[]step{findsUser(unverified()), verifies("$hash", false)}, fault.Credentials},
		"the right password, not verified":  {[]step{findsUser(unverified()), verifies("$hash", true)}, fault.Unverified},
		"an expired registration":           {[]step{findsUser(ann), verifies("", false)}, fault.Credentials},
	}
	for name, tt := range tests {
		t.Run(name, func(t *testing.T) {
			b := newBench(t)
			for _, s := range tt.steps {
				s.expect(b, nil)
			}
			assert.Equal(t, tt.want, fault.CodeOf(signIn(t)(b)))
		})
	}
}

func TestSignInTellsUnknownAndWrongAlike(t *testing.T) {
	wrong, unknown := newBench(t), newBench(t)
	for _, s := range []step{findsUser(verifiedAnn()), verifies("$hash", false)} {
		s.expect(wrong, nil)
	}
	for _, s := range []step{unknownUser, verifies("", false)} {
		s.expect(unknown, nil)
	}
	assert.Equal(t, signIn(t)(wrong), signIn(t)(unknown))
}
