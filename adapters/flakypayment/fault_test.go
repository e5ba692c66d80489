package flakypayment_test

import (
	"context"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/vc-admin/diy/adapters/flakypayment"
	"github.com/vc-admin/diy/domain/fault"
	"github.com/vc-admin/diy/ports/payment"
)

func TestFaultKind_DecidesWhetherTheRequestIsExecuted(t *testing.T) {
	for _, tt := range []struct {
		kind                                                flakypayment.FaultKind
		wantCode                                            fault.Code
		countAfterCall, countAfterDelayed, countAfterRepeat int // of customers
		wantRepeatCode                                      fault.Code
	}{
		{flakypayment.TimeoutBeforeExecution, fault.Unavailable, 0, 0, 1, ""},
		{flakypayment.TimeoutAfterExecution, fault.Unavailable, 1, 1, 1, ""},
		{flakypayment.ConnectionReset, fault.Unavailable, 0, 1, 1, ""},
		{flakypayment.ServerError, fault.Unavailable, 0, 0, 0, fault.Unavailable},
		{flakypayment.TooManyRequests, fault.Unavailable, 0, 0, 1, ""},
		{flakypayment.KeyInUse, fault.Unavailable, 0, 0, 1, ""},
		{flakypayment.SlowRequest, "", 1, 1, 1, ""},
	} {
		t.Run(string(tt.kind), func(t *testing.T) {
			provider := newCustomerRecorder(t)
			p := flakypayment.New(provider, flakypayment.Sequence(tt.kind.Fault()))
			_, err := createCustomer(t, p, "key")
			assert.Equal(t, tt.wantCode, fault.CodeOf(err))
			assert.Len(t, provider.customerIDs, tt.countAfterCall)
			p.ExecuteDelayed()
			assert.Len(t, provider.customerIDs, tt.countAfterDelayed)
			_, err = createCustomer(t, p, "key")
			assert.Equal(t, tt.wantRepeatCode, fault.CodeOf(err))
			assert.Len(t, provider.customerIDs, tt.countAfterRepeat)
		})
	}
	assert.Len(t, flakypayment.FaultKinds(), 7)
}

func TestServerError_DoesNotAffectOtherKeys(t *testing.T) {
	p := flakypayment.New(newCustomerRecorder(t), flakypayment.Sequence(flakypayment.ServerError.Fault()))
	_, err := createCustomer(t, p, "one")
	require.Error(t, err)
	_, err = createCustomer(t, p, "another")
	assert.NoError(t, err)
}

func TestSlowRequest_IsUnavailableWhenTheContextEnds(t *testing.T) {
	provider := newCustomerRecorder(t)
	p := flakypayment.New(provider, flakypayment.Sequence(flakypayment.SlowRequest.Fault()))
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	_, err := p.CreateCustomer(ctx, payment.NewCustomer{Key: "key"})
	assert.Equal(t, fault.Unavailable, fault.CodeOf(err))
	assert.Empty(t, provider.customerIDs)
}
