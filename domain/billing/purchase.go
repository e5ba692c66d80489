package billing

import "github.com/vc-admin/diy/domain/catalogue"

// Purchase is a request to subscribe to a plan.
type Purchase struct {
	Plan    catalogue.Plan
	Price   catalogue.PriceRef // of the plan
	CardID  string             // the card to pay with from now on; "" for the default card
	NoTrial bool               // can only take a trial away
}

// PlanPurchase returns the steps that make the purchase, or the refusal of CheckSubscribe.
//
// An open subscription for the same price is paid instead of starting another one, so that two
// clicks never make two; one for another price is ended, because what was shown is what is charged.
// An unpaid one is ended too: it could still be paid for and would be a second one then. Nothing is
// ended before the card has been saved.
func PlanPurchase(a *Account, p Purchase) ([]Step, error) {
	if err := CheckSubscribe(a, p.Price); err != nil {
		return nil, err
	}
	open := a.Open()
	pays := open != nil && open.Price == p.Price
	ends := endSteps(a, p.Price)
	var steps []Step
	if p.CardID != "" && (pays || len(ends) > 0) {
		steps = append(steps, Step{Kind: SaveCardStep, CustomerID: a.CustomerID, CardID: p.CardID})
	}
	steps = append(steps, ends...)
	if pays {
		return append(steps, payStep(a, *open)), nil
	}
	return append(steps, Step{
		Kind: StartSubscriptionStep, CustomerID: a.CustomerID, CardID: p.CardID, Price: p.Price,
		TrialDays: TrialDays(a, p.Plan, p.NoTrial), First: len(a.Subscriptions) == 0,
	}), nil
}

// endSteps ends the subscriptions that could still be paid for beside one at the price.
func endSteps(a *Account, price catalogue.PriceRef) []Step {
	var ends []Step
	for _, s := range a.Subscriptions {
		if s.Status == Unpaid || s.Status == Incomplete && s.Price != price {
			ends = append(ends, Step{Kind: EndUnpaidStep, CustomerID: a.CustomerID, SubscriptionID: s.ID})
		}
	}
	return ends
}

// payStep pays the subscription's latest invoice with the default card.
func payStep(a *Account, s Subscription) Step {
	step := Step{Kind: PayInvoiceStep, CustomerID: a.CustomerID, SubscriptionID: s.ID}
	if s.LatestInvoice != nil {
		step.InvoiceID, step.Amount = s.LatestInvoice.ID, s.LatestInvoice.AmountDue
	}
	return step
}

// PlanChange returns the steps that change the plan, or the refusal of CheckChange. Choosing the plan
// of a pending change again pays its invoice.
func PlanChange(a *Account, to catalogue.PriceRef) ([]Step, error) {
	if err := CheckChange(a, to); err != nil {
		return nil, err
	}
	live := a.Live()
	if live.Pending != nil {
		return []Step{{
			Kind: PayInvoiceStep, CustomerID: a.CustomerID, SubscriptionID: live.ID,
			InvoiceID: live.Pending.InvoiceID, Amount: live.Pending.Amount,
		}}, nil
	}
	return []Step{{
		Kind: ChangePlanStep, CustomerID: a.CustomerID, SubscriptionID: live.ID,
		From: live.Price, Price: to, EndTrial: live.Status == Trialing,
	}}, nil
}

// PlanOverdue returns the step that pays an overdue bill, or none.
func PlanOverdue(a *Account) []Step {
	live := a.Live()
	if live == nil || live.Status != PastDue || live.LatestInvoice == nil {
		return nil
	}
	return []Step{payStep(a, *live)}
}
