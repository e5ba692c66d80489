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

// OpenPasswords returns a new adapter that runs at most limit hashes at once. It calls work before each
// hash and done after it, so that the suite can count and block hashes without depending on timing.
type OpenPasswords func(t *testing.T, limit int, work func() (done func())) identity.Passwords

// RunPasswords runs the conformance suite for identity.Passwords.
func RunPasswords(t *testing.T, open OpenPasswords) {
	tests := map[string]func(*testing.T, OpenPasswords){
		"right and wrong passwords": testRightAndWrong,
		"salt":                      testSalt,
		"non-ASCII passwords":       testNonASCII,
		"Unicode normalisation":     testNormalisation,
		"common passwords":          testCommonPasswords,
		"long passwords":            testLongPasswords,
		"empty hash":                testEmptyHash,
		"invalid hash":              testInvalidHash,
		"concurrency limit":         testConcurrencyLimit,
		"canceled while waiting":    testCanceledWhileWaiting,
		"canceled context":          testCanceledContext,
		"slot after an error":       testSlotAfterError,
	}
	for name, test := range tests {
		t.Run(name, func(t *testing.T) { test(t, open) })
	}
}

// noWork replaces the work hook in tests that do not use it.
func noWork() func() { return func() {} }

func hash(t *testing.T, p identity.Passwords, password string) string {
	t.Helper()
	h, err := p.Hash(t.Context(), password)
	require.NoError(t, err)
	return h
}

func verify(t *testing.T, p identity.Passwords, password, hash string) bool {
	t.Helper()
	right, err := p.Verify(t.Context(), password, hash)
	require.NoError(t, err)
	return right
}

func testRightAndWrong(t *testing.T, open OpenPasswords) {
	p := open(t, 2, noWork)
	stored := hash(t, p, "Correct Horse 1")
	assert.NotContains(t, stored, "Correct")
	assert.True(t, verify(t, p, "Correct Horse 1", stored))
	for _, wrong := range []string{"", "correct horse 1", "Correct Horse 1 ", "Correct Horse 1\x00", "Correct Horse"} {
		assert.False(t, verify(t, p, wrong, stored), "%q", wrong)
	}
	assert.True(t, verify(t, open(t, 1, noWork), "Correct Horse 1", stored), "another instance verifies it")
}

func testSalt(t *testing.T, open OpenPasswords) {
	p := open(t, 2, noWork)
	first, second := hash(t, p, "Correct Horse 1"), hash(t, p, "Correct Horse 1")
	assert.NotEqual(t, first, second)
}

func testNonASCII(t *testing.T, open OpenPasswords) {
	p := open(t, 2, noWork)
	for _, password := range []string{"Größe7 Straße", "Пароль123 день", "パスワード Aa1", "👩‍⚕️ Aa1 🩺🩺"} {
		h := hash(t, p, password)
		assert.True(t, verify(t, p, password, h), password)
		assert.False(t, verify(t, p, password+"\u0301", h), password)
	}
}

// testNormalisation: some keyboards write é as one code point, others as e and an accent.
func testNormalisation(t *testing.T, open OpenPasswords) {
	p := open(t, 2, noWork)
	for _, spellings := range [][]string{
		{"Caf\u00e9 Aa1 x", "Cafe\u0301 Aa1 x"},
		{"\u1e69 Aa1 xyz", "s\u0323\u0307 Aa1 xyz", "s\u0307\u0323 Aa1 xyz"},
		{"Password\uff11", "Password1"},
		{"\ud55c Aa1 xyz", "\u1112\u1161\u11ab Aa1 xyz"},
	} {
		for i, typed := range spellings {
			other := spellings[(i+1)%len(spellings)]
			assert.True(t, verify(t, p, other, hash(t, p, typed)), "%+q and %+q", typed, other)
		}
	}
}

func testCommonPasswords(t *testing.T, open OpenPasswords) {
	p := open(t, 1, noWork)
	for _, common := range []string{
		"password", "123456", "qwerty", "Password1", "PASSWORD1", "Passw0rd", "Trustno1", "Letmein1", "1Q2w3e4r",
		"\uff30assword1",
	} {
		assert.True(t, p.Common(common), common)
	}
	for _, rare := range []string{"", " ", "Correct Horse 1", "Tide-And-Time-7", "Größe7 Straße"} {
		assert.False(t, p.Common(rare), rare)
	}
}

