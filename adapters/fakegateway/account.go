package fakegateway

import (
	"fmt"
	"slices"
	"strings"

	"github.com/vc-admin/diy/adapters/testcards"
	"github.com/vc-admin/diy/domain/billing"
	"github.com/vc-admin/diy/domain/fault"
	"github.com/vc-admin/diy/ports/gateway"
)

// Behaviour decides the outcome of payments that are charged to an account.
type Behaviour string

// The behaviours.
const (
	Pays           Behaviour = "pays"
	PaysOnce       Behaviour = "pays once"       // pays once; each later payment is declined
	Declines       Behaviour = "declines"        // can be saved; each payment is declined with gateway.SoftDecline
	LacksFunds     Behaviour = "lacks funds"     // can be saved; each payment is declined for insufficient funds
	DeclinesHard   Behaviour = "declines hard"   // can be saved; each payment is declined with gateway.HardDecline
	Revoked        Behaviour = "revoked"         // can be saved; each later payment is declined with gateway.MethodGone
	DeclinesSaving Behaviour = "declines saving" // can neither be saved nor charged
	Expired        Behaviour = "expired"         // can neither be saved nor charged, because the card has expired
	Authenticates  Behaviour = "authenticates"   // the customer has to authenticate each payment
	// AuthenticatesOnce is the behaviour of an account that the customer has to authenticate once. It can be saved before.
	AuthenticatesOnce Behaviour = "authenticates once"
	FailsLate         Behaviour = "fails late"    // each payment is accepted and fails after Config.Settlement
	ReturnsLate       Behaviour = "returns late"  // each payment is paid, and the bank returns it after Config.ReturnWindow
	FailsRefunds      Behaviour = "fails refunds" // each payment is paid, and its refunds fail after Config.Settlement
)

// behaviours lists all behaviours. The last digits of an account contain the index of its behaviour.
var behaviours = []Behaviour{
	Pays, Declines, DeclinesHard, Revoked, DeclinesSaving, Authenticates, FailsLate, ReturnsLate, FailsRefunds,
	PaysOnce, LacksFunds, Expired, AuthenticatesOnce,
}

const (
	pageURLPrefix = "https://gateway.example/" // the URL of a page is the prefix and the reference of its payment
	secretSuffix  = "_secret"                  // the secret of a payment is its reference and the suffix
)

// account is a customer's bank account or card. Accounts with equal behaviours have the same last
// digits and fingerprints.
type account struct {
	number          int // the index in Provider.accounts plus 1
	behaviour       Behaviour
	token           string // "" after the token was used, or if there is none
	details         billing.PaymentMethod
	ref             string // of the payment method; "" until it is saved
	hasPaid         bool
	isAuthenticated bool
}

// newAccount returns an account of the configured kind with the behaviour.
func (p *Provider) newAccount(b Behaviour) *account {
	number := slices.Index(behaviours, b)
	fingerprint, last4 := fmt.Sprintf("account_%d", number), fmt.Sprintf("42%02d", number)
	a := &account{behaviour: b}
	if p.config.Kind == billing.CardMethod {
		a.details.Card = billing.Card{Brand: "visa", Last4: last4, ExpMonth: 12, ExpYear: 2050, Fingerprint: fingerprint}
	} else {
		a.details = billing.PaymentMethod{Kind: p.config.Kind, Label: "Bank account •••• " + last4, Fingerprint: fingerprint}
	}
	return a
}

// declineRule states when and how the bank declines payments that are charged to an account.
type declineRule struct {
	applies              func(a account, isCharge bool) bool
	kind                 gateway.Decline
	reason, reasonOfCard string
}

