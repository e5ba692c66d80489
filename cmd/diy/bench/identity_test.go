package bench

import (
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/vc-admin/diy/adapters/sqlstorage/seed"
	"github.com/vc-admin/diy/ports/identity"
)

// BenchmarkIdentity is how often a second a server can say who is signed in and what they have a
// license for, which every page asks, against a bare server that reads the same rows.
func BenchmarkIdentity(b *testing.B) {
	onEach(b, func(b *testing.B, kind string, newDatabase func(*testing.B) string) {
		database := newDatabase(b)
		require.NoError(b, seed.Fill(b.Context(), database, 1000, time.Now()))
		s := startServer(b, database)
		store := openStore(b, database)
		v := newVisitor(b, s).as(signsIn(b, store, identity.Identity{UserID: seed.User(1), OrganisationID: seed.Organisation(1)}))
		detail := v.get(b, "/vc-admin/user/detail")
		job := recorded(b, detail)
		job.Database, job.Rows = database, readForIdentity
		ours, theirs := dialAll(b, detail), dialAll(b, elsewhere(detail, startBare(b, job)))
		figure(b, func(b *testing.B) []row {
			d := byTurns(7, func() float64 { return askRate(b, ours) }, func() float64 { return askRate(b, theirs) })
			return []row{{
				what: "identity calls, " + kind, measured: perSecond(d.ours), against: perSecond(d.theirs) + " with bare queries",
				ratio: d.ratio, wanted: atLeast(0.4),
			}}
		})
	})
}

// readForIdentity is what has to be read to say who somebody is: the session, when it was last used,
// the user, the organisation and its subscriptions.
var readForIdentity = []query{
	{"SELECT * FROM sessions WHERE token = ?", "session_10000001"},
	{"SELECT * FROM sessions WHERE token = ?", "session_10000002"},
	{"SELECT * FROM users WHERE id = ?", seed.User(1)},
	{"SELECT * FROM organisations WHERE id = ?", seed.Organisation(1)},
	{"SELECT * FROM subscriptions WHERE organisation_id = ?", seed.Organisation(1)},
}
