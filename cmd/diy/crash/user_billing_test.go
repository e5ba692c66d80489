package crash

import (
	"context"
	"errors"
	"net/http"
	"slices"
	"strings"
	"sync"

	"github.com/vc-admin/diy/app/apptest"
)

var priceIDs = []string{"standard_yearly", "standard_monthly", "professional_yearly", "professional_monthly"}

// randomOtherPrice returns a random price other than the given one.
func (u *user) randomOtherPrice(excluded string) string {
	others := slices.DeleteFunc(slices.Clone(priceIDs), func(id string) bool { return id == excluded })
	return others[u.rnd.IntN(len(others))]
}

// priceBody returns the body of a request for the price.
func priceBody(price string) map[string]any {
	_, interval, _ := strings.Cut(price, "_")
	return map[string]any{"priceId": price, "interval": interval, "currency": "AUD"}
}

// subscribeRandomly subscribes with a trial, or with a declined card and then with another card for the same
// or another plan.
func (u *user) subscribeRandomly(ctx context.Context) error {
	price := u.randomOtherPrice("")
	variant := u.rnd.IntN(4)
	if variant < 2 {
		return u.subscribe(ctx, price, apptest.Visa, false, "trialing")
	}
	if err := u.subscribe(ctx, price, apptest.DeclinedChargesCard, true, "incomplete"); err != nil {
		return err
	}
	if _, err := u.waitUntilCharged(ctx); err != nil {
		return err
	}
	if variant == 3 {
		price = u.randomOtherPrice(price)
		u.subscriptionID = "" // the other plan replaces it
	}
	return u.subscribe(ctx, price, apptest.Visa, true, "active")
}

// subscribe subscribes with a new card. All responses must report the status.
func (u *user) subscribe(ctx context.Context, price, number string, noTrial bool, status string) error {
	card, err := u.harness.createCard(ctx, u, number)
	if err != nil {
		return err
	}
	body := priceBody(price)
	body["customerId"], body["paymentMethodId"], body["no_trial"] = u.customerID, card, noTrial
	responses, err := u.sendOnceOrTwice(ctx, "/vc-admin/user-diy/subscribe", body)
	if err != nil {
		return err
	}
	if u.subscriptionID == "" {
		u.subscriptionCount++
		u.invoiceCount = 1
	}
	if err := u.checkSubscribeResponses(responses, number, status); err != nil {
		return err
	}
	u.priceID = price
	if status == "incomplete" {
		u.detachableCards = append(u.detachableCards, card)
	} else if err := u.recordChargedCard(ctx, card, number); err != nil {
		return err
	}
	if u.subscriptionID == "" {
		u.invoiceCount = 0 // no response contained the ID of the subscription
		return errStopped
	}
	u.countAcknowledgement()
	return nil
}

// checkSubscribeResponses checks that all responses contain the same subscription with the status.
func (u *user) checkSubscribeResponses(responses []response, number, status string) error {
	for _, res := range responses {
		if number == apptest.DeclinedChargesCard && res.wasRepeated && res.isError("ERRRATE") {
			continue // requests without a response have used up the attempts with this card
		}
		var sub struct{ ID, Status string }
		if res.status != http.StatusOK || res.decode(&sub) != nil || sub.Status != status && !u.isUnfinished(res) {
			return u.reportUnexpectedResponse("subscription that should be "+status, res)
		}
		u.recordOrCheckID("subscription", &u.subscriptionID, sub.ID)
	}
	return nil
}

// changePlan changes the plan, sometimes with a quote. A conflict counts as a success if another request has changed the
// plan.
func (u *user) changePlan(ctx context.Context) error {
	price := u.randomOtherPrice(u.priceID)
	responses, err := u.requestPlanChange(ctx, price)
	if err != nil {
		return err
	}
	d, err := u.waitUntilCharged(ctx)
	if err != nil {
		return err
	}
	for _, res := range responses {
		if !res.isAccepted(len(responses)) || d.priceID() != price {
			return u.reportUnexpectedResponse("change of plan", res)
		}
	}
	u.priceID = price
	u.invoiceCount++
	u.countAcknowledgement()
	return nil
}

// requestPlanChange requests a change of the plan, sometimes with a quote. If the quote has expired, it repeats both requests.
func (u *user) requestPlanChange(ctx context.Context, price string) ([]response, error) {
	body := priceBody(price)
	for useQuote := u.rnd.IntN(2) == 0; ; {
		if useQuote {
			res, err := u.post(ctx, "/vc-admin/org/subscription/quote", priceBody(price))
			if err != nil {
				return nil, err
			}
			var quote struct{ Quote string }
			if res.status != http.StatusOK || res.decode(&quote) != nil || quote.Quote == "" {
				return nil, u.reportUnexpectedResponse("quote", res)
			}
			body["quote"] = quote.Quote
		}
		responses, err := u.sendOnceOrTwice(ctx, "/vc-admin/org/subscription/update", body)
		if err != nil || !slices.ContainsFunc(responses, func(res response) bool { return res.isError("ERRQUOTE") }) {
			return responses, err
		}
	}
}

// endAndResume ends the subscription at the end of its period and resumes it.
func (u *user) endAndResume(ctx context.Context) error {
	return u.sendAndRevert(ctx, "/vc-admin/org/subscription/cancel", map[string]any{"reason": "other"},
		"/vc-admin/org/subscription/resume")
}

