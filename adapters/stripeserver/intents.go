package stripeserver

import (
	"context"
	"crypto/subtle"
	"maps"
	"net/http"
	"strings"

	"github.com/vc-admin/diy/adapters/fakepayment"
	"github.com/vc-admin/diy/domain/fault"
)

const confirmParams = "payment_method payment_method_data return_url use_stripe_sdk off_session " +
	"expected_payment_method_type mandate_data"

var intentEndpoints = map[string]endpoint{
	"GET /v1/payment_intents/{id}": {objectType: "payment_intent", allowsPublishableKey: true, params: "is_stripe_sdk",
		serve: (*call).retrieveIntent},
	"POST /v1/payment_intents/{id}/confirm": {objectType: "payment_intent", allowsPublishableKey: true, params: confirmParams,
		serve: (*call).confirmIntent},
	"GET /v1/setup_intents/{id}": {objectType: "setup_intent", allowsPublishableKey: true, params: "is_stripe_sdk",
		serve: (*call).retrieveIntent},
	"POST /v1/setup_intents/{id}/confirm": {objectType: "setup_intent", allowsPublishableKey: true, params: confirmParams,
		serve: (*call).confirmIntent},
}

func (c *call) retrieveIntent() (renderFunc, error) {
	if _, err := c.readIntent(); err != nil {
		return nil, err
	}
	return newObjectRenderer(c.objectType, c.pathValue("id"), "intent"), nil
}

// readIntent returns the intent in the path. A request with the publishable key must have the intent's client secret.
func (c *call) readIntent() (pi fakepayment.IntentRecord, err error) {
	err = c.read(func(v view) error {
		var found bool
		pi, found = v.Intent(c.pathValue("id"))
		secret := c.form.text("client_secret")
		if !found || string(pi.Kind)+"_intent" != c.objectType {
			return notFoundError(c.objectType, c.pathValue("id"), "intent")
		}
		if (c.usesPublishableKey || secret != "") && subtle.ConstantTimeCompare([]byte(secret), []byte(pi.Secret)) != 1 {
			return invalidRequestError(c.objectType+"_invalid_parameter", "client_secret",
				"The client_secret provided does not match the client_secret associated with this "+c.objectType+".")
		}
		return nil
	})
	return pi, err
}

// confirmIntent charges the card. If that requires authentication, handleAuthentication completes it.
func (c *call) confirmIntent() (renderFunc, error) {
	pi, err := c.readIntent()
	if err != nil {
		return nil, err
	}
	if pi.Status == "succeeded" {
		return nil, invalidRequestError(c.objectType+"_unexpected_state", "",
			"You cannot confirm this "+intentTypeName(c.objectType)+
				" because it has already succeeded after being previously confirmed.")
	}
	methodID, err := c.resolveConfirmationMethodID()
	if err != nil {
		return nil, err
	}
	_, err = c.provider.Confirm(c.ctx(), fakepayment.Confirmation{ClientSecret: pi.Secret, MethodID: methodID})
	if err != nil {
		return nil, c.confirmError(pi.ID, methodID, err)
	}
	return newObjectRenderer(c.objectType, pi.ID, "intent"), nil
}

// resolveConfirmationMethodID returns the id of the request's payment method. If the request contains card details, it
// creates the payment method from them.
func (c *call) resolveConfirmationMethodID() (string, error) {
	if !c.form.has("payment_method_data[type]") {
		return c.resolveMethodID(c.form.text("payment_method"))
	}
	entry, err := c.form.nestedForm("payment_method_data").parseCardEntry()
	if err != nil {
		return "", err
	}
	method, err := c.provider.CreatePaymentMethod(c.ctx(), entry)
	return method.ID, err
}

