package fakegateway_test

import (
	"os"
	"path/filepath"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/vc-admin/diy/adapters/fakegateway"
	"github.com/vc-admin/diy/adapters/testcards"
	"github.com/vc-admin/diy/domain/fault"
	"github.com/vc-admin/diy/domain/money"
	"github.com/vc-admin/diy/ports/gateway"
	"github.com/vc-admin/diy/ports/payment"
)

// A process that is killed leaves an incomplete line. The changes before it are stored.
func TestOpen_RestoresTheStateAfterAKill(t *testing.T) {
	path := filepath.Join(t.TempDir(), "payments")
	c := fakegateway.Config{Clock: newClock(t), Entry: payment.EntryCardField, KeyRetention: 30 * day}
	killed := openProvider(t, c, path)
	g := killed.Gateway(nil)
	customerRef, err := g.SaveCustomer(t.Context(), gateway.Customer{ID: "customer"})
	require.NoError(t, err)
	token, err := killed.CreateTokenOfEntry(testcards.Entry{Number: "4000000000001000", ExpMonth: 12, ExpYear: 2034, CVC: "123"})
	require.NoError(t, err)
	unusedToken := killed.CreateToken(fakegateway.Pays)
	price, err := money.New(3900, "AUD")
	require.NoError(t, err)
	order := gateway.Order{Key: "first", CustomerRef: customerRef, Amount: price, Token: token}
	paid, err := g.Start(t.Context(), order)
	require.NoError(t, err)
	refund := gateway.RefundOrder{Key: "refund", PaymentRef: paid.Ref, Amount: price}
	refunded, err := g.Refund(t.Context(), refund)
	require.NoError(t, err)
	file, err := os.OpenFile(path, os.O_APPEND|os.O_WRONLY, 0)
	require.NoError(t, err)
	_, err = file.WriteString(`{"payment":{"Ref":"unknown`)
	require.NoError(t, err)
	require.NoError(t, file.Close())

	restored := openProvider(t, c, path)

	g = restored.Gateway(nil)
	ref, err := g.SaveCustomer(t.Context(), gateway.Customer{ID: "customer"})
	require.NoError(t, err)
	assert.Equal(t, customerRef, ref)
	again, err := g.Start(t.Context(), order)
	require.NoError(t, err)
	assert.Equal(t, "first", again.Key)
	assert.Equal(t, paid.Method, again.Method)
	assert.Len(t, again.Refunds, 1)
	refundedAgain, err := g.Refund(t.Context(), refund)
	require.NoError(t, err)
	assert.Equal(t, refunded, refundedAgain)
	assert.Equal(t, killed.Deliveries(), restored.Deliveries())
	second, err := g.Start(t.Context(), gateway.Order{Key: "second", CustomerRef: customerRef, Amount: price, MethodRef: paid.Method.Ref})
	require.NoError(t, err)
	assert.Equal(t, gateway.Failed, second.State, "the card pays only once")
	third, err := g.Start(t.Context(), gateway.Order{Key: "third", CustomerRef: customerRef, Amount: price, Token: unusedToken})
	require.NoError(t, err)
	assert.Equal(t, gateway.Paid, third.State)
	_, err = g.Start(t.Context(), gateway.Order{Key: "fourth", CustomerRef: customerRef, Amount: price, Token: token})
	assert.True(t, fault.Is(err, fault.NotFound), "a token can be used once")
}

func TestClose_LaterRequestsAreUnavailable(t *testing.T) {
	c := fakegateway.Config{Clock: newClock(t), Entry: payment.EntryCardField, KeyRetention: 30 * day}
	p, err := fakegateway.Open(c, filepath.Join(t.TempDir(), "payments"))
	require.NoError(t, err)
	require.NoError(t, p.Close())

	_, err = p.Gateway(nil).SaveCustomer(t.Context(), gateway.Customer{ID: "customer"})

	assert.True(t, fault.Is(err, fault.Unavailable), "%v", err)
}
