package stripeserver

import (
	"context"
	"net/http"
	"time"

	"github.com/vc-admin/diy/adapters/fakepayment"
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
				"created": inv.DisputedAt[i].Unix(), "balance_transactions": []any{}, "enhanced_eligibility_types": []any{},
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
