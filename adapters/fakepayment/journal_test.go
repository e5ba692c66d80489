package fakepayment_test

import (
	"context"
	"os"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/vc-admin/diy/adapters/fakepayment"
	"github.com/vc-admin/diy/domain/billing"
	"github.com/vc-admin/diy/domain/fault"
	"github.com/vc-admin/diy/ports/payment"
)

func TestRestart_KeepsRecords(t *testing.T) {
	path := databasePath(t)
	before := open(t, path)
	customerID := newCustomer(t, before, authCard)
	s := subscribe(t, before, customerID, "standard_yearly", 7)
	unsaved, err := before.CreatePaymentMethod(t.Context(), entry(visa))
	require.NoError(t, err)
	customer, err := before.Customer(t.Context(), customerID)
	require.NoError(t, err)
	stop(t, before)

	after := open(t, path)

	again, err := after.Customer(t.Context(), customerID)
	require.NoError(t, err)
	assert.Equal(t, customer, again)
	assert.Equal(t, s, getSubscription(t, after, s.ID))
	_, err = after.Confirm(t.Context(), fakepayment.Confirmation{ClientSecret: s.PendingSetup.ClientSecret, Outcome: fakepayment.Complete})
	require.NoError(t, err)
	_, err = after.AddCard(t.Context(), payment.NewCard{Key: newKey(), CustomerID: customerID, CardID: unsaved.ID})
	require.NoError(t, err)
}

func TestRestart_KeepsResponses(t *testing.T) {
	path := databasePath(t)
	before := open(t, path)
	in := payment.NewSubscription{Key: newKey(), CustomerID: newCustomer(t, before, visa), Price: audPrice("standard_yearly")}
	bad := payment.Cancellation{Key: newKey(), SubscriptionID: "sub_unknown"}
	s, err := before.Subscribe(t.Context(), in)
	require.NoError(t, err)
	_, refusal := before.CancelSubscription(t.Context(), bad)
	stop(t, before)

	after := open(t, path)

	again, err := after.Subscribe(t.Context(), in)
	require.NoError(t, err)
	assert.Equal(t, s, again)
	_, err = after.CancelSubscription(t.Context(), bad)
	assert.Equal(t, fault.CodeOf(refusal), fault.CodeOf(err))
	assert.Equal(t, fault.MessageOf(refusal), fault.MessageOf(err))
	in.TrialDays = 7
	_, err = after.Subscribe(t.Context(), in)
	assert.Equal(t, fault.Conflict, fault.CodeOf(err))
}

func TestTheJournalIsShortAgainAfterARestart(t *testing.T) {
	path := databasePath(t)
	p := open(t, path)
	s, err := p.Subscribe(t.Context(), payment.NewSubscription{
		Key: newKey(), CustomerID: newCustomer(t, p, visa), Price: audPrice("standard_monthly"), TrialDays: 7,
	})
	require.NoError(t, err)
	for i := range 500 {
		change := fakepayment.PriceChange{SubscriptionID: s.ID, To: s.Price, Amount: int64(i)}
		require.NoError(t, p.ChangePrice(t.Context(), change))
	}
	p.DeliverTo(func(context.Context, []byte, string) error { return nil })
	require.NoError(t, p.Start(t.Context()))
	require.NoError(t, p.Drain(t.Context()))
	stop(t, p)
	long, err := os.Stat(path)
	require.NoError(t, err)

	stop(t, open(t, path))

	short, err := os.Stat(path)
	require.NoError(t, err)
	assert.Less(t, short.Size()*20, long.Size())
}

func TestTheJournalIsForItsOwnerAndHoldsNoCardNumber(t *testing.T) {
	path := databasePath(t)
	p := open(t, path)
	made, err := p.CreatePaymentMethod(t.Context(), fakepayment.CardEntry{Number: "378282246310005", ExpMonth: 12, ExpYear: 2034, CVC: "9753"})
	require.NoError(t, err)
	assert.NotEmpty(t, made.Card.Fingerprint)
	made.Card.Fingerprint = ""
	assert.Equal(t, billing.Card{Brand: "amex", Last4: "0005", ExpMonth: 12, ExpYear: 2034}, made.Card)
	_, err = p.CreateCustomer(t.Context(), payment.NewCustomer{Key: newKey(), Name: "Northside", Email: "ann@example.com", Phone: "+61 2 5550"})
	require.NoError(t, err)

	text, err := os.ReadFile(path)
	require.NoError(t, err)
	for _, secret := range []string{"378282246310005", "37828224", "9753", "Northside", "ann@example.com", "5550"} {
		assert.NotContains(t, string(text), secret)
	}
	info, err := os.Stat(path)
	require.NoError(t, err)
	assert.Equal(t, os.FileMode(0o600), info.Mode().Perm())
}

func TestAJournalHasOneOwner(t *testing.T) {
	path := databasePath(t)
	open(t, path)
	_, err := fakepayment.Open(fakepayment.Config{Path: path, Clock: fixedClock{noon}, Prices: testPrices{}})
	assert.ErrorContains(t, err, "in use by another process")
}
