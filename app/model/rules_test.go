package model

import (
	"slices"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"

	"github.com/vc-admin/diy/app/apptest"
	"github.com/vc-admin/diy/domain/billing"
	"github.com/vc-admin/diy/domain/fault"
)

// checkRules checks the result of a request without faults against the provider's state before it.
func (h *harness) checkRules(t *rapid.T, o *org, r request, initialState providerState, res result) {
	code := fault.CodeOf(res.err)
	require.Contains(t, r.expectedCodes(o, initialState), code, "%v", res.err)
	if code == "" {
		r.checkSuccess(t, h, o, initialState, res.response)
	}
}

func (r addCardRequest) checkSuccess(t *rapid.T, h *harness, o *org, _ providerState, _ response) {
	assert.Equal(t, r.cardID, h.providerState(t, o).customer.DefaultCardID)
}

func (r setDefaultRequest) checkSuccess(t *rapid.T, h *harness, o *org, _ providerState, resp response) {
	assert.Equal(t, r.cardID, h.providerState(t, o).customer.DefaultCardID)
	assert.Equal(t, r.cardID, resp.customer.Default.ID)
}

func (r deleteCardRequest) checkSuccess(t *rapid.T, h *harness, o *org, _ providerState, _ response) {
	assert.NotContains(t, h.providerState(t, o).customer.CardIDs, r.cardID)
}

func (createCustomerRequest) checkSuccess(t *rapid.T, h *harness, o *org, _ providerState, resp response) {
	assert.Equal(t, h.providerState(t, o).customer.ID, resp.customer.ID)
	assert.Equal(t, h.account(t, o).CustomerID, resp.customer.ID)
}

func (describeRequest) checkSuccess(t *rapid.T, h *harness, o *org, initialState providerState, resp response) {
	if !o.hasUnreportedChange {
		h.checkLicense(t, initialState, resp.license)
	}
}

func (createCustomerRequest) expectedCodes(*org, providerState) []fault.Code { return []fault.Code{""} }

func (describeRequest) expectedCodes(*org, providerState) []fault.Code { return []fault.Code{""} }

func (r setDefaultRequest) expectedCodes(_ *org, state providerState) []fault.Code {
	return []fault.Code{notSavedCode(state, r.cardID)}
}

// notSavedCode returns NotFound for a card that the customer has not saved.
func notSavedCode(state providerState, cardID string) fault.Code {
	if state.customer.ID == "" || state.cards[cardID].CustomerID != state.customer.ID {
		return fault.NotFound
	}
	return ""
}

func (r addCardRequest) expectedCodes(o *org, state providerState) []fault.Code {
	if state.customer.ID == "" {
		return []fault.Code{fault.NotFound}
	}
	return []fault.Code{saveCardCode(o, state, r.cardID)}
}

// saveCardCode returns the code with which saving a card fails, or "".
func saveCardCode(o *org, state providerState, cardID string) fault.Code {
	_, exists := state.cards[cardID]
	switch {
	case !exists:
		return fault.NotFound
	case o.cardNumber(cardID) == apptest.DeclinedCard:
		return fault.Declined
	}
	return ""
}

func (r deleteCardRequest) expectedCodes(_ *org, state providerState) []fault.Code {
	if notSavedCode(state, r.cardID) == "" && state.customer.DefaultCardID == r.cardID && (state.liveSub() != nil || state.openSub() != nil) {
		return []fault.Code{fault.Conflict}
	}
	return []fault.Code{notSavedCode(state, r.cardID)}
}

// repeats reports whether the request repeats, or may repeat, the request that created the started subscription.
func (r subscribeRequest) repeats(o *org, state providerState) bool {
	sub := state.startedSubscription()
	return sub != nil && slices.ContainsFunc(o.candidates, r.isRepeatOf) && sub.Price == r.price
}

func (r subscribeRequest) expectedCodes(o *org, state providerState) []fault.Code {
	return r.quote.allowConflictIfStale(r.codesWithoutQuote(o, state), state)
}

