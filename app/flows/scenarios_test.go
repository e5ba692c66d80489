package flows

import (
	"context"

	"github.com/stretchr/testify/require"

	"github.com/vc-admin/diy/app"
	"github.com/vc-admin/diy/app/flowtest"
	"github.com/vc-admin/diy/ports/identity"
)

// scenario is a request that has to do with money, for everything that can go wrong with it.
type scenario struct {
	name    string
	card    string // what it pays with; "" when it brings no card
	prepare func(w *world, who identity.Identity)
	request func(card string) request
	paid    int // how many invoices are paid once it is through, whatever happened on the way
}

// request is what a browser asks a server for. The same request again is the same card again.
type request func(ctx context.Context, server *app.UseCases, who identity.Identity) error

func subscribing(choice app.PriceChoice, noTrial bool) func(card string) request {
	return func(card string) request {
		return func(ctx context.Context, server *app.UseCases, who identity.Identity) error {
			_, err := server.Subscribe.Do(ctx, who, app.SubscribeRequest{CardID: card, Price: choice, NoTrial: noTrial})
			return err
		}
	}
}

func changing(choice app.PriceChoice) func(string) request {
	return func(string) request {
		return func(ctx context.Context, server *app.UseCases, who identity.Identity) error {
			_, err := server.ChangePlan.Do(ctx, who, choice)
			return err
		}
	}
}

// onCard prepares a subscription that was asked for with the card before.
func onCard(number string, noTrial bool) func(*world, identity.Identity) {
	return func(w *world, who identity.Identity) {
		require.NoError(w.t, subscribing(standardMonthly, noTrial)(w.Card(number))(w.t.Context(), w.UseCases, who))
	}
}

func nothing(*world, identity.Identity) {}

var purchases = []scenario{
	{"a trial", flowtest.Visa, nothing, subscribing(standardMonthly, false), 1},
	{"a first payment", flowtest.Visa, nothing, subscribing(standardMonthly, true), 1},
	{"a payment that is declined", flowtest.NeverCharged, nothing, subscribing(standardMonthly, true), 0},
	{"a payment that waits for the bank", flowtest.AsksHolder, nothing, subscribing(standardMonthly, true), 0},
	{"another card after a decline", flowtest.Visa, onCard(flowtest.NeverCharged, true), subscribing(standardMonthly, true), 1},
	{"another plan after a decline", flowtest.Visa, onCard(flowtest.NeverCharged, true), subscribing(professionalYearly, true), 1},
}

var changes = []scenario{
	{"a change on a trial", "", onCard(flowtest.Visa, false), changing(professionalYearly), 2},
	{"a change of a paid plan", "", onCard(flowtest.Visa, true), changing(professionalYearly), 2},
}

// set is a world in which the scenario is about to happen.
type set struct {
	*world
	who     identity.Identity
	request request
}

func (s scenario) set(w *world) set {
	w.t.Helper()
	who, card := w.member(), ""
	s.prepare(w, who)
	if s.card != "" {
		card = w.Card(s.card)
	}
	return set{w, who, s.request(card)}
}

// calls are those the request makes of the ports when nothing goes wrong.
func (s set) calls() []string {
	s.t.Helper()
	server, t := s.tapped(untroubled)
	require.NoError(s.t, s.request(s.t.Context(), server, s.who))
	return t.names
}
