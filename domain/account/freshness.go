package account

import (
	"time"

	"github.com/vc-admin/diy/domain/fault"
)

// FreshFor is the time after an authentication in which a user may change how the account is protected.
const FreshFor = 15 * time.Minute

// freshTolerance is the difference between the clocks of two servers that does not matter for freshness.
const freshTolerance = time.Minute

// RequireFresh returns a Reauthenticate fault unless the user has authenticated within FreshFor before now. An
// authentication in the future, made before a clock was set back, is not fresh.
func RequireFresh(authenticatedAt, now time.Time) error {
	age := now.Sub(authenticatedAt)
	if age >= FreshFor || age < -freshTolerance {
		return fault.New(fault.Reauthenticate, "Please confirm that it is you.")
	}
	return nil
}
