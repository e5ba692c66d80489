package fakegateway

import (
	"context"
	"maps"
	"slices"

	"github.com/vc-admin/diy/domain/fault"
	"github.com/vc-admin/diy/ports/gateway"
	"github.com/vc-admin/diy/ports/payment"
)

// Start implements gateway.Gateway.
func (g *Gateway) Start(ctx context.Context, o gateway.Order) (gateway.Payment, error) {
	if err := g.validate(o); err != nil {
		return gateway.Payment{}, err
	}
	return send(ctx, g, Call{Method: "Start", Key: o.Key}, func(p *Provider) (gateway.Payment, error) {
		record, isRepeat, err := p.lookUpKey(o.Key, o)
		switch {
		case err != nil:
			return gateway.Payment{}, err
		case isRepeat:
			return record.payment.toPayment(), nil
		}
		sp, err := p.start(o)
		if err != nil {
			return gateway.Payment{}, err
		}
		p.recordRequest(o.Key, o, sp)
		return sp.toPayment(), nil
	})
}

// validate returns Unsupported for an order that needs a missing capability, and Invalid for another order that can't be
// accepted.
func (g *Gateway) validate(o gateway.Order) error {
	if err := g.requireCapabilities(requiredCapabilities(o)...); err != nil {
		return err
	}
	entry := payment.EntryRedirect
	if o.Token != "" {
		entry = payment.EntryCardField
	}
	switch {
	case o.Key == "", o.Amount.Minor() != 0 && o.Amount.Minor() < minimumCharge:
		return fault.New(fault.Invalid, "The order needs a key, and an amount that is not too small.")
	case o.MethodRef == "" && entry != g.provider.config.Entry, o.MethodRef != "" && o.Token != "":
		return fault.New(fault.Invalid, "The payment provider does not accept payment methods in this way.")
	}
	return nil
}

// requiredCapabilities returns the capabilities that the order needs.
func requiredCapabilities(o gateway.Order) (capabilities []gateway.Capability) {
	if o.Amount.Minor() == 0 {
		capabilities = append(capabilities, gateway.SaveOnly)
	}
	if o.MethodRef != "" && !o.CustomerPresent {
		capabilities = append(capabilities, gateway.OffSession)
	}
	return capabilities
}

// start stores a payment for the order. It charges the method or token of the order, or opens a page if there is none.
func (p *Provider) start(o gateway.Order) (*storedPayment, error) {
	isCustomer := slices.Contains(slices.Collect(maps.Values(p.customers)), o.CustomerRef)
	method := p.methods[o.MethodRef]
	if o.Token != "" {
		method = p.tokens[o.Token]
		p.useToken(o.Token)
	}
	needsPage := o.MethodRef == "" && o.Token == ""
	if !isCustomer || method == nil && !needsPage {
		return nil, fault.New(fault.NotFound, "There is no such customer or payment method.")
	}
	sp := &storedPayment{
		Payment: gateway.Payment{
			Reference: gateway.Reference{Key: o.Key, Ref: p.newRef("payment")}, State: gateway.Open, Amount: o.Amount,
			ExpiresAt: p.config.Clock.Now().Add(openDuration),
		},
		customerRef: o.CustomerRef, returnTo: o.ReturnTo,
	}
	p.payments = append(p.payments, sp)
	if needsPage {
		sp.URL = pageURLPrefix + sp.Ref
	} else {
		p.charge(sp, method, false, o.CustomerPresent)
	}
	p.recordChange(sp)
	return sp, nil
}

// useToken removes the token, which can be used once.
func (p *Provider) useToken(token string) {
	if a := p.tokens[token]; a != nil {
		delete(p.tokens, token)
		a.token = ""
		p.stageAccount(a)
	}
}
