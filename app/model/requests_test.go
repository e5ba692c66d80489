package model

import (
	"context"
	"fmt"

	"pgregory.net/rapid"

	"github.com/vc-admin/diy/app"
	"github.com/vc-admin/diy/app/apptest"
	"github.com/vc-admin/diy/domain/billing"
	"github.com/vc-admin/diy/domain/catalogue"
	"github.com/vc-admin/diy/domain/fault"
	"github.com/vc-admin/diy/ports/identity"
)

// request is a request of a browser.
type request interface {
	fmt.Stringer
	// do sends the request to a server.
	do(ctx context.Context, s *app.UseCases, user identity.Identity) (response, error)
	// expectedCodes returns the error codes that are allowed in a state of the provider; "" is success.
	expectedCodes(o *org, state providerState) []fault.Code
	// checkSuccess checks the response to a successful request and its effects.
	checkSuccess(t *rapid.T, h *harness, o *org, initialState providerState, resp response)
}

// response contains the result of a successful request.
type response struct {
	sub      billing.Subscription
	customer billing.Customer
	cards    []billing.PaymentMethod
	license  *billing.License
}

// newPriceChoice returns the choice that selects the price.
func newPriceChoice(price catalogue.PriceRef) app.PriceChoice {
	return app.PriceChoice{PriceID: price.PriceID(), Interval: string(price.Interval), Currency: price.Currency}
}

// subscribeRequest subscribes to a plan.
type subscribeRequest struct {
	price   catalogue.PriceRef
	cardID  string // "" for the default card
	noTrial bool
	quote   *displayedQuote // nil for none
}

// isRepeatOf reports whether the server recognises the request as a repeat of other.
func (r subscribeRequest) isRepeatOf(other subscribeRequest) bool {
	hasSameQuote := r.quote.token() == other.quote.token()
	r.quote, other.quote = nil, nil
	return hasSameQuote && r == other
}

func (r subscribeRequest) do(ctx context.Context, s *app.UseCases, user identity.Identity) (response, error) {
	sub, err := s.Subscribe.Do(ctx, user, app.SubscribeRequest{
		MethodID: r.cardID, Price: newPriceChoice(r.price), NoTrial: r.noTrial, Quote: r.quote.token(),
	})
	return response{sub: sub}, err
}

func (r subscribeRequest) String() string {
	return fmt.Sprintf("subscribe to %s in %s with card %q, without trial: %t, quoted: %t", r.price.PriceID(),
		r.price.Currency, r.cardID, r.noTrial, r.quote != nil)
}

// changeRequest changes the plan.
type changeRequest struct {
	price  catalogue.PriceRef
	timing billing.ChangeTiming
	quote  *displayedQuote // nil for none
}

func (r changeRequest) do(ctx context.Context, s *app.UseCases, user identity.Identity) (response, error) {
	sub, err := s.ChangePlan.Do(ctx, user,
		app.ChangeRequest{PriceChoice: newPriceChoice(r.price), When: r.timing, Quote: r.quote.token()})
	return response{sub: sub}, err
}

func (r changeRequest) String() string {
	return fmt.Sprintf("change to %s in %s, when: %q, quoted: %t", r.price.PriceID(), r.price.Currency, r.timing, r.quote != nil)
}

// addCardRequest saves a card and makes it the default one.
type addCardRequest struct{ cardID string }

func (r addCardRequest) do(ctx context.Context, s *app.UseCases, user identity.Identity) (response, error) {
	resp, err := s.AddCard.Do(ctx, user, r.cardID)
	return response{cards: []billing.PaymentMethod{resp.PaymentMethod}}, err
}

func (r addCardRequest) String() string { return "add card " + r.cardID }

// setDefaultRequest makes a saved card the default one.
type setDefaultRequest struct{ cardID string }

func (r setDefaultRequest) do(ctx context.Context, s *app.UseCases, user identity.Identity) (response, error) {
	resp, err := s.SetDefaultCard.Do(ctx, user, r.cardID)
	return response{customer: resp.Customer}, err
}

func (r setDefaultRequest) String() string { return "make default card " + r.cardID }

// deleteCardRequest deletes a saved card.
type deleteCardRequest struct{ cardID string }

func (r deleteCardRequest) do(ctx context.Context, s *app.UseCases, user identity.Identity) (response, error) {
	return response{}, s.DeleteCard.Do(ctx, user, r.cardID)
}

func (r deleteCardRequest) String() string { return "delete card " + r.cardID }

