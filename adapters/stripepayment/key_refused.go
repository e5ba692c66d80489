package stripepayment

import (
	"errors"
	"net/http"
)

// KeyRefused reports whether an error of this package says that Stripe does not take our key: it is
// wrong, was revoked, or may not do what was asked. No other try with it will go better.
func KeyRefused(err error) bool {
	why, is := errors.AsType[failure](err)
	return is && (why.status == http.StatusUnauthorized || why.status == http.StatusForbidden)
}
