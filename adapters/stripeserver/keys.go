package stripeserver

import (
	"net/http"
	"strings"
	"sync"
)

// longestKey is Stripe's limit.
const longestKey = 255

// keys remembers what was answered to requests with an idempotency key.
type keys struct {
	mu    *sync.Mutex
	known map[string]*kept
}

// kept is a request and its answer, which is nil while it is being made.
type kept struct {
	route  string
	params string
	answer *answer
}

func newKeys() keys { return keys{mu: &sync.Mutex{}, known: map[string]*kept{}} }

func (c *call) checkKey() error {
	if len(c.key()) > longestKey {
		return keyError("Idempotency keys can be up to 255 characters long.")
	}
	return nil
}

// key is the idempotency key, which only a POST has.
func (c *call) key() string {
	if c.r.Method != http.MethodPost {
		return ""
	}
	return c.r.Header.Get("Idempotency-Key")
}

// once carries out a request the first time it comes with its key, and repeats the answer every
// other time, a failure no less than a success. Only a request that fails validation leaves its key
// free.
func (k keys) once(c *call, do func() answer) (a answer, replayed bool) {
	if c.key() == "" {
		return do(), false
	}
	mine := &kept{route: c.r.Method + " " + c.r.URL.Path, params: c.form.values.Encode()}
	if known := k.claim(c.key(), mine); known != nil {
		return known.repeat(c.key(), mine)
	}
	a = do()
	k.mu.Lock()
	defer k.mu.Unlock()
	if a.failedValidation() {
		delete(k.known, c.key())
	} else {
		mine.answer = &a
	}
	return a, false
}

// failedValidation reports whether the request was refused before it was carried out: a parameter
// is missing or can't be read, or names something that does not exist. Stripe keeps no answer to
// such a request, and its key stays free.
func (a answer) failedValidation() bool {
	e, _ := a.Body["error"].(object)
	code, _ := e["code"].(string)
	return code == "resource_missing" || strings.HasPrefix(code, "parameter_")
}

// claim takes the key, or returns a copy of who has it.
func (k keys) claim(key string, mine *kept) *kept {
	k.mu.Lock()
	defer k.mu.Unlock()
	if known, taken := k.known[key]; taken {
		copied := *known
		return &copied
	}
	k.known[key] = mine
	return nil
}

func (k *kept) repeat(key string, again *kept) (a answer, replayed bool) {
	switch {
	case k.route != again.route:
		return refusal(keyError("Keys for idempotent requests can only be used for the same endpoint they were first used for ('" +
			k.route + "' vs '" + again.route + "'). Try using a key other than '" + key + "' if you meant to execute a different request.")), false
	case k.params != again.params:
		return refusal(keyError("Keys for idempotent requests can only be used with the same parameters they were first used with. " +
			"Try using a key other than '" + key + "' if you meant to execute a different request.")), false
	case k.answer == nil:
		busy := keyError("There is currently another in-progress request using this Idempotent Key. Please try again later.")
		busy.status, busy.code = http.StatusConflict, "idempotency_key_in_use"
		return refusal(busy), false
	}
	return *k.answer, true
}

func keyError(text string) *apiError {
	return &apiError{status: http.StatusBadRequest, kind: "idempotency_error", text: text}
}
