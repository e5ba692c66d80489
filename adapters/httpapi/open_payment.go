package httpapi

import (
	"net/http"
	"time"

	"github.com/vc-admin/diy/app"
	"github.com/vc-admin/diy/domain/billing"
	"github.com/vc-admin/diy/domain/fault"
	"github.com/vc-admin/diy/domain/timezone"
	"github.com/vc-admin/diy/ports/identity"
)

// openPaymentWire is a payment that the organisation has to make or approve.
type openPaymentWire struct {
	invoiceAmountsWire
	Kind             billing.OpenPaymentKind `json:"kind"`
	SubscriptionID   string                  `json:"subscriptionId"`
	InvoiceID        string                  `json:"invoiceId"`
	Amount           int64                   `json:"amount"` // in minor units
	Currency         string                  `json:"currency"`
	InvoiceCreatedAt *time.Time              `json:"since"`
	TimeZone         timezone.Zone           `json:"timeZone,omitempty"`
	NextAttemptAt    *time.Time              `json:"nextAttemptAt"`
	ExpiresAt        *time.Time              `json:"expiresAt"`
	PriceID          string                  `json:"priceId"`
	NeedsApproval    bool                    `json:"approval"`
	Reason           string                  `json:"reason"`
	FailedMethodID   string                  `json:"failedMethodId,omitempty"`
	FailedAt         *time.Time              `json:"failedAt,omitempty"`
	IsReturned       bool                    `json:"returned,omitempty"`
}

// processingPaymentWire is a payment that was accepted and has not arrived yet.
type processingPaymentWire struct {
	Kind       billing.OpenPaymentKind `json:"kind"`
	InvoiceID  string                  `json:"invoiceId"`
	Amount     int64                   `json:"amount"` // in minor units
	Currency   string                  `json:"currency"`
	PriceID    string                  `json:"priceId"`
	Method     *methodWire             `json:"method"`
	ExpectedBy *time.Time              `json:"expectedBy"`
}

// currentPaymentWire is the current open payment. The response to a request that names another invoice or amount contains
// it.
type currentPaymentWire struct {
	InvoiceID string `json:"invoiceId"`
	Amount    int64  `json:"amount"` // in minor units
	Currency  string `json:"currency"`
}

type payRequestWire struct {
	InvoiceID       string `json:"invoiceId"`
	Amount          *int64 `json:"amount"`
	PaymentMethodID string `json:"paymentMethodId"`
	MakeDefault     bool   `json:"makeDefault"`
	Setup           bool   `json:"setup"`
}

func (req payRequestWire) validate() error {
	var fields fault.Fields
	fields.Check(req.Setup || req.InvoiceID != "", "invoiceId", "invoiceId is required")
	fields.Check(req.Setup || req.Amount != nil, "amount", "amount is required")
	return fields.Err()
}

func (req payRequestWire) toPayRequest() app.PayRequest {
	payRequest := app.PayRequest{
		InvoiceID: req.InvoiceID, MethodID: req.PaymentMethodID, MakeDefault: req.MakeDefault, Setup: req.Setup,
	}
	if req.Amount != nil {
		payRequest.Amount = *req.Amount
	}
	return payRequest
}

func (a *api) payOpenInvoice(w http.ResponseWriter, r *http.Request, caller identity.Identity) error {
	req, err := decodeBody[payRequestWire](r)
	if err == nil {
		err = req.validate()
	}
	if err != nil {
		return err
	}
	sub, err := a.UseCases.PayOpenInvoice.Do(r.Context(), caller, req.toPayRequest())
	if err != nil {
		return err
	}
	return writeJSON(w, http.StatusOK, toPurchaseWire(sub, billing.DecideInvoiceOutcome(sub)))
}

func toOpenPaymentWire(p *billing.OpenPayment) *openPaymentWire {
	if p == nil {
		return nil
	}
	return &openPaymentWire{
		invoiceAmountsWire: toInvoiceAmountsWire(p.Total, p.CreditUsed, p.AmountPaid),
		Kind:               p.Kind, SubscriptionID: p.SubscriptionID, InvoiceID: p.InvoiceID,
		Amount: p.Amount.Minor(), Currency: p.Price.Currency,
		InvoiceCreatedAt: timestamp(p.InvoiceCreatedAt), TimeZone: p.TimeZone,
		NextAttemptAt: timestamp(p.NextAttemptAt), ExpiresAt: timestamp(p.ExpiresAt),
		PriceID: p.Price.PriceID(), NeedsApproval: p.NeedsApproval, Reason: p.Reason,
		FailedMethodID: p.Failed.MethodID, FailedAt: timestamp(p.Failed.At), IsReturned: p.Failed.IsReturn,
	}
}

func toProcessingPaymentWire(p *billing.ProcessingPayment) *processingPaymentWire {
	if p == nil {
		return nil
	}
	wire := &processingPaymentWire{
		Kind: p.Kind, InvoiceID: p.InvoiceID, Amount: p.Amount.Minor(), Currency: p.Price.Currency, PriceID: p.Price.PriceID(),
		ExpectedBy: timestamp(p.ExpectedBy),
	}
	if p.Method != nil {
		wire.Method = new(toMethodWire(*p.Method))
	}
	return wire
}

// toOpenPaymentError converts e to a 409. If a payment is open, the response contains it.
func toOpenPaymentError(e *app.OpenPaymentError) *apiError {
	conflict := &apiError{status: http.StatusConflict, Name: "ERRQUOTE", Message: fault.MessageOf(e)}
	if e.OpenPayment != nil {
		conflict.Quote = &currentPaymentWire{
			InvoiceID: e.OpenPayment.InvoiceID, Amount: e.OpenPayment.Amount.Minor(), Currency: e.OpenPayment.Price.Currency,
		}
	}
	return conflict
}
