package flows

import (
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/vc-admin/diy/app/flowtest"
	"github.com/vc-admin/diy/domain/billing"
	"github.com/vc-admin/diy/domain/fault"
	"github.com/vc-admin/diy/ports/identity"
)

// Whoever pays is served within a week, though it was sold at the provider's desk to somebody we
// expected nothing of, and every event gets lost.
func TestWhatIsSoldByHandIsFoundOutWithoutAnEvent(t *testing.T) {
	for name, before := range map[string]func(w *world) identity.Identity{
		"who never bought": (*world).member,
		"whose customer was made late": func(w *world) identity.Identity {
			who := w.memberInTrouble(cannot("CreateCustomer", after))
			w.Advance(aWhile)
			_, err := w.Reconcile.Do(t.Context())
			require.NoError(t, err)
			return who
		},
		"whose subscription is over": func(w *world) identity.Identity {
			who := w.member()
			w.cancelAtTheProvider(w.subscribed(who, flowtest.Visa, standardMonthly).ID)
			w.Deliver(w.UseCases, w.Arrived()...)
			require.Equal(t, billing.Canceled, w.account(who).PastLicense().Status)
			return who
		},
	} {
		t.Run(name, func(t *testing.T) {
			w := newWorld(t)
			who := before(w)
			made := w.byHand(who, "by-hand")
			require.Nil(t, w.license(who), "nobody has told us")

			w.Advance(7 * day)
			checked, err := w.CheckLicenses.Do(t.Context())

			require.NoError(t, err)
			assert.Equal(t, 1, checked)
			require.NotNil(t, w.license(who))
			assert.Equal(t, made.ID, w.license(who).ID)
			w.requireSound(who)
		})
	}
}

func TestWhoeverHasNoCustomerIsNotAskedAbout(t *testing.T) {
	w := newWorld(t)
	who := w.memberInTrouble(cannot("BeginOperation", before))
	w.Advance(400 * day)
	server, asked := w.tapped(untroubled)

	checked, err := server.CheckLicenses.Do(t.Context())

	require.NoError(t, err)
	assert.Zero(t, checked)
	assert.Empty(t, listings(asked.names))
	_, err = w.ShowCustomer.Do(t.Context(), who)
	assert.Equal(t, fault.NotFound, fault.CodeOf(err))
}
