package stripeserver

import (
	"crypto/subtle"
	"strings"

	"github.com/vc-admin/diy/adapters/fakepayment"
	"github.com/vc-admin/diy/domain/fault"
)

const confirmParams = "payment_method payment_method_data return_url use_stripe_sdk off_session expected_payment_method_type mandate_data"

var intentEndpoints = map[string]endpoint{
	"GET /v1/payment_intents/{id}": {kind: "payment_intent", browser: true, params: "is_stripe_sdk",
		do: (*call).retrieveIntent},
	"POST /v1/payment_intents/{id}/confirm": {kind: "payment_intent", browser: true, params: confirmParams,
		do: (*call).confirmIntent},
	"GET /v1/setup_intents/{id}": {kind: "setup_intent", browser: true, params: "is_stripe_sdk",
		do: (*call).retrieveIntent},
	"POST /v1/setup_intents/{id}/confirm": {kind: "setup_intent", browser: true, params: confirmParams,
		do: (*call).confirmIntent},
}

func (c *call) retrieveIntent() (renderFunc, error) {
	if _, err := c.intent(); err != nil {
		return nil, err
	}
	return showObject(c.kind, c.id("id"), "intent"), nil
}

// intent returns the intent in the path. A browser must present its client secret.
func (c *call) intent() (pi fakepayment.IntentRecord, err error) {
	err = c.read(func(v view) error {
		var found bool
		pi, found = v.Intent(c.id("id"))
		secret := c.form.text("client_secret")
		if !found || string(pi.Kind)+"_intent" != c.kind {
			return notFound(c.kind, c.id("id"), "intent")
		}
		if (c.public || secret != "") && subtle.ConstantTimeCompare([]byte(secret), []byte(pi.Secret)) != 1 {
			return invalidRequest(c.kind+"_invalid_parameter", "client_secret",
				"The client_secret provided does not match the client_secret associated with this "+c.kind+".")
		}
		return nil
	})
	return pi, err
}

// confirmIntent charges the card. An authentication happens later, at completeAuthentication.
func (c *call) confirmIntent() (renderFunc, error) {
	pi, err := c.intent()
	if err != nil {
		return nil, err
	}
	if pi.Status == "succeeded" {
		return nil, invalidRequest(c.kind+"_unexpected_state", "",
			"You cannot confirm this "+intentTypeName(c.kind)+" because it has already succeeded after being previously confirmed.")
	}
	card, err := c.cardToConfirm()
	if err != nil {
		return nil, err
	}
	_, err = c.provider.Confirm(c.ctx(), fakepayment.Confirmation{ClientSecret: pi.Secret, MethodID: card})
	if err != nil {
		return nil, c.confirmError(pi.ID, card, err)
	}
	return showObject(c.kind, pi.ID, "intent"), nil
}

// cardToConfirm returns the id of the given card, or of a new one if card details are given.
func (c *call) cardToConfirm() (string, error) {
	if !c.form.has("payment_method_data[type]") {
		return c.resolveCard(c.form.text("payment_method"))
	}
	typed := &call{Server: c.Server, endpoint: c.endpoint, r: c.r, form: c.form.nestedForm("payment_method_data")}
	entry, err := typed.cardEntry()
	if err != nil {
		return "", err
	}
	card, err := c.provider.CreatePaymentMethod(c.ctx(), entry)
	return card.ID, err
}

// confirmError returns Stripe's error for a failed confirmation, with the intent where Stripe
// includes it.
func (c *call) confirmError(id, card string, err error) error {
	e := toAPIError(err)
	switch fault.CodeOf(err) {
	case fault.NotFound:
		return noSuchObject("PaymentMethod", card, "payment_method")
	case fault.Conflict:
		e.code = c.kind + "_unexpected_state"
	case fault.Declined:
	default:
		return err
	}
	read := c.read(func(v view) error {
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

func intentTypeName(kind string) string {
	return strings.ReplaceAll(strings.ReplaceAll(kind, "payment_i", "PaymentI"), "setup_i", "SetupI")
}

func (v view) paymentIntent(id string) object { return v.intentOf(id, "payment") }

func (v view) setupIntent(id string) object { return v.intentOf(id, "setup") }

// intentOf returns the object of an intent of the given kind, "payment" or "setup", or nil.
func (v view) intentOf(id, kind string) object {
	pi, found := v.Intent(id)
	if !found || string(pi.Kind) != kind {
		return nil
	}
	out := object{
		"id": id, "object": kind + "_intent", "livemode": false, "status": string(pi.Status), "client_secret": pi.Secret,
		"customer": pi.Customer, "payment_method": currentCard(pi), "payment_method_types": []string{"card", debitType},
		"metadata":    object{},
		"next_action": nextAction(pi), "last_" + kind + "_error": v.lastError(pi),
	}
	if kind == "setup" {
		out["usage"] = "off_session"
		return out
	}
	out["amount"], out["currency"], out["amount_received"] = pi.Amount, stripeCurrency(pi.Currency), int64(0)
	out["setup_future_usage"], out["latest_charge"], out["processing"] = "off_session", nil, nil
	if pi.Status == "succeeded" || pi.Status == "processing" {
		out["latest_charge"] = chargeID(id)
	}
	if pi.Status == "succeeded" {
		out["amount_received"] = pi.Amount
	}
	return out
}

// currentCard returns the card of the intent. Stripe removes it after a decline.
func currentCard(pi fakepayment.IntentRecord) any {
	if pi.Status == "requires_payment_method" {
		return nil
	}
	return orNull(pi.Card)
}

// nextAction returns where the browser completes an authentication: at this server instead of a
// bank.
func nextAction(pi fakepayment.IntentRecord) any {
	if pi.Status != "requires_action" {
		return nil
	}
	return object{"type": "use_stripe_sdk", "use_stripe_sdk": object{
		"type": "three_d_secure_redirect", "stripe_js": "/local/authentications/" + pi.Secret,
	}}
}

func (v view) lastError(pi fakepayment.IntentRecord) any {
	if pi.Problem == nil {
		return nil
	}
	out := object{"type": "card_error", "code": pi.Problem.Code, "message": pi.Problem.Message}
	if pi.Problem.DeclineCode != "" {
		out["decline_code"] = pi.Problem.DeclineCode
	}
	if card := v.paymentMethod(pi.Card); card != nil {
		out["payment_method"] = card
	}
	return out
}
