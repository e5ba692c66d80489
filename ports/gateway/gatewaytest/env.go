package gatewaytest

import (
	"cmp"
	"crypto/rand"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/vc-admin/diy/domain/account"
	"github.com/vc-admin/diy/domain/fault"
	"github.com/vc-admin/diy/domain/money"
	"github.com/vc-admin/diy/ports/gateway"
	"github.com/vc-admin/diy/ports/payment"
)

const returnTo = "https://shop.example/return"

// price is the amount of most orders. It is above the minimum of every provider.
var price = aud(39_00)

// env contains the testing.T and the harness of one behaviour.
type env struct {
	*testing.T
	Harness
}

func aud(minor int64) money.Amount { return newAmount(minor, "AUD") }

func newAmount(minor int64, currency string) money.Amount {
	amount, err := money.New(minor, currency)
	if err != nil {
		panic(err) // the currency is known
	}
	return amount
}

func newKey() string { return "key-" + rand.Text() }

// skipWithout skips the test if the gateway lacks one of the capabilities.
func (t *env) skipWithout(capabilities ...gateway.Capability) {
	t.Helper()
	for _, c := range capabilities {
		if reason, missing := t.Gateway.Capabilities().Missing[c]; missing {
			t.Skip(string(c) + ": " + reason)
		}
	}
}

// skipWithoutFunction skips the test if the environment lacks the function of the Harness.
func (t *env) skipWithoutFunction(name string) {
	t.Helper()
	if reason := t.Missing[name]; reason != "" {
		t.Skip(name + ": " + reason)
	}
}

// skipWithoutScenario skips the test if the environment has no account for the scenario, or the gateway rules it out.
func (t *env) skipWithoutScenario(s Scenario) {
	t.Helper()
	c := t.Gateway.Capabilities()
	switch {
	case t.Missing[string(s)] != "":
		t.Skip(string(s) + ": " + t.Missing[string(s)])
	case s == FailsLate && c.Settlement == 0:
		t.Skip("payments settle immediately")
	case s == ReturnsLate && c.ReturnWindow == 0:
		t.Skip("no bank returns payments")
	}
}

// skipUnlessEntry skips the test unless customers enter methods at this gateway in the given way.
func (t *env) skipUnlessEntry(e payment.Entry) {
	t.Helper()
	if entry := t.Gateway.Capabilities().Entry; entry != e {
		t.Skip("the entry of the gateway is " + string(entry))
	}
}

// skipWithoutKeys skips the test if the provider has no idempotency keys.
func (t *env) skipWithoutKeys() {
	t.Helper()
	if t.Gateway.Capabilities().KeyRetention == 0 {
		t.Skip("the provider has no keys")
	}
}

func (t *env) assertFault(err error, codes ...fault.Code) {
	t.Helper()
	require.Error(t, err)
	t.assertCode(err, codes...)
}

// assertCode asserts that the error has one of the codes. Other goroutines than that of the test may call it.
func (t *env) assertCode(err error, codes ...fault.Code) {
	t.Helper()
	assert.Contains(t, codes, fault.CodeOf(err), "the code of the error %q", err)
}

func newCustomer() gateway.Customer {
	return gateway.Customer{
		ID: "org-" + rand.Text(), Name: "Northside Clinic", Email: "billing@northside.example",
		Address: account.Address{
			Line1: "1 High Street", City: "Sydney", State: "New South Wales", PostalCode: "2000", Country: "AU",
		},
	}
}

// saveCustomer creates a customer and returns its reference.
func (t *env) saveCustomer() string {
	t.Helper()
	ref, err := t.Gateway.SaveCustomer(t.Context(), newCustomer())
	require.NoError(t, err)
	require.NotEmpty(t, ref)
	return ref
}

// newOrder returns an order that charges a new method. With a card field the order has a token of the scenario;
// otherwise the customer enters an account on the page.
func (t *env) newOrder(customerRef string, s Scenario, amount money.Amount) gateway.Order {
	t.Helper()
	t.skipWithoutScenario(s)
	if amount.Minor() == 0 {
		t.skipWithout(gateway.SaveOnly)
	}
	o := gateway.Order{
		Key: newKey(), CustomerRef: customerRef, Amount: amount, Description: "Standard plan",
		ReturnTo: returnTo, CustomerPresent: true,
	}
	if t.Gateway.Capabilities().Entry == payment.EntryCardField {
		o.Token = t.Token(t.T, s)
	}
	return o
}

// opensPayments reports whether the gateway and the environment have payments that are open until the customer acts.
func (t *env) opensPayments() bool {
	c := t.Gateway.Capabilities()
	return c.Entry == payment.EntryRedirect || c.Has(gateway.Authentication) && t.Missing[string(Authenticates)] == ""
}

// skipWithoutOpenPayments skips the test if the gateway or the environment has no open payments.
func (t *env) skipWithoutOpenPayments() {
	t.Helper()
	if t.Gateway.Capabilities().Entry == payment.EntryCardField {
		t.skipWithout(gateway.Authentication)
		t.skipWithoutScenario(Authenticates)
	}
}

// newOpenOrder returns an order whose payment is open until the customer acts. Without such payments, it returns an order
// that is paid.
func (t *env) newOpenOrder(customerRef string) gateway.Order {
	t.Helper()
	if t.Gateway.Capabilities().Entry == payment.EntryCardField && t.opensPayments() {
		return t.newOrder(customerRef, Authenticates, price)
	}
	return t.newOrder(customerRef, Pays, price)
}

