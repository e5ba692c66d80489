package enginepayment

import (
	"context"
	"slices"

	"github.com/vc-admin/diy/adapters/ledger"
	"github.com/vc-admin/diy/domain/billing"
	"github.com/vc-admin/diy/domain/engine"
	"github.com/vc-admin/diy/domain/fault"
	"github.com/vc-admin/diy/ports/payment"
	"github.com/vc-admin/diy/ports/payment/plugin"
)

// Customer implements payment.Provider.
func (p *Provider) Customer(ctx context.Context, id string) (out billing.Customer, err error) {
	err = p.Read(ctx, id, ledger.Scope{}, func(_ plugin.Tx, r *ledger.Record) error {
		out = billingCustomer(r)
		return nil
	})
	return out, err
}

// CustomerOf implements payment.Provider.
func (p *Provider) CustomerOf(ctx context.Context, owner payment.Owner) (billing.Customer, error) {
	c, err := p.Ledger.CustomerOf(ctx, owner)
	if err != nil {
		return c, err
	}
	return p.Customer(ctx, c.ID)
}

// UpdateCustomer implements payment.Provider. The gateway gets the new details before the next payment.
func (p *Provider) UpdateCustomer(ctx context.Context, req payment.CustomerUpdate) (billing.Customer, error) {
	if _, err := p.Ledger.UpdateCustomer(ctx, req); err != nil {
		return billing.Customer{}, err
	}
	return p.Customer(ctx, req.CustomerID)
}

// EraseCustomer implements payment.Provider. The worker deletes the saved methods at the gateway if that fails now.
func (p *Provider) EraseCustomer(ctx context.Context, id string) error {
	err := p.Erase(ctx, id, func(r *ledger.Record) error {
		for _, m := range slices.Clone(r.Account.Methods) {
			if m.Removed {
				continue
			}
			if err := r.Account.RemoveMethod(m.Ref); err != nil {
				return err
			}
		}
		return nil
	})
	if err != nil {
		return err
	}
	if _, err := p.processOutbox(ctx, id, sendTimeout); err != nil {
		p.Log.WarnContext(ctx, "a removed payment method has not ended at the gateway yet; the worker continues", "error", err)
	}
	return nil
}

// AddCredit implements payment.Provider.
func (p *Provider) AddCredit(ctx context.Context, req payment.CreditGrant) (billing.Customer, error) {
	if _, err := p.Ledger.AddCredit(ctx, req); err != nil {
		return billing.Customer{}, err
	}
	return p.Customer(ctx, req.CustomerID)
}

// LiftHold implements payment.Provider.
func (p *Provider) LiftHold(ctx context.Context, req payment.HoldLift) (billing.Customer, error) {
	return p.changeAccount(ctx, "lift hold", req.Key, req.CustomerID, req, func(a *engine.Account) error {
		a.LiftHold()
		return nil
	})
}

// billingCustomer returns the customer with its default method.
func billingCustomer(r *ledger.Record) billing.Customer {
	out := r.Customer.BillingCustomer()
	out.Hold, out.HeldCredit = r.Account.Hold, ledger.Amount(r.Account.HeldCredit, r.Account.Currency)
	if m, err := r.Account.Method(r.Account.DefaultMethod); err == nil {
		out.Default = &m.Details
	}
	return out
}

// changeAccount changes an account once per key and returns the changed customer.
func (p *Provider) changeAccount(
	ctx context.Context, name, key, customerID string, request any, change func(*engine.Account) error,
) (billing.Customer, error) {
	return ledger.DoOnce(ctx, p.Ledger, name, key, request, func(tx plugin.Tx) (billing.Customer, error) {
		r, err := p.UpdateInTx(ctx, tx, customerID, ledger.Scope{}, func(r *ledger.Record) error { return change(r.Account) })
		if err != nil {
			return billing.Customer{}, err
		}
		return billingCustomer(r), nil
	})
}

// Cards implements payment.Provider.
func (p *Provider) Cards(ctx context.Context, customerID string) (methods []billing.PaymentMethod, err error) {
	err = p.Read(ctx, customerID, ledger.Scope{}, func(_ plugin.Tx, r *ledger.Record) error {
		methods = []billing.PaymentMethod{}
		for _, m := range r.Account.Methods {
			if !m.Removed {
				methods = append(methods, m.Details)
			}
		}
		return nil
	})
	return methods, err
}

// SetDefaultCard implements payment.Provider.
func (p *Provider) SetDefaultCard(ctx context.Context, req payment.SavedCardRequest) (billing.Customer, error) {
	customer, err := p.changeAccount(ctx, "set default method", req.Key, req.CustomerID, req, func(a *engine.Account) error {
		m, err := findMethod(a, req.MethodID)
		if err != nil {
			return err
		}
		return a.SetDefaultMethod(m.Ref)
	})
	if err != nil {
		return customer, err
	}
	p.sendSetups(ctx, req.CustomerID)
	return customer, nil
}

// DeleteCard implements payment.Provider. While a payment with the method is processing, the method stays valid at the
// gateway. The worker deletes the method there after the payment has ended.
func (p *Provider) DeleteCard(ctx context.Context, req payment.SavedCardRequest) error {
	_, err := p.changeAccount(ctx, "delete method", req.Key, req.CustomerID, req, func(a *engine.Account) error {
		m, err := findMethod(a, req.MethodID)
		if err != nil {
			return err
		}
		return a.RemoveMethod(m.Ref)
	})
	if err != nil {
		return err
	}
	if _, err := p.processOutbox(ctx, req.CustomerID, sendTimeout); err != nil {
		p.Log.WarnContext(ctx, "a removed payment method has not ended at the gateway yet; the worker continues", "error", err)
	}
	return nil
}

// SetUpMethod implements payment.Provider.
func (p *Provider) SetUpMethod(ctx context.Context, req payment.MethodSetup) (billing.NextAction, error) {
	if !p.Capabilities().HasMethodPage() {
		return payment.Unimplemented{}.SetUpMethod(ctx, req)
	}
	key, err := ledger.DoOnce(ctx, p.Ledger, "set up method", req.Key, req, func(tx plugin.Tx) (key string, err error) {
		_, err = p.UpdateInTx(ctx, tx, req.CustomerID, ledger.Scope{}, func(r *ledger.Record) error {
			key = newKey()
			return r.Account.SaveMethod(engine.SaveMethodRequest{Key: key, Source: engine.Source{ReturnTo: req.ReturnTo}})
		})
		return key, err
	})
	if err != nil {
		return billing.NextAction{}, err
	}
	openPayments, err := p.processOutbox(ctx, req.CustomerID, sendTimeout)
	if err != nil {
		return billing.NextAction{}, err
	}
	var c ledger.Customer
	var attempt engine.Attempt
	err = p.Read(ctx, req.CustomerID, ledger.Scope{AttemptKeys: []string{key}}, func(_ plugin.Tx, r *ledger.Record) error {
		c = r.Customer
		attempt, err = r.Account.Attempt(key)
		return err
	})
	if err != nil {
		return billing.NextAction{}, err
	}
	if attempt.State == engine.AttemptFailed {
		return billing.NextAction{}, fault.New(fault.Conflict, attempt.Reason)
	}
	page, err := p.readOpenPayment(ctx, c, attempt, openPayments)
	return billing.NextAction{Kind: billing.Redirect, URL: page.URL, Until: page.ExpiresAt}, err
}
