package identitytest

import (
	"context"
	"strings"
	"sync/atomic"
	"testing"
	"testing/synctest"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/vc-admin/diy/domain/fault"
	"github.com/vc-admin/diy/ports/identity"
)

// OpenPasswords returns a new adapter that runs at most limit hashes concurrently. It calls begin before each
// hash and end after it, so that the suite can count and block hashes without depending on timing.
type OpenPasswords func(t *testing.T, limit int, begin func() (end func())) identity.Passwords

// RunPasswords runs the conformance suite for identity.Passwords.
func RunPasswords(t *testing.T, open OpenPasswords) {
	tests := map[string]func(*testing.T, OpenPasswords){
		"only the right password matches":                                   testOnlyRightPasswordMatches,
		"hashes of the same password differ":                                testHashesDiffer,
		"non-ASCII passwords match exactly":                                 testNonASCII,
		"equivalent Unicode spellings match":                                testNormalisation,
		"common passwords are detected":                                     testCommonPasswords,
		"all characters of long passwords count":                            testLongPasswords,
		"an empty hash matches no password and costs as much as a real one": testEmptyHash,
		"Verify with an invalid hash is an error":                           testInvalidHash,
		"concurrent hashes do not exceed the limit":                         testConcurrencyLimit,
		"a call that is canceled while it waits returns Unavailable":        testCanceledWhileWaiting,
		"a call with a canceled context returns Unavailable":                testCanceledContext,
		"a failed verification releases its slot":                           testSlotAfterError,
	}
	for name, test := range tests {
		t.Run(name, func(t *testing.T) { test(t, open) })
	}
}

// noHook neither counts nor blocks hashes.
func noHook() func() { return func() {} }

func hash(t *testing.T, p identity.Passwords, password string) string {
	t.Helper()
	h, err := p.Hash(t.Context(), password)
	require.NoError(t, err)
	return h
}

func verify(t *testing.T, p identity.Passwords, password, hash string) bool {
	t.Helper()
	matches, err := p.Verify(t.Context(), password, hash)
	require.NoError(t, err)
	return matches
}

func testOnlyRightPasswordMatches(t *testing.T, open OpenPasswords) {
	p := open(t, 2, noHook)
	storedHash := hash(t, p, "Correct Horse 1")
	assert.NotContains(t, storedHash, "Correct")
	assert.True(t, verify(t, p, "Correct Horse 1", storedHash))
	for _, wrongPassword := range []string{"", "correct horse 1", "Correct Horse 1 ", "Correct Horse 1\x00", "Correct Horse"} {
		assert.False(t, verify(t, p, wrongPassword, storedHash), "%q", wrongPassword)
	}
	assert.True(t, verify(t, open(t, 1, noHook), "Correct Horse 1", storedHash), "another instance verifies it")
}

func testHashesDiffer(t *testing.T, open OpenPasswords) {
	p := open(t, 2, noHook)
	firstHash, secondHash := hash(t, p, "Correct Horse 1"), hash(t, p, "Correct Horse 1")
	assert.NotEqual(t, firstHash, secondHash)
}

func testNonASCII(t *testing.T, open OpenPasswords) {
	p := open(t, 2, noHook)
	for _, password := range []string{"Größe7 Straße", "Пароль123 день", "パスワード Aa1", "👩‍⚕️ Aa1 🩺🩺"} {
		h := hash(t, p, password)
		assert.True(t, verify(t, p, password, h), password)
		assert.False(t, verify(t, p, password+"\u0301", h), password)
	}
}

// testNormalisation checks characters that keyboards encode in different ways. For example, é is one code point, or an
// e and an accent.
func testNormalisation(t *testing.T, open OpenPasswords) {
	p := open(t, 2, noHook)
	for _, spellings := range [][]string{
		{"Caf\u00e9 Aa1 x", "Cafe\u0301 Aa1 x"},
		{"\u1e69 Aa1 xyz", "s\u0323\u0307 Aa1 xyz", "s\u0307\u0323 Aa1 xyz"},
		{"Password\uff11", "Password1"},
		{"\ud55c Aa1 xyz", "\u1112\u1161\u11ab Aa1 xyz"},
	} {
		for i, spelling := range spellings {
			otherSpelling := spellings[(i+1)%len(spellings)]
			assert.True(t, verify(t, p, otherSpelling, hash(t, p, spelling)), "%+q and %+q", spelling, otherSpelling)
		}
	}
}

func testCommonPasswords(t *testing.T, open OpenPasswords) {
	p := open(t, 1, noHook)
	for _, password := range []string{
		"Secret123", "Qwerty123", "Password1", "PASSWORD1", "Passw0rd", "Trustno1", "Letmein1", "1Q2w3e4r",
		"\uff30assword1",
	} {
		assert.True(t, p.IsCommon(password), password)
	}
	for _, password := range []string{"", " ", "Correct Horse 1", "Tide-And-Time-7", "Größe7 Straße"} {
		assert.False(t, p.IsCommon(password), password)
	}
}

