package stripeserver

import (
	"crypto/rand"
	"strconv"

	"github.com/vc-admin/diy/adapters/fakepayment"
	"github.com/vc-admin/diy/domain/fault"
	"github.com/vc-admin/diy/ports/payment"
)

var cardEndpoints = map[string]endpoint{
	"POST /v1/payment_methods": {
		kind: "payment_method", browser: true, do: (*call).createCard,
		params: "type card billing_details metadata allow_redisplay payment_user_agent referrer time_on_page guid muid sid pasted_fields client_attribution_metadata",
	},
	"GET /v1/payment_methods":              {kind: "payment_method", list: true, params: "customer type", do: (*call).listCards},
	"GET /v1/payment_methods/{id}":         retrieve("payment_method", "payment_method"),
	"POST /v1/payment_methods/{id}/attach": {kind: "payment_method", params: "customer", do: (*call).attachCard},
	"POST /v1/payment_methods/{id}/detach": {kind: "payment_method", do: (*call).detachCard},

	"GET /v1/customers/{customer}/payment_methods":      {kind: "payment_method", list: true, params: "type", do: (*call).listCards},
	"GET /v1/customers/{customer}/payment_methods/{id}": {kind: "payment_method", do: (*call).retrieveCardOf},
}

func (c *call) createCard() (show, error) {
	if err := c.form.only("type", "card"); err != nil {
		return nil, err
	}
	entry, err := c.cardEntry()
	if err != nil {
		return nil, err
	}
	made, err := c.provider.CreatePaymentMethod(c.ctx(), entry)
	if err != nil {
		return nil, err
	}
	c.noteMetadata(made.ID)
	return one("payment_method", made.ID, "id"), nil
}

// cardEntry is a card that was typed, or the one a token stands for.
func (c *call) cardEntry() (fakepayment.CardEntry, error) {
	if token := c.form.text("card[token]"); token != "" {
		number, known := tokens[token]
		if !known {
			return fakepayment.CardEntry{}, missingParam("token", token, "card[token]")
		}
		return testEntry(number), nil
	}
	number, err := c.form.required("card[number]")
	month, _ := strconv.Atoi(c.form.text("card[exp_month]")) // what is no number is refused as missing
	year, _ := strconv.Atoi(c.form.text("card[exp_year]"))
	return fakepayment.CardEntry{Number: number, ExpMonth: month, ExpYear: year, CVC: c.form.text("card[cvc]")}, err
}

func (c *call) listCards() (show, error) {
	customer := c.id("customer")
	if customer == "" {
		customer = c.form.text("customer")
	}
	return func(v view) (object, error) {
		if err := v.mustHaveCustomer(customer, "customer"); err != nil {
			return nil, err
		}
		found, _ := v.Customer(customer)
		cards := make([]object, 0, len(found.Cards))
		for _, id := range found.Cards {
			cards = append(cards, v.paymentMethod(id))
		}
		return c.page("PaymentMethod", cards)
	}, nil
}

func (c *call) retrieveCardOf() (show, error) {
	return func(v view) (object, error) {
		if err := v.mustHaveCustomer(c.id("customer"), "customer"); err != nil {
			return nil, err
		}
		if found := v.paymentMethod(c.id("id")); found != nil && found["customer"] == c.id("customer") {
			return found, nil
		}
		return nil, missing("PaymentMethod", c.id("id"), "payment_method")
	}, nil
}

func (c *call) attachCard() (show, error) {
	customer, err := c.form.required("customer")
	if err != nil {
		return nil, err
	}
	id, err := c.cardNamed(c.id("id"))
	if err != nil {
		return nil, err
	}
	if err := c.books(func(v view) error { return v.mayAttach(id, customer) }); err != nil {
		return nil, err
	}
	if err := c.provider.AttachCard(c.ctx(), customer, id); err != nil {
		return nil, err
	}
	return one("payment_method", id, "payment_method"), nil
}

func (v view) mayAttach(id, customer string) error {
	if err := v.mustHaveCustomer(customer, "customer"); err != nil {
		return err
	}
	found := v.paymentMethod(id)
	switch {
	case found == nil:
		return missing("PaymentMethod", id, "payment_method")
	case v.notes.detached[id] != nil:
		return invalidRequest("", "", "This PaymentMethod was previously used without being attached to a Customer or was detached from a Customer, and may not be used again.")
	case found["customer"] != nil && found["customer"] != customer:
		return invalidRequest("", "payment_method", "The payment method you provided has already been attached to a customer.")
	}
	return nil
}

func (c *call) detachCard() (show, error) {
	id := c.id("id")
	var was object
	err := c.books(func(v view) error { was = v.paymentMethod(id); return nil })
	switch {
	case err != nil:
		return nil, err
	case was == nil:
		return nil, missing("PaymentMethod", id, "payment_method")
	case was["customer"] == nil:
		return nil, invalidRequest("", "", "The payment method you provided is not attached to a customer so detachment is impossible.")
	}
	customer, _ := was["customer"].(string)
	if err := c.provider.DeleteCard(c.ctx(), payment.SavedCard{Key: rand.Text(), CustomerID: customer, CardID: id}); err != nil && !fault.Is(err, fault.NotFound) {
		return nil, err
	}
	was["customer"] = nil
	c.notes.detached[id] = was
	return one("payment_method", id, "payment_method"), nil
}
