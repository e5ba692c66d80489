package model

import (
	"context"
	"fmt"

	"pgregory.net/rapid"

	"github.com/vc-admin/diy/app"
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
	return answer{cards: []billing.PaymentMethod{added.PaymentMethod}}, err
}

func (r addCard) String() string { return "add card " + r.cardID }

type setDefault struct{ cardID string }

func (r setDefault) do(ctx context.Context, s *app.UseCases, who identity.Identity) (answer, error) {
	chosen, err := s.SetDefaultCard.Do(ctx, who, r.cardID)
	return answer{customer: chosen.Customer}, err
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
