package stripepayment

import (
	"crypto/rand"
	"regexp"

	"github.com/vc-admin/diy/domain/fault"
)

// idForm is what Stripe's ids look like, whatever they are of.
var idForm = regexp.MustCompile(`^[A-Za-z0-9_]{1,255}$`)

// known refuses what can't be the id of anything as the thing that is not there. It never reaches
// Stripe, where it could be read as a path or a query.
func known(text, what string) error {
	if idForm.MatchString(text) {
		return nil
	}
	return noSuch(what)
}

func noSuch(what string) error { return fault.New(fault.NotFound, "There is no such "+what+".") }

// longestKey leaves room for what keyFor adds: Stripe takes 255 characters.
const longestKey = 200

// checkKey refuses a request without a key.
func checkKey(key string) error {
	if key == "" || len(key) > longestKey {
		return fault.New(fault.Invalid, "A request that changes something needs a key.")
	}
	return nil
}

// keyFor is the key of a further step of the same request. Stripe knows a key for one endpoint only.
func keyFor(key, step string) *string {
	key += "-" + step
	return &key
}

// freshKey is for what may be done twice: it only keeps the tries of one request together.
func freshKey() string { return "once-" + rand.Text() }
