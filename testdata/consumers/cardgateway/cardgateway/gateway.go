// Package cardgateway is the adapter of a card gateway in the manner of Adyen. The browser encrypts cards, banks authenticate
// customers in the page or on a page of their own, and the provider reports changes in signed notifications.
package cardgateway

import (
	"cmp"
	"context"
	"encoding/json"
	"net/http"
	"net/url"
	"strings"
	"time"

	"github.com/vc-admin/diy/domain/fault"
	"github.com/vc-admin/diy/ports/gateway"
	"github.com/vc-admin/diy/ports/payment"
)

// requestTimeout limits a request to the provider.
const requestTimeout = 10 * time.Second

// Config configures a Gateway. HMACKey is the key of the signatures of notifications.
type Config struct {
	URL, MerchantAccount, APIKey string
	HMACKey                      []byte
}

// Gateway implements gateway.Gateway with a merchant account at the provider. The provider has no list of changes.
type Gateway struct {
	gateway.Unimplemented
	config Config
	http   *http.Client
}

// New returns the gateway of a merchant account. transport may be nil.
func New(c Config, transport http.RoundTripper) *Gateway {
	return &Gateway{config: c, http: &http.Client{Timeout: requestTimeout, Transport: transport}}
}

// Capabilities implements gateway.Gateway.
func (g *Gateway) Capabilities() gateway.Capabilities {
	return gateway.Capabilities{
		Entry: payment.EntryCardField, KeyRetention: 7 * 24 * time.Hour, LongestRequest: 2 * requestTimeout,
		Missing: map[gateway.Capability]string{gateway.Polling: "the provider has no list of changes"},
		Minimum: func(string) int64 { return 1 },
	}
}

// SaveCustomer implements gateway.Gateway. The provider has no customer objects.
func (g *Gateway) SaveCustomer(_ context.Context, c gateway.Customer) (string, error) {
	return c.ID, nil
}

// Start implements gateway.Gateway. For a repeated key, the provider returns its first response, which may be outdated.
func (g *Gateway) Start(ctx context.Context, o gateway.Order) (gateway.Payment, error) {
	authentication := map[bool]string{true: "always", false: "preferNo"}[o.CustomerPresent]
	interaction := map[bool]string{true: "Ecommerce", false: "ContAuth"}[o.CustomerPresent || o.Token != ""]
	response, err := call[resource](ctx, g, http.MethodPost, "/payments", o.Key, map[string]any{
		"merchantAccount": g.config.MerchantAccount, "reference": o.Key, "shopperReference": o.CustomerRef,
		"amount": toAmount(o.Amount), "shopperInteraction": interaction, "attemptAuthentication": authentication,
		"storePaymentMethod": true, "returnUrl": o.ReturnTo, "shopperStatement": o.Description,
		"paymentMethod": map[string]string{ // a new or a stored card
			"type": "scheme", "encryptedCard": o.Token, "storedPaymentMethodId": strings.TrimSuffix(o.MethodRef, "/"+o.CustomerRef),
		},
	})
	if err != nil {
		return gateway.Payment{}, err
	}
	p, err := g.Find(ctx, gateway.Reference{Ref: response.PSPReference})
	if err == nil && (p.Amount != o.Amount || o.MethodRef != "" && (p.Method == nil || p.Method.Ref != o.MethodRef)) {
		return p, fault.New(fault.Conflict, "This key was used for another order.")
	}
	return p, err
}

// Find implements gateway.Gateway.
func (g *Gateway) Find(ctx context.Context, r gateway.Reference) (gateway.Payment, error) {
	filter := url.Values{"pspReference": {r.Ref}, "merchantReference": {r.Key}} // an empty value selects all payments
	found, err := call[struct{ Payments []resource }](ctx, g, http.MethodGet, "/payments?"+filter.Encode(), "", nil)
	if err != nil {
		return gateway.Payment{}, err
	}
	if len(found.Payments) == 0 {
		return gateway.Payment{}, fault.New(fault.NotFound, "The payment provider does not know the payment.")
	}
	return found.Payments[0].payment()
}

// Cancel implements gateway.Gateway.
func (g *Gateway) Cancel(ctx context.Context, r gateway.Reference) (gateway.Payment, error) {
	p, err := g.Find(ctx, r)
	if err != nil || p.State != gateway.Open && p.State != gateway.Processing {
		return p, err
	}
	account := map[string]string{"merchantAccount": g.config.MerchantAccount}
	_, err = call[resource](ctx, g, http.MethodPost, "/payments/"+p.Ref+"/cancels", "", account)
	if err == nil || p.State == gateway.Open && fault.Is(err, fault.Conflict) { // the customer has just paid
		return g.Find(ctx, p.Reference)
	}
	return p, err
}

// Refund implements gateway.Gateway.
func (g *Gateway) Refund(ctx context.Context, o gateway.RefundOrder) (gateway.Refund, error) {
	path := "/payments/" + url.PathEscape(o.PaymentRef) + "/refunds"
	response, err := call[resource](ctx, g, http.MethodPost, path, o.Key, map[string]any{
		"merchantAccount": g.config.MerchantAccount, "reference": o.Key, "amount": toAmount(o.Amount),
	})
	if err != nil {
		return gateway.Refund{}, err
	}
	p, err := g.Find(ctx, gateway.Reference{Ref: o.PaymentRef})
	if err != nil {
		return gateway.Refund{}, err
	}
	for _, refund := range p.Refunds {
		if refund.Ref == response.PSPReference && refund.Amount == o.Amount {
			return refund, nil
		}
	}
	return gateway.Refund{}, fault.New(fault.Conflict, "This key was used for another refund.")
}

// Forget implements gateway.Gateway.
func (g *Gateway) Forget(ctx context.Context, methodRef string) error {
	id, customerRef, _ := strings.Cut(methodRef, "/")
	query := url.Values{"merchantAccount": {g.config.MerchantAccount}, "shopperReference": {customerRef}}
	path := "/storedPaymentMethods/" + url.PathEscape(id) + "?" + query.Encode()
	if _, err := call[struct{}](ctx, g, http.MethodDelete, path, "", nil); !fault.Is(err, fault.NotFound) {
		return err
	}
	return nil
}

// ParseEvents implements gateway.Gateway. Each notification of a delivery has a signature of its own.
func (g *Gateway) ParseEvents(_ context.Context, d payment.Delivery) (refs []gateway.Reference, err error) {
	var body struct {
		NotificationItems []struct{ NotificationRequestItem notification }
	}
	if err := json.Unmarshal(d.Body, &body); err != nil || len(body.NotificationItems) == 0 {
		return nil, fault.New(fault.Invalid, "This is not a list of notifications.")
	}
	for _, item := range body.NotificationItems {
		n := item.NotificationRequestItem
		if !n.isSigned(g.config.HMACKey) {
			return nil, fault.New(fault.Forbidden, "The signature is missing or wrong.")
		}
		refs = append(refs, gateway.Reference{Ref: cmp.Or(n.OriginalReference, n.PSPReference)})
	}
	return refs, nil
}