// createCustomerRequest creates the customer.
type createCustomerRequest struct{}

func (createCustomerRequest) do(ctx context.Context, s *app.UseCases, user identity.Identity) (response, error) {
	customer, err := s.CreateCustomer.Do(ctx, user)
	return response{customer: customer}, err
}

func (createCustomerRequest) String() string { return "create the customer" }

// describeRequest reads the user with the license.
type describeRequest struct{}

func (describeRequest) do(ctx context.Context, s *app.UseCases, user identity.Identity) (response, error) {
	_, storedOrg, err := s.DescribeUser.Do(ctx, user)
	return response{license: storedOrg.Billing.License()}, err
}

func (describeRequest) String() string { return "describe the user" }

var (
	bankAccountNumbers = []string{apptest.SettlingAccount, apptest.FailingAccount, apptest.ReturningAccount}
	methodNumbers      = append([]string{
		apptest.Visa, apptest.Mastercard, apptest.AuthenticationCard, apptest.DeclinedCard, apptest.DeclinedChargesCard,
	}, bankAccountNumbers...)
)

// createRandomCard creates a card or an account with any number, and returns its id.
func (h *harness) createRandomCard(t *rapid.T, o *org) string {
	number := rapid.SampledFrom(methodNumbers).Draw(t, "number")
	o.cards = append(o.cards, card{h.CreateCard(number), number})
	return o.cards[len(o.cards)-1].id
}

// drawCard returns the id of a new card or of an earlier one.
func (h *harness) drawCard(t *rapid.T, o *org) string {
	if len(o.cards) == 0 || rapid.Bool().Draw(t, "a new card") {
		return h.createRandomCard(t, o)
	}
	return o.cards[rapid.IntRange(0, len(o.cards)-1).Draw(t, "card")].id
}

func (h *harness) drawSubscribe(t *rapid.T, o *org) subscribeRequest {
	r := subscribeRequest{price: drawPrice(t), noTrial: rapid.Bool().Draw(t, "without trial")}
	if rapid.IntRange(0, 3).Draw(t, "with a card") > 0 {
		r.cardID = h.drawCard(t, o)
	}
	return r
}

func (h *harness) drawChange(t *rapid.T) changeRequest {
	return changeRequest{
		price:  drawPrice(t),
		timing: rapid.SampledFrom([]billing.ChangeTiming{billing.ChangeNow, billing.ChangeNow, billing.ChangeAtRenewal}).Draw(t, "when"),
	}
}

// requestKinds returns the kinds of requests to draw from. Kinds that are to be drawn more often occur several times.
func (state providerState) requestKinds() []string {
	kinds := []string{
		"pay", "cancel", "cancel scheduled", "end", "resume", "confirm", "subscribe", "change", "add", "default",
		"delete", "customer", "describe",
	}
	if state.openPayment() != nil || state.processingSubscription() != nil {
		kinds = append(kinds, "pay", "pay", "pay", "cancel", "cancel", "cancel", "cancel")
	}
	if liveSub := state.liveSub(); liveSub != nil {
		if liveSub.Scheduled != nil || !liveSub.EndsAt.IsZero() {
			kinds = append(kinds, "cancel scheduled", "resume", "resume")
		}
		return append(kinds, "change", "change", "change", "change", "end", "confirm")
	}
	return append(kinds, "subscribe", "subscribe", "subscribe")
}

func (h *harness) drawRequest(t *rapid.T, o *org) request {
	switch kind := rapid.SampledFrom(h.providerState(t, o).requestKinds()).Draw(t, "request"); kind {
	case "subscribe":
		return h.drawSubscribe(t, o)
	case "change":
		return h.drawChange(t)
	case "add":
		return addCardRequest{h.drawCard(t, o)}
	case "default":
		return setDefaultRequest{h.drawCard(t, o)}
	case "delete":
		return deleteCardRequest{h.drawCard(t, o)}
	case "pay":
		return h.drawPay(t, o)
	default:
		return o.newFixedRequest(kind)
	}
}

// newFixedRequest returns the request of a kind that has no parameters to draw.
func (o *org) newFixedRequest(kind string) request {
	if kind == "confirm" && o.quote != nil {
		return o.confirmRequest()
	}
	requests := map[string]request{
		"cancel": cancelPendingRequest{}, "cancel scheduled": cancelScheduledRequest{}, "end": endRequest{}, "resume": resumeRequest{},
		"customer": createCustomerRequest{},
	}
	if r, ok := requests[kind]; ok {
		return r
	}
	return describeRequest{}
}
