package httpapi

import (
	"encoding/json"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/vc-admin/diy/domain/billing"
	"github.com/vc-admin/diy/ports/payment"
)

func TestToAPIError_ContainsTheAuthenticationOfACard(t *testing.T) {
	for kind, next := range map[string]billing.NextAction{
		"confirm_setup": {Kind: billing.ConfirmSetup, Secret: "seti_secret"},
		"redirect":      {Kind: billing.Redirect, URL: "https://bank.example/"},
	} {
		e := toAPIError(&payment.AuthenticationError{Next: next})

		assert.Equal(t, 402, e.status)
		text, err := json.Marshal(e)
		require.NoError(t, err)
		var body struct {
			Name, Message string
			Next          struct{ Kind, Secret, URL string }
		}
		require.NoError(t, json.Unmarshal(text, &body))
		assert.Equal(t, "ERRCARD", body.Name)
		assert.Equal(t, "Your bank wants you to approve this card before it is saved.", body.Message)
		assert.Equal(t, []string{kind, next.Secret, next.URL}, []string{body.Next.Kind, body.Next.Secret, body.Next.URL})
	}
}
