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

type fixedClock struct{}

func (fixedClock) Now() time.Time { return time.Date(2026, 3, 1, 12, 0, 0, 0, time.UTC) }

// customerRecorder is a provider that records the ids of the customers that it creates.
type customerRecorder struct {
	payment.Provider
	customerIDs []string
}

func newCustomerRecorder(t *testing.T) *customerRecorder {
	t.Helper()
	provider, err := fakepayment.Open(fakepayment.Config{Clock: fixedClock{}, Prices: catalogue.Default()})
	require.NoError(t, err)
	return &customerRecorder{Provider: provider}
}

func (r *customerRecorder) CreateCustomer(ctx context.Context, req payment.NewCustomer) (billing.Customer, error) {
	c, err := r.Provider.CreateCustomer(ctx, req)
	if err == nil && !slices.Contains(r.customerIDs, c.ID) {
		r.customerIDs = append(r.customerIDs, c.ID)
	}
	return c, err
}

func createCustomer(t *testing.T, p payment.Provider, key string) (billing.Customer, error) {
	t.Helper()
	return p.CreateCustomer(t.Context(), payment.NewCustomer{Key: key})
}

// TestProvider_CanFailEveryMethodWithAContext finds the methods by reflection, so that it covers methods that are added
// to the port later.
func TestProvider_CanFailEveryMethodWithAContext(t *testing.T) {
	p := flakypayment.New(newCustomerRecorder(t), func(flakypayment.Call) flakypayment.Fault {
		return flakypayment.TimeoutBeforeExecution.Fault()
	})
	var methods []string
	for method := range reflect.TypeFor[payment.Provider]().Methods() {
		if method.Type.NumIn() == 0 || method.Type.In(0) != reflect.TypeFor[context.Context]() {
			continue
		}
		if method.Name == "ParseEvents" {
			continue // it calls no API
		}
		methods = append(methods, method.Name)
		args := []reflect.Value{reflect.ValueOf(t.Context())}
		for i := 1; i < method.Type.NumIn() && !(method.Type.IsVariadic() && i == method.Type.NumIn()-1); i++ {
			args = append(args, reflect.Zero(method.Type.In(i)))
		}
		out := reflect.ValueOf(p).MethodByName(method.Name).Call(args)
		err, _ := reflect.TypeAssert[error](out[len(out)-1])
		assert.Equal(t, fault.Unavailable, fault.CodeOf(err), method.Name)
	}
	assert.Equal(t, methods, p.Calls())
}

func TestNoFaults_PassesCallsThrough(t *testing.T) {
	p := flakypayment.New(newCustomerRecorder(t), flakypayment.NoFaults)
	customer, err := createCustomer(t, p, "key")
	assert.NoError(t, err)
	assert.NotEmpty(t, customer.ID)
}

func TestSequence_AppliesEachFaultToOneCall(t *testing.T) {
	p := flakypayment.New(newCustomerRecorder(t), flakypayment.Sequence(nil, flakypayment.TooManyRequests.Fault()))
	var failures []bool
	for _, key := range []string{"a", "b", "c"} {
		_, err := createCustomer(t, p, key)
		failures = append(failures, err != nil)
	}
	assert.Equal(t, []bool{false, true, false}, failures)
}
