package payment

import (
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/vc-admin/diy/domain/fault"
)

func TestFingerprint_WithoutKeyIsInvalid(t *testing.T) {
	_, err := Fingerprint("AddCredit", "", "request")
	assert.Equal(t, fault.Invalid, fault.CodeOf(err))
}

func TestFingerprint_IgnoresTheURLToReturnTo(t *testing.T) {
	for _, requests := range [][2]any{
		{NewSubscription{MethodID: "pm_1"}, NewSubscription{MethodID: "pm_1", ReturnTo: "https://example.com"}},
		{PriceChange{SubscriptionID: "sub_1"}, PriceChange{SubscriptionID: "sub_1", ReturnTo: "https://example.com"}},
		{InvoicePayment{InvoiceID: "in_1"}, InvoicePayment{InvoiceID: "in_1", ReturnTo: "https://example.com"}},
		{NewCard{MethodID: "pm_1"}, NewCard{MethodID: "pm_1", ReturnTo: "https://example.com"}},
	} {
		want, err := Fingerprint("method", "key", requests[0])
		require.NoError(t, err)
		fingerprint, err := Fingerprint("method", "key", requests[1])
		require.NoError(t, err)
		assert.Equal(t, want, fingerprint)
	}
}

func TestReplay_ReturnsTheResponseOnlyForTheSameRequest(t *testing.T) {
	fingerprint, err := Fingerprint("AddCredit", "key", "request")
	require.NoError(t, err)
	otherFingerprint, err := Fingerprint("AddCredit", "key", "other request")
	require.NoError(t, err)
	success, err := NewResponse(fingerprint, 7, nil)
	require.NoError(t, err)
	refusal, err := NewResponse(fingerprint, 0, fault.New(fault.NotFound, "There is none."))
	require.NoError(t, err)

	var value int
	require.NoError(t, success.Replay(fingerprint, &value))
	assert.Equal(t, 7, value)
	err = refusal.Replay(fingerprint, &value)
	assert.Equal(t, fault.NotFound, fault.CodeOf(err))
	err = success.Replay(otherFingerprint, &value)
	assert.Equal(t, fault.Conflict, fault.CodeOf(err))

	err = success.CheckRetired()
	assert.Equal(t, fault.Conflict, fault.CodeOf(err))
	err = refusal.CheckRetired()
	assert.Equal(t, fault.Conflict, fault.CodeOf(err))
}

func TestReplay_RetiredKeyIsConflictWithErrKeyRetired(t *testing.T) {
	var retiredResponse Response
	err := retiredResponse.Replay("fingerprint", nil)
	assert.Equal(t, fault.Conflict, fault.CodeOf(err))
	assert.ErrorIs(t, err, ErrKeyRetired)
	assert.NoError(t, retiredResponse.CheckRetired())
}
