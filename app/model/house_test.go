package model

import (
	"sync/atomic"
	"time"

	"pgregory.net/rapid"

	"github.com/vc-admin/diy/adapters/fakepayment"
	"github.com/vc-admin/diy/adapters/flakypayment"
	"github.com/vc-admin/diy/app"
	"github.com/vc-admin/diy/app/flowtest"
	"github.com/vc-admin/diy/domain/billing"
	"github.com/vc-admin/diy/ports/identity"
)

// house is everything there is: two servers on one database and one provider, which may be in
// trouble.
type house struct {
	*flowtest.World
	servers  []*app.UseCases
	orgs     []*org
	news     [][]byte // events that are still to be delivered
	watch    *watch
	provider *flakypayment.Provider
	trouble  trouble
	tally    tally
	skew     [2]atomic.Int64 // how far the clock that each server counts ages by is off
	late     atomic.Bool     // a request is on its way to the provider that nobody waits for any more
}

// org is an organisation, and what the model remembers of it.
type org struct {
	who   identity.Identity
	cards []card
	// untold: something happened at the provider that only events tell of, and not all have come.
	untold bool
	// makers are the requests that the newest subscription may be of the making of: the one that
	// certainly is, or those whose end nobody was told.
	makers []subscribe
	sure   bool
	last   request // what was asked for last, to be asked for again
}

// card is a payment method that a browser of the organisation has made.
type card struct{ id, number string }

func newHouse(t *rapid.T, counts tally) *house {
	patient := rapid.Bool().Draw(t, "unpaid subscriptions stay")
	world := flowtest.At(t, flowtest.Noon, flowtest.NewDatabase(t), func(c *fakepayment.Config) {
		if patient {
			c.AfterRetries = billing.Unpaid
		}
	})
	h := &house{World: world, tally: counts}
	h.watch = &watch{Bank: h.Bank}
	h.provider = flakypayment.New(h.watch, h.trouble.next)
	for i := range h.skew {
		store := h.OpenStore()
		store.UseClock(func() time.Time { return h.Clock.Now().Add(time.Duration(h.skew[i].Load())) })
		h.servers = append(h.servers, h.Server(store, h.provider))
	}
	return h
}
