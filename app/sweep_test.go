package app

import (
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/mock"

	"github.com/vc-admin/diy/domain/account"
	"github.com/vc-admin/diy/domain/billing"
)

func (b *bench) sweepsRegistrations(err error, swept ...account.Organisation) {
	b.store.EXPECT().SweepRegistrations(mock.Anything, noon.Add(-48*time.Hour), sweepBatch).Return(swept, err).Once()
}

func (b *bench) sweepsOthers(tokens, attempts error) {
	b.store.EXPECT().SweepVerifications(mock.Anything, noon).Return(tokens).Once()
	b.store.EXPECT().SweepPasswordResets(mock.Anything, noon).Return(nil).Once()
	b.store.EXPECT().SweepPaymentAttempts(mock.Anything, noon.Add(-billing.PaymentAttemptRetention)).Return(attempts).Once()
}

func TestSweep_DeletesExpiredTokensAndOldPaymentAttempts(t *testing.T) {
	for _, failures := range [][3]error{{}, {errOutage, nil, nil}, {nil, errOutage, nil}, {nil, nil, errOutage}} {
		b := newBench(t)
		b.sweepsRegistrations(failures[0])
		b.sweepsOthers(failures[1], failures[2])

		err := b.Sweep.Do(t.Context())

		assert.Equal(t, failures != [3]error{}, err != nil)
	}
}

func TestSweep_DeletesAllExpiredRegistrations(t *testing.T) {
	b := newBench(t)
	b.sweepsRegistrations(nil, make([]account.Organisation, sweepBatch)...)
	b.sweepsRegistrations(nil, newcomer())
	b.sweepsOthers(nil, nil)

	assert.NoError(t, b.Sweep.Do(t.Context()))
	assert.Contains(t, b.log.String(), "cus_1", "a customer left behind at the provider can be found")
}
