package stripeserver

import (
	"crypto/subtle"
	"strings"

	"github.com/vc-admin/diy/adapters/fakepayment"
	"github.com/vc-admin/diy/domain/fault"
)

const confirmParams = "payment_method payment_method_data return_url use_stripe_sdk off_session expected_payment_method_type mandate_data"

var intentEndpoints = map[string]endpoint{
	"GET /v1/payment_intents/{id}":          {kind: "payment_intent", browser: true, params: "is_stripe_sdk", do: (*call).retrieveIntent},
	"POST /v1/payment_intents/{id}/confirm": {kind: "payment_intent", browser: true, params: confirmParams, do: (*call).confirmIntent},
	"GET /v1/setup_intents/{id}":            {kind: "setup_intent", browser: true, params: "is_stripe_sdk", do: (*call).retrieveIntent},
	"POST /v1/setup_intents/{id}/confirm":   {kind: "setup_intent", browser: true, params: confirmParams, do: (*call).confirmIntent},
}

func (c *call) retrieveIntent() (show, error) {
	if _, err := c.intent(); err != nil {
		return nil, err
	}
	return one(c.kind, c.id("id"), "intent"), nil
}

// intent finds the one in the path. A browser has to know its secret.
func (c *call) intent() (in fakepayment.IntentRecord, err error) {
	err = c.books(func(v view) error {
		var found bool
		in, found = v.Intent(c.id("id"))
		secret := c.form.text("client_secret")
		if !found || string(in.Kind)+"_intent" != c.kind {
			return missing(c.kind, c.id("id"), "intent")
		}
		if (c.public || secret != "") && subtle.ConstantTimeCompare([]byte(secret), []byte(in.Secret)) != 1 {
			return invalidRequest(c.kind+"_invalid_parameter", "client_secret", "The client_secret provided does not match the client_secret associated with this "+c.kind+".")
		}
		return nil
	})
	return in, err
}

// confirmIntent tries the intent with a card. What the card's holder is asked is not asked here.
func (c *call) confirmIntent() (show, error) {
	in, err := c.intent()
	if err != nil {
		return nil, err
	}
	if in.Status == "succeeded" {
		return nil, invalidRequest(c.kind+"_unexpected_state", "", "You cannot confirm this "+spokenIntent(c.kind)+" because it has already succeeded after being previously confirmed.")
	}
	card, err := c.confirmingCard()
	if err != nil {
		return nil, err
	}
	_, err = c.provider.Confirm(c.ctx(), fakepayment.Confirmation{ClientSecret: in.Secret, CardID: card})
	if err != nil {
		return nil, c.notConfirmed(in.ID, card, err)
	}
	return one(c.kind, in.ID, "intent"), nil
}

// confirmingCard is the card named, or one that is typed now.
func (c *call) confirmingCard() (string, error) {
	if !c.form.has("payment_method_data[type]") {
		return c.cardNamed(c.form.text("payment_method"))
	}
	typed := &call{Face: c.Face, endpoint: c.endpoint, r: c.r, form: c.form.under("payment_method_data")}
	entry, err := typed.cardEntry()
	if err != nil {
		return "", err
	}
	made, err := c.provider.CreatePaymentMethod(c.ctx(), entry)
	return made.ID, err
}

// notConfirmed is the refusal, with the intent as it then is where Stripe sends it along.
func (c *call) notConfirmed(id, card string, err error) error {
	e := refused(err)
	switch fault.CodeOf(err) {
	case fault.NotFound:
		return missingParam("PaymentMethod", card, "payment_method")
	case fault.Conflict:
		e.code = c.kind + "_unexpected_state"
	case fault.Declined:
	default:
		return err
	}
	read := c.books(func(v view) error {
		e.more = object{c.kind: v.find(c.kind, id), "decline_code": e.more["decline_code"]}
		return nil
	})
	if read != nil {
		return read
	}
	if e.more["decline_code"] == nil {
		delete(e.more, "decline_code")
	}
	return e
}

func spokenIntent(kind string) string {
	return strings.ReplaceAll(strings.ReplaceAll(kind, "payment_i", "PaymentI"), "setup_i", "SetupI")
}

func (v view) paymentIntent(id string) object { return v.intentOf(id, "payment") }

func (v view) setupIntent(id string) object { return v.intentOf(id, "setup") }