// declineRules contains the rules of the behaviours. An account with another behaviour is never declined.
var declineRules = map[Behaviour]declineRule{
	DeclinesSaving: {always, gateway.SoftDecline, "Your bank declined the payment.", "Your card was declined."},
	Declines:       {whenCharged, gateway.SoftDecline, "Your bank declined the payment.", "Your card was declined."},
	LacksFunds:     {whenCharged, gateway.SoftDecline, "Your account has insufficient funds.", "Your card has insufficient funds."},
	PaysOnce:       {whenChargedAgain, gateway.SoftDecline, "Your account has insufficient funds.", "Your card was declined."},
	Expired:        {always, gateway.HardDecline, "The account is closed.", "Your card has expired."},
	DeclinesHard:   {whenCharged, gateway.HardDecline, "The account is closed.", "Your card was declined."},
	Revoked:        {whenSaved, gateway.MethodGone, "The bank account is not available any more.", "The card is not available any more."},
}

func always(account, bool) bool                      { return true }
func whenSaved(a account, _ bool) bool               { return a.ref != "" }
func whenCharged(_ account, isCharge bool) bool      { return isCharge }
func whenChargedAgain(a account, isCharge bool) bool { return isCharge && a.hasPaid }

// decline returns the kind of the bank's decline and its reason. The reason is "" if the bank does not decline. An
// amount of 0 saves the account instead of charging it. If the configuration lacks gateway.SaveOnly, the first payment saves
// the account. Only accounts with DeclinesSaving and Expired decline that payment.
func (a account) decline(amount int64, c Config) (kind gateway.Decline, reason string) {
	if card := a.details.Card; card.Last4 != "" && testcards.IsExpired(card, c.Clock.Now()) {
		a.behaviour = Expired
	}
	isCharge := amount != 0 && (a.ref != "" || c.Missing[gateway.SaveOnly] == "")
	rule, exists := declineRules[a.behaviour]
	switch {
	case !exists || !rule.applies(a, isCharge):
		return "", ""
	case a.details.Kind == billing.CardMethod:
		return rule.kind, rule.reasonOfCard
	}
	return rule.kind, rule.reason
}

// charge charges the account for an open payment, or saves the account if the amount is 0. isAuthenticated is set if
// the customer has authenticated the payment, as on the page. isPresent is set if the customer can still authenticate it.
// The customer can also authenticate an account that is not saved yet, because the customer has just entered it.
func (p *Provider) charge(sp *storedPayment, a *account, isAuthenticated, isPresent bool) {
	wasSaved := a.ref != ""
	needsAuthentication := a.needsAuthentication(sp.Amount.Minor(), isPresent)
	lacksAuthentication := p.config.Missing[gateway.Authentication] != ""
	if lacksAuthentication {
		isAuthenticated = isAuthenticated || !wasSaved // by the browser, before it sent the new account
		needsAuthentication = needsAuthentication && sp.Amount.Minor() != 0
	}
	kind, reason := a.decline(sp.Amount.Minor(), p.config)
	switch {
	case reason != "":
		sp.fail(kind, reason)
	case isAuthenticated:
		a.isAuthenticated = true
		p.acceptCharge(sp, a)
	case !needsAuthentication:
		p.acceptCharge(sp, a)
	case lacksAuthentication, wasSaved && !isPresent:
		sp.fail(gateway.CustomerNeeded, "Your bank asks you to confirm the payment.")
	default:
		p.askForAuthentication(sp, a)
	}
	if wasSaved {
		sp.account = a // also if the payment was declined
	}
}

// askForAuthentication leaves the payment open until the customer has authenticated it on a page or in the web app.
func (p *Provider) askForAuthentication(sp *storedPayment, a *account) {
	sp.account = a
	if p.config.AuthenticatesOnPage {
		sp.URL = pageURLPrefix + sp.Ref
	} else {
		sp.Secret = sp.Ref + secretSuffix
	}
}

// needsAuthentication reports whether the customer has to authenticate a payment or, if the amount is 0, the saving of
// the account. If the customer is not present, the account is saved without an authentication if possible.
func (a account) needsAuthentication(amount int64, isPresent bool) bool {
	switch a.behaviour {
	case Authenticates:
		return true
	case AuthenticatesOnce:
		return !a.isAuthenticated && (amount != 0 || isPresent)
	}
	return false
}

