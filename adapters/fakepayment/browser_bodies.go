package fakepayment

import "github.com/vc-admin/diy/domain/billing"

// The wire forms of the browser face; the package comment describes them.

type cardBody struct {
	Number   string `json:"number"`
	ExpMonth int    `json:"exp_month"`
	ExpYear  int    `json:"exp_year"`
	CVC      string `json:"cvc"`
}

type shownCardBody struct {
	Brand    string `json:"brand"`
	Last4    string `json:"last4"`
	ExpMonth int    `json:"exp_month"`
	ExpYear  int    `json:"exp_year"`
}

type paymentMethodBody struct {
	ID     string        `json:"id"`
	Object string        `json:"object"`
	Type   string        `json:"type"`
	Card   shownCardBody `json:"card"`
}

// intentBody is the wire form of an intent.
type intentBody struct {
	ID           string               `json:"id"`
	Object       string               `json:"object"`
	Kind         intentKind           `json:"kind"`
	Status       billing.IntentStatus `json:"status"`
	ClientSecret string               `json:"client_secret"`
	Amount       int64                `json:"amount,omitempty"`
	Currency     string               `json:"currency,omitempty"`
	Card         *shownCardBody       `json:"card,omitempty"`
	PaymentError *errorBody           `json:"last_payment_error,omitempty"`
	SetupError   *errorBody           `json:"last_setup_error,omitempty"`
}

func shownCard(c billing.Card) shownCardBody {
	return shownCardBody{Brand: c.Brand, Last4: c.Last4, ExpMonth: c.ExpMonth, ExpYear: c.ExpYear}
}

func bodyOf(in intent, with card) intentBody {
	out := intentBody{
		ID: in.ID, Object: string(in.Kind) + "_intent", Kind: in.Kind, Status: in.Status,
		ClientSecret: in.Secret, Amount: in.Amount, Currency: in.Currency,
	}
	if with.ID != "" {
		shown := shownCard(with.Card)
		out.Card = &shown
	}
	if in.Kind == kindSetup {
		out.SetupError = errorOf(in.Problem)
	} else {
		out.PaymentError = errorOf(in.Problem)
	}
	return out
}
