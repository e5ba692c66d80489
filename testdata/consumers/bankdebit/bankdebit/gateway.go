// Package bankdebit is the adapter of a direct-debit provider that works like GoCardless. The customer grants a mandate on
// the provider's page, and later payments use the mandate.
package bankdebit

import (
	"cmp"
	"context"
	"crypto/hmac"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"net/http"
	"net/url"
	"strings"
	"time"

	"github.com/vc-admin/diy/domain/billing"
	"github.com/vc-admin/diy/domain/fault"
	"github.com/vc-admin/diy/ports/gateway"
	"github.com/vc-admin/diy/ports/payment"
)

const (
	day     = 24 * time.Hour
	minimum = 100 // minor units
)

// Gateway implements gateway.Gateway with an account at the provider.
type Gateway struct {
	url, token, webhookSecret string
	http                      *http.Client
}

var _ gateway.Gateway = (*Gateway)(nil)

// New returns the gateway of an account. transport may be nil.
func New(apiURL, token, webhookSecret string, transport http.RoundTripper) *Gateway {
	return &Gateway{apiURL, token, webhookSecret, &http.Client{Timeout: requestTimeout, Transport: transport}}
}

// Capabilities implements gateway.Gateway.
func (g *Gateway) Capabilities() gateway.Capabilities {
	return gateway.Capabilities{
		Entry: payment.EntryRedirect, KeyRetention: 30 * day, LongestRequest: 2 * requestTimeout,
		Settlement: 4 * day, ReturnWindow: 8 * 7 * day, Retries: map[billing.MethodKind]int{billing.BankDebitMethod: 2},
		Minimum: func(string) int64 { return minimum },
		Missing: map[gateway.Capability]string{gateway.Disputes: "the bank decides alone, so a chargeback is final"},
	}
}

// SaveCustomer implements gateway.Gateway.
func (g *Gateway) SaveCustomer(ctx context.Context, c gateway.Customer) (string, error) {
	body := map[string]any{"company_name": c.Name, "email": c.Email, "metadata": map[string]string{"organisation": c.ID}}
	if c.Ref == "" {
		customer, err := g.create(ctx, "customers", c.ID, body)
		if err != nil {
			return "", err
		}
		c.Ref = customer.ID
	}
	return c.Ref, g.request(ctx, http.MethodPut, "customers", "/"+url.PathEscape(c.Ref), "", body, &resource{})
}

// Start implements gateway.Gateway.
func (g *Gateway) Start(ctx context.Context, o gateway.Order) (p gateway.Payment, err error) {
	minor, currency := o.Amount.Minor(), o.Amount.Currency().Code
	if minor < 0 || minor > 0 && minor < minimum {
		return p, fault.New(fault.Invalid, "The amount is too small.")
	}
	paymentBody := map[string]any{
		"amount": minor, "currency": currency, "description": o.Description, "metadata": map[string]string{"key": o.Key},
	}
	name, body := "payments", paymentBody
	if o.MethodRef != "" {
		paymentBody["links"] = map[string]string{"mandate": o.MethodRef}
	} else {
		name, body = "billing_requests", map[string]any{
			"links": map[string]string{"customer": o.CustomerRef}, "mandate_request": map[string]string{"currency": currency},
			"metadata": map[string]string{"key": o.Key, "return_to": o.ReturnTo},
		}
		if minor > 0 {
			body["payment_request"] = paymentBody
		}
	}
	res, err := g.create(ctx, name, o.Key, body)
	if err != nil {
		return p, err
	}
	p, err = g.payment(ctx, res)
	if err == nil && (p.Amount != o.Amount || res.Links["mandate"] != o.MethodRef) {
		return p, fault.New(fault.Conflict, "This key was used for another order.")
	}
	return p, err
}

