package fakegateway

import (
	"fmt"
	"slices"
	"strings"

	"github.com/vc-admin/diy/domain/billing"
	"github.com/vc-admin/diy/domain/fault"
	"github.com/vc-admin/diy/ports/gateway"
)

// Behaviour decides the outcome of payments that are charged to an account.
type Behaviour string

// The behaviours.
const (
	Pays            Behaviour = "pays"
	Declines        Behaviour = "declines"          // can be saved; each payment is declined for now
	DeclinesForGood Behaviour = "declines for good" // can be saved; each payment is declined for good
	Revoked         Behaviour = "revoked"           // can be saved; ends at the bank before it is charged
	DeclinesSaving  Behaviour = "declines saving"   // can neither be saved nor charged
	Authenticates   Behaviour = "authenticates"     // the customer authenticates each payment
	FailsLate       Behaviour = "fails late"        // is accepted and fails when the money should arrive
	ReturnsLate     Behaviour = "returns late"      // pays, and the bank returns the money after Config.ReturnWindow
	FailsRefunds    Behaviour = "fails refunds"     // pays, and refunds to it fail when the money should arrive
)

// behaviours lists all behaviours. The index of one is in the number of its accounts.
var behaviours = []Behaviour{
	Pays, Declines, DeclinesForGood, Revoked, DeclinesSaving, Authenticates, FailsLate, ReturnsLate, FailsRefunds,
}

const (
	pageURLPrefix = "https://gateway.example/" // of the URL of a payment's page, before the reference
	secretSuffix  = "_secret"                  // of the secret of a payment, after the reference
)

// account is an account of a customer at a bank. Accounts with equal behaviours are the same account.
type account struct {
	behaviour Behaviour
	ref       string // of the payment method; "" until it is saved
}

// details returns the account as the customer recognises it.
func (a account) details(kind billing.MethodKind) billing.PaymentMethod {
	number := slices.Index(behaviours, a.behaviour)
	fingerprint, last4 := fmt.Sprintf("account_%d", number), fmt.Sprintf("42%02d", number)
	if kind == billing.CardMethod {
		return billing.PaymentMethod{Card: billing.Card{Brand: "visa", Last4: last4, ExpMonth: 12, ExpYear: 2050, Fingerprint: fingerprint}}
	}
	return billing.PaymentMethod{Kind: kind, Label: "Bank account •••• " + last4, Fingerprint: fingerprint}
}

// decline returns why the bank declines to charge the account, or to save it if the amount is 0; the reason is "" if it does
// not decline.
func (a account) decline(amount int64) (kind gateway.Decline, reason string) {
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

// charge charges the account for an open payment, or saves the account if the amount is 0. authenticated is set if the
// customer has authenticated the payment, as on the page; present is set if the customer can do so afterwards.
func (f *Provider) charge(p *ledgerPayment, a *account, authenticated, present bool) {
	wasSaved := a.ref != ""
	kind, reason := a.decline(p.Amount.Minor())
	switch {
	case reason != "":
		p.fail(kind, reason)
	case authenticated || a.behaviour != Authenticates:
		f.accept(p, a)
	case present:
		p.account, p.Secret = a, p.Ref+secretSuffix
	default:
		p.fail(gateway.CustomerNeeded, "Your bank asks you to confirm the payment.")
	}
	if wasSaved {
		p.account = a // also of a declined payment
	}
}

// accept makes the payment processing and saves the account as a payment method.
func (f *Provider) accept(p *ledgerPayment, a *account) {
	if a.ref == "" {
		a.ref = f.newRef("method")
		f.methods[a.ref] = a
	}
	now := f.config.Clock.Now()
	p.setState(gateway.Processing)
	p.account, p.settlesAt = a, now
	if p.Amount.Minor() > 0 {
		p.settlesAt = now.Add(f.config.Settlement)
		p.ExpectedBy = p.settlesAt
	}
	p.advance(f.config, now)
}

// Visit chooses an account with the behaviour on the page of a payment, as the customer does, and returns Order.ReturnTo. A page
// whose payment is not open any more charges nothing. Invalid for an unknown behaviour, NotFound for an unknown page.
func (f *Provider) Visit(pageURL string, behaviour Behaviour) (returnTo string, err error) {
	if !slices.Contains(behaviours, behaviour) {
		return "", fault.Newf(fault.Invalid, "There is no account that %q.", behaviour)
	}
	f.lock()
	defer f.mu.Unlock()
	p, err := f.find(gateway.Reference{Ref: strings.TrimPrefix(pageURL, pageURLPrefix)})
	if err != nil {
		return "", err
	}
	if p.State == gateway.Open && p.URL != "" {
		f.charge(p, &account{behaviour: behaviour}, true, true)
		f.recordChange(p)
	}
	return p.returnTo, nil
}

// Token creates a token for an account with the behaviour, as a browser does, for gateway.Order.
func (f *Provider) Token(behaviour Behaviour) string {
	f.lock()
	defer f.mu.Unlock()
	token := f.newRef("token")
	f.tokens[token] = &account{behaviour: behaviour}
	return token
}

// Authenticate completes or fails the authentication of the open payment with the secret, as the customer does in the
// browser. A payment that is not open stays as it is.
func (f *Provider) Authenticate(secret string, complete bool) error {
	f.lock()
	defer f.mu.Unlock()
	for _, p := range f.payments {
		switch {
		case secret != p.Ref+secretSuffix:
			continue
		case p.Secret != "" && complete:
			f.charge(p, p.account, true, true)
		case p.Secret != "":
			p.fail(gateway.CustomerNeeded, "You did not confirm the payment.")
		}
		f.recordChange(p)
		return nil
	}
	return fault.New(fault.NotFound, "No payment has this secret.")
}
