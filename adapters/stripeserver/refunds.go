package stripeserver

import (
	"context"
	"crypto/rand"
	"maps"
	"net/http"
	"slices"

	"github.com/vc-admin/diy/adapters/fakepayment"
	"github.com/vc-admin/diy/domain/fault"
	"github.com/vc-admin/diy/domain/money"
)

var refundEndpoints = map[string]endpoint{
	"POST /v1/refunds": {objectType: "refund", params: "payment_intent amount reason metadata",
		serve: (*call).createRefund},
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
	err = c.provider.RefundKeepingCredit(c.ctx(), pi.InvoiceID, amount)
	switch {
	case fault.Is(err, fault.Conflict):
		return nil, invalidRequestError("", "amount", "Refund amount is greater than unrefunded amount on charge.")
	case err != nil:
		return nil, err
	}
	refund := object{
		"id": "re_" + rand.Text(), "object": "refund", "status": "succeeded", "charge": chargeID(id), "payment_intent": id,
		"amount": amount.Minor(), "currency": stripeCurrency(pi.Currency), "reason": nil, "metadata": object{},
		"created": c.provider.Now().Unix(),
	}
	c.state.refunds[chargeID(id)] = append([]object{refund}, c.state.refunds[chargeID(id)]...)
	return func(view) (object, error) { return maps.Clone(refund), nil }, nil
}

// refundsOf returns the list of the charge's refunds. What was not refunded with the API is one further refund.
func (v view) refundsOf(id string) any {
	inv, _ := v.invoiceOfCharge(id)
	var refunds []object
	rest := inv.Refunded
	for _, refund := range v.state.refunds[id] {
		refunds = append(refunds, maps.Clone(refund))
		if refund["status"] == "succeeded" {
			rest -= refund["amount"].(int64)
		}
	}
	if rest > 0 {
		refunds = append(refunds, object{"id": "re_" + id, "object": "refund", "status": "succeeded", "charge": id,
			"payment_intent": inv.PaymentID, "amount": rest, "currency": stripeCurrency(inv.Currency), "reason": nil,
			"metadata": object{}, "created": chargeTime(inv).Unix()})
	}
	return newListObject("/v1/charges/"+id+"/refunds", refunds)
}

// returnedRefundStatuses contains the statuses in which a refund has returned no money.
var returnedRefundStatuses = []string{"failed", "canceled", "requires_action"}

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
	if !slices.Contains(returnedRefundStatuses, status) {
		return nil, invalidRequestError("", "status", "status must be failed, canceled or requires_action")
	}
	s.mu.Lock()
	refund := s.findRefund(id)
	if refund == nil || refund["status"] != "succeeded" {
		s.mu.Unlock()
		return nil, notFoundError("refund", id, "refund")
	}
	refund["status"] = status
	result := maps.Clone(refund)
	s.mu.Unlock()
	pi, err := s.findIntent(ctx, result["payment_intent"].(string))
	if err != nil {
		return nil, err
	}
	amount, err := money.New(result["amount"].(int64), pi.Currency)
	if err != nil {
		return nil, err
	}
	return result, s.provider.ReverseRefund(ctx, pi.InvoiceID, id, amount)
}

// findRefund returns the refund with the id, or nil.
func (s *Server) findRefund(id string) object {
	for _, refunds := range s.state.refunds {
		for _, refund := range refunds {
			if refund["id"] == id {
				return refund
			}
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
