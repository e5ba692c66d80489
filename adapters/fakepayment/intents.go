package fakepayment

import "github.com/vc-admin/diy/domain/billing"

// attempt is the intent after the card was tried; the consequences are settle's.
func (t *tx) attempt(in intent, cardID string) intent {
	found, known := t.cards.get(cardID)
	in.Card, in.Problem = cardID, nil
	switch {
	case !known:
		in.Card, in.Problem = "", &noCard
	case in.Kind == kindPayment:
		in.Problem = found.problemPaying(t.now)
	default:
		in.Problem = found.problemSaving(t.now)
	}
	switch {
	case in.Problem != nil:
		in.Status = billing.RequiresPaymentMethod
	case found.asksHolder():
		in.Status = billing.RequiresAction
	default:
		in.Status = billing.Succeeded
	}
	return in
}

// authenticate is the intent after its card's holder has been asked.
func (t *tx) authenticate(in intent, passed bool) intent {
	if !passed {
		in.Status, in.Problem = billing.RequiresPaymentMethod, notAuthenticated(in.Kind)
		return in
	}
	if found, known := t.cards.get(in.Card); known {
		found.Authenticated = true
		t.cards.put(found)
	}
	in.Status = billing.Succeeded
	return in
}

// settle stores the intent and does what follows from it.
func (t *tx) settle(in intent) {
	t.intents.put(in)
	if in.Status == billing.Succeeded {
		t.adopt(in)
	}
	if in.Kind == kindSetup {
		t.settleSetup(in)
		return
	}
	inv, s := t.invoices.rows[in.Invoice], t.subscriptions.rows[in.Subscription]
	switch in.Status {
	case billing.Succeeded:
		t.settlePaid(inv, s)
	case billing.RequiresAction:
		t.saveSubscription(t.notPaid(s))
		t.emit("invoice.payment_action_required", invoiceObject(inv))
	default:
		t.saveSubscription(t.notPaid(s))
		t.emit("invoice.payment_failed", invoiceObject(inv))
	}
}

// adopt saves the card that did, when the browser brought it along.
func (t *tx) adopt(in intent) {
	c, known := t.customers.get(in.Customer)
	if found, left := t.cards.get(in.Card); known && left && found.Customer == "" {
		t.attach(c, found)
	}
}

func (t *tx) settlePaid(inv invoice, s subscription) {
	inv.Status = invoicePaid
	t.invoices.put(inv)
	t.emit("invoice.paid", invoiceObject(inv))
	if s.Invoice != inv.ID || s.Status == billing.Canceled {
		return // an old debt was paid, which brings nothing back
	}
	if s.Status == billing.Unpaid {
		// Nothing was billed since it was given up: what is paid now is for the time from now.
		s.PeriodStart, s.PeriodEnd = t.now, periodEnd(s.Anchor, t.now, s.Price.Interval)
	}
	if s.Pending.Invoice == inv.ID {
		t.saveSubscription(t.changed(s, s.Pending))
		return
	}
	t.saveSubscription(activated(s))
}

func (t *tx) settleSetup(in intent) {
	if in.Status != billing.Succeeded {
		return
	}
	t.emit("setup_intent.succeeded", setupObject(in))
	s := t.subscriptions.rows[in.Subscription]
	if s.Setup == in.ID {
		s.Setup = ""
		t.saveSubscription(s)
	}
}
