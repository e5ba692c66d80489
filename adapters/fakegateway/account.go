package fakegateway

import (
	"fmt"
	"slices"

	"github.com/vc-admin/diy/domain/billing"
	"github.com/vc-admin/diy/domain/fault"
	"github.com/vc-admin/diy/ports/gateway"
)

// Behaviour decides what becomes of payments that are charged to an account.
type Behaviour string

// The behaviours.
const (
	Pays              Behaviour = "pays"
	Declines          Behaviour = "declines"           // can be saved; each payment is declined for now
	DeclinesForGood   Behaviour = "declines for good"  // can be saved; each payment is declined for good
	Revoked           Behaviour = "revoked"            // can be saved; ends at the bank before it is charged
	DeclinesSaving    Behaviour = "declines saving"    // can neither be saved nor charged
	AuthenticatesOnce Behaviour = "authenticates once" // the customer authenticates when the account is saved
	Authenticates     Behaviour = "authenticates"      // the customer authenticates each payment
	FailsLate         Behaviour = "fails late"         // is accepted and fails when the money should arrive
	ReturnsLate       Behaviour = "returns late"       // arrives, and goes back at the end of Config.ReturnWindow
	FailsRefunds      Behaviour = "fails refunds"      // pays, and refunds to it fail when the money should arrive
)

// behaviours are all behaviours in the order of the payment page.
var behaviours = []Behaviour{
	Pays, Declines, DeclinesForGood, Revoked, DeclinesSaving, AuthenticatesOnce, Authenticates, FailsLate, ReturnsLate, FailsRefunds,
}

const secretSuffix = "_secret" // follows the reference in the secret of a payment

// account is an account of a customer at a bank. Accounts with equal behaviours are the same account.
type account struct {
	behaviour     Behaviour
	ref           string // of the payment method
	authenticated bool
}

// details returns what the customer recognises the account by.
func (a account) details(kind billing.MethodKind) billing.PaymentMethod {
	number := slices.Index(behaviours, a.behaviour)
	fingerprint, last4 := fmt.Sprintf("account_%d", number), fmt.Sprintf("42%02d", number)
	if kind == billing.CardMethod {
		return billing.PaymentMethod{Card: billing.Card{Brand: "visa", Last4: last4, ExpMonth: 12, ExpYear: 2050, Fingerprint: fingerprint}}
	}
	return billing.PaymentMethod{Kind: kind, Label: "Bank account •••• " + last4, Fingerprint: fingerprint}
}

// declined returns why the bank declines to charge the account, or to save it if the amount is 0; "" if it does not.
func (a account) declined(amount int64) (kind gateway.Decline, reason string) {
	switch saving, saved := amount == 0, a.ref != ""; {
	case a.behaviour == DeclinesSaving, a.behaviour == Declines && !saving:
		return gateway.SoftDecline, "Your bank declined the payment."
	case a.behaviour == DeclinesForGood && !saving:
		return gateway.HardDecline, "The account is closed."
	case a.behaviour == Revoked && saved:
		return gateway.MethodGone, "The bank account is not available any more."
	}
	return "", ""
}

// waits reports whether the customer has to authenticate a payment from the account first.
func (a account) waits() bool {
	return a.behaviour == AuthenticatesOnce && !a.authenticated || a.behaviour == Authenticates
}

// charge begins to move the amount of an open payment from the account, or saves the account if the amount is 0.
// authenticated is whether the customer authenticates the payment meanwhile, as on the page; present is whether the
// customer can do it afterwards.
func (b *Bank) charge(p *ledgerPayment, a *account, authenticated, present bool) {
	saved := a.ref != ""
	kind, reason := a.declined(p.Amount.Minor())
	switch {
	case reason != "":
		p.fail(kind, reason)
	case authenticated || !a.waits():
		a.authenticated = a.authenticated || authenticated
		b.accept(p, a)
	case present:
		p.account, p.Secret = a, p.Ref+secretSuffix
	default:
		p.fail(gateway.CustomerNeeded, "Your bank asks you to confirm the payment.")
	}
	if saved {
		p.account = a
	}
}

// accept lets the money of the payment be on its way and saves the account as a payment method.
func (b *Bank) accept(p *ledgerPayment, a *account) {
	if a.ref == "" {
		a.ref = b.newRef("method")
		b.methods[a.ref] = a
	}
	now := b.config.Clock.Now()
	p.setState(gateway.Processing)
	p.account, p.settlesAt = a, now
	if p.Amount.Minor() > 0 {
		p.settlesAt = now.Add(b.config.Settlement)
		p.ExpectedBy = p.settlesAt
	}
	p.advance(b.config, now)
}

// Token returns what a browser creates for an account with the behaviour, for gateway.Order.
func (b *Bank) Token(behaviour Behaviour) string {
	b.lock()
	defer b.mu.Unlock()
	token := b.newRef("token")
	b.tokens[token] = &account{behaviour: behaviour}
	return token
}

// Authenticate completes or fails the authentication of the open payment with the secret, as the customer does in the
// browser. A payment that is not open stays as it is.
func (b *Bank) Authenticate(secret string, complete bool) error {
	b.lock()
	defer b.mu.Unlock()
	for _, p := range b.payments {
		switch {
		case secret != p.Ref+secretSuffix:
			continue
		case p.Secret != "" && complete:
			b.charge(p, p.account, true, true)
		case p.Secret != "":
			p.fail(gateway.CustomerNeeded, "You did not confirm the payment.")
		}
		b.recordChange(p)
		return nil
	}
	return fault.New(fault.NotFound, "No payment has this secret.")
}
