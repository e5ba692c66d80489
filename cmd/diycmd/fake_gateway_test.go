package diycmd

import (
	"encoding/json"
	"net/http"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/vc-admin/diy/adapters/enginepayment"
	"github.com/vc-admin/diy/adapters/fakegateway"
	"github.com/vc-admin/diy/adapters/systemclock"
	"github.com/vc-admin/diy/ports/payment"
)

func TestFakeGateway_KeepsItsStateWhenTheServerStops(t *testing.T) {
	database := newSQLiteURL(t)
	first := startServer(t, database, "DIY_PAYMENTS=fakegateway")
	ada := signUp(t, first.url)
	status, body := ada.send(http.MethodPost, first.url+"/dev/payments/payment_methods",
		`{"card": {"number": "4242 4242 4242 4242", "exp_month": 12, "exp_year": 2040, "cvc": "123"}}`)
	require.Equal(t, http.StatusOK, status, body)
	var card struct{ ID string }
	require.NoError(t, json.Unmarshal([]byte(body), &card))
	first.terminate(t)
	first.waitForExit(t)
	second := startServer(t, database, "DIY_PAYMENTS=fakegateway").url
	ada.get(second + "/vc-admin/diy/config.json")

	status, body = ada.send(http.MethodPost, second+"/vc-admin/user-diy/subscribe", subscribeBody(card.ID))

	assert.Equal(t, http.StatusOK, status, body)
	assert.Contains(t, body, `"status":"active"`)
}

func TestFakeGatewayOf_FindsTheGatewayOfAnInterceptedProvider(t *testing.T) {
	want := fakegateway.New(fakegateway.Config{Clock: systemclock.New()})
	provider := &enginepayment.Provider{Config: enginepayment.Config{Gateway: want.Gateway(nil)}}

	_, gateway, ok := fakeGatewayOf(payment.Intercept(provider, nil))

	assert.True(t, ok)
	assert.Same(t, want, gateway)
}

func TestConfig_FakeGatewayIsRefusedInProduction(t *testing.T) {
	_, err := loadConfig(map[string]string{"DIY_ENV": "production", "DIY_PAYMENTS": "fakegateway"})

	assert.ErrorContains(t, err, "DIY_PAYMENTS=fakegateway charges nothing and is for development only")
}
