package model

import (
	"context"
	"fmt"

	"pgregory.net/rapid"

	"github.com/vc-admin/diy/app"
	"github.com/vc-admin/diy/app/flowtest"
	"github.com/vc-admin/diy/domain/billing"
	"github.com/vc-admin/diy/domain/catalogue"
	"github.com/vc-admin/diy/domain/fault"
	"github.com/vc-admin/diy/ports/identity"
)

// request is what a browser asks a server for.
type request interface {
	fmt.Stringer
	// do asks a server.
	do(ctx context.Context, s *app.UseCases, who identity.Identity) (answer, error)
	// refused is how it may be answered, given the truth: with one of the codes, "" for success.
	refused(o *org, w truth) []fault.Code
	// done holds a success, and what has become of everything, against the rules.
	done(t *rapid.T, h *house, o *org, before truth, got answer)
}

// answer is what a successful request returned, as far as it returns anything.
type answer struct {
	sub      billing.Subscription
	customer billing.Customer
	cards    []billing.PaymentMethod
	license  *billing.License
}

func choice(price catalogue.PriceRef) app.PriceChoice {
	return app.PriceChoice{PriceID: price.PriceID(), Interval: string(price.Interval), Currency: price.Currency}
}

type subscribe struct {
	price   catalogue.PriceRef
	cardID  string // "" for the default card
	noTrial bool
}

func (r subscribe) do(ctx context.Context, s *app.UseCases, who identity.Identity) (answer, error) {
	sub, err := s.Subscribe.Do(ctx, who, app.SubscribeRequest{CardID: r.cardID, Price: choice(r.price), NoTrial: r.noTrial})
	return answer{sub: sub}, err
}

func (r subscribe) String() string {
	return fmt.Sprintf("subscribe to %s in %s with card %q, without trial: %t", r.price.PriceID(), r.price.Currency, r.cardID, r.noTrial)
}

type change struct{ price catalogue.PriceRef }

func (r change) do(ctx context.Context, s *app.UseCases, who identity.Identity) (answer, error) {
	sub, err := s.ChangePlan.Do(ctx, who, choice(r.price))
	return answer{sub: sub}, err
}

func (r change) String() string { return "change to " + r.price.PriceID() + " in " + r.price.Currency }

type addCard struct{ cardID string }

func (r addCard) do(ctx context.Context, s *app.UseCases, who identity.Identity) (answer, error) {
	added, err := s.AddCard.Do(ctx, who, r.cardID)
	return answer{cards: []billing.PaymentMethod{added}}, err
}

func (r addCard) String() string { return "add card " + r.cardID }

type setDefault struct{ cardID string }

func (r setDefault) do(ctx context.Context, s *app.UseCases, who identity.Identity) (answer, error) {
	customer, err := s.SetDefaultCard.Do(ctx, who, r.cardID)
	return answer{customer: customer}, err
}

func (r setDefault) String() string { return "make default card " + r.cardID }

type deleteCard struct{ cardID string }

func (r deleteCard) do(ctx context.Context, s *app.UseCases, who identity.Identity) (answer, error) {
	return answer{}, s.DeleteCard.Do(ctx, who, r.cardID)
}

func (r deleteCard) String() string { return "delete card " + r.cardID }

type newCustomer struct{}

func (newCustomer) do(ctx context.Context, s *app.UseCases, who identity.Identity) (answer, error) {
	customer, err := s.NewCustomer.Do(ctx, who)
	return answer{customer: customer}, err
}

func (newCustomer) String() string { return "make the customer" }

type describe struct{}

func (describe) do(ctx context.Context, s *app.UseCases, who identity.Identity) (answer, error) {
	_, org, err := s.DescribeUser.Do(ctx, who)
	return answer{license: org.Billing.License()}, err
}

func (describe) String() string { return "show who I am" }

var numbers = []string{
	flowtest.Visa, flowtest.Mastercard, flowtest.AsksHolder, flowtest.NotSaved, flowtest.NeverCharged,
}

// freshCard is one that a browser has just made.
func (h *house) freshCard(t *rapid.T, o *org) string {
	number := rapid.SampledFrom(numbers).Draw(t, "number")
	o.cards = append(o.cards, card{h.Card(number), number})
	return o.cards[len(o.cards)-1].id
}

// someCard is a fresh card, or one from before.
func (h *house) someCard(t *rapid.T, o *org) string {
	if len(o.cards) == 0 || rapid.Bool().Draw(t, "a fresh card") {
		return h.freshCard(t, o)
	}
	return o.cards[rapid.IntRange(0, len(o.cards)-1).Draw(t, "card")].id
}

func (h *house) someSubscribe(t *rapid.T, o *org) subscribe {
	r := subscribe{price: somePrice(t), noTrial: rapid.Bool().Draw(t, "without trial")}
	if rapid.IntRange(0, 3).Draw(t, "brings a card") > 0 {
		r.cardID = h.someCard(t, o)
	}
	return r
}

// wishes are what a browser may ask for, as often as people do: who has a plan changes it rather
// than buying another.
func (w truth) wishes() []string {
	rare := []string{"subscribe", "change", "add", "default", "delete", "customer", "describe"}
	if w.live() != nil {
		return append(rare, "change", "change", "change", "change")
	}
	return append(rare, "subscribe", "subscribe", "subscribe")
}

// someRequest is anything that a browser may ask for.
func (h *house) someRequest(t *rapid.T, o *org) request {
	switch rapid.SampledFrom(h.truth(t, o).wishes()).Draw(t, "request") {
	case "subscribe":
		return h.someSubscribe(t, o)
	case "change":
		return change{somePrice(t)}
	case "add":
		return addCard{h.someCard(t, o)}
	case "default":
		return setDefault{h.someCard(t, o)}
	case "delete":
		return deleteCard{h.someCard(t, o)}
	case "customer":
		return newCustomer{}
	}
	return describe{}
}
