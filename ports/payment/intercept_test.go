package payment_test

import (
	"context"
	"errors"
	"reflect"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"

	"github.com/vc-admin/diy/domain/billing"
	"github.com/vc-admin/diy/ports/payment"
)

// stubProvider implements CreateCustomer only.
type stubProvider struct{ payment.Provider }

func (stubProvider) CreateCustomer(context.Context, payment.NewCustomer) (billing.Customer, error) {
	return billing.Customer{ID: "cus_1"}, nil
}

func TestIntercept_ReturnsNoResultWhenTheInterceptorFails(t *testing.T) {
	errLost := errors.New("the response was lost")
	var calls []payment.Call
	loseSecondResponse := func(ctx context.Context, call payment.Call, next func(context.Context) error) error {
		calls = append(calls, call)
		if err := next(ctx); err != nil || call.Key == "op_1" {
			return err
		}
		return errLost
	}
	p := payment.Intercept(stubProvider{}, loseSecondResponse)

	c, err := p.CreateCustomer(t.Context(), payment.NewCustomer{Key: "op_1"})
	assert.NoError(t, err)
	assert.Equal(t, "cus_1", c.ID)
	c, err = p.CreateCustomer(t.Context(), payment.NewCustomer{Key: "op_2"})
	assert.ErrorIs(t, err, errLost)
	assert.Zero(t, c)
	assert.Equal(t, []payment.Call{{Method: "CreateCustomer", Key: "op_1"}, {Method: "CreateCustomer", Key: "op_2"}}, calls)
}

func TestIntercept_PassesEachCallWithItsMethodAndKey(t *testing.T) {
	var lastCall payment.Call
	p := payment.Intercept(stubProvider{}, func(_ context.Context, call payment.Call, _ func(context.Context) error) error {
		lastCall = call
		return errors.New("not sent")
	})
	for method := range reflect.TypeFor[payment.Provider]().Methods() {
		if method.Name == "Capabilities" || method.Name == "ParseEvents" {
			continue // calls of these methods are not intercepted
		}
		args := []reflect.Value{reflect.ValueOf(t.Context())}
		for n := 1; n < method.Type.NumIn(); n++ {
			args = append(args, reflect.Zero(method.Type.In(n)))
		}
		want := payment.Call{Method: method.Name}
		if req := args[1]; req.Kind() == reflect.Struct && req.FieldByName("Key").IsValid() {
			args[1] = reflect.New(req.Type()).Elem()
			args[1].FieldByName("Key").SetString("op_1")
			if method.Name != "Retire" && !strings.HasPrefix(method.Name, "Quote") {
				want.Key = "op_1"
			}
		}
		boundMethod := reflect.ValueOf(p).MethodByName(method.Name)
		if method.Type.IsVariadic() {
			boundMethod.CallSlice(args)
		} else {
			boundMethod.Call(args)
		}
		assert.Equal(t, want, lastCall)
	}
}
