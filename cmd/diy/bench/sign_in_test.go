package bench

import (
	"fmt"
	"net/http"
	"testing"

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
			d := byTurns(200, func() float64 { return v.isRefused(b, known) }, func() float64 { return v.isRefused(b, "nobody@clinic.example") })
			return []row{{
				what: "sign-in with a known e-mail, median, " + kind, measured: fmt.Sprintf("%.2f ms", d.ours),
				against: fmt.Sprintf("%.2f ms with an unknown one", d.theirs), ratio: d.ratio, wanted: within(0.95, 1.05),
			}}
		})
	})
}

// isRefused is how many milliseconds it takes.
func (v *visitor) isRefused(b *testing.B, email string) float64 {
	b.Helper()
	return inMs(took(b, func() error {
		status, said, err := v.post(b.Context(), "/auth/login", map[string]string{"username": email, "password": "Wrong-pass-1"})
		return wants(http.StatusUnauthorized, status, said, err)
	}))
}