// codesWithoutQuote returns the error codes that are allowed if the quote is valid or there is none.
func (r subscribeRequest) codesWithoutQuote(o *org, state providerState) []fault.Code {
	switch {
	case r.repeats(o, state) && o.isOutcomeKnown && !state.isOnHold():
		return []fault.Code{""}
	case r.repeats(o, state):
		return []fault.Code{"", fault.Conflict}
	case state.startedSubscription() != nil, state.isOnHold(), state.customer.ID == "", state.hasDebt(),
		state.currency() != "" && state.currency() != r.price.Currency:
		return []fault.Code{fault.Conflict}
	case r.cardCode(o, state) != "":
		return r.cardCodes(o, state)
	case state.openSub() != nil && state.openSub().Price == r.price:
		return []fault.Code{"", fault.RateLimited} // at the fourth charge of the invoice with the card
	}
	return []fault.Code{""}
}

// mayRepeatDecline reports whether the request may repeat a purchase whose card was declined and detached.
func (r subscribeRequest) mayRepeatDecline(o *org, state providerState) bool {
	openSub := state.openSub()
	return openSub != nil && openSub.Price == r.price && r.cardCode(o, state) != "" && slices.ContainsFunc(o.candidates, r.isRepeatOf)
}

// cardCodes returns the codes of a request whose card can't be used.
func (r subscribeRequest) cardCodes(o *org, state providerState) []fault.Code {
	codes := []fault.Code{r.cardCode(o, state)}
	if r.mayRepeatDecline(o, state) {
		return append(codes, "")
	}
	return codes
}

// cardCode returns the code with which using the card fails, or "".
func (r subscribeRequest) cardCode(o *org, state providerState) fault.Code {
	switch {
	case r.cardID != "":
		return saveCardCode(o, state, r.cardID)
	case state.customer.DefaultCardID == "":
		return fault.Invalid
	}
	return ""
}

func (r subscribeRequest) checkSuccess(t *rapid.T, h *harness, o *org, initialState providerState, resp response) {
	sub, finalState := resp.sub, h.providerState(t, o)
	h.counters["subscribed"]++
	require.NotEmpty(t, finalState.subs)
	newestSub := finalState.subs[0]
	assert.Equal(t, newestSub.ID, sub.ID)
	assert.Equal(t, newestSub.Status, sub.Status)
	assert.Equal(t, r.price, newestSub.Price)
	if r.repeats(o, initialState) {
		assert.Equal(t, initialState.startedSubscription().ID, sub.ID)
		return
	}
	if r.mayRepeatDecline(o, initialState) {
		assert.Equal(t, initialState.openSub().ID, sub.ID)
		return
	}
	if initialState.newestSub(func(s billing.Status) bool { return s == billing.Unpaid }) != nil {
		h.counters["unpaid replaced"]++
		assert.Nil(t, finalState.newestSub(func(s billing.Status) bool { return s == billing.Unpaid }),
			"the unpaid subscription is replaced")
	}
	r.quote.checkChargedAmount(t, h, initialState, sub)
	openSub := initialState.openSub()
	isContinued := openSub != nil && openSub.Price == r.price
	if isContinued {
		assert.Equal(t, openSub.ID, sub.ID)
	} else {
		assert.Len(t, finalState.subs, len(initialState.subs)+1)
		o.candidates, o.isOutcomeKnown = nil, true
	}
	o.candidates = append(o.candidates, r)
	r.checkPayment(t, o, initialState, finalState, sub, isContinued)
}

// checkPayment requires that a new or continued subscription was paid with the card of the request, if it was charged.
func (r subscribeRequest) checkPayment(
	t *rapid.T, o *org, initialState, finalState providerState, sub billing.Subscription, isContinued bool,
) {
	cardID := r.cardID
	if cardID == "" {
		cardID = initialState.customer.DefaultCardID
	}
	wantDefault := cardID
	wasSaved := slices.Contains(initialState.customer.CardIDs, cardID)
	if !isContinued && !wasSaved && sub.Status == billing.Incomplete && sub.Next.Kind == billing.NewPaymentMethod {
		wantDefault = initialState.customer.DefaultCardID // the declined card is detached
		assert.NotContains(t, finalState.customer.CardIDs, cardID)
	}
	assert.Equal(t, wantDefault, finalState.customer.DefaultCardID)
	if !isContinued && !r.noTrial && !initialState.hasUsedTrial() {
		assert.Equal(t, billing.Trialing, sub.Status)
		return
	}
	pi, ok := finalState.intents[sub.ID]
	if !ok {
		assert.Equal(t, billing.Active, sub.Status, "paid with credit")
		return
	}
	assert.Equal(t, initialState.statusAfterCharge(o, cardID), sub.Status)
	assert.Equal(t, cardID, pi.CardID, "the card that was charged")
}

