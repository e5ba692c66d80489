package bench

import (
	"net/http"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
)

// BenchmarkSignIn is how long it takes to be told that an e-mail and a password don't belong
// together, where the e-mail has an account and where it has none: nobody may learn the difference.
func BenchmarkSignIn(b *testing.B) {
	onEach(b, func(b *testing.B, kind string, newDatabase func(*testing.B) string) {
		v := newVisitor(b, startServer(b, newDatabase(b)))
		known, status, err := v.register(b.Context())
		require.NoError(b, wants(http.StatusCreated, status, nil, err))
		figure(b, func(b *testing.B) []row {
			var right, wrong samples
			for range 200 {
				right = append(right, v.isRefused(b, known))
				wrong = append(wrong, v.isRefused(b, "nobody@clinic.example"))
			}
			return []row{{
				what: "sign-in with a known e-mail, " + kind, measured: ms(right.median()), against: ms(wrong.median()) + " with an unknown one",
				ratio: inMs(right.median()) / inMs(wrong.median()), wanted: within(0.95, 1.05),
			}}
		})
	})
}

func (v *visitor) isRefused(b *testing.B, email string) time.Duration {
	b.Helper()
	return took(b, func() error {
		status, said, err := v.post(b.Context(), "/auth/login", map[string]string{"username": email, "password": "Wrong-pass-1"})
		return wants(http.StatusUnauthorized, status, said, err)
	})
}
