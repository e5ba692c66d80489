package money_test

import (
	"encoding/json"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/vc-admin/diy/domain/money"
)

func TestAmount_JSONRoundTrip(t *testing.T) {
	full, err := money.New(-42000, "AUD")
	require.NoError(t, err)
	for _, want := range []money.Amount{{}, full} {
		text, err := json.Marshal(want)
		require.NoError(t, err)
		var got money.Amount
		require.NoError(t, json.Unmarshal(text, &got))
		assert.Equal(t, want, got)
	}
}

func TestAmount_UnmarshalJSONRejectsUnknownCurrency(t *testing.T) {
	for _, text := range []string{`{"minor":1,"currency":"ZZZ"}`, `{"minor":1}`, `[]`} {
		var got money.Amount
		assert.Error(t, json.Unmarshal([]byte(text), &got), text)
		assert.Zero(t, got)
	}
}
