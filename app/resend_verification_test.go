package app

import (
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/mock"

	"github.com/vc-admin/diy/domain/account"
	"github.com/vc-admin/diy/ports/storage"
)

var ann = account.User{ID: "usr_1", OrganisationID: "org_1", FirstName: "Ann", Email: "ann@example.com", PasswordHash: "$hash"}

func storesRequest(kind storage.EmailKind) step {
	return step{"AddEmailRequest", func(b *bench, err error) {
		b.store.EXPECT().AddEmailRequest(mock.Anything, storage.EmailRequest{Kind: kind, Email: "ann@example.com", RequestedAt: noon}).
			Return(err).Once()
	}}
}

// Nobody is looked up: known and unknown addresses cost the same.
func TestResendVerification_StoresTheRequestForAnyAddress(t *testing.T) {
	resend := func(b *bench) error { return b.ResendVerification.Do(t.Context(), " ANN@example.com") }
	passes(t, []step{storesRequest(storage.VerificationEmail)}, resend)
	failsAtEveryStep(t, errOutage, []step{storesRequest(storage.VerificationEmail)}, resend)
}

func TestResendVerification_IgnoresWhatIsNoAddress(t *testing.T) {
	assert.NoError(t, newBench(t).ResendVerification.Do(t.Context(), "no address"))
}
