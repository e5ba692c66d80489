package httpapi

import (
	"net/http"

	"github.com/vc-admin/diy/app"
	"github.com/vc-admin/diy/domain/billing"
	"github.com/vc-admin/diy/domain/fault"
	"github.com/vc-admin/diy/ports/identity"
)

type cardWire struct {
	ID   string       `json:"id"`
	Card cardDataWire `json:"card"`
}

type cardDataWire struct {
	Brand    string `json:"brand"`
	Last4    string `json:"last4"`
	ExpMonth int    `json:"exp_month"`
	ExpYear  int    `json:"exp_year"`
}

// addedCardWire is the answer to adding a card.
type addedCardWire struct {
	cardWire
	Payment *billPaymentWire `json:"payment"`
}

// billPaymentWire tells what happened to an overdue bill that was tried with another card.
type billPaymentWire struct {
	Status        app.BillStatus `json:"status"`
	InvoiceID     string         `json:"invoiceId"`
	Amount        int64          `json:"amount"`
	Currency      string         `json:"currency"`
	Message       string         `json:"message"`
	PaymentIntent *intentWire    `json:"payment_intent"`
}

func toBillPaymentWire(p *app.BillPayment) *billPaymentWire {
	if p == nil {
		return nil
	}
	return &billPaymentWire{
		Status: p.Status, InvoiceID: p.InvoiceID, Amount: p.Amount.Minor(), Currency: p.Amount.Currency().Code,
		Message: p.Message, PaymentIntent: toIntentWire(p.Intent),
	}
}

// cardChoice is the body of the calls that are about one card. set_default, which the web app
// sends when it adds one, is always true and is not read.
type cardChoice struct {
	PaymentMethodID string `json:"paymentMethodId"`
}

// list is how the wire wraps lists.
type list[T any] struct {
	Data []T `json:"data"`
}

func (a *api) listCards(w http.ResponseWriter, r *http.Request, who identity.Identity) error {
	cards, err := a.UseCases.ListCards.Do(r.Context(), who)
	if err != nil {
		return err
	}
	return reply(w, http.StatusOK, list[cardWire]{Data: mapEach(cards, toCardWire)})
}

func (a *api) addCard(w http.ResponseWriter, r *http.Request, who identity.Identity) error {
	id, err := decodeCardChoice(r)
	if err != nil {
		return err
	}
	card, err := a.UseCases.AddCard.Do(r.Context(), who, id)
	if err != nil {
		return err
	}
	return reply(w, http.StatusOK, addedCardWire{toCardWire(card.PaymentMethod), toBillPaymentWire(card.Payment)})
}

func (a *api) deleteCard(w http.ResponseWriter, r *http.Request, who identity.Identity) error {
	id, err := decodeCardChoice(r)
	if err != nil {
		return err
	}
	if err := a.UseCases.DeleteCard.Do(r.Context(), who, id); err != nil {
		return err
	}
	return reply(w, http.StatusOK, done{})
}

func decodeCardChoice(r *http.Request) (string, error) {
	in, err := decode[cardChoice](r)
	if err != nil {
		return "", err
	}
	return in.PaymentMethodID, required("paymentMethodId", in.PaymentMethodID)
}

func toCardWire(m billing.PaymentMethod) cardWire {
	return cardWire{ID: m.ID, Card: cardDataWire{
		Brand: m.Card.Brand, Last4: m.Card.Last4, ExpMonth: m.Card.ExpMonth, ExpYear: m.Card.ExpYear,
	}}
}

// required refuses a call that names nothing.
func required(field, value string) error {
	var fields fault.Fields
	fields.Check(value != "", field, field+" is required")
	return fields.Err()
}
