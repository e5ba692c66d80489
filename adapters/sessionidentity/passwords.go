package sessionidentity

import (
	"context"
	"crypto/rand"
	"encoding/base64"
	"fmt"
	"runtime"

	"github.com/alexedwards/argon2id"
	"golang.org/x/crypto/argon2"

	"github.com/vc-admin/diy/domain/fault"
)

// parameters are OWASP's for argon2id: 19 MiB, two passes, one lane. Hashes carry their own, so
// that these may change.
var parameters = argon2id.Params{Memory: 19 * 1024, Iterations: 2, Parallelism: 1, SaltLength: 16, KeyLength: 32}

// Passwords is an identity.Passwords that keeps argon2id hashes. No password is cut short.
type Passwords struct {
	places   chan struct{} // one for each password that may be hashed at once
	nobodys  string        // a hash that no password belongs to
	watching func() (done func())
}

// NewPasswords hashes as many passwords at once as there are processors for it: more would only
// take more memory, 19 MiB each.
func NewPasswords() *Passwords {
	return newPasswords(runtime.GOMAXPROCS(0), func() func() { return func() {} })
}

func newPasswords(limit int, watching func() (done func())) *Passwords {
	return &Passwords{places: make(chan struct{}, limit), nobodys: nobodys(), watching: watching}
}

// Hash returns what to store. It waits its turn and gives up with ctx (Unavailable).
func (p *Passwords) Hash(ctx context.Context, password string) (string, error) {
	var hash string
	err := p.inTurn(ctx, func() (err error) {
		hash, err = argon2id.CreateHash(password, &parameters)
		return err
	})
	return hash, err
}

// Verify reports whether the password belongs to the hash, which it never does to an empty one.
// It waits its turn and gives up with ctx (Unavailable). Internal for a hash that can't be read.
func (p *Passwords) Verify(ctx context.Context, password, hash string) (bool, error) {
	against := hash
	if hash == "" {
		against = p.nobodys
	}
	var right bool
	err := p.inTurn(ctx, func() (err error) {
		right, err = argon2id.ComparePasswordAndHash(password, against)
		return err
	})
	return right && hash != "", err
}

func (p *Passwords) inTurn(ctx context.Context, work func() error) error {
	if err := p.wait(ctx); err != nil {
		return fault.Wrap(err, fault.Unavailable, "We are very busy right now. Please try again in a moment.")
	}
	defer func() { <-p.places }()
	done := p.watching()
	defer done()
	if err := work(); err != nil {
		return fault.Wrap(err, fault.Internal, "a password could not be hashed")
	}
	return nil
}

func (p *Passwords) wait(ctx context.Context) error {
	if err := ctx.Err(); err != nil {
		return err
	}
	select {
	case p.places <- struct{}{}:
		return nil
	case <-ctx.Done():
		return ctx.Err()
	}
}

// nobodys is a hash like all others, but of nothing: its key is random.
func nobodys() string {
	salt, key := make([]byte, parameters.SaltLength), make([]byte, parameters.KeyLength)
	_, _ = rand.Read(salt) // never fails
	_, _ = rand.Read(key)
	return fmt.Sprintf("$argon2id$v=%d$m=%d,t=%d,p=%d$%s$%s", argon2.Version,
		parameters.Memory, parameters.Iterations, parameters.Parallelism,
		base64.RawStdEncoding.EncodeToString(salt), base64.RawStdEncoding.EncodeToString(key))
}
