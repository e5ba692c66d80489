package bench

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"maps"
	"net/http"
	"sync/atomic"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/vc-admin/diy/adapters/fakepayment"
)

// BenchmarkWebhooks is events a second, each of which has the provider asked and takes two commits,
// against the bare commits of the same database.
func BenchmarkWebhooks(b *testing.B) {
	onEach(b, func(b *testing.B, kind string, newDatabase func(*testing.B) string) {
		provider, database := newStripe(b), newDatabase(b)
		told := newNews(b, provider, newClinics(b, provider, openStore(b, database), 64, true))
		s := startServer(b, database, provider.settings()...)
		plain := bareCommits(b, newDatabase(b))
		v := newVisitor(b, s)
		figure(b, func(b *testing.B) []row {
			d := byTurns(5, func() float64 {
				return rate(b, connections, 2*time.Second, func(int) error { return v.tell(b.Context(), told.next()) })
			}, func() float64 {
				return rate(b, connections, time.Second, func(int) error { return plain.commit(b) })
			})
			return []row{{
				what: "webhooks, " + kind, measured: perSecond(d.ours), against: perSecond(d.theirs) + " bare commits, two each",
				ratio: 2 * d.ratio, wanted: atLeast(0.15),
			}}
		})
	})
}

// news makes up events about subscriptions, each of which is new.
type news struct {
	event   map[string]any // as the provider once told it
	about   []clinic
	counted atomic.Int64
}

func newNews(b *testing.B, s *stripe, about []clinic) *news {
	b.Helper()
	ctx, cancel := context.WithTimeout(b.Context(), patience)
	defer cancel()
	require.NoError(b, s.machine.Drain(ctx))
	payload := s.events.Load()
	require.NotNil(b, payload)
	n := &news{about: about}
	require.NoError(b, json.Unmarshal(*payload, &n.event))
	return n
}

// next is an event about one of the organisations, and another one the next time.
func (n *news) next() []byte {
	i := n.counted.Add(1)
	event := maps.Clone(n.event)
	event["id"] = fmt.Sprintf("evt_bench_%d", i)
	event["data"] = map[string]any{"object": map[string]any{
		"id": "sub_bench", "object": "subscription", "customer": n.about[int(i)%len(n.about)].customer,
	}}
	text, err := json.Marshal(event)
	must(err)
	return text
}

// tell brings an event to the server as Stripe does.
func (v *visitor) tell(ctx context.Context, payload []byte) error {
	r, err := http.NewRequestWithContext(ctx, http.MethodPost, v.origin+"/vc-admin/webhooks/stripe", bytes.NewReader(payload))
	if err != nil {
		return err
	}
	r.Header.Set("Content-Type", "application/json")
	r.Header.Set("Stripe-Signature", fakepayment.Sign(payload, time.Now(), webhookSecret))
	answer, err := v.client.Do(r)
	if err != nil {
		return err
	}
	return wants(http.StatusOK, answer.StatusCode, nil, answer.Body.Close())
}
