package flakypayment_test

import (
	"testing"

	"github.com/stretchr/testify/assert"

	"github.com/vc-admin/diy/adapters/flakypayment"
)

func TestNoFaults_PassesCallsThrough(t *testing.T) {
	p := flakypayment.New(newRecorder(t), flakypayment.NoFaults)
	customer, err := createCustomer(t, p, "key")
	assert.NoError(t, err)
	assert.NotEmpty(t, customer.ID)
}

func TestSequence_FailsTheCallsWithAFault(t *testing.T) {
	p := flakypayment.New(newRecorder(t), flakypayment.Sequence(nil, flakypayment.TooManyRequests.Fault()))
	var failed []bool
	for _, key := range []string{"a", "b", "c"} {
		_, err := createCustomer(t, p, key)
		failed = append(failed, err != nil)
	}
	assert.Equal(t, []bool{false, true, false}, failed)
}