// handleAuthentication serves POST /local/authentications/{secret} with outcome=complete or outcome=fail. It acts as
// the bank's authentication page.
func (s *Server) handleAuthentication(w http.ResponseWriter, r *http.Request) {
	outcome := fakepayment.Outcome(r.FormValue("outcome"))
	if outcome != fakepayment.OutcomeComplete && outcome != fakepayment.OutcomeFail {
		errorResponse(invalidRequestError("", "outcome", "outcome must be complete or fail")).write(w)
		return
	}
	intent, err := s.provider.Confirm(context.WithoutCancel(r.Context()), fakepayment.Confirmation{
		ClientSecret: r.PathValue("secret"), Outcome: outcome,
	})
	if err != nil {
		errorResponse(err).write(w)
		return
	}
	response{Status: http.StatusOK, Body: object{"id": intent.ID, "status": string(intent.Status)}}.write(w)
}

// confirmError returns Stripe's error for a failed confirmation. After a decline and in an unexpected state it includes
// the intent.
func (c *call) confirmError(id, methodID string, err error) error {
	e := toAPIError(err)
	switch fault.CodeOf(err) {
	case fault.NotFound:
		return unknownReferenceError("PaymentMethod", methodID, "payment_method")
	case fault.Conflict:
		e.code = c.objectType + "_unexpected_state"
	case fault.Declined:
	default:
		return err
	}
	readErr := c.read(func(v view) error {
		declined := e.fields
		e.fields = object{c.objectType: v.findObject(c.objectType, id)}
		maps.Copy(e.fields, declined)
		return nil
	})
	if readErr != nil {
		return readErr
	}
	return e
}

// intentTypeName returns PaymentIntent for payment_intent and SetupIntent for setup_intent.
func intentTypeName(objectType string) string {
	return strings.ReplaceAll(strings.ReplaceAll(objectType, "payment_i", "PaymentI"), "setup_i", "SetupI")
}

func (v view) paymentIntentObject(id string) object { return v.intentObject(id, "payment") }

func (v view) setupIntentObject(id string) object { return v.intentObject(id, "setup") }

// intentObject returns the object of an intent of the given kind, "payment" or "setup", or nil.
func (v view) intentObject(id, kind string) object {
	pi, found := v.Intent(id)
	if !found || string(pi.Kind) != kind {
		return nil
	}
	intent := object{
		"id": id, "object": kind + "_intent", "livemode": false, "status": string(pi.Status), "client_secret": pi.Secret,
		"customer": pi.CustomerID, "payment_method": currentMethodID(pi), "payment_method_types": []string{"card", becsDebitType},
		"metadata": object{}, "created": pi.Created.Unix(),
		"next_action": nextAction(pi), "last_" + kind + "_error": v.lastError(pi),
	}
	if kind == "setup" {
		intent["usage"] = "off_session"
		return intent
	}
	intent["amount"], intent["currency"], intent["amount_received"] = pi.Amount, stripeCurrency(pi.Currency), int64(0)
	intent["setup_future_usage"], intent["latest_charge"], intent["processing"] = "off_session", nil, nil
	if pi.Status == "succeeded" || pi.Status == "processing" {
		intent["latest_charge"] = chargeID(id)
	}
	if pi.Status == "succeeded" {
		intent["amount_received"] = pi.Amount
	}
	return intent
}

// currentMethodID returns the id of the intent's payment method, or null after a decline, when Stripe removes it.
func currentMethodID(pi fakepayment.IntentRecord) any {
	if pi.Status == "requires_payment_method" {
		return nil
	}
	return textOrNull(pi.CardID)
}

// nextAction returns the action by which the browser completes a required authentication, or null. This server serves the
// authentication page instead of a bank.
func nextAction(pi fakepayment.IntentRecord) any {
	if pi.Status != "requires_action" {
		return nil
	}
	return object{"type": "use_stripe_sdk", "use_stripe_sdk": object{
		"type": "three_d_secure_redirect", "stripe_js": "/local/authentications/" + pi.Secret,
	}}
}

func (v view) lastError(pi fakepayment.IntentRecord) any {
	if pi.LastError == nil {
		return nil
	}
	lastErr := object{"type": "card_error", "code": pi.LastError.Code, "message": pi.LastError.Message}
	maps.Copy(lastErr, declineFields(*pi.LastError))
	if method := v.paymentMethodObject(pi.CardID); method != nil {
		lastErr["payment_method"] = method
	}
	return lastErr
}
