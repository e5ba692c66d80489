package cardgateway

import (
	"bytes"
	"cmp"
	"context"
	"crypto/hmac"
	"crypto/sha256"
	"encoding/base64"
	"encoding/json"
	"fmt"
	"io"
	"net/http"

	"github.com/vc-admin/diy/domain/billing"
	"github.com/vc-admin/diy/domain/fault"
	"github.com/vc-admin/diy/domain/money"
	"github.com/vc-admin/diy/ports/gateway"
)

// faultCodes contains the code of the fault by the provider's error code. All other error responses are Unavailable.
var faultCodes = map[string]fault.Code{
	"137": fault.Invalid,                         // the amount
	"167": fault.Conflict, "168": fault.NotFound, // the state of the payment, an unknown payment
	"174": fault.NotFound, "800": fault.NotFound, // an unusable encrypted card, an unknown stored card
}

// call sends a request and returns the decoded response. key is the idempotency key, or "".
func call[T any](ctx context.Context, g *Gateway, method, path, key string, body any) (out T, err error) {
	content, err := json.Marshal(body)
	if err != nil {
		return out, err
	}
	req, err := http.NewRequestWithContext(ctx, method, g.config.URL+path, bytes.NewReader(content))
	if err != nil {
		return out, err
	}
	req.Header = http.Header{"X-Api-Key": {g.config.APIKey}, "Content-Type": {"application/json"}, "Idempotency-Key": {key}}
	response, err := g.http.Do(req)
	if err != nil {
		return out, fault.Wrap(err, fault.Unavailable, "The payment provider did not respond.")
	}
	defer response.Body.Close()
	decoder := json.NewDecoder(io.LimitReader(response.Body, 10<<20))
	if response.StatusCode >= http.StatusBadRequest {
		var failure struct{ ErrorCode, Message string }
		_ = decoder.Decode(&failure) // without an error code, the fault is Unavailable
		cause := fmt.Errorf("%s: error %q: %s", response.Status, failure.ErrorCode, failure.Message)
		code := cmp.Or(faultCodes[failure.ErrorCode], fault.Unavailable)
		return out, fault.Wrap(cause, code, "The payment provider refused the request.")
	}
	if err := decoder.Decode(&out); err != nil {
		return out, fault.Wrap(err, fault.Unavailable, "The response of the payment provider is incomplete.")
	}
	return out, nil
}

// amount is an amount in minor units.
type amount struct {
	Value    int64  `json:"value"`
	Currency string `json:"currency"`
}

func toAmount(a money.Amount) amount { return amount{a.Minor(), a.Currency().Code} }

// resource has the fields that the adapter reads of payments, refunds and disputes.
type resource struct {
	PSPReference, MerchantReference, ShopperReference, ResultCode, RefusalReasonCode, Status string

	Amount         amount
	Action         struct{ URL, Token string } // of a payment that the customer has to authenticate
	Refunds        []resource
	Disputes       []resource
	AdditionalData struct {
		CardID string `json:"recurring.recurringDetailReference"` // of the stored card
		Brand  string `json:"paymentMethod"`

		CardSummary, ExpiryDate, Alias string // such as "4242", "3/2030" and a fingerprint of the number
	}
}

// states contains the state of a payment by its result code, and of a refund by its status. All others are Processing.
var states = map[string]gateway.State{
	"Authorised": gateway.Paid, "Refused": gateway.Failed, "Cancelled": gateway.Canceled, "RedirectShopper": gateway.Open,
	"ChallengeShopper": gateway.Open, "succeeded": gateway.Paid, "failed": gateway.Failed,
}

// disputeStatuses contains the status of a decided dispute by its status at the provider. All others are open.
var disputeStatuses = map[string]billing.DisputeStatus{"Won": billing.DisputeWon, "Lost": billing.DisputeLost}

// refusals contains the kind and the reason of a refusal by its code. All others are soft declines.
var refusals = map[string]struct {
	decline gateway.Decline
	reason  string
}{
	"5":  {gateway.HardDecline, "Your card was declined."}, // the bank has blocked the card
	"6":  {gateway.HardDecline, "Your card has expired."},
	"11": {gateway.CustomerNeeded, "You did not confirm the payment."},
	"12": {gateway.SoftDecline, "Your card has insufficient funds."},
	"26": {gateway.MethodGone, "The card is not available any more."},
	"38": {gateway.CustomerNeeded, "Your bank asks you to confirm the payment."},
}

// payment returns the payment that the resource describes. A saved card is identified by its id and its customer.
func (r resource) payment() (p gateway.Payment, err error) {
	p.Key, p.Ref, p.URL, p.Secret = r.MerchantReference, r.PSPReference, r.Action.URL, r.Action.Token
	p.State = cmp.Or(states[r.ResultCode], gateway.Processing)
	if p.State == gateway.Failed {
		refusal := refusals[r.RefusalReasonCode]
		p.Decline, p.Reason = refusal.decline, cmp.Or(refusal.reason, "Your card was declined.")
	}
	if data := r.AdditionalData; data.CardID != "" {
		card := billing.Card{Brand: data.Brand, Last4: data.CardSummary, Fingerprint: data.Alias}
		_, _ = fmt.Sscanf(data.ExpiryDate, "%d/%d", &card.ExpMonth, &card.ExpYear) // zero if it is unknown
		p.Method = &gateway.Method{Ref: data.CardID + "/" + r.ShopperReference, Details: billing.PaymentMethod{Card: card}}
	}
	p.Amount, err = money.New(r.Amount.Value, r.Amount.Currency)
	for _, res := range r.Refunds {
		amount, amountErr := money.New(res.Amount.Value, res.Amount.Currency)
		err = cmp.Or(err, amountErr)
		p.Refunds = append(p.Refunds, gateway.Refund{
			Key: res.MerchantReference, Ref: res.PSPReference, Amount: amount, State: cmp.Or(states[res.Status], gateway.Processing),
		})
	}
	for _, res := range r.Disputes {
		amount, amountErr := money.New(res.Amount.Value, res.Amount.Currency)
		err = cmp.Or(err, amountErr)
		p.Disputes = append(p.Disputes, gateway.Dispute{
			Ref: res.PSPReference, Amount: amount, Status: cmp.Or(disputeStatuses[res.Status], billing.DisputeOpen),
		})
	}
	return p, err
}

// notification reports a change of a payment, or of a modification of the payment with OriginalReference.
type notification struct {
	PSPReference, OriginalReference, MerchantAccountCode, MerchantReference, EventCode, Success string

	Amount         amount
	AdditionalData struct{ HMACSignature string }
}

func (n notification) isSigned(key []byte) bool {
	digest := hmac.New(sha256.New, key)
	fmt.Fprintf(digest, "%s:%s:%s:%s:%d:%s:%s:%s", n.PSPReference, n.OriginalReference, n.MerchantAccountCode,
		n.MerchantReference, n.Amount.Value, n.Amount.Currency, n.EventCode, n.Success)
	return hmac.Equal([]byte(n.AdditionalData.HMACSignature), []byte(base64.StdEncoding.EncodeToString(digest.Sum(nil))))
}
