package fakegateway

import (
	"context"
	"strconv"

	"github.com/vc-admin/diy/domain/fault"
	"github.com/vc-admin/diy/ports/gateway"
	"github.com/vc-admin/diy/ports/payment"
)

var _ gateway.Gateway = (*Gateway)(nil)

// changesPerCall limits how many payments ListChanges returns.
const changesPerCall = 20

// Gateway is an adapter for a Provider.
type Gateway struct {
	provider  *Provider
	intercept func(Call) error
}

// Call is a request to the provider.
type Call struct {
	Method   string // the name of the method of gateway.Gateway
	Key      string // the key of the order, refund or reference, or the ID of the customer
	HasActed bool   // false before the request, true after the provider has acted
}

// Gateway returns an adapter for the provider. It calls intercept, which may be nil, before and after each request. If
// intercept returns an error, the request fails with that error.
func (p *Provider) Gateway(intercept func(Call) error) *Gateway {
	if intercept == nil {
		intercept = func(Call) error { return nil }
	}
	return &Gateway{provider: p, intercept: intercept}
}

// Provider returns the provider that the gateway sends requests to.
func (g *Gateway) Provider() *Provider { return g.provider }

// send calls intercept, lets the provider act on the request, and calls intercept again.
func send[T any](ctx context.Context, g *Gateway, c Call, act func(*Provider) (T, error)) (response T, err error) {
	if ctx.Err() != nil {
		return response, fault.Wrap(ctx.Err(), fault.Unavailable, "The payment provider could not be reached.")
	}
	if err := g.intercept(c); err != nil {
		return response, err
	}
	result, actErr := update(g.provider, act)
	c.HasActed = true
	if err := g.intercept(c); err != nil {
		return response, err
	}
	return result, actErr
}

// update lets the provider act and stores the changes. It returns Unavailable if they can't be stored, as a provider that is
// out of order does.
func update[T any](p *Provider, act func(*Provider) (T, error)) (result T, err error) {
	defer p.unlock()
	if err := p.lockAndAdvance(); err != nil {
		return result, err
	}
	result, err = act(p)
	if saveErr := p.save(); saveErr != nil {
		return result, saveErr
	}
	return result, err
}

// Capabilities implements gateway.Gateway.
func (g *Gateway) Capabilities() gateway.Capabilities {
	c := g.provider.config
	return gateway.Capabilities{
		Entry: c.Entry, Missing: c.Missing, KeyRetention: c.KeyRetention, LongestRequest: longestRequest,
		Settlement: c.Settlement, SettlementByKind: c.SettlementByKind, ReturnWindow: c.ReturnWindow, Retries: c.Retries,
		Minimum: func(string) int64 { return minimumCharge },
	}
}

// requireCapabilities returns Unsupported if one of the capabilities is missing.
func (g *Gateway) requireCapabilities(capabilities ...gateway.Capability) error {
	for _, c := range capabilities {
		if !g.Capabilities().Has(c) {
			return fault.Newf(fault.Unsupported, "The payment provider does not support %s.", c)
		}
	}
	return nil
}

// SaveCustomer implements gateway.Gateway.
func (g *Gateway) SaveCustomer(ctx context.Context, c gateway.Customer) (string, error) {
	return send(ctx, g, Call{Method: "SaveCustomer", Key: c.ID}, func(p *Provider) (string, error) {
		if p.customers[c.ID] == "" {
			ref := p.newRef("customer")
			p.customers[c.ID] = ref
			p.stage(func() journalLine {
				return journalLine{LastRefNumber: p.lastRefNumber, Customer: &customerLine{c.ID, ref}}
			})
		}
		return p.customers[c.ID], nil
	})
}

// Find implements gateway.Gateway.
func (g *Gateway) Find(ctx context.Context, r gateway.Reference) (gateway.Payment, error) {
	return send(ctx, g, Call{Method: "Find", Key: r.Key}, func(p *Provider) (gateway.Payment, error) {
		sp, err := p.find(r)
		if err != nil {
			return gateway.Payment{}, err
		}
		return sp.toPayment(), nil
	})
}

// Cancel implements gateway.Gateway.
func (g *Gateway) Cancel(ctx context.Context, r gateway.Reference) (gateway.Payment, error) {
	return send(ctx, g, Call{Method: "Cancel", Key: r.Key}, func(p *Provider) (gateway.Payment, error) {
		sp, err := p.find(r)
		switch {
		case err != nil:
			return gateway.Payment{}, err
		case sp.State == gateway.Processing:
			return gateway.Payment{}, fault.New(fault.Conflict, "The payment can't be stopped any more.")
		case sp.State == gateway.Open:
			sp.setState(gateway.Canceled)
			p.recordChange(sp)
		}
		return sp.toPayment(), nil
	})
}

// Refund implements gateway.Gateway.
func (g *Gateway) Refund(ctx context.Context, o gateway.RefundOrder) (gateway.Refund, error) {
	if err := g.requireCapabilities(gateway.Refunds); err != nil {
		return gateway.Refund{}, err
	}
	return send(ctx, g, Call{Method: "Refund", Key: o.Key}, func(p *Provider) (gateway.Refund, error) {
		record, isRepeat, err := p.lookUpKey(o.Key, o)
		switch {
		case err != nil:
			return gateway.Refund{}, err
		case isRepeat:
			return record.payment.refundWithKey(o.Key), nil
		}
		sp, err := p.find(gateway.Reference{Ref: o.PaymentRef})
		if err != nil {
			return gateway.Refund{}, err
		}
		r, err := p.refund(sp, o.Key, o.Amount)
		if err != nil {
			return gateway.Refund{}, err
		}
		p.recordRequest(o.Key, o, sp)
		return r.Refund, nil
	})
}

// Forget implements gateway.Gateway.
func (g *Gateway) Forget(ctx context.Context, methodRef string) error {
	_, err := send(ctx, g, Call{Method: "Forget"}, func(p *Provider) (struct{}, error) {
		if a := p.methods[methodRef]; a != nil {
			delete(p.methods, methodRef)
			p.stageAccount(a)
		}
		return struct{}{}, nil
	})
	return err
}

// ListChanges implements gateway.Gateway.
func (g *Gateway) ListChanges(ctx context.Context, cursor string) ([]gateway.Reference, string, error) {
	if err := g.requireCapabilities(gateway.Polling); err != nil {
		return nil, "", err
	}
	skipCount, err := strconv.Atoi("0" + cursor) // the cursor "" is 0
	if err != nil {
		return nil, "", fault.New(fault.Invalid, "This is not a cursor.")
	}
	var nextCount int
	refs, err := send(ctx, g, Call{Method: "ListChanges"}, func(p *Provider) (refs []gateway.Reference, err error) {
		refs, nextCount = p.listChanges(skipCount, changesPerCall)
		return refs, nil
	})
	return refs, strconv.Itoa(nextCount), err
}

// ParseEvents implements gateway.Gateway.
func (g *Gateway) ParseEvents(_ context.Context, d payment.Delivery) ([]gateway.Reference, error) {
	if err := g.requireCapabilities(gateway.Webhooks); err != nil {
		return nil, err
	}
	return parseDelivery(d, g.Capabilities().Has(gateway.Signatures))
}