// Find implements gateway.Gateway. Without r.Ref it lists the customer's payments, because the provider can't search for a
// key.
func (g *Gateway) Find(ctx context.Context, r gateway.Reference) (gateway.Payment, error) {
	if r.Ref != "" {
		res, err := g.get(ctx, resourceName(r.Ref), r.Ref)
		if err != nil {
			return gateway.Payment{}, err
		}
		return g.payment(ctx, res)
	}
	for _, name := range []string{"billing_requests", "payments"} {
		resources, err := g.list(ctx, name, url.Values{"customer": {r.CustomerRef}, "limit": {"500"}})
		if err != nil {
			return gateway.Payment{}, err
		}
		for _, res := range resources {
			if res.Metadata["key"] == r.Key {
				return g.payment(ctx, res)
			}
		}
	}
	return gateway.Payment{}, fault.New(fault.NotFound, "The payment provider does not know the payment.")
}

// Cancel implements gateway.Gateway.
func (g *Gateway) Cancel(ctx context.Context, r gateway.Reference) (gateway.Payment, error) {
	p, err := g.Find(ctx, r)
	if err != nil || p.State != gateway.Open && p.State != gateway.Processing {
		return p, err
	}
	switch err = g.cancel(ctx, resourceName(p.Ref), p.Ref); {
	case err == nil:
		return g.Find(ctx, p.Reference)
	case p.State == gateway.Open && fault.Is(err, fault.Conflict):
		return g.Cancel(ctx, p.Reference) // the customer has just paid
	}
	return p, err
}

// Refund implements gateway.Gateway.
func (g *Gateway) Refund(ctx context.Context, o gateway.RefundOrder) (gateway.Refund, error) {
	if resourceName(o.PaymentRef) != "payments" {
		return gateway.Refund{}, fault.New(fault.Conflict, "The customer has not paid yet.")
	}
	res, err := g.create(ctx, "refunds", o.Key, map[string]any{
		"amount": o.Amount.Minor(), "metadata": map[string]string{"key": o.Key},
		"links": map[string]string{"payment": o.PaymentRef},
	})
	if err == nil && (res.Amount != o.Amount.Minor() || res.Links["payment"] != o.PaymentRef) {
		err = fault.New(fault.Conflict, "This key was used for another refund.")
	}
	if err != nil {
		return gateway.Refund{}, err
	}
	return toRefund(res, o.Amount.Currency().Code)
}

// Forget implements gateway.Gateway.
func (g *Gateway) Forget(ctx context.Context, methodRef string) error {
	err := g.cancel(ctx, "mandates", methodRef)
	if fault.Is(err, fault.NotFound) || fault.Is(err, fault.Conflict) {
		return nil // unknown, or cancelled before
	}
	return err
}

// ParseEvents implements gateway.Gateway.
func (g *Gateway) ParseEvents(_ context.Context, d payment.Delivery) ([]gateway.Reference, error) {
	digest := hmac.New(sha256.New, []byte(g.webhookSecret))
	digest.Write(d.Body)
	if want := hex.EncodeToString(digest.Sum(nil)); !hmac.Equal([]byte(d.Header.Get("Webhook-Signature")), []byte(want)) {
		return nil, fault.New(fault.Forbidden, "The signature is missing or wrong.")
	}
	var batch struct{ Events []resource }
	if err := json.Unmarshal(d.Body, &batch); err != nil || len(batch.Events) == 0 {
		return nil, fault.New(fault.Invalid, "This is not a batch of events.")
	}
	return references(batch.Events), nil
}

// ListChanges implements gateway.Gateway. The cursor is the id of an event.
func (g *Gateway) ListChanges(ctx context.Context, cursor string) ([]gateway.Reference, string, error) {
	for {
		events, err := g.list(ctx, "events", url.Values{"after": {cursor}})
		if err != nil || len(events) == 0 {
			return nil, cursor, err
		}
		cursor = events[len(events)-1].ID
		if refs := references(events); len(refs) > 0 {
			return refs, cursor, nil
		}
	}
}

// resourceName returns the name of the resource with a reference. A payment has the reference of its billing request until
// the customer has completed the page.
func resourceName(ref string) string {
	if strings.HasPrefix(ref, "BRQ") {
		return "billing_requests"
	}
	return "payments"
}

// references returns references to the payments of the events. Events about mandates name no payment.
func references(events []resource) (refs []gateway.Reference) {
	for _, e := range events {
		if ref := cmp.Or(e.Links["payment"], e.Links["billing_request"]); ref != "" {
			refs = append(refs, gateway.Reference{Ref: ref})
		}
	}
	return refs
}
