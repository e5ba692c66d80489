package bankdebit_test

import (
	"testing"

	"github.com/stretchr/testify/require"

	"example.test/bankdebit/fakeapi"

	"github.com/vc-admin/diy/domain/money"
	"github.com/vc-admin/diy/ports/gateway/gatewaytest"
	"github.com/vc-admin/diy/ports/payment"
)

func TestGateway_Conforms(t *testing.T) {
	gatewaytest.Run(t, func(t *testing.T) gatewaytest.Harness {
		env := newEnv(t)
		return gatewaytest.Harness{
			Gateway: env.gateway, Now: env.clock.Now, Advance: env.advance,
			ChargedAmounts: func(_ *testing.T, customerRef string) []money.Amount { return env.server.ChargedAmounts(customerRef) },
			CompletePage: func(t *testing.T, url string, s gatewaytest.Scenario) string {
				return env.completePage(t, url, map[gatewaytest.Scenario]fakeapi.Behaviour{
					gatewaytest.Pays: fakeapi.Pays, gatewaytest.Declines: fakeapi.InsufficientFunds,
					gatewaytest.FailsLate:    fakeapi.InsufficientFundsOnCollection,
					gatewaytest.DeclinesHard: fakeapi.AccountClosed, gatewaytest.Revoked: fakeapi.MandateCancelled,
					gatewaytest.ReturnsLate: fakeapi.ChargesBack, gatewaytest.FailsRefunds: fakeapi.FailsRefunds,
					gatewaytest.DeclinesSaving: fakeapi.AccountRefused,
				}[s])
			},
			RefundByHand: func(t *testing.T, ref string, amount money.Amount) {
				require.True(t, env.server.RefundByHand(ref, amount.Minor()))
			},
			Deliveries: env.deliveries,
			Sign: func(body []byte) payment.Delivery {
				return payment.Delivery{Header: fakeapi.Sign(body, webhookSecret), Body: body}
			},
			LoseResponse:    func(*testing.T) { env.loseResponse.Store(true) },
			FailNextRequest: func(_ *testing.T, status int) { env.failureStatus.Store(int64(status)) },
			Missing: map[string]string{
				string(gatewaytest.Authenticates): "a mandate needs no authentication", "ReturnPart": "banks return whole debits",
			},
		}
	})
}
