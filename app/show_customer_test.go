package app

import (
	"testing"

	"github.com/stretchr/testify/assert"

	"github.com/vc-admin/diy/domain/fault"
)

func show(t *testing.T) func(*bench) error {
	return func(b *bench) error {
		_, err := b.ShowCustomer.Do(t.Context(), who)
		return err
	}
}

func TestShowCustomerShowsTheProvidersWord(t *testing.T) {
	steps := []step{reads("", newcomer), showsCustomer}
	passes(t, steps, show(t))
	failsAtEveryStep(t, errOutage, steps, show(t))
}

func TestShowCustomerWithoutOneAsksNobody(t *testing.T) {
	b := newBench(t)
	b.readsOrganisation(stranger(), nil)
	assert.Equal(t, fault.NotFound, fault.CodeOf(show(t)(b)))
}
