package bench

import (
	"net/http"
	"runtime"
	"testing"
	"time"

	"github.com/alexedwards/argon2id"
	"github.com/stretchr/testify/require"

	"github.com/vc-admin/diy/adapters/sessionidentity"
)

// BenchmarkSignUps is registrations a second, each with its email, against hashing passwords and
// nothing else.
func BenchmarkSignUps(b *testing.B) {
	onEach(b, func(b *testing.B, kind string, newDatabase func(*testing.B) string) {
		v := newVisitor(b, startServer(b, newDatabase(b)))
		hash := bareHash(b)
		figure(b, func(b *testing.B) []row {
			d := byTurns(9, func() float64 {
				return rate(b, 8*runtime.GOMAXPROCS(0), 2*time.Second, func(int) error {
					_, status, err := v.register(b.Context())
					return wants(http.StatusCreated, status, nil, err)
				})
			}, func() float64 {
				return rate(b, runtime.GOMAXPROCS(0), 2*time.Second, func(int) error { return hash() })
			})
			return []row{{
				what: "sign-ups, " + kind, measured: perSecond(d.ours), against: perSecond(d.theirs) + " bare hashes",
				ratio: d.ratio, wanted: atLeast(0.85),
			}}
		})
	})
}

// bareHash hashes a password with the parameters of the server's own hashes.
func bareHash(b *testing.B) func() error {
	b.Helper()
	one, err := sessionidentity.NewPasswords().Hash(b.Context(), password)
	require.NoError(b, err)
	parameters, _, _, err := argon2id.DecodeHash(one)
	require.NoError(b, err)
	return func() error {
		_, err := argon2id.CreateHash(password, parameters)
		return err
	}
}
