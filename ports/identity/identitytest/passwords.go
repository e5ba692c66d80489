package identitytest

import (
	"context"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/vc-admin/diy/ports/identity"
)

// OpenPasswords makes an adapter that hashes no more than limit passwords at once and calls work
// before each hashing, and what work returned after it. The suite counts and holds up the work
// through it, so that nothing depends on how fast the machine is.
type OpenPasswords func(t *testing.T, limit int, work func() (done func())) identity.Passwords

// RunPasswords proves that the adapter keeps the port's promises.
func RunPasswords(t *testing.T, open OpenPasswords) {
	tests := map[string]func(*testing.T, OpenPasswords){
		"right and wrong":           rightAndWrong,
		"a hash is used once":       hashUsedOnce,
		"other alphabets":           otherAlphabets,
		"one text, many spellings":  manySpellings,
		"common passwords":          commonPasswords,
		"long passwords":            longPasswords,
		"nobody's hash":             nobodysHash,
		"a hash that is none":       hashThatIsNone,
		"no more than the limit":    noMoreThanTheLimit,
		"giving up while waiting":   givingUpWhileWaiting,
		"an ended context":          endedContext,
		"the work ends when denied": workEndsWhenDenied,
	}
	for name, test := range tests {
		t.Run(name, func(t *testing.T) { test(t, open) })
	}
}

// unwatched is the work hook of tests that don't look at it.
func unwatched() func() { return func() {} }

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

func rightAndWrong(t *testing.T, open OpenPasswords) {
	p := open(t, 2, unwatched)
	h := hash(t, p, "Correct Horse 1")
	assert.NotContains(t, h, "Correct")
	assert.True(t, verify(t, p, "Correct Horse 1", h))
	for _, wrong := range []string{"", "correct horse 1", "Correct Horse 1 ", "Correct Horse 1\x00", "Correct Horse"} {
		assert.False(t, verify(t, p, wrong, h), "%q", wrong)
	}
	assert.True(t, verify(t, open(t, 1, unwatched), "Correct Horse 1", h), "another server knows it too")
}

func hashUsedOnce(t *testing.T, open OpenPasswords) {
	p := open(t, 2, unwatched)
	first, second := hash(t, p, "Correct Horse 1"), hash(t, p, "Correct Horse 1")
	assert.NotEqual(t, first, second)
}

func otherAlphabets(t *testing.T, open OpenPasswords) {
	p := open(t, 2, unwatched)
	for _, password := range []string{"Größe7 Straße", "Пароль123 день", "パスワード Aa1", "👩‍⚕️ Aa1 🩺🩺"} {
		h := hash(t, p, password)
		assert.True(t, verify(t, p, password, h), password)
		assert.False(t, verify(t, p, password+"\u0301", h), password)
	}
}

// manySpellings: one keyboard writes é as one character, another as e and an accent.
func manySpellings(t *testing.T, open OpenPasswords) {
	p := open(t, 2, unwatched)
	for _, same := range [][]string{
		{"Caf\u00e9 Aa1 x", "Cafe\u0301 Aa1 x"},
		{"\u1e69 Aa1 xyz", "s\u0323\u0307 Aa1 xyz", "s\u0307\u0323 Aa1 xyz"},
		{"Password\uff11", "Password1"},
		{"\ud55c Aa1 xyz", "\u1112\u1161\u11ab Aa1 xyz"},
	} {
		for i, typed := range same {
			again := same[(i+1)%len(same)]
			assert.True(t, verify(t, p, again, hash(t, p, typed)), "%+q and %+q", typed, again)
		}
	}
}

func commonPasswords(t *testing.T, open OpenPasswords) {
	p := open(t, 1, unwatched)
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

// longPasswords count to their last character; some hashes stop at 72 bytes.
func longPasswords(t *testing.T, open OpenPasswords) {
	p := open(t, 2, unwatched)
	for _, length := range []int{64, 73, 200, 256} {
		start := strings.Repeat("aB3", length)[:length-1]
		h := hash(t, p, start+"x")
		assert.True(t, verify(t, p, start+"x", h), length)
		assert.False(t, verify(t, p, start+"y", h), length)
	}
}

func hashThatIsNone(t *testing.T, open OpenPasswords) {
	p := open(t, 1, unwatched)
	right, err := p.Verify(context.Background(), "Correct Horse 1", "not a hash")
	assert.Error(t, err)
	assert.False(t, right)
}
