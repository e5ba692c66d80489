package crash

import (
	"context"
	"math/rand/v2"
	"net/http"
	"slices"

	"github.com/stretchr/testify/require"

	"github.com/vc-admin/diy/app/apptest"
)

// killsPerOverdueUser is the number of kills for each user whose invoice is overdue at the beginning.
const killsPerOverdueUser = 5

// prepareOverdueUsers creates users whose monthly invoice is overdue, because their default card is declined. The users are
// signed out.
func (h *harness) prepareOverdueUsers(count int) {
	ctx, server := h.t.Context(), h.startServer("")
	for range count {
		u := &user{harness: h, rnd: rand.New(rand.NewPCG(h.rnd.Uint64(), 0)), client: newClient(&h.launcher)}
		for _, s := range slices.Concat(registrationSteps, []step{(*user).becomeOverdue}) {
			require.NoError(h.t, u.runStep(ctx, s), "%v", h.report.problems)
		}
		u.isSignedOut = true
		h.overdueUsers <- u
	}
	h.kill(server, killWhilePaused)
	h.advanceClocks(overdueDelay)
	h.settleRenewals()
}

// becomeOverdue subscribes and then makes a declined card the default.
func (u *user) becomeOverdue(ctx context.Context) error {
	if err := u.subscribe(ctx, "standard_monthly", apptest.Visa, true, "active"); err != nil {
		return err
	}
	u.invoiceCount++ // the renewal
	return u.addCard(ctx, apptest.DeclinedChargesCard)
}

// settleOverdueInvoice pays the overdue invoice, adds a default card that pays the invoice, or ends the plan.
func (u *user) settleOverdueInvoice(ctx context.Context) error {
	switch u.rnd.IntN(3) {
	case 0:
		return u.payOpenInvoice(ctx)
	case 1:
		return u.addPayingCard(ctx)
	}
	return u.endOverduePlan(ctx)
}

// addPayingCard adds a default card, which pays the overdue invoice. It reads the result from the user detail, because the
// response to a repeated request may not contain it.
func (u *user) addPayingCard(ctx context.Context) error {
	if err := u.addCard(ctx, apptest.Visa); err != nil {
		return err
	}
	d, err := u.detail(ctx)
	if err == nil && d.OpenPayment != nil {
		u.harness.report.addLoss("user %d: %+v is not paid by the card that was added", u.userNumber, *d.OpenPayment)
		err = errStopped
	}
	return err
}

// endOverduePlan ends the plan, which voids the invoice. A conflict is accepted if another request has ended the plan.
func (u *user) endOverduePlan(ctx context.Context) error {
	responses, err := u.sendOnceOrTwice(ctx, "/vc-admin/org/subscription/cancel", map[string]any{"reason": "too_expensive"})
	if err != nil {
		return err
	}
	d, err := u.detail(ctx)
	if err != nil {
		return err
	}
	for _, res := range responses {
		if !res.isAccepted(len(responses)) || d.License != nil {
			return u.reportUnexpectedResponse("end of an overdue plan", res)
		}
	}
	u.endedSubscriptionID, u.subscriptionID, u.priceID, u.invoiceCount = u.subscriptionID, "", "", 0
	u.countAcknowledgement()
	return nil
}

// changeWithDeclinedCard changes the plan with a card that is declined. It pays or cancels a pending change.
func (u *user) changeWithDeclinedCard(ctx context.Context) error {
	if err := u.addCard(ctx, apptest.DeclinedChargesCard); err != nil {
		return err
	}
	price := u.randomOtherPrice(u.priceID)
	isPending, err := u.requestDeclinedChange(ctx, price)
	if err != nil {
		return err
	}
	if isPending && u.rnd.IntN(3) == 0 {
		if err := u.cancelPendingChange(ctx); err != nil {
			return err
		}
		return u.addCard(ctx, apptest.Visa)
	}
	u.priceID = price
	if isPending {
		return u.payOpenInvoice(ctx)
	}
	return u.addCard(ctx, apptest.Visa)
}

// requestDeclinedChange requests a change with a declined card and reports whether the change is pending. A change for
// which nothing is due takes effect immediately. Each repeated request charges the card again, up to the card's limit.
func (u *user) requestDeclinedChange(ctx context.Context, price string) (isPending bool, err error) {
	responses, err := u.sendOnceOrTwice(ctx, "/vc-admin/org/subscription/update", priceBody(price))
	if err != nil {
		return false, err
	}
	d, err := u.waitUntilCharged(ctx)
	if err != nil {
		return false, err
	}
	u.invoiceCount++
	isPending = d.OpenPayment != nil
	for _, res := range responses {
		isRepeated := res.wasRepeated || len(responses) > 1
		if res.status != http.StatusOK && !(isRepeated && u.isRefusedChange(res, isPending)) || !isPending && d.priceID() != price {
			return false, u.reportUnexpectedResponse("change that is declined", res)
		}
	}
	u.countAcknowledgement()
	return isPending, nil
}

// isRefusedChange reports whether the server refuses the repetition of a declined change.
func (u *user) isRefusedChange(res response, isPending bool) bool {
	if isPending {
		return res.isError("ERRRATE") || u.isWaiting(res)
	}
	return res.isError("ERRCONFLICT")
}

func (u *user) cancelPendingChange(ctx context.Context) error {
	return u.sendExpectingOK(ctx, "/vc-admin/org/subscription/pending/cancel", map[string]any{})
}

// payOpenInvoice pays the open invoice with a new card, which becomes the default card.
func (u *user) payOpenInvoice(ctx context.Context) error {
	d, err := u.detail(ctx)
	if err != nil {
		return err
	}
	if d.OpenPayment == nil {
		u.harness.report.addLoss("user %d: nothing is open", u.userNumber)
		return errStopped
	}
	number := []string{apptest.Visa, apptest.Mastercard}[u.rnd.IntN(2)]
	card, err := u.harness.createCard(ctx, u, number)
	if err != nil {
		return err
	}
	responses, err := u.sendOnceOrTwice(ctx, "/vc-admin/org/subscription/pay", map[string]any{
		"invoiceId": d.OpenPayment.InvoiceID, "amount": d.OpenPayment.Amount, "paymentMethodId": card, "makeDefault": true,
	})
	if err != nil {
		return err
	}
	if err := u.checkPaymentResponses(responses); err != nil {
		return err
	}
	if err := u.recordChargedCard(ctx, card, number); err != nil {
		return err
	}
	u.paidInvoices = append(u.paidInvoices, d.OpenPayment.InvoiceID)
	u.countAcknowledgement()
	return nil
}

// checkPaymentResponses checks that all responses contain the active subscription.
func (u *user) checkPaymentResponses(responses []response) error {
	for _, res := range responses {
		var sub struct{ Status string }
		isActive := res.status == http.StatusOK && res.decode(&sub) == nil && sub.Status == "active"
		if !isActive && !u.isUnfinished(res) {
			return u.reportUnexpectedResponse("payment of an open invoice", res)
		}
	}
	return nil
}
