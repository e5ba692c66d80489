package flows

import (
	"bytes"
	"maps"
	"net/http"
	"net/http/httptest"
	"sync/atomic"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/vc-admin/diy/app"
	"github.com/vc-admin/diy/app/apptest"
	"github.com/vc-admin/diy/domain/billing"
)

// The test changes Stripe's responses to those of a recording. After an operator has paused the collection, the status
// stays active and pause_collection is set.
func TestPause_PausedSubscriptionHasNoNextChargeAndCanOnlyBeEnded(t *testing.T) {
	t.Parallel()
	env := newEnv(t)
	api := env.newStripeAPI()
	var isPaused atomic.Bool
	env.App = env.NewApp(env.Store, env.connectStripe(func(w http.ResponseWriter, r *http.Request) {
		res := httptest.NewRecorder()
		api.ServeHTTP(res, r)
		body := res.Body.Bytes()
		if isPaused.Load() {
			body = bytes.ReplaceAll(body, []byte(`"pause_collection":null`), []byte(`"pause_collection":{"resumes_at":null}`))
		}
		maps.Copy(w.Header(), res.Header())
		w.WriteHeader(res.Code)
		_, _ = w.Write(body)
	}))
	user := env.SignUp("ann")
	user.SubscribeWithoutTrial(apptest.Visa, apptest.StandardMonthly)
	summary, err := env.App.ShowBilling.Do(t.Context(), user.Identity)
	require.NoError(t, err)
	require.NotNil(t, summary.NextCharge)

	isPaused.Store(true)
	env.Advance(8 * day) // the weekly check
	_, err = env.App.RefreshBilling.Do(t.Context())
	require.NoError(t, err)

	summary, err = env.App.ShowBilling.Do(t.Context(), user.Identity)
	require.NoError(t, err)
	assert.Nil(t, summary.NextCharge)
	assert.Equal(t, &billing.Pause{}, summary.Subscription.Pause)
	assert.Equal(t, billing.Active, user.LicenseStatus())
	for _, timing := range []billing.ChangeTiming{billing.ChangeNow, billing.ChangeAtRenewal} {
		_, err = env.App.ChangePlan.Do(t.Context(), user.Identity,
			app.ChangeRequest{PriceChoice: apptest.ProfessionalYearly, When: timing})
		assert.ErrorContains(t, err, "payments are paused")
	}
	_, err = env.App.QuotePrice.Do(t.Context(), user.Identity, app.QuoteRequest{Price: apptest.ProfessionalYearly})
	assert.ErrorContains(t, err, "payments are paused")
	require.NoError(t, endSubscription(t.Context(), env.App, user))
}
