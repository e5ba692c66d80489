package stripeserver

import (
	"context"
	"net/http"
	"time"

	"github.com/vc-admin/diy/adapters/fakepayment"
	"github.com/vc-admin/diy/domain/billing"
)

var disputeEndpoints = map[string]endpoint{
	"GET /v1/disputes": {objectType: "dispute", isList: true, params: "charge payment_intent", serve: (*call).listDisputes},
}

// listDisputes lists the disputes of a charge, newest first. All but the newest were won, because a charge can be
// disputed again only after a won dispute.
func (c *call) listDisputes() (renderFunc, error) {
	id, err := c.form.requiredText("charge")
	if err != nil {
		return nil, unsupportedError("charge", "")
	}
	return func(v view) (object, error) {
		inv, found := v.invoiceOfCharge(id)
		if !found {
			return c.newListPage("dispute", nil)
		}
		var disputes []object
		status := disputeStatus(inv)
		for i, disputeID := range inv.DisputeIDs() {
			disputes = append(disputes, object{
				"created": inv.DisputedAt[i].Unix(), "enhanced_eligibility_types": []any{},
				"balance_transactions": disputeTransactions(inv, disputeID, inv.DisputedAt[i]),
				"is_charge_refundable": false, "evidence": object{"enhanced_evidence": object{}},
				"evidence_details": evidenceDetails(inv.DisputedAt[i], status),
				"id":               disputeID, "object": "dispute", "livemode": false, "charge": id, "payment_intent": inv.PaymentID,
				"amount": inv.AmountDue - inv.Refunded, "currency": stripeCurrency(inv.Currency), "status": status,
				"reason": "general", "metadata": object{},
			})
			status = "won"
		}
		return c.newListPage("dispute", disputes)
	}, nil
}

// disputeTransactions returns the transactions of the merchant's balance: the withdrawal of the disputed amount and,
// after a won dispute, its return.
func disputeTransactions(inv fakepayment.InvoiceRecord, disputeID string, openedAt time.Time) []object {
	transaction := func(number string, amount int64, category string, at time.Time) object {
		return object{
			"id": "txn_" + disputeID + number, "object": "balance_transaction", "amount": amount, "net": amount, "fee": 0,
			"fee_details": []any{}, "currency": stripeCurrency(inv.Currency), "created": at.Unix(), "available_on": at.Unix(),
			"description": nil, "exchange_rate": nil, "reporting_category": category, "source": disputeID, "status": "available",
			"type": "adjustment", "balance_type": "payments",
		}
	}
	var transactions []object
	for _, r := range inv.Returns {
		if r.Kind != billing.ReturnByDispute || !r.At.Equal(openedAt) {
			continue
		}
		transactions = append(transactions, transaction("_1", -r.Amount, "dispute", r.At))
		if r.Dispute == billing.DisputeWon {
			transactions = append(transactions, transaction("_2", r.Amount, "dispute_reversal", r.DecidedAt))
		}
	}
	return transactions
}

// evidenceTime is the time in which the merchant can answer a dispute.
const evidenceTime = 7 * 24 * time.Hour

// evidenceDetails returns the deadline for evidence. This server accepts no evidence.
func evidenceDetails(openedAt time.Time, status string) object {
	details := object{"due_by": nil, "has_evidence": false, "past_due": false, "submission_count": 0,
		"enhanced_eligibility": object{}}
	if status == "needs_response" {
		details["due_by"] = openedAt.Add(evidenceTime).Unix()
	}
	return details
}

func disputeStatus(inv fakepayment.InvoiceRecord) string {
	if inv.DisputeOutcome == "" {
		return "needs_response"
	}
	return string(inv.DisputeOutcome)
}

// handleDispute serves POST /local/disputes. The parameter invoice is the number of an invoice, and action is open, won
// or lost. The endpoint acts as the cardholder's bank.
func (s *Server) handleDispute(w http.ResponseWriter, r *http.Request) {
	ctx := context.WithoutCancel(r.Context())
	inv, err := s.findInvoiceByNumber(ctx, r.FormValue("invoice"))
	if err == nil {
		err = s.applyDisputeAction(ctx, inv.ID, r.FormValue("action"))
	}
	if err == nil {
		inv, err = s.findInvoiceByNumber(ctx, inv.Number)
	}
	if err != nil {
		errorResponse(err).write(w)
		return
	}
	response{Status: http.StatusOK, Body: object{"id": inv.DisputeIDs()[0], "status": disputeStatus(inv)}}.write(w)
}

// applyDisputeAction disputes the payment of the invoice with the action open, and ends the dispute with won or lost.
func (s *Server) applyDisputeAction(ctx context.Context, invoiceID, action string) error {
	switch action {
	case "open":
		return s.provider.OpenDisputeWithoutHold(ctx, invoiceID)
	case "won", "lost":
		return s.provider.CloseDisputeKeepingCredit(ctx, invoiceID, action == "won")
	}
	return invalidRequestError("", "action", "action must be open, won or lost")
}

func (s *Server) findInvoiceByNumber(ctx context.Context, number string) (inv fakepayment.InvoiceRecord, err error) {
	err = s.provider.Read(ctx, func(snapshot fakepayment.Snapshot) error {
		var found bool
		if inv, found = snapshot.InvoiceByNumber(number); !found {
			return notFoundError("invoice", number, "invoice")
		}
		return nil
	})
	return inv, err
}
