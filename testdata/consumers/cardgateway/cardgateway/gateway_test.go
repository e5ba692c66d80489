package cardgateway_test

import (
	"testing"

	"github.com/stretchr/testify/require"

	"example.test/cardgateway/fakeapi"

	"github.com/vc-admin/diy/domain/money"
	"github.com/vc-admin/diy/ports/gateway/gatewaytest"
	"github.com/vc-admin/diy/ports/payment"
)

func TestGateway_Conforms(t *testing.T) { runSuite(t, fakeapi.Authenticates) }

func TestGateway_ConformsWithAuthenticationOnAPage(t *testing.T) { runSuite(t, fakeapi.Redirects) }

// runSuite runs the suite with a card that has to be authenticated for each payment.
func runSuite(t *testing.T, authenticatedCard string) {
	cards := map[gatewaytest.Scenario]string{
		gatewaytest.Pays: fakeapi.Pays, gatewaytest.Declines: fakeapi.DeclinesCharges, gatewaytest.DeclinesHard: fakeapi.Lost,
		gatewaytest.Revoked: fakeapi.Revoked, gatewaytest.Authenticates: authenticatedCard,
		gatewaytest.FailsRefunds: fakeapi.FailsRefunds, gatewaytest.DeclinesSaving: fakeapi.DeclinesSaving,
	}
	gatewaytest.Run(t, func(t *testing.T) gatewaytest.Harness {
		env := newEnv(t)
		return gatewaytest.Harness{
			Gateway: env.gateway, Now: env.clock.Now, Advance: env.advance,
			ChargedAmounts: func(_ *testing.T, customerRef string) []money.Amount { return env.server.ChargedAmounts(customerRef) },
			Token:          func(t *testing.T, s gatewaytest.Scenario) string { return env.encryptCard(t, cards[s]) },
			Authenticate: func(_ *testing.T, secret string, complete bool) {
				env.server.Authenticate(secret, complete)
			},
			CompletePage: func(t *testing.T, url string, s gatewaytest.Scenario) string {
				return env.authenticateOnPage(t, url, s == gatewaytest.Pays)
			},
			RefundByHand: func(t *testing.T, ref string, amount money.Amount) {
				require.True(t, env.server.RefundByHand(ref, amount.Minor()))
			},
			Dispute: func(t *testing.T, ref string, amount money.Amount) {
				require.True(t, env.server.Dispute(ref, amount.Minor()))
			},
			CloseDispute:     func(t *testing.T, ref string, won bool) { require.True(t, env.server.CloseDispute(ref, won)) },
			RefundSettlement: fakeapi.RefundAge, Deliveries: env.unsignedDeliveries,
			Sign: func(body []byte) payment.Delivery {
				return payment.Delivery{Body: fakeapi.Sign(body, hmacKey)}
			},
			LoseResponse:    func(*testing.T) { env.loseResponse.Store(true) },
			FailNextRequest: func(_ *testing.T, status int) { env.failureStatus.Store(int64(status)) },
		}
	})
}
