package sessionidentity

import (
	"context"
	"crypto/rand"
	"encoding/base64"
	"errors"
	"fmt"
	"maps"
	"runtime"
	"slices"
	"strings"
	"sync"
	"time"
	"unicode/utf8"

	"github.com/alexedwards/argon2id"
	"github.com/trustelem/zxcvbn/frequency"
	"golang.org/x/crypto/argon2"
	"golang.org/x/text/unicode/norm"

	"github.com/vc-admin/diy/domain/fault"
	"github.com/vc-admin/diy/domain/password"
)

// argon2Params are OWASP's recommendation for argon2id: 19 MiB, two passes, one lane. They can be changed, because each
// stored hash contains its own parameters.
var argon2Params = argon2id.Params{Memory: 19 * 1024, Iterations: 2, Parallelism: 1, SaltLength: 16, KeyLength: 32}

const (
	// maxWaitingPerSlot is the number of calls that may wait for each slot. Their hashes take about ten seconds. Further
	// calls fail immediately, because they would probably time out.
	maxWaitingPerSlot = 500
	// waitTimeout is how long a call waits before it fails.
	waitTimeout = 15 * time.Second
)

var errTooManyWaiting = errors.New("too many calls are waiting to hash a password")

// Passwords implements identity.Passwords with argon2id hashes of passwords in Unicode normalisation form
// NFKC.
type Passwords struct {
	slots     chan struct{}        // a value for each running hash; waiting calls are served in order
	queue     chan struct{}        // a value for each running or waiting call
	dummyHash string               // matches no password
	onHash    func() (done func()) // for tests: called before each hash; done is called after it
}

// NewPasswords returns Passwords that run at most GOMAXPROCS hashes concurrently. More would not be faster, and
// each needs 19 MiB.
func NewPasswords() *Passwords {
	return newPasswords(runtime.GOMAXPROCS(0), func() func() { return func() {} })
}

func newPasswords(limit int, onHash func() (done func())) *Passwords {
	return &Passwords{
		slots: make(chan struct{}, limit), queue: make(chan struct{}, limit+limit*maxWaitingPerSlot),
		dummyHash: newDummyHash(), onHash: onHash,
	}
}

// Hash returns the hash to store. It waits for a free slot. If ctx ends, the wait is too long or too many
// calls are waiting, the error is Unavailable.
func (p *Passwords) Hash(ctx context.Context, password string) (string, error) {
	var hash string
	err := p.withSlot(ctx, func() (err error) {
		hash, err = argon2id.CreateHash(norm.NFKC.String(password), &argon2Params)
		return err
	})
	return hash, err
}

// Verify reports whether the password matches the hash. An empty hash matches no password. Verify takes the same time for
// it as for any other hash, so that the response time does not reveal whether an account exists. Verify waits for a slot
// as Hash does. The error for an invalid hash is Internal.
func (p *Passwords) Verify(ctx context.Context, password, hash string) (bool, error) {
	if hash == "" {
		hash = p.dummyHash
	}
	var match bool
	err := p.withSlot(ctx, func() (err error) {
		match, err = argon2id.ComparePasswordAndHash(norm.NFKC.String(password), hash)
		return err
	})
	return match && hash != p.dummyHash, err
}

// withSlot waits for a slot, hashes a password with work, and frees the slot.
func (p *Passwords) withSlot(ctx context.Context, work func() error) error {
	if err := p.acquireSlot(ctx); err != nil {
		return fault.Wrap(err, fault.Unavailable, "We are very busy right now. Please try again in a moment.")
	}
	defer p.releaseSlot()
	done := p.onHash()
	defer done()
	if err := work(); err != nil {
		return fault.Wrap(err, fault.Internal, "a password could not be hashed")
	}
	return nil
}

// acquireSlot waits for a slot, which releaseSlot frees.
func (p *Passwords) acquireSlot(ctx context.Context) error {
	if err := ctx.Err(); err != nil {
		return err
	}
	select {
	case p.queue <- struct{}{}:
	default:
		return errTooManyWaiting
	}
	ctx, cancel := context.WithTimeout(ctx, waitTimeout)
	defer cancel()
	select {
	case p.slots <- struct{}{}:
		return nil
	case <-ctx.Done():
		<-p.queue
		return ctx.Err()
	}
}

func (p *Passwords) releaseSlot() {
	<-p.slots
	<-p.queue
}

// newDummyHash returns a hash with the usual parameters and a random key, which no password matches.
func newDummyHash() string {
	salt, key := make([]byte, argon2Params.SaltLength), make([]byte, argon2Params.KeyLength)
	_, _ = rand.Read(salt) // never fails
	_, _ = rand.Read(key)
	return fmt.Sprintf("$argon2id$v=%d$m=%d,t=%d,p=%d$%s$%s", argon2.Version,
		argon2Params.Memory, argon2Params.Iterations, argon2Params.Parallelism,
		base64.RawStdEncoding.EncodeToString(salt), base64.RawStdEncoding.EncodeToString(key))
}

// commonPasswords contains the passwords that CommonPasswords returns.
var commonPasswords = sync.OnceValue(func() map[string]bool {
	passwords := map[string]bool{}
	for _, p := range frequency.FrequencyLists["passwords"] {
		if p = strings.ToLower(p); followsPolicyInSomeCase(p) {
			passwords[p] = true
		}
	}
	return passwords
})

// CommonPasswords returns, in lower case and sorted, those of zxcvbn's 30,000 most common leaked passwords that follow the
// policy in some combination of upper and lower case. The policy refuses the others.
func CommonPasswords() []string { return slices.Sorted(maps.Keys(commonPasswords())) }

// followsPolicyInSomeCase reports whether the policy accepts the password, which is in lower case, in some combination of
// upper and lower case.
func followsPolicyInSomeCase(p string) bool {
	for i, r := range p {
		capitalised := p[:i] + strings.ToUpper(string(r)) + p[i+utf8.RuneLen(r):]
		if len(password.Check(capitalised).Problems()) == 0 {
			return true
		}
	}
	return false
}

// IsCommon reports whether the password is one of CommonPasswords, ignoring case.
func (p *Passwords) IsCommon(password string) bool {
	return commonPasswords()[strings.ToLower(norm.NFKC.String(password))]
}
