package flows

import (
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/vc-admin/diy/app/flowtest"
	"github.com/vc-admin/diy/domain/billing"
	"github.com/vc-admin/diy/domain/fault"
	"github.com/vc-admin/diy/ports/identity"
)

func TestFromSignUpToAPaidSubscription(t *testing.T) {
	w := newWorld(t)
	w.realPasswords()
	ctx := t.Context()

	user, err := w.SignUp.Do(ctx, registration())
	require.NoError(t, err)
	assert.Equal(t, fault.Unverified, fault.CodeOf(w.SignIn.Do(ctx, "ann@example.com", "Secret123")))
	w.Verify(w.UseCases, user.Email)
	assert.Equal(t, fault.Credentials, fault.CodeOf(w.SignIn.Do(ctx, "ann@example.com", "secret123")))
	require.NoError(t, w.SignIn.Do(ctx, " ANN@example.com", "Secret123"))
	who, signedIn := w.Visit.Current(ctx)
	require.True(t, signedIn)
	require.Equal(t, identity.Identity{UserID: user.ID, OrganisationID: user.OrganisationID}, who)

	made := w.subscribed(who, flowtest.Visa, standardMonthly)
	assert.Equal(t, billing.Trialing, made.Status)
	assert.Equal(t, flowtest.Noon.Add(7*day), made.TrialEnd)
	assert.Equal(t, billing.OutcomeSucceeded, billing.Decide(made, false))
	assert.Equal(t, billing.Trialing, w.license(who).Status)
	w.requireSound(who)

	w.Advance(7*day - time.Second)
	assert.Equal(t, billing.Trialing, w.license(who).Status)
	w.Advance(time.Second)
	assert.Equal(t, billing.Active, w.license(who).Status, "no webhook has told us")
	assert.Equal(t, 2, w.paid(), "the trial's invoice of nothing, and the first month")
	w.requireSound(who)
	w.requireNothingInDoubt()
}

func TestPitfall17_ATrialThatNobodyPaysForEndsInPastDue(t *testing.T) {
	w := newWorld(t)
	who := w.member()
	w.subscribed(who, flowtest.NeverCharged, standardMonthly)

	w.Advance(7 * day)

	assert.Equal(t, billing.PastDue, w.license(who).Status)
	w.requireSound(who)
}

func TestPitfall16_OneTrialPerOrganisation(t *testing.T) {
	w := newWorld(t)
	who := w.member()
	first := w.subscribed(who, flowtest.Visa, standardMonthly)
	require.Equal(t, billing.Trialing, first.Status)

	switched, err := w.ChangePlan.Do(t.Context(), who, professionalYearly)
	require.NoError(t, err)
	assert.Equal(t, billing.Active, switched.Status, "a change ends the trial")
	assert.Equal(t, first.ID, switched.ID)
	w.requireSound(who)

	w.cancelAtTheProvider(first.ID)
	second := w.subscribed(who, flowtest.Visa, standardYearly)
	assert.Equal(t, billing.Active, second.Status, "no trial after a plan switch and a cancel")
	w.requireSound(who)

	w.cancelAtTheProvider(second.ID)
	third := w.subscribed(who, flowtest.Visa, professionalYearly)
	assert.Equal(t, billing.Active, third.Status, "nor ever again")
	w.requireSound(who)
}
