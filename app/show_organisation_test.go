package app

import (
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/vc-admin/diy/domain/fault"
)

func TestShowOrganisationShowsOnesOwn(t *testing.T) {
	b := newBench(t)
	b.readsOrganisation(newcomer(), nil)

	org, err := b.ShowOrganisation.Do(t.Context(), who, "org_1")

	require.NoError(t, err)
	assert.Equal(t, newcomer(), org)
}

func TestShowOrganisationHidesEveryOther(t *testing.T) {
	for _, id := range []string{"org_2", "", "ORG_1", "org_1 "} {
		_, err := newBench(t).ShowOrganisation.Do(t.Context(), who, id)
		assert.Equal(t, fault.NotFound, fault.CodeOf(err), "%q", id)
	}
}

func TestShowOrganisationFails(t *testing.T) {
	failsAtEveryStep(t, errOutage, []step{reads("", newcomer)}, func(b *bench) error {
		_, err := b.ShowOrganisation.Do(t.Context(), who, "org_1")
		return err
	})
}
