package stripepayment

import (
	"crypto/rand"
	"regexp"

	"github.com/vc-admin/diy/domain/fault"
)

// idPattern matches every id of Stripe's.
var idPattern = regexp.MustCompile(`^[A-Za-z0-9_]{1,255}$`)

// checkID returns NotFound for a string that can't be an id. It must not reach Stripe, where it
// could change the path or the query.
func checkID(text, what string) error {
	if idPattern.MatchString(text) {
		return nil
	}
	return errNotFound(what)
}

func errNotFound(what string) error { return fault.New(fault.NotFound, "There is no such "+what+".") }

// maxKeyLength leaves room for the suffixes of keyFor; Stripe's limit is 255.
const maxKeyLength = 200

// checkKey returns Invalid if the key is missing or too long.
func checkKey(key string) error {
	if key == "" || len(key) > maxKeyLength {
		return fault.New(fault.Invalid, "A request that changes something needs a key.")
	}
	return nil
}

// keyFor returns the key for a further step of a request, because Stripe accepts a key for one
// endpoint only.
func keyFor(key, suffix string) *string {
	key += "-" + suffix
	return &key
}

// newKey returns a key for a request that may be repeated by others: it only protects the attempts
// of this request.
func newKey() string { return "once-" + rand.Text() }
