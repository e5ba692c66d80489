package fakegateway

import (
	"context"

	"github.com/vc-admin/diy/domain/fault"
	"github.com/vc-admin/diy/ports/gateway"
	"github.com/vc-admin/diy/ports/payment"
)

// Start implements gateway.Gateway.
func (g *Gateway) Start(ctx context.Context, o gateway.Order) (gateway.Payment, error) {
	if err := g.checkOrder(o); err != nil {
		return gateway.Payment{}, err
	}
	return request(ctx, g, Call{Method: "Start", Key: o.Key}, func(b *Bank) (gateway.Payment, error) {
		used, known, err := b.lookUpKey(o.Key, o)
		switch {
		case err != nil:
			return gateway.Payment{}, err
		case known:
			return used.payment.report(b.config), nil
		}
		p, err := b.start(o)
		if err != nil {
			return gateway.Payment{}, err
		}
		b.keys[o.Key] = keyRecord{request: o, at: b.config.Clock.Now(), payment: p}
		return p.report(b.config), nil
	})
}

// checkOrder returns Unsupported for an order that needs a missing capability, and Invalid for one that is never accepted.
func (g *Gateway) checkOrder(o gateway.Order) error {
	if err := g.require(requiredCapabilities(o)...); err != nil {
		return err
	}
	entry := payment.EntryRedirect
	if o.Token != "" {
		entry = payment.EntryCardField
	}
	switch {
	case o.Key == "", o.Amount.Minor() < 0, o.Amount.Minor() > 0 && o.Amount.Minor() < minimum:
		return fault.New(fault.Invalid, "The order needs a key, and an amount that is not too small.")
	case o.MethodRef == "" && entry != g.bank.config.Entry, o.MethodRef != "" && o.Token != "":
		return fault.New(fault.Invalid, "The bank does not accept payment methods in this way.")
	}
	return nil
}

// requiredCapabilities returns the capabilities that the order needs.
func requiredCapabilities(o gateway.Order) (list []gateway.Capability) {
	if o.Amount.Minor() == 0 {
		list = append(list, gateway.SaveOnly)
	}
	if o.MethodRef != "" && !o.CustomerPresent {
		list = append(list, gateway.OffSession)
	}
	return list
}

// start stores a payment of the order and charges it, or opens the page for it.
func (b *Bank) start(o gateway.Order) (*ledgerPayment, error) {
	known := false
	for _, ref := range b.customers {
		known = known || ref == o.CustomerRef
	}
	charged := b.methods[o.MethodRef]
	if o.Token != "" {
		charged = b.tokens[o.Token]
	}
	if !known || charged == nil && o.MethodRef+o.Token != "" {
		return nil, fault.New(fault.NotFound, "There is no such customer or payment method.")
	}
	p := &ledgerPayment{
		Payment: gateway.Payment{
			Reference: gateway.Reference{Key: o.Key, Ref: b.newRef("payment")}, State: gateway.Open, Amount: o.Amount,
			Until: b.config.Clock.Now().Add(openDuration),
		},
		customerRef: o.CustomerRef, returnTo: o.ReturnTo,
	}
	b.payments = append(b.payments, p)
	if charged == nil {
		p.URL = b.config.PageURL + "/" + p.Ref
	} else {
		b.charge(p, charged, false, o.CustomerPresent || o.Token != "")
	}
	b.recordChange(p)
	return p, nil
}