// start sends an order and asserts the fields that every payment has.
func (t *env) start(o gateway.Order) gateway.Payment {
	t.Helper()
	p, err := t.Gateway.Start(t.Context(), o)
	require.NoError(t, err)
	assert.Equal(t, o.Key, p.Key)
	assert.NotEmpty(t, p.Ref, "Start returned no Ref; every payment needs one, also a refused one")
	assert.Equal(t, o.Amount, p.Amount)
	return p
}

func (t *env) find(ref string) gateway.Payment {
	t.Helper()
	p, err := t.Gateway.Find(t.Context(), gateway.Reference{Ref: ref})
	require.NoError(t, err)
	return p
}

// completeIfOpen completes an open payment on its page or by authentication, and returns its new state. It does not
// change a payment that is not open.
func (t *env) completeIfOpen(p gateway.Payment, s Scenario) gateway.Payment {
	t.Helper()
	switch {
	case p.State != gateway.Open:
		return p
	case p.Secret == "" && t.Gateway.Capabilities().Entry == payment.EntryRedirect:
		t.CompletePage(t.T, p.URL, s)
	default:
		t.authenticate(p, true)
	}
	return t.find(p.Ref)
}

// authenticate completes or fails the authentication of an open payment, in the browser or on the page of the bank.
func (t *env) authenticate(p gateway.Payment, complete bool) {
	t.Helper()
	if p.Secret != "" {
		t.Authenticate(t.T, p.Secret, complete)
		return
	}
	require.NotNil(t, t.CompletePage, "Harness.CompletePage is needed, because the bank authenticates payments on a page")
	s := DeclinesSaving
	if complete {
		s = Pays
	}
	t.CompletePage(t.T, p.URL, s)
}

// pay charges an amount to a new method of the scenario. If the amount is 0, it only saves the method.
func (t *env) pay(customerRef string, s Scenario, amount money.Amount) gateway.Payment {
	t.Helper()
	return t.completeIfOpen(t.start(t.newOrder(customerRef, s, amount)), s)
}

// payAndSettle charges price to a new method of the scenario and returns the payment after its money has arrived.
func (t *env) payAndSettle(customerRef string, s Scenario) gateway.Payment {
	t.Helper()
	p := t.settle(t.pay(customerRef, s, price))
	require.Equal(t, gateway.Paid, p.State)
	return p
}

// settle moves the time forward by Capabilities.Settlement and returns the new state of the payment.
func (t *env) settle(p gateway.Payment) gateway.Payment {
	t.Helper()
	if d := t.Gateway.Capabilities().Settlement; d > 0 {
		t.Advance(t.T, d)
	}
	return t.find(p.Ref)
}

// settleRefunds moves the time forward until the refunds of the payment have arrived or failed, and returns its new state.
func (t *env) settleRefunds(p gateway.Payment) gateway.Payment {
	t.Helper()
	if d := cmp.Or(t.RefundSettlement, t.Gateway.Capabilities().Settlement); d > 0 {
		t.Advance(t.T, d)
	}
	return t.find(p.Ref)
}

// remembersKeysAfterSettlement reports whether the provider still remembers a key after settle and settleRefunds.
func (t *env) remembersKeysAfterSettlement() bool {
	c := t.Gateway.Capabilities()
	return c.KeyRetention > max(c.Settlement, t.RefundSettlement)
}

// saveMethod saves a method and returns its reference. Without SaveOnly it makes a small payment, which savingCharges
// returns.
func (t *env) saveMethod(customerRef string, s Scenario) string {
	t.Helper()
	amount := aud(0)
	if charges := t.savingCharges(); len(charges) > 0 {
		amount = charges[0]
	}
	p := t.settle(t.pay(customerRef, s, amount))
	require.Equal(t, gateway.Paid, p.State)
	require.NotNil(t, p.Method)
	assert.False(t, p.Method.Pending)
	return p.Method.Ref
}

// savingCharges returns the amounts that saveMethod charges.
func (t *env) savingCharges() []money.Amount {
	c := t.Gateway.Capabilities()
	if c.Has(gateway.SaveOnly) {
		return nil
	}
	return []money.Amount{aud(max(c.Minimum("AUD"), 1_00))}
}

// renew charges price to a saved method while the customer is not present.
func (t *env) renew(customerRef, methodRef string) gateway.Payment {
	t.Helper()
	t.skipWithout(gateway.OffSession)
	return t.start(newRenewal(customerRef, methodRef))
}

// newRenewal returns an order that charges price to a saved method while the customer is not present.
func newRenewal(customerRef, methodRef string) gateway.Order {
	return gateway.Order{Key: newKey(), CustomerRef: customerRef, Amount: price, MethodRef: methodRef}
}

// assertCharged asserts that exactly these amounts were charged to the customer, in any order.
func (t *env) assertCharged(customerRef string, want ...money.Amount) {
	t.Helper()
	assert.ElementsMatch(t, want, t.ChargedAmounts(t.T, customerRef), "amounts charged to the customer")
}

// assertAccepted asserts that the payment is processing or paid, and that the customer need not act.
func (t *env) assertAccepted(p gateway.Payment) {
	t.Helper()
	assert.Contains(t, []gateway.State{gateway.Processing, gateway.Paid}, p.State)
	assert.Empty(t, p.URL)
	assert.Empty(t, p.Secret)
}
