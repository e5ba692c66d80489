package crash

import (
	"context"
	"net/http"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/vc-admin/diy/app/apptest"
	"github.com/vc-admin/diy/domain/billing"
)

// settlementTime is the time after which a payment from a bank account arrives or fails.
const settlementTime = 3 * 24 * time.Hour

// subscribeFromBankAccount subscribes with a bank account, from which the payment arrives or fails after settlementTime.
func (u *user) subscribeFromBankAccount(ctx context.Context) error {
	u.bankAccount = []string{apptest.SettlingAccount, apptest.FailingAccount}[u.rnd.IntN(2)]
	u.isAccountSaved = u.harness.usesGateway
	if err := u.subscribe(ctx, u.randomOtherPrice(""), u.bankAccount, true, "incomplete"); err != nil {
		return err
	}
	u.harness.addBankAccountUser(u)
	return nil
}

func (h *harness) addBankAccountUser(u *user) {
	h.recorder.mu.Lock()
	defer h.recorder.mu.Unlock()
	h.bankAccountUsers = append(h.bankAccountUsers, u)
}

// payProcessingInvoice pays the invoice with a card while the payment from the bank account is processing. The request
// must have no effect.
func (u *user) payProcessingInvoice(ctx context.Context) error {
	d, err := u.detail(ctx)
	if err != nil {
		return err
	}
	if d.Processing == nil || d.License != nil {
		u.harness.report.addLoss("user %d: no payment is processing: %+v", u.userNumber, d)
		return errStopped
	}
	card, err := u.harness.createCard(ctx, u, apptest.Visa)
	if err != nil {
		return err
	}
	responses, err := u.sendOnceOrTwice(ctx, "/vc-admin/org/subscription/pay", map[string]any{
		"invoiceId": d.Processing.InvoiceID, "amount": d.Processing.Amount, "paymentMethodId": card,
	})
	if err != nil {
		return err
	}
	for _, res := range responses {
		var sub struct{ Status string }
		if res.status != http.StatusOK || res.decode(&sub) != nil || sub.Status != string(billing.Incomplete) {
			return u.reportUnexpectedResponse("second payment", res)
		}
	}
	return nil
}

// subscribeWhileProcessing requests another plan with a card while the payment from the bank account is processing. The
// server must refuse the request.
func (u *user) subscribeWhileProcessing(ctx context.Context) error {
	card, err := u.harness.createCard(ctx, u, apptest.Visa)
	if err != nil {
		return err
	}
	body := priceBody(u.randomOtherPrice(u.priceID))
	body["customerId"], body["paymentMethodId"], body["no_trial"] = u.customerID, card, true
	res, err := u.post(ctx, "/vc-admin/user-diy/subscribe", body)
	if err == nil && !res.isError("ERRCONFLICT") {
		err = u.reportUnexpectedResponse("second subscription", res)
	}
	return err
}

// settleBankPayments starts a server after the payments from bank accounts have arrived or failed. Their users check the
// result, and the remaining overdue users sign in. Then it kills the server.
func (h *harness) settleBankPayments() {
	if len(h.bankAccountUsers) == 0 {
		return
	}
	h.advanceClocks(takeoverDelay)
	h.settleRenewals() // a worker looks up the charges of a killed server within minutes, not after days
	h.advanceClocks(settlementTime + time.Hour)
	h.settleRenewals()
	server := h.startServer("")
	for _, u := range h.bankAccountUsers {
		require.NoError(h.t, u.checkBankPayment(h.t.Context()))
	}
	for len(h.overdueUsers) > 0 {
		require.NoError(h.t, (<-h.overdueUsers).signIn(h.t.Context()))
	}
	h.kill(server, killWhilePaused)
}

// checkBankPayment checks that the plan is active if the payment has arrived, and that the invoice is open if the payment has
// failed.
func (u *user) checkBankPayment(ctx context.Context) error {
	if err := u.signIn(ctx); err != nil {
		return err
	}
	d, err := u.detail(ctx)
	if err != nil {
		return err
	}
	isPaid, isOpen := d.priceID() == u.priceID, d.OpenPayment != nil
	wantPaid := u.bankAccount == apptest.SettlingAccount
	if isPaid != wantPaid || isOpen == wantPaid || d.Processing != nil {
		u.harness.report.addLoss("user %d: %s paid with %s became %+v", u.userNumber, u.subscriptionID, u.bankAccount, d)
	}
	return nil
}

// compareBankPayment compares a subscription that is paid from a bank account with the state that it must have at this time:
// its payment is processing, has arrived, or has failed.
func (c *comparison) compareBankPayment(r *record, sub billing.Subscription) {
	isSettled := !c.clock.Now().Before(sub.CreatedAt.Add(settlementTime))
	status, next := billing.Incomplete, billing.Wait
	switch {
	case isSettled && r.bankAccount == apptest.SettlingAccount:
		status, next = billing.Active, billing.NoAction
	case isSettled:
		next = billing.NewPaymentMethod
	}
	if sub.Status != status || sub.Next.Kind != next || sub.Price.PriceID() != r.priceID {
		c.report.addLoss("user %d: acknowledged %s on %s paid with %s, there is %+v", r.userNumber, r.subscriptionID, r.priceID,
			r.bankAccount, sub)
	}
}