// testLongPasswords checks that the last character counts; bcrypt, for example, stops at 72 bytes.
func testLongPasswords(t *testing.T, open OpenPasswords) {
	p := open(t, 2, noWork)
	for _, length := range []int{73, 256} {
		start := strings.Repeat("aB3", length)[:length-1]
		h := hash(t, p, start+"x")
		assert.True(t, verify(t, p, start+"x", h), length)
		assert.False(t, verify(t, p, start+"y", h), length)
	}
}

func testInvalidHash(t *testing.T, open OpenPasswords) {
	p := open(t, 1, noWork)
	right, err := p.Verify(context.Background(), "Correct Horse 1", "not a hash")
	assert.Error(t, err)
	assert.False(t, right)
}

// worker counts hashes and blocks them until gate is closed.
type worker struct {
	gate                   chan struct{}
	started, running, peak atomic.Int64
}

func newWorker() *worker { return &worker{gate: make(chan struct{})} }

func (w *worker) work() func() {
	w.started.Add(1)
	running := w.running.Add(1)
	for peak := w.peak.Load(); running > peak && !w.peak.CompareAndSwap(peak, running); peak = w.peak.Load() {
	}
	<-w.gate
	return func() { w.running.Add(-1) }
}

// testEmptyHash: an unknown email address costs the same work, and no password matches.
func testEmptyHash(t *testing.T, open OpenPasswords) {
	w := newWorker()
	close(w.gate)
	p := open(t, 1, w.work)
	h := hash(t, p, "Correct Horse 1")

	before := w.started.Load()
	assert.True(t, verify(t, p, "Correct Horse 1", h))
	workWithHash := w.started.Load() - before
	for _, password := range []string{"", "Correct Horse 1"} {
		before = w.started.Load()
		assert.False(t, verify(t, p, password, ""))
		assert.Equal(t, workWithHash, w.started.Load()-before, "as much work as for a real hash")
	}
	assert.Positive(t, workWithHash)
}

func testConcurrencyLimit(t *testing.T, open OpenPasswords) {
	synctest.Test(t, func(t *testing.T) {
		const limit, requests = 2, 6
		w := newWorker()
		p := open(t, limit, w.work)
		errs := make(chan error, requests)
		for range requests / 2 {
			go func() { _, err := p.Hash(t.Context(), "Correct Horse 1"); errs <- err }()
			go func() { _, err := p.Verify(t.Context(), "Correct Horse 1", ""); errs <- err }()
		}
		synctest.Wait()
		assert.EqualValues(t, limit, w.running.Load(), "all slots are in use")

		close(w.gate)
		for range requests {
			assert.NoError(t, <-errs, "every call gets a slot")
		}
		synctest.Wait()
		assert.EqualValues(t, limit, w.peak.Load())
		assert.Zero(t, w.running.Load())
	})
}

func testCanceledWhileWaiting(t *testing.T, open OpenPasswords) {
	synctest.Test(t, func(t *testing.T) {
		w := newWorker()
		p := open(t, 1, w.work)
		first := make(chan error, 1)
		go func() { _, err := p.Hash(t.Context(), "Correct Horse 1"); first <- err }()
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
		assert.EqualValues(t, 1, w.started.Load(), "neither started a hash")
		close(w.gate)
		assert.NoError(t, <-first)
	})
}

// testSlotAfterError: verifying an invalid hash releases its slot.
func testSlotAfterError(t *testing.T, open OpenPasswords) {
	p := open(t, 1, noWork)
	_, err := p.Verify(t.Context(), "Correct Horse 1", "not a hash")
	assert.Error(t, err)
	assert.NotEmpty(t, hash(t, p, "Correct Horse 1"))
}

func testCanceledContext(t *testing.T, open OpenPasswords) {
	p := open(t, 1, noWork)
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	_, err := p.Hash(ctx, "Correct Horse 1")
	assert.True(t, fault.Is(err, fault.Unavailable), "%v", err)
	_, err = p.Verify(ctx, "Correct Horse 1", "")
	assert.True(t, fault.Is(err, fault.Unavailable), "%v", err)
}
