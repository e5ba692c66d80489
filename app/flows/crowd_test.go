package flows

import (
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/vc-admin/diy/adapters/sqlstorage/postgrestest"
	"github.com/vc-admin/diy/app"
	"github.com/vc-admin/diy/app/flowtest"
	"github.com/vc-admin/diy/domain/fault"
)

var migrated = postgrestest.NewTemplate(flowtest.Migrate)

// bought is what one of the crowd was told.
type bought struct {
	id  string // of the subscription
	err error
}

// inACrowd has everybody of one organisation, which has no customer yet, make it and subscribe at
// once, on two servers that share the database and nothing else.
func (w *world) inACrowd(card func(i int) string) []bought {
	who, servers := w.memberWithoutCustomer(), w.servers(2)
	told := make([]bought, crowd)
	acts := make([]func() error, crowd)
	for i := range acts {
		in := app.SubscribeRequest{CardID: card(i), Price: standardMonthly, NoTrial: true}
		acts[i] = func() error {
			server := servers[i%2]
			if _, err := server.NewCustomer.Do(w.t.Context(), who); err != nil {
				return err
			}
			made, err := server.Subscribe.Do(w.t.Context(), who, in)
			told[i].id = made.ID
			return err
		}
	}
	for i, err := range together(acts...) {
		told[i].err = err
	}
	w.requireOnePaid(who)
	return told
}

func TestPostgresACrowdWithOneCardMakesOneSubscriptionAndIsToldSo(t *testing.T) {
	w := inhabited(t, flowtest.At(t, flowtest.Noon, migrated.URL(t)))
	card := w.Card(flowtest.Visa)
	for _, b := range w.inACrowd(func(int) string { return card }) {
		require.NoError(t, b.err, "a repeat of the same request is no failure")
		require.Equal(t, w.live()[0].ID, b.id)
	}
}

func TestPostgresACrowdWithManyCardsMakesOneSubscription(t *testing.T) {
	w := inhabited(t, flowtest.At(t, flowtest.Noon, migrated.URL(t)))
	won := 0
	for _, b := range w.inACrowd(func(int) string { return w.Card(flowtest.Visa) }) {
		if b.err == nil {
			won++
			assert.Equal(t, w.live()[0].ID, b.id)
			continue
		}
		require.Equal(t, fault.Conflict, fault.CodeOf(b.err), "%v", b.err)
	}
	assert.Equal(t, 1, won)
}
