package stripeserver

import "github.com/vc-admin/diy/adapters/fakepayment"

// intentOf is the intent of the kind, or nil.
func (v view) intentOf(id, kind string) object {
	in, found := v.Intent(id)
	if !found || string(in.Kind) != kind {
		return nil
	}
	out := object{
		"id": id, "object": kind + "_intent", "livemode": false, "status": string(in.Status), "client_secret": in.Secret,
		"customer": in.Customer, "payment_method": cardAtHand(in), "payment_method_types": []string{"card"}, "metadata": object{},
		"next_action": nextAction(in), "last_" + kind + "_error": v.lastError(in),
	}
	if kind == "setup" {
		out["usage"] = "off_session"
		return out
	}
	out["amount"], out["currency"], out["amount_received"] = in.Amount, small(in.Currency), int64(0)
	out["setup_future_usage"] = "off_session"
	if in.Status == "succeeded" {
		out["amount_received"] = in.Amount
	}
	return out
}

// cardAtHand is gone after a card was declined.
func cardAtHand(in fakepayment.IntentRecord) any {
	if in.Status == "requires_payment_method" {
		return nil
	}
	return orNull(in.Card)
}

// nextAction says where a browser has the card's holder authenticate: here, not at a bank.
func nextAction(in fakepayment.IntentRecord) any {
	if in.Status != "requires_action" {
		return nil
	}
	return object{"type": "use_stripe_sdk", "use_stripe_sdk": object{
		"type": "three_d_secure_redirect", "stripe_js": "/local/authentications/" + in.Secret,
	}}
}

func (v view) lastError(in fakepayment.IntentRecord) any {
	if in.Problem == nil {
		return nil
	}
	out := object{"type": "card_error", "code": in.Problem.Code, "message": in.Problem.Message}
	if in.Problem.DeclineCode != "" {
		out["decline_code"] = in.Problem.DeclineCode
	}
	if card := v.paymentMethod(in.Card); card != nil {
		out["payment_method"] = card
	}
	return out
}
