package httpapi_test

import (
	"net/http"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/vc-admin/diy/adapters/httpapi"
)

func TestHold_IsReportedAndPlanChangeErrorNamesSalesAddress(t *testing.T) {
	s := newTestServerWithSite(t, httpapi.Site{Payments: fakeProviderWeb, SalesEmail: "sales@vision.example"})
	b := s.signUpWithPaidPlan(t)
	type detailResponse struct {
		Detail struct {
			Hold    *string
			License *struct{ Hold *string }

			DisputedAt      *time.Time
			DisputeTimeZone string
			PlanObstacles   map[string]struct {
				Kind, Reason, TimeZone string
				At                     *time.Time
			}
		}
	}
	assert.Nil(t, decodeJSON[detailResponse](b.get("/vc-admin/user/detail")).Detail.Hold)
	invoices := decodeJSON[struct {
		Data []struct{ ID, TimeZone string }
	}](b.post("/vc-admin/org/invoices/list", map[string]any{}))
	require.Len(t, invoices.Data, 1)
	require.NoError(t, s.provider.Dispute(t.Context(), invoices.Data[0].ID))
	const message = "A payment of your organisation is disputed. Until this is settled, you can't subscribe or change your plan. " +
		"Please contact us: sales@vision.example."
	for _, path := range []string{"quote", "update"} {
		res := b.post("/vc-admin/org/subscription/"+path, priceBody("professional_yearly", "yearly"))
		res.requireError(http.StatusConflict, "ERRCONFLICT")
		assert.Equal(t, message, decodeJSON[struct{ Message string }](res).Message)
	}

	detail := decodeJSON[detailResponse](b.get("/vc-admin/user/detail")).Detail

	require.NotNil(t, detail.Hold)
	assert.Equal(t, "disputed", *detail.Hold)
	obstacle := detail.PlanObstacles["professional_yearly"]
	assert.Equal(t, "hold", obstacle.Kind)
	assert.Equal(t, detail.DisputedAt, obstacle.At)
	require.NotEmpty(t, detail.DisputeTimeZone)
	assert.Equal(t, invoices.Data[0].TimeZone, detail.DisputeTimeZone)
	assert.Equal(t, detail.DisputeTimeZone, obstacle.TimeZone)
	require.NotNil(t, obstacle.At)
	assert.WithinDuration(t, s.clock.Now(), *obstacle.At, time.Minute)
	assert.Contains(t, obstacle.Reason, "Until this is settled, you can't subscribe or change your plan.")
	require.NotNil(t, detail.License.Hold)
	assert.Equal(t, "disputed", *b.billing().Subscription.Hold)
}
