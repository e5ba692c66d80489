package fakegateway

import (
	"crypto/hmac"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"net/http"
	"slices"

	"github.com/vc-admin/diy/domain/fault"
	"github.com/vc-admin/diy/ports/gateway"
	"github.com/vc-admin/diy/ports/payment"
)

const (
	signatureHeader = "Fakegateway-Signature"
	webhookSecret   = "fakegateway_webhook_secret"
)

// deliveryBody is the body of a webhook request.
type deliveryBody struct {
	Event    int      `json:"event"`    // the number of the change, so that no two bodies are equal
	Payments []string `json:"payments"` // references
}

// listChanges skips the first skipCount changes and returns the payments of at most limit further changes. nextCount is the
// number of changes to skip in the next call.
func (p *Provider) listChanges(skipCount, limit int) (refs []gateway.Reference, nextCount int) {
	nextCount = min(skipCount+limit, len(p.changes))
	for _, ref := range slices.Compact(slices.Clone(p.changes[min(skipCount, nextCount):nextCount])) {
		refs = append(refs, gateway.Reference{Ref: ref})
	}
	return refs, nextCount
}

// Deliveries returns all deliveries that the webhook has received. Each change of a payment has one delivery.
func (p *Provider) Deliveries() (deliveries []payment.Delivery) {
	_ = p.lockAndAdvance() // without changes of other processes if it fails
	defer p.unlock()
	for i, ref := range p.changes {
		body, err := json.Marshal(deliveryBody{Event: i + 1, Payments: []string{ref}})
		if err != nil {
			panic(err) // strings can always be encoded
		}
		deliveries = append(deliveries, Sign(body))
	}
	return deliveries
}

// Sign returns a delivery of the body with a valid signature.
func Sign(body []byte) payment.Delivery {
	return payment.Delivery{Header: http.Header{signatureHeader: {signature(body)}}, Body: body}
}

func signature(body []byte) string {
	mac := hmac.New(sha256.New, []byte(webhookSecret))
	mac.Write(body)
	return hex.EncodeToString(mac.Sum(nil))
}

func parseDelivery(d payment.Delivery, needsSignature bool) ([]gateway.Reference, error) {
	if needsSignature && !hmac.Equal([]byte(d.Header.Get(signatureHeader)), []byte(signature(d.Body))) {
		return nil, fault.New(fault.Forbidden, "The signature is missing or wrong.")
	}
	var body deliveryBody
	if err := json.Unmarshal(d.Body, &body); err != nil || len(body.Payments) == 0 {
		return nil, fault.New(fault.Invalid, "This is not an event.")
	}
	refs := make([]gateway.Reference, 0, len(body.Payments))
	for _, ref := range body.Payments {
		if ref == "" {
			return nil, fault.New(fault.Invalid, "This is not an event.")
		}
		refs = append(refs, gateway.Reference{Ref: ref})
	}
	return refs, nil
}
