package payment_test

import (
	"context"
	"errors"
	"testing"

	"github.com/stretchr/testify/assert"

	"github.com/vc-admin/diy/domain/billing"
	"github.com/vc-admin/diy/ports/payment"
)

// customers is a provider that only creates customers.
type customers struct{ payment.Provider }

func (customers) CreateCustomer(context.Context, payment.NewCustomer) (billing.Customer, error) {
	return billing.Customer{ID: "cus_1"}, nil
}

func TestIntercept_ReturnsTheErrorOfTheInterceptorWithoutTheResult(t *testing.T) {
	lost := errors.New("the response was lost")
	var seen []payment.Call
	p := payment.Intercept(customers{}, func(ctx context.Context, call payment.Call, next func(context.Context) error) error {
		seen = append(seen, call)
		if err := next(ctx); err != nil || call.Key == "op_1" {
			return err
		}
		return lost
	})

	made, err := p.CreateCustomer(t.Context(), payment.NewCustomer{Key: "op_1"})
	assert.NoError(t, err)
	assert.Equal(t, "cus_1", made.ID)
	made, err = p.CreateCustomer(t.Context(), payment.NewCustomer{Key: "op_2"})
	assert.ErrorIs(t, err, lost)
	assert.Zero(t, made)
	assert.Equal(t, []payment.Call{{Method: "CreateCustomer", Key: "op_1"}, {Method: "CreateCustomer", Key: "op_2"}}, seen)
}
