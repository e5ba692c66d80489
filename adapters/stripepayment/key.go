package stripepayment

import (
	"errors"
	"regexp"
)

// secretKey is how Stripe writes its secret and restricted keys.
var secretKey = regexp.MustCompile(`^(?:sk|rk)_(live|test)_[A-Za-z0-9_]+$`)

// CheckKey refuses a key that can't be right before anybody is asked: one that is no secret key,
// a test key where real money is to be taken, and a live key where people only try things out.
// The message never quotes the key.
func CheckKey(key string, production bool) error {
	found := secretKey.FindStringSubmatch(key)
	switch {
	case found == nil:
		return errors.New("the secret key of Stripe's API must begin with sk_live_, sk_test_, rk_live_ or rk_test_")
	case production && found[1] != "live":
		return errors.New("production needs a live key of Stripe's, and this is a test key: nobody would be charged")
	case !production && found[1] != "test":
		return errors.New("development needs a test key of Stripe's, and this is a live key: people would be charged")
	}
	return nil
}
