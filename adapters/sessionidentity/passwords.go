package sessionidentity

import (
	"context"
	"crypto/rand"
	"encoding/base64"
	"errors"
	"fmt"
	"runtime"
	"time"

	"github.com/alexedwards/argon2id"
	"golang.org/x/crypto/argon2"
	"golang.org/x/text/unicode/norm"

	"github.com/vc-admin/diy/domain/fault"
)

// parameters are OWASP's for argon2id: 19 MiB, two passes, one lane. Hashes carry their own, so
// that these may change.
var parameters = argon2id.Params{Memory: 19 * 1024, Iterations: 2, Parallelism: 1, SaltLength: 16, KeyLength: 32}

const (
	// crowd is how many passwords may wait for each that is hashed: some ten seconds' work. Who
	// comes when as many wait is refused at once, since the wait would be for nothing.
	crowd = 500
	// patience is how long a password waits for its turn.
	patience = 15 * time.Second
)

var errCrowd = errors.New("too many passwords wait for being hashed")

// Passwords is an identity.Passwords that keeps argon2id hashes of passwords in Unicode's
// normalisation form KC. No password is cut short.
type Passwords struct {
	places   chan struct{} // one for each password that may be hashed at once; who waits is served in order
	room     chan struct{} // one for each password that is hashed or waits
	nobodys  string        // a hash that no password belongs to
	watching func() (done func())
}

// NewPasswords hashes as many passwords at once as there are processors for it: more would only
// take more memory, 19 MiB each.
func NewPasswords() *Passwords {
	return newPasswords(runtime.GOMAXPROCS(0), func() func() { return func() {} })
}

func newPasswords(limit int, watching func() (done func())) *Passwords {
	return &Passwords{
		places: make(chan struct{}, limit), room: make(chan struct{}, limit+limit*crowd),
		nobodys: nobodys(), watching: watching,
	}
}

// Hash returns what to store. It waits its turn and gives up with ctx, or when the wait is too
// long (Unavailable).
func (p *Passwords) Hash(ctx context.Context, password string) (string, error) {
	var hash string
	err := p.inTurn(ctx, func() (err error) {
		hash, err = argon2id.CreateHash(norm.NFKC.String(password), &parameters)
		return err
	})
	return hash, err
}

// Verify reports whether the password belongs to the hash, which it never does to an empty one.
// It waits its turn as Hash does. Internal for a hash that can't be read.
func (p *Passwords) Verify(ctx context.Context, password, hash string) (bool, error) {
	against := hash
	if hash == "" {
		against = p.nobodys
	}
	var right bool
	err := p.inTurn(ctx, func() (err error) {
		right, err = argon2id.ComparePasswordAndHash(norm.NFKC.String(password), against)
		return err
	})
	return right && hash != "", err
}

func (p *Passwords) inTurn(ctx context.Context, work func() error) error {
	if err := p.wait(ctx); err != nil {
		return fault.Wrap(err, fault.Unavailable, "We are very busy right now. Please try again in a moment.")
	}
	defer p.leave()
	done := p.watching()
	defer done()
	if err := work(); err != nil {
		return fault.Wrap(err, fault.Internal, "a password could not be hashed")
	}
	return nil
}

// wait takes a place; leave gives it back.
func (p *Passwords) wait(ctx context.Context) error {
	if err := ctx.Err(); err != nil {
		return err
	}
	select {
	case p.room <- struct{}{}:
	default:
		return errCrowd
	}
	ctx, cancel := context.WithTimeout(ctx, patience)
	defer cancel()
	select {
	case p.places <- struct{}{}:
		return nil
	case <-ctx.Done():
		<-p.room
		return ctx.Err()
	}
}

func (p *Passwords) leave() {
	<-p.places
	<-p.room
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
