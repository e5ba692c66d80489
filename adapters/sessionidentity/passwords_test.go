package sessionidentity

import (
	"slices"
	"strings"
	"testing"
	"testing/synctest"

	"github.com/alexedwards/argon2id"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/vc-admin/diy/domain/fault"
	"github.com/vc-admin/diy/ports/identity"
	"github.com/vc-admin/diy/ports/identity/identitytest"
)

func TestPasswords_Conformance(t *testing.T) {
	defer func(original uint32) { argon2Params.Memory = original }(argon2Params.Memory)
	argon2Params.Memory = 64 // KiB, to save time; TestHash_ContainsItsParameters tests the real ones
	identitytest.RunPasswords(t, func(_ *testing.T, limit int, onHash func() (done func())) identity.Passwords {
		return newPasswords(limit, onHash)
	})
}

func TestHash_ContainsItsParameters(t *testing.T) {
	p := NewPasswords()
	hash, err := p.Hash(t.Context(), "Correct Horse 1")
	require.NoError(t, err)
	assert.True(t, strings.HasPrefix(hash, "$argon2id$v=19$m=19456,t=2,p=1$"), hash)
	assert.Len(t, hash, len(p.dummyHash), "verifying the dummy hash takes as long as verifying a real one")
	assert.Equal(t, hashParameters(hash), hashParameters(p.dummyHash))
}

// hashParameters returns the part of a hash before the salt.
func hashParameters(hash string) string { return strings.Join(strings.Split(hash, "$")[:4], "$") }

func TestVerify_AcceptsAHashWithOtherParameters(t *testing.T) {
	hash, err := argon2id.CreateHash("Correct Horse 1", &argon2id.Params{
		Memory: 1024, Iterations: 1, Parallelism: 2, SaltLength: 8, KeyLength: 16,
	})
	require.NoError(t, err)
	p := NewPasswords()
	for password, want := range map[string]bool{"Correct Horse 1": true, "Correct Horse 2": false} {
		match, err := p.Verify(t.Context(), password, hash)
		require.NoError(t, err)
		assert.Equal(t, want, match)
	}
}

func TestVerify_ErrorDoesNotQuoteTheHash(t *testing.T) {
	_, err := NewPasswords().Verify(t.Context(), "Correct Horse 1", "$argon2id$v=19$m=1,t=1,p=1$???$SECRET")
	require.Error(t, err)
	assert.NotContains(t, err.Error(), "SECRET")
	assert.NotContains(t, err.Error(), "Horse")
}

func TestCommonPasswords_AreThousandsThatFollowThePolicy(t *testing.T) {
	passwords := CommonPasswords()
	assert.Greater(t, len(passwords), 4000)
	assert.True(t, slices.IsSorted(passwords))
	for _, p := range passwords {
		assert.True(t, followsPolicyInSomeCase(p), p)
	}
	assert.Subset(t, passwords, []string{"password1", "passw0rd", "trustno1"})
	assert.NotContains(t, passwords, "password", "no digit")
	assert.NotContains(t, passwords, "a1234567", "no second letter")
	assert.NotContains(t, passwords, "abc123", "too short")
}

// newBlockedPasswords returns Passwords with one slot, whose hashes block until the gate is closed.
func newBlockedPasswords(gate chan struct{}) *Passwords {
	return newPasswords(1, func() func() { <-gate; return func() {} })
}

func TestPasswords_FailImmediatelyWhileTheQueueIsFull(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		gate := make(chan struct{})
		p := newBlockedPasswords(gate)
		errs := make(chan error, 2*maxWaitingPerSlot)
		for range 1 + maxWaitingPerSlot {
			go func() { _, err := p.Verify(t.Context(), "Correct Horse 1", ""); errs <- err }()
		}
		synctest.Wait()
		require.Empty(t, errs, "one call runs, the others wait")

		_, err := p.Hash(t.Context(), "Correct Horse 1")
		assert.True(t, fault.Is(err, fault.Unavailable), "%v", err)
		assert.ErrorIs(t, err, errTooManyWaiting)

		sleep(waitTimeout)
		synctest.Wait()
		assert.Len(t, errs, maxWaitingPerSlot, "the waiting calls have timed out")
		close(gate)
		_, err = p.Verify(t.Context(), "Correct Horse 1", "")
		assert.NoError(t, err, "the queue has space again")
	})
}

func TestPasswords_WaitingCallsAreServedInOrder(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		gate, order := make(chan struct{}), make(chan int, 5)
		p := newBlockedPasswords(gate)
		for i := range cap(order) {
			go func() {
				if assert.NoError(t, p.acquireSlot(t.Context())) {
					order <- i
					<-gate
					p.releaseSlot()
				}
			}()
			synctest.Wait()
		}
		close(gate)
		synctest.Wait()
		for i := range cap(order) {
			assert.Equal(t, i, <-order)
		}
	})
}
