package httpapi_test

import (
	"context"
	"sync/atomic"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/vc-admin/diy/adapters/httpapi"
	"github.com/vc-admin/diy/domain/account"
)

// countingPasswords counts the hashes that are computed. The conformance suite of identity.Passwords proves that Verify
// computes as many for an empty hash, that of an unknown user, as for a stored one.
type countingPasswords struct {
	plainPasswords

	count *atomic.Int64
}

func (p countingPasswords) Hash(ctx context.Context, password string) (string, error) {
	p.count.Add(1)
	return p.plainPasswords.Hash(ctx, password)
}

func (p countingPasswords) Verify(ctx context.Context, password, hash string) (bool, error) {
	p.count.Add(1)
	return p.plainPasswords.Verify(ctx, password, hash)
}

// The hash of a password takes nearly all the time of a request that has one. A test that measured times would fail at random
// on a busy machine, so this one compares the number of hashes. BenchmarkAddresses of cmd/diy/bench compares the durations.
func TestKnownAndUnknownAddresses_CostTheSameWork(t *testing.T) {
	s := newUnstartedServer(t, nil)
	hashes := new(atomic.Int64)
	s.passwords = countingPasswords{count: hashes}
	s.start(t, httpapi.Site{Payments: fakeProviderWeb})
	const known, unverified, twoStep, unknown = "ada@sunrise.example", "eve@valley.example", "kim@harbour.example", "new@unknown.example"
	owner := s.signUp(t, "Sunrise Clinic", known)
	s.signUp(t, "Harbour Clinic", twoStep).turnOnTwoStep()
	s.newBrowser(t).register("Valley Clinic", unverified)

	for name, c := range map[string]struct {
		wantHashes int64
		send       func(email string) response
	}{
		"sign-in": {1, func(email string) response { return s.newBrowser(t).trySignIn(email, "Wrong1horse") }},
		"sign-in with a code": {1, func(email string) response {
			return s.newBrowser(t).trySignInWithCode(email, "Wrong1horse", "123456")
		}},
		"forgotten password": {0, func(email string) response { return s.newBrowser(t).forgotPassword(email) }},
		"another verification": {0, func(email string) response {
			return s.newBrowser(t).post("/vc-admin/auth/verify/resend", map[string]any{"email": email})
		}},
		"invitation": {0, func(email string) response { return owner.tryInvite(email, account.ReadingMember) }},
		"new email":  {0, func(email string) response { return owner.tryRequestEmail(email) }},
	} {
		sendCounted := func(email string) (response, int64) {
			before := hashes.Load()
			res := c.send(email)
			return res, hashes.Load() - before
		}
		want, count := sendCounted(unknown)
		require.Equal(t, c.wantHashes, count, name)
		emails := []string{unverified, twoStep}
		if name != "invitation" && name != "new email" { // whose sender knows her own address
			emails = append(emails, known)
		}
		for _, email := range emails {
			res, count := sendCounted(email)
			assert.Equal(t, c.wantHashes, count, "%s of %s", name, email)
			requireSameResponse(t, want, res)
		}
	}
}