// scheduleAndCancel schedules a change of the plan and cancels it.
func (u *user) scheduleAndCancel(ctx context.Context) error {
	change := priceBody(u.randomOtherPrice(u.priceID))
	change["when"] = "renewal"
	return u.sendAndRevert(ctx, "/vc-admin/org/subscription/update", change, "/vc-admin/org/subscription/scheduled/cancel")
}

// scheduleAndReplace schedules a change of the plan and replaces it by an immediate change.
func (u *user) scheduleAndReplace(ctx context.Context) error {
	schedule := priceBody(u.randomOtherPrice(u.priceID))
	schedule["when"] = "renewal"
	if err := u.sendExpectingOK(ctx, "/vc-admin/org/subscription/update", schedule); err != nil {
		return err
	}
	return u.changePlan(ctx)
}

// sendAndRevert sends a request that changes how the subscription continues, and then a request to revertPath, which reverts
// the change.
func (u *user) sendAndRevert(ctx context.Context, path string, body any, revertPath string) error {
	if err := u.sendExpectingOK(ctx, path, body); err != nil {
		return err
	}
	return u.sendExpectingOK(ctx, revertPath, map[string]any{})
}

// sendExpectingOK sends a request, sometimes from two tabs at the same time. All responses must have the status 200.
func (u *user) sendExpectingOK(ctx context.Context, path string, body any) error {
	responses, err := u.sendOnceOrTwice(ctx, path, body)
	if err != nil {
		return err
	}
	for _, res := range responses {
		if res.status != http.StatusOK {
			return u.reportUnexpectedResponse(path, res)
		}
	}
	u.countAcknowledgement()
	return nil
}

// sendOnceOrTwice sends a request, sometimes from two tabs at the same time.
func (u *user) sendOnceOrTwice(ctx context.Context, path string, body any) ([]response, error) {
	tabs := 1
	if u.rnd.IntN(4) == 3 {
		tabs = 2
	}
	responses, errs := make([]response, tabs), make([]error, tabs)
	var wg sync.WaitGroup
	for tab := range tabs {
		wg.Go(func() { responses[tab], errs[tab] = u.post(ctx, path, body) })
	}
	wg.Wait()
	if err := errors.Join(errs...); err != nil {
		return nil, err
	}
	return responses, nil
}

// createCustomer creates the customer at the provider. The customer usually exists, because the confirmation of the email address
// creates it.
func (u *user) createCustomer(ctx context.Context) error {
	res, err := u.post(ctx, "/vc-admin/user-diy/new-customer", nil)
	if err != nil {
		return err
	}
	var customer struct{ ID string }
	if res.status != http.StatusOK || res.decode(&customer) != nil {
		return u.reportUnexpectedResponse("customer", res)
	}
	u.recordOrCheckID("customer", &u.customerID, customer.ID)
	u.countAcknowledgement()
	return nil
}

func (u *user) addRandomCard(ctx context.Context) error {
	return u.addCard(ctx, []string{apptest.Visa, apptest.Mastercard}[u.rnd.IntN(2)])
}

// addCard adds a card with the number and makes it the default.
func (u *user) addCard(ctx context.Context, number string) error {
	card, err := u.harness.createCard(ctx, u, number)
	if err != nil {
		return err
	}
	responses, err := u.sendOnceOrTwice(ctx, "/vc-admin/org/customer/cards/add",
		map[string]any{"paymentMethodId": card, "set_default": true})
	if err != nil {
		return err
	}
	for _, res := range responses {
		var method struct{ ID string }
		if res.status != http.StatusOK || res.decode(&method) != nil || method.ID != card && !u.harness.usesGateway {
			return u.reportUnexpectedResponse("card", res)
		}
		card = method.ID // a gateway saves the card of a token under another id
	}
	u.saveCard(card, number)
	u.countAcknowledgement()
	return nil
}

// spareCard returns a card that is neither the default nor declined, or "".
func (u *user) spareCard() string {
	for _, card := range u.cards {
		if card != u.defaultCardID && u.cardNumbers[card] != apptest.DeclinedChargesCard {
			return card
		}
	}
	return ""
}

func (u *user) setDefaultCard(ctx context.Context) error {
	card := u.spareCard()
	if card == "" {
		return nil
	}
	res, err := u.post(ctx, "/vc-admin/org/customer/edit",
		map[string]any{"invoice_settings": map[string]string{"default_payment_method": card}})
	if err != nil {
		return err
	}
	if res.status != http.StatusOK {
		return u.reportUnexpectedResponse("default card", res)
	}
	u.defaultCardID = card
	u.countAcknowledgement()
	return nil
}

// deleteCard deletes a card. Not found is a success if the request was repeated.
func (u *user) deleteCard(ctx context.Context) error {
	card := u.spareCard()
	if card == "" {
		return nil
	}
	res, err := u.post(ctx, "/vc-admin/org/customer/cards/del", map[string]string{"paymentMethodId": card})
	if err != nil {
		return err
	}
	if res.status != http.StatusOK && (!res.wasRepeated || !res.isError("ERRNOTFOUND")) {
		return u.reportUnexpectedResponse("deletion of a card", res)
	}
	u.cards = slices.DeleteFunc(u.cards, func(id string) bool { return id == card })
	u.countAcknowledgement()
	return nil
}
