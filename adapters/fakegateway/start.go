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
	return send(ctx, g, Call{Method: "Start", Key: o.Key}, func(f *Provider) (gateway.Payment, error) {
		record, isRepeat, err := f.lookUpKey(o.Key, o)
		switch {
		case err != nil:
			return gateway.Payment{}, err
		case isRepeat:
			return record.payment.toPayment(), nil
		}
		p, err := f.start(o)
		if err != nil {
			return gateway.Payment{}, err
		}
		f.recordRequest(o.Key, o, p)
		return p.toPayment(), nil
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
func (f *Provider) start(o gateway.Order) (*storedPayment, error) {
	isCustomer := slices.Contains(slices.Collect(maps.Values(f.customers)), o.CustomerRef)
	method := f.methods[o.MethodRef]
	if o.Token != "" {
		method = f.tokens[o.Token]
		f.useToken(o.Token)
	}
	needsPage := o.MethodRef == "" && o.Token == ""
	if !isCustomer || method == nil && !needsPage {
		return nil, fault.New(fault.NotFound, "There is no such customer or payment method.")
	}
	p := &storedPayment{
		Payment: gateway.Payment{
			Reference: gateway.Reference{Key: o.Key, Ref: f.newRef("payment")}, State: gateway.Open, Amount: o.Amount,
			ExpiresAt: f.config.Clock.Now().Add(openDuration),
		},
		customerRef: o.CustomerRef, returnTo: o.ReturnTo,
	}
	f.payments = append(f.payments, p)
	if needsPage {
		p.URL = pageURLPrefix + p.Ref
	} else {
		f.charge(p, method, false, o.CustomerPresent)
	}
	f.recordChange(p)
	return p, nil
}

// useToken removes the token, which can be used once.
func (f *Provider) useToken(token string) {
	if a := f.tokens[token]; a != nil {
		delete(f.tokens, token)
		a.token = ""
		f.stageAccount(a)
	}
}
