package crash

import (
	"context"
	"net/http"
	"slices"
)

const (
	pays     = "4242424242424242"
	paysToo  = "5555555555554444"
	declines = "4000000000000341" // it can be saved, and every charge is declined
)

// becomeCustomer asks for the provider's customer, which mostly is there since the sign-up.
func (p *person) becomeCustomer(ctx context.Context) error {
	a, err := p.post(ctx, "/vc-admin/user-diy/new-customer", nil)
	if err != nil {
		return err
	}
	var made struct{ ID string }
	if a.status != http.StatusOK || a.into(&made) != nil {
		return p.refused("customer", a)
	}
	p.found("customer", &p.customer, made.ID)
	p.acknowledged()
	return nil
}

func (p *person) addCard(ctx context.Context) error {
	number := []string{pays, paysToo}[p.rnd.IntN(2)]
	card, err := p.world.wallet(ctx, p, number)
	if err != nil {
		return err
	}
	answers, err := p.maybeTwice(ctx, "/vc-admin/org/customer/cards/add", map[string]any{"paymentMethodId": card, "set_default": true})
	if err != nil {
		return err
	}
	for _, a := range answers {
		var saved struct{ ID string }
		if a.status != http.StatusOK || a.into(&saved) != nil || saved.ID != card {
			return p.refused("card", a)
		}
	}
	p.saved(card, number)
	p.acknowledged()
	return nil
}

// spare is a card that is not the default; "" when there is none.
func (p *person) spare() string {
	for _, card := range p.cards {
		if card != p.defaultCard {
			return card
		}
	}
	return ""
}

func (p *person) setDefault(ctx context.Context) error {
	card := p.spare()
	if card == "" {
		return nil
	}
	a, err := p.post(ctx, "/vc-admin/org/customer/edit",
		map[string]any{"invoice_settings": map[string]string{"default_payment_method": card}})
	if err != nil {
		return err
	}
	if a.status != http.StatusOK {
		return p.refused("default card", a)
	}
	p.defaultCard = card
	p.acknowledged()
	return nil
}

// deleteCard deletes a card. That it is gone is good news when the first try had no answer.
func (p *person) deleteCard(ctx context.Context) error {
	card := p.spare()
	if card == "" {
		return nil
	}
	a, err := p.post(ctx, "/vc-admin/org/customer/cards/del", map[string]string{"paymentMethodId": card})
	if err != nil {
		return err
	}
	if a.status != http.StatusOK && (!a.again || !a.is("ERRNOTFOUND")) {
		return p.refused("deletion of a card", a)
	}
	p.cards = slices.DeleteFunc(p.cards, func(id string) bool { return id == card })
	p.acknowledged()
	return nil
}