func (r changeRequest) expectedCodes(_ *org, state providerState) []fault.Code {
	codes := []fault.Code{state.refusalCode(r)}
	if codes[0] == "" && state.liveSub().Pending != nil {
		codes = []fault.Code{payCode(state, state.customer.DefaultCardID), fault.RateLimited} // at the fourth charge with the card
	}
	return r.quote.allowConflictIfStale(codes, state)
}

// refusalCode returns Conflict if the plan may not be changed, and "" otherwise.
func (state providerState) refusalCode(r changeRequest) fault.Code {
	liveSub, isNow := state.liveSub(), r.timing == billing.ChangeNow
	switch {
	case liveSub == nil, state.isOnHold(), liveSub.Price.Currency != r.price.Currency, !liveSub.EndsAt.IsZero(),
		state.isProcessing(liveSub):
		return fault.Conflict
	case liveSub.Pending != nil:
		return conflictUnless(isNow && liveSub.Pending.To == r.price)
	}
	return conflictUnless(liveSub.Price != r.price && liveSub.Status != billing.PastDue)
}

// payCode returns Invalid for a card that is not saved.
func payCode(state providerState, cardID string) fault.Code {
	if state.cards[cardID].CustomerID != state.customer.ID {
		return fault.Invalid
	}
	return ""
}

func (r changeRequest) checkSuccess(t *rapid.T, h *harness, o *org, initialState providerState, resp response) {
	sub, finalState := resp.sub, h.providerState(t, o)
	previousSub, liveSub := initialState.liveSub(), finalState.liveSub()
	require.NotNil(t, liveSub)
	assert.Equal(t, previousSub.ID, liveSub.ID, "the plan is changed in place")
	assert.Equal(t, liveSub.ID, sub.ID)
	assert.Len(t, finalState.subs, len(initialState.subs))
	if r.timing == billing.ChangeAtRenewal {
		r.checkScheduledChange(t, h, o, initialState, sub)
		return
	}
	pi, isCharged := finalState.intents[liveSub.ID]
	if isCharged && (sub.Pending != nil || pi.Status == billing.Succeeded) {
		assert.Equal(t, initialState.customer.DefaultCardID, pi.CardID, "the card that was charged")
	}
	r.quote.checkChargedAmount(t, h, initialState, sub)
	if sub.Pending != nil {
		h.counters["change pending"]++
		assert.NotEqual(t, billing.Active, initialState.statusAfterCharge(o, initialState.customer.DefaultCardID),
			"the change is pending although the card can be charged")
		assert.Equal(t, r.price, sub.Pending.To)
		if previousSub.Pending == nil {
			assert.Equal(t, previousSub.Scheduled, sub.Pending.Replaces)
		}
		h.checkUnchanged(t, initialState, finalState)
		return
	}
	h.counters["changed"]++
	assert.Nil(t, liveSub.Scheduled)
	if previousSub.Scheduled != nil {
		h.counters["schedule replaced"]++
	}
	assert.Equal(t, r.price, liveSub.Price)
	assert.Equal(t, billing.Active, liveSub.Status)
}

// checkUnchanged requires that an unpaid change has not changed the plan, status, period, trial and earlier invoices.
func (h *harness) checkUnchanged(t *rapid.T, initialState, finalState providerState) {
	previousSub, liveSub := initialState.liveSub(), finalState.liveSub()
	assert.Equal(t, previousSub.Price, liveSub.Price)
	assert.Equal(t, previousSub.Status, liveSub.Status)
	assert.Equal(t, previousSub.CurrentPeriodEnd, liveSub.CurrentPeriodEnd)
	assert.Equal(t, previousSub.TrialEnd, liveSub.TrialEnd)
	invoices := finalState.invoices[liveSub.ID]
	if previousSub.Pending == nil {
		invoices = invoices[1:] // without the invoice of the change
	}
	assert.Equal(t, initialState.invoices[previousSub.ID], invoices)
}
