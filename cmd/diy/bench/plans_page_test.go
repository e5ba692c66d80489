package bench

import (
	"io"
	"net/http"
	"testing"

	"github.com/stretchr/testify/require"
)

// BenchmarkPlansPage is the plans page against a bare server of the same bytes with the same headers.
func BenchmarkPlansPage(b *testing.B) {
	v := newVisitor(b, startServer(b, newSQLite(b)))
	page := plansPage(b, v)
	plain := startBare(b, recorded(b, page))
	ours := dialAll(b, page)
	theirs := dialAll(b, elsewhere(page, plain))
	figure(b, func(b *testing.B) []row {
		d := byTurns(7, func() float64 { return askRate(b, ours) }, func() float64 { return askRate(b, theirs) })
		return []row{{
			what: "plans page", measured: perSecond(d.ours), against: perSecond(d.theirs) + " of the same bytes",
			ratio: d.ratio, wanted: atLeast(0.4),
		}}
	})
}

// plansPage is a browser's request for the plans page.
func plansPage(b *testing.B, v *visitor) *http.Request {
	b.Helper()
	r := v.get(b, "/vc-admin/diy/plans")
	r.Header.Set("Accept-Encoding", "gzip, br")
	return r
}

// elsewhere is the same request to another server.
func elsewhere(r *http.Request, s *server) *http.Request {
	moved := r.Clone(r.Context())
	moved.URL.Host, moved.Host = s.address, s.address
	return moved
}

// recorded is a bare server of what the request is answered with.
func recorded(b *testing.B, r *http.Request) bare {
	b.Helper()
	answer, err := dial(b, r).send()
	require.NoError(b, err)
	body, err := io.ReadAll(answer.Body)
	require.NoError(b, err)
	answer.Header.Del("Date") // which every server writes itself
	return bare{Header: answer.Header, Body: body}
}