// testLongPasswords checks that all characters count; bcrypt, for example, ignores those after 72 bytes.
func testLongPasswords(t *testing.T, open OpenPasswords) {
	p := open(t, 2, noHook)
	for _, length := range []int{73, 256} {
		prefix := strings.Repeat("aB3", length)[:length-1]
		h := hash(t, p, prefix+"x")
		assert.True(t, verify(t, p, prefix+"x", h), length)
		assert.False(t, verify(t, p, prefix+"y", h), length)
	}
}

func testInvalidHash(t *testing.T, open OpenPasswords) {
	p := open(t, 1, noHook)
	matches, err := p.Verify(t.Context(), "Correct Horse 1", "not a hash")
	assert.Error(t, err)
	assert.False(t, matches)
}

// hashCounter counts hashes and blocks them until gate is closed.
type hashCounter struct {
	gate                 chan struct{}
	total, running, peak atomic.Int64
}

func newHashCounter() *hashCounter { return &hashCounter{gate: make(chan struct{})} }

func (c *hashCounter) begin() (end func()) {
	c.total.Add(1)
	running := c.running.Add(1)
	for {
		peak := c.peak.Load()
		if running <= peak || c.peak.CompareAndSwap(peak, running) {
			break
		}
	}
	<-c.gate
	return func() { c.running.Add(-1) }
}

// testEmptyHash checks that Verify computes as many hashes for an empty hash as for a stored one. Callers pass an empty
// hash if the email address is unknown.
func testEmptyHash(t *testing.T, open OpenPasswords) {
	counter := newHashCounter()
	close(counter.gate)
	p := open(t, 1, counter.begin)
	h := hash(t, p, "Correct Horse 1")

	earlierTotal := counter.total.Load()
	assert.True(t, verify(t, p, "Correct Horse 1", h))
	hashes := counter.total.Load() - earlierTotal
	for _, password := range []string{"", "Correct Horse 1"} {
		earlierTotal = counter.total.Load()
		assert.False(t, verify(t, p, password, ""))
		assert.Equal(t, hashes, counter.total.Load()-earlierTotal, "as many as for a stored hash")
	}
	assert.Positive(t, hashes)
}

func testConcurrencyLimit(t *testing.T, open OpenPasswords) {
	synctest.Test(t, func(t *testing.T) {
		const limit, requests = 2, 6
		counter := newHashCounter()
		p := open(t, limit, counter.begin)
		errs := make(chan error, requests)
		for range requests / 2 {
			go func() { _, err := p.Hash(t.Context(), "Correct Horse 1"); errs <- err }()
			go func() { _, err := p.Verify(t.Context(), "Correct Horse 1", ""); errs <- err }()
		}
		synctest.Wait()
		assert.EqualValues(t, limit, counter.running.Load(), "all slots are in use")

		close(counter.gate)
		for range requests {
			assert.NoError(t, <-errs, "every call gets a slot")
		}
		synctest.Wait()
		assert.EqualValues(t, limit, counter.peak.Load())
		assert.Zero(t, counter.running.Load())
	})
}

func testCanceledWhileWaiting(t *testing.T, open OpenPasswords) {
	synctest.Test(t, func(t *testing.T) {
		counter := newHashCounter()
		p := open(t, 1, counter.begin)
		firstErr := make(chan error, 1)
		go func() { _, err := p.Hash(t.Context(), "Correct Horse 1"); firstErr <- err }()
		synctest.Wait()

		ctx, cancel := context.WithCancel(t.Context())
		errs := make(chan error, 2)
		go func() { _, err := p.Hash(ctx, "Correct Horse 1"); errs <- err }()
		go func() { _, err := p.Verify(ctx, "Correct Horse 1", ""); errs <- err }()
		synctest.Wait()
		assert.Empty(t, errs, "both calls wait")
		cancel()
		for range 2 {
			err := <-errs
			assert.True(t, fault.Is(err, fault.Unavailable), "%v", err)
		}
		assert.EqualValues(t, 1, counter.total.Load(), "the waiting calls hash nothing")
		close(counter.gate)
		assert.NoError(t, <-firstErr)
	})
}

func testSlotAfterError(t *testing.T, open OpenPasswords) {
	p := open(t, 1, noHook)
	_, err := p.Verify(t.Context(), "Correct Horse 1", "not a hash")
	assert.Error(t, err)
	assert.NotEmpty(t, hash(t, p, "Correct Horse 1"))
}

func testCanceledContext(t *testing.T, open OpenPasswords) {
	p := open(t, 1, noHook)
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	_, err := p.Hash(ctx, "Correct Horse 1")
	assert.True(t, fault.Is(err, fault.Unavailable), "%v", err)
	_, err = p.Verify(ctx, "Correct Horse 1", "")
	assert.True(t, fault.Is(err, fault.Unavailable), "%v", err)
}
