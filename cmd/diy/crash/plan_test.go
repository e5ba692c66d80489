package crash

import (
	"context"
	"net/http"
	"slices"
	"strings"
	"sync"
)

// prices are those that people choose from.
var prices = []string{"standard_yearly", "standard_monthly", "professional_yearly", "professional_monthly"}

// another is a price that is not the given one.
func (p *person) another(than string) string {
	others := slices.DeleteFunc(slices.Clone(prices), func(id string) bool { return id == than })
	return others[p.rnd.IntN(len(others))]
}

func choice(price string) map[string]any {
	_, interval, _ := strings.Cut(price, "_")
	return map[string]any{"priceId": price, "interval": interval, "currency": "AUD"}
}

// begin starts a subscription: with a trial; or with a card that can't pay, and then another for
// the same plan, or for another one.
func (p *person) begin(ctx context.Context) error {
	price := p.another("")
	how := p.rnd.IntN(4)
	if how < 2 {
		return p.subscribe(ctx, price, pays, false, "trialing")
	}
	if err := p.subscribe(ctx, price, declines, true, "incomplete"); err != nil {
		return err
	}
	if how == 3 {
		price = p.another(price)
		p.subscription = "" // a new one takes its place
	}
	return p.subscribe(ctx, price, pays, true, "active")
}

func (p *person) subscribe(ctx context.Context, price, number string, noTrial bool, status string) error {
	card, err := p.world.wallet(ctx, p, number)
	if err != nil {
		return err
	}
	body := choice(price)
	body["customerId"], body["paymentMethodId"], body["no_trial"] = p.customer, card, noTrial
	answers, err := p.maybeTwice(ctx, "/vc-admin/user-diy/subscribe", body)
	if err != nil {
		return err
	}
	if p.subscription == "" {
		p.subscriptions++
		p.invoices = 1
	}
	for _, a := range answers {
		if number == declines && a.again && a.is("ERRRATE") {
			continue // requests that died have used up the attempts with this card
		}
		var made struct{ ID, Status string }
		if a.status != http.StatusOK || a.into(&made) != nil || made.Status != status {
			return p.refused("subscription that should be "+status, a)
		}
		p.found("subscription", &p.subscription, made.ID)
	}
	p.price = price
	if status == "incomplete" {
		p.dropped = append(p.dropped, card) // nobody asked to keep it
	} else {
		p.saved(card, number)
	}
	if p.subscription == "" {
		p.invoices = 0 // of the subscription whose id no answer reported
		return errGone
	}
	p.acknowledged()
	return nil
}

// changePlan moves to another plan. That it is the present one already is good news when there was
// a try before, as the page finds out by asking.
func (p *person) changePlan(ctx context.Context) error {
	price := p.another(p.price)
	answers, err := p.maybeTwice(ctx, "/vc-admin/org/subscription/update", choice(price))
	if err != nil {
		return err
	}
	d, err := p.detail(ctx)
	if err != nil {
		return err
	}
	for _, a := range answers {
		repeated := a.again || len(answers) > 1
		if a.status != http.StatusOK && !(repeated && a.is("ERRCONFLICT") && d.priceID() == price) {
			return p.refused("change of plan", a)
		}
	}
	p.price = price
	p.invoices++
	p.acknowledged()
	return nil
}

// maybeTwice sends a request, and sometimes the same one from a second tab.
func (p *person) maybeTwice(ctx context.Context, path string, body any) ([]answer, error) {
	answers, errs := make([]answer, 1+p.rnd.IntN(4)/3), make([]error, 2)
	var all sync.WaitGroup
	for tab := range answers {
		all.Go(func() { answers[tab], errs[tab] = p.post(ctx, path, body) })
	}
	all.Wait()
	for _, err := range errs {
		if err != nil {
			return nil, err
		}
	}
	return answers, nil
}