// acceptCharge makes the payment processing, or paid if it settles immediately, and saves the account as a payment method.
func (p *Provider) acceptCharge(sp *storedPayment, a *account) {
	if a.ref == "" {
		a.ref = p.newRef("method")
		p.methods[a.ref] = a
	}
	now := p.config.Clock.Now()
	sp.setState(gateway.Processing)
	sp.account, sp.settlesAt = a, now
	if sp.Amount.Minor() > 0 {
		a.hasPaid = true
		sp.settlesAt = now.Add(p.config.settlement(a.details.Kind))
		sp.ExpectedBy = sp.settlesAt
	}
	sp.advance(p.config, now)
}

// CompletePage chooses an account with the behaviour on the page of a payment, as the customer does, and returns
// Order.ReturnTo. On the page of an authentication, the behaviour Pays completes it, and any other fails it. If the payment is
// not open any more, CompletePage charges nothing. It returns Invalid for an unknown behaviour, and
// NotFound for an unknown page.
func (p *Provider) CompletePage(pageURL string, behaviour Behaviour) (returnTo string, err error) {
	if !slices.Contains(behaviours, behaviour) {
		return "", fault.Newf(fault.Invalid, "There is no account that %q.", behaviour)
	}
	defer p.unlock()
	if err := p.lockAndAdvance(); err != nil {
		return "", err
	}
	sp, err := p.find(gateway.Reference{Ref: strings.TrimPrefix(pageURL, pageURLPrefix)})
	if err != nil {
		return "", err
	}
	switch {
	case sp.State != gateway.Open || sp.URL == "":
	case sp.account != nil:
		p.authenticate(sp, behaviour == Pays)
	default:
		a := p.newAccount(behaviour)
		p.addAccount(a)
		p.charge(sp, a, true, true)
		p.recordChange(sp)
	}
	return sp.returnTo, nil
}

// CreateToken returns a token for an account with the behaviour, as a browser does. It is a value of gateway.Order.Token.
func (p *Provider) CreateToken(behaviour Behaviour) string {
	token, _ := p.createToken(p.newAccount(behaviour)) // fails only for a provider with a file
	return token
}

// addAccount adds a new account.
func (p *Provider) addAccount(a *account) {
	p.accounts = append(p.accounts, a)
	a.number = len(p.accounts)
}

func (p *Provider) createToken(a *account) (string, error) {
	defer p.unlock()
	if err := p.lockAndAdvance(); err != nil {
		return "", err
	}
	p.addAccount(a)
	a.token = p.newRef("token")
	p.tokens[a.token] = a
	p.stageAccount(a)
	return a.token, nil
}

// Authenticate completes or fails the authentication of the open payment with the secret, as the customer does in the
// browser, and returns the payment. A payment that is not open stays unchanged.
func (p *Provider) Authenticate(secret string, complete bool) (gateway.Payment, error) {
	defer p.unlock()
	if err := p.lockAndAdvance(); err != nil {
		return gateway.Payment{}, err
	}
	sp, err := p.findBySecret(secret)
	if err != nil {
		return gateway.Payment{}, err
	}
	if sp.Secret != "" {
		p.authenticate(sp, complete)
	}
	return sp.toPayment(), nil
}

// findBySecret returns the payment that has or had the secret. It returns NotFound if there is none.
func (p *Provider) findBySecret(secret string) (*storedPayment, error) {
	for _, sp := range p.payments {
		if secret == sp.Ref+secretSuffix {
			return sp, nil
		}
	}
	return nil, fault.New(fault.NotFound, "No payment has this secret.")
}

// authenticate completes or fails the authentication of an open payment.
func (p *Provider) authenticate(sp *storedPayment, complete bool) {
	if complete {
		p.charge(sp, sp.account, true, true)
	} else {
		sp.fail(gateway.CustomerNeeded,
			"We are unable to authenticate your payment method. Please choose a different payment method and try again.")
	}
	p.recordChange(sp)
}
