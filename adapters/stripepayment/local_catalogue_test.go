package stripepayment_test

import (
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/vc-admin/diy/domain/billing"
	"github.com/vc-admin/diy/domain/catalogue"
	"github.com/vc-admin/diy/ports/payment/paymenttest"
)

func TestWhatIsPushedToTheLocalStripeIsSold(t *testing.T) {
	l := newLocalStripe(t, nil)
	p := l.adapter(t, catalogue.Default())
	mended, err := p.Push(t.Context())
	require.NoError(t, err)
	assert.Len(t, mended, 6)
	mended, err = p.Push(t.Context())
	require.NoError(t, err)
	assert.Empty(t, mended)
	drifts, err := p.Check(t.Context())
	require.NoError(t, err)
	assert.Empty(t, drifts)

	s, err := p.Subscribe(t.Context(), localOrder(l.payer(t, p, paymenttest.Pays), "professional"))
	require.NoError(t, err)
	assert.Equal(t, billing.Active, s.Status)
	assert.Equal(t, localPrice("professional"), s.Price)
	assert.Equal(t, int64(81600), l.charged(t, s))
}

func TestAPriceThatWasReplacedIsStillKnownForWhatItIs(t *testing.T) {
	l := newLocalStripe(t, nil)
	before := l.adapter(t, catalogue.Default())
	_, err := before.Push(t.Context())
	require.NoError(t, err)
	early, err := before.Subscribe(t.Context(), localOrder(l.payer(t, before, paymenttest.Pays), "professional"))
	require.NoError(t, err)

	after := l.adapter(t, changed(t, `"yearly": 816}`, `"yearly": 999}`))
	_, err = after.Push(t.Context())
	require.NoError(t, err)

	late, err := after.Subscribe(t.Context(), localOrder(l.payer(t, after, paymenttest.Pays), "professional"))
	require.NoError(t, err)
	early, err = after.Subscription(t.Context(), early.ID)
	require.NoError(t, err)
	assert.Equal(t, late.Price, early.Price)
	assert.Equal(t, int64(81600), l.charged(t, early))
	assert.Equal(t, int64(99900), l.charged(t, late))
}
