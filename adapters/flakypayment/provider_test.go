package flakypayment_test

import (
	"context"
	"reflect"
	"slices"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/vc-admin/diy/adapters/fakepayment"
	"github.com/vc-admin/diy/adapters/flakypayment"
	"github.com/vc-admin/diy/domain/billing"
	"github.com/vc-admin/diy/domain/catalogue"
	"github.com/vc-admin/diy/domain/fault"
	"github.com/vc-admin/diy/ports/payment"
)

type standingClock struct{}

func (standingClock) Now() time.Time { return time.Date(2026, 3, 1, 12, 0, 0, 0, time.UTC) }

// bank notes which customers were really made.
type bank struct {
	payment.Provider
	made []string
}

func newBank(t *testing.T) *bank {
	t.Helper()
	provider, err := fakepayment.Open(fakepayment.Config{Clock: standingClock{}, Prices: catalogue.Default()})
	require.NoError(t, err)
	return &bank{Provider: provider}
}

// CreateCustomer notes the customer.
func (b *bank) CreateCustomer(ctx context.Context, in payment.NewCustomer) (billing.Customer, error) {
	out, err := b.Provider.CreateCustomer(ctx, in)
	if err == nil && !slices.Contains(b.made, out.ID) {
		b.made = append(b.made, out.ID)
	}
	return out, err
}

func create(t *testing.T, p payment.Provider, key string) (billing.Customer, error) {
	t.Helper()
	return p.CreateCustomer(t.Context(), payment.NewCustomer{Key: key})
}

// Whatever the port asks of a provider can go wrong here, what is added to it later as well.
func TestEveryCallThatTakesAContextCanGoWrong(t *testing.T) {
	p := flakypayment.New(newBank(t), flakypayment.Seeded(1, 1, flakypayment.TimesOutBefore))
	var asked []string
	for method := range reflect.TypeFor[payment.Provider]().Methods() {
		if method.Type.NumIn() == 0 || method.Type.In(0) != reflect.TypeFor[context.Context]() {
			continue
		}
		asked = append(asked, method.Name)
		in := []reflect.Value{reflect.ValueOf(t.Context())}
		for i := 1; i < method.Type.NumIn() && !(method.Type.IsVariadic() && i == method.Type.NumIn()-1); i++ {
			in = append(in, reflect.Zero(method.Type.In(i)))
		}
		out := reflect.ValueOf(p).MethodByName(method.Name).Call(in)
		err, _ := reflect.TypeAssert[error](out[len(out)-1])
		assert.Equal(t, fault.Unavailable, fault.CodeOf(err), method.Name)
	}
	assert.Equal(t, asked, p.Calls())
}

func TestWhatTheKindsDo(t *testing.T) {
	for _, test := range []struct {
		kind            flakypayment.Kind
		told            fault.Code
		now, then, last int // customers after the call, after late effects, after a repeat
		repeat          fault.Code
	}{
		{flakypayment.TimesOutBefore, fault.Unavailable, 0, 0, 1, ""},
		{flakypayment.TimesOutAfter, fault.Unavailable, 1, 1, 1, ""},
		{flakypayment.Reset, fault.Unavailable, 0, 1, 1, ""},
		{flakypayment.ServerError, fault.Unavailable, 0, 0, 0, fault.Unavailable},
		{flakypayment.TooMany, fault.Unavailable, 0, 0, 1, ""},
		{flakypayment.KeyInUse, fault.Unavailable, 0, 0, 1, ""},
		{flakypayment.Slow, "", 1, 1, 1, ""},
	} {
		t.Run(string(test.kind), func(t *testing.T) {
			b := newBank(t)
			p := flakypayment.New(b, flakypayment.Queue(test.kind.Fault()))
			_, err := create(t, p, "once")
			assert.Equal(t, test.told, fault.CodeOf(err))
			assert.Len(t, b.made, test.now)
			p.Arrive()
			assert.Len(t, b.made, test.then)
			_, err = create(t, p, "once")
			assert.Equal(t, test.repeat, fault.CodeOf(err))
			assert.Len(t, b.made, test.last)
		})
	}
	assert.Len(t, flakypayment.Kinds(), 7)
}

func TestAnotherKeyIsNotToldWhatOneWasTold(t *testing.T) {
	p := flakypayment.New(newBank(t), flakypayment.Queue(flakypayment.ServerError.Fault()))
	_, err := create(t, p, "one")
	require.Error(t, err)
	_, err = create(t, p, "another")
	assert.NoError(t, err)
}

func TestASlowCallEndsWithItsCaller(t *testing.T) {
	b := newBank(t)
	p := flakypayment.New(b, flakypayment.Queue(flakypayment.Slow.Fault()))
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	_, err := p.CreateCustomer(ctx, payment.NewCustomer{Key: "once"})
	assert.Equal(t, fault.Unavailable, fault.CodeOf(err))
	assert.Empty(t, b.made)
}
