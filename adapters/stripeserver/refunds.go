package stripeserver

import (
	"context"
	"crypto/rand"
	"net/http"
	"slices"
	"strconv"
	"time"

	"github.com/vc-admin/diy/adapters/fakepayment"
	"github.com/vc-admin/diy/domain/billing"
	"github.com/vc-admin/diy/domain/fault"
	"github.com/vc-admin/diy/domain/money"
)

var refundEndpoints = map[string]endpoint{
	"POST /v1/refunds": {objectType: "refund", params: "payment_intent amount reason metadata",
		serve: (*call).createRefund},
}

// refundSucceeded is the status of a refund that the bank has not sent back.
const refundSucceeded = "succeeded"

// refund is a refund of a part of a charge.
type refund struct {
	id, intentID, status string
	amount               money.Amount
	createdAt            time.Time
}

func (r refund) render() object {
	return object{
		"id": r.id, "object": "refund", "status": r.status, "charge": chargeID(r.intentID), "payment_intent": r.intentID,
		"amount": r.amount.Minor(), "currency": stripeCurrency(r.amount.Currency().Code), "reason": nil, "metadata": object{},
		"created": r.createdAt.Unix(),
	}
}

// createRefund refunds a part of the payment of an invoice.
func (c *call) createRefund() (renderFunc, error) {
	id, err := c.form.requiredText("payment_intent")
	if err != nil {
		return nil, unsupportedError("charge", "")
	}
	errMissing := unknownReferenceError("payment_intent", id, "payment_intent")
	pi, err := readRecord(c, errMissing, func(v view) (fakepayment.IntentRecord, bool) { return v.Intent(id) })
	if err != nil {
		return nil, err
	}
	amount, err := c.requiredAmount(pi.Currency)
	if err != nil {
		return nil, err
	}
	r, err := c.refund(id, pi.InvoiceID, amount)
	if err != nil {
		return nil, err
	}
	return func(view) (object, error) { return r.render(), nil }, nil
}

// refund refunds a part of the payment of the invoice.
func (c *call) refund(intentID, invoiceID string, amount money.Amount) (*refund, error) {
	err := c.provider.RefundKeepingCredit(c.ctx(), invoiceID, amount)
	switch {
	case fault.Is(err, fault.Conflict):
		return nil, invalidRequestError("", "amount", "Refund amount is greater than unrefunded amount on charge.")
	case err != nil:
		return nil, err
	}
	r := &refund{
		id: "re_" + rand.Text(), intentID: intentID, status: refundSucceeded, amount: amount, createdAt: c.provider.Now(),
	}
	c.state.refunds[chargeID(intentID)] = append([]*refund{r}, c.state.refunds[chargeID(intentID)]...)
	return r, nil
}

// refundsOf returns the list of the charge's refunds: those of the API, and the others as the provider has recorded them.
func (v view) refundsOf(id string) any {
	inv, _ := v.invoiceOfCharge(id)
	otherReturns := inv.Returns
	var refunds []object
	for _, r := range v.state.refunds[id] {
		refunds = append(refunds, r.render())
		if r.status == refundSucceeded {
			otherReturns = otherReturns.Reduce(billing.ReturnRefund, r.amount.Minor())
		}
	}
	for i, r := range slices.Backward(otherReturns) {
		if amount, err := money.New(r.Amount, inv.Currency); err == nil && r.Kind == billing.ReturnRefund {
			other := refund{
				id: "re_" + id + "_" + strconv.Itoa(i), intentID: inv.PaymentID, status: refundSucceeded, amount: amount, createdAt: r.At,
			}
			refunds = append(refunds, other.render())
		}
	}
	return newListObject("/v1/charges/"+id+"/refunds", refunds)
}

// failedRefundStatuses contains the statuses in which a refund has returned no money.
var failedRefundStatuses = []string{"failed", "canceled", "requires_action"}

// handleRefund serves POST /local/refunds. The parameter refund is the id of a refund, and status is failed, canceled or
// requires_action. The amount is not refunded any more, as if the customer's bank had sent it back.
func (s *Server) handleRefund(w http.ResponseWriter, r *http.Request) {
	refund, err := s.failRefund(context.WithoutCancel(r.Context()), r.FormValue("refund"), r.FormValue("status"))
	if err != nil {
		errorResponse(err).write(w)
		return
	}
	response{Status: http.StatusOK, Body: refund}.write(w)
}

func (s *Server) failRefund(ctx context.Context, id, status string) (object, error) {
	if !slices.Contains(failedRefundStatuses, status) {
		return nil, invalidRequestError("", "status", "status must be failed, canceled or requires_action")
	}
	s.mu.Lock()
	r := s.findRefund(id)
	if r == nil || r.status != refundSucceeded {
		s.mu.Unlock()
		return nil, notFoundError("refund", id, "refund")
	}
	r.status = status
	failed := *r
	s.mu.Unlock()
	pi, err := s.findIntent(ctx, failed.intentID)
	if err != nil {
		return nil, err
	}
	return failed.render(), s.provider.ReverseRefund(ctx, fakepayment.FailedRefund{
		ID: id, InvoiceID: pi.InvoiceID, Amount: failed.amount, Created: failed.createdAt,
	})
}

// findRefund returns the refund with the id, or nil.
func (s *Server) findRefund(id string) *refund {
	for _, refunds := range s.state.refunds {
		if r := findFirst(refunds, func(r *refund) bool { return r.id == id }); r != nil {
			return r
		}
	}
	return nil
}

func (s *Server) findIntent(ctx context.Context, id string) (pi fakepayment.IntentRecord, err error) {
	err = s.provider.Read(ctx, func(snapshot fakepayment.Snapshot) error {
		pi, _ = snapshot.Intent(id)
		return nil
	})
	return pi, err
}
