package stripeserver

import (
	"net/http"
	"strings"
	"sync"
)

// maxKeyLength is Stripe's limit for idempotency keys.
const maxKeyLength = 255

// idempotencyStore remembers the responses to requests with an idempotency key.
type idempotencyStore struct {
	mu       *sync.Mutex
	requests map[string]*storedRequest
}

// storedRequest is a request and its response, which is nil while the request runs.
type storedRequest struct {
	route    string
	params   string
	response *response
}

func newIdempotencyStore() idempotencyStore {
	return idempotencyStore{mu: &sync.Mutex{}, requests: map[string]*storedRequest{}}
}

func (c *call) checkKey() error {
	if len(c.key()) > maxKeyLength {
		return keyError("Idempotency keys can be up to 255 characters long.")
	}
	return nil
}

// key returns the idempotency key. Stripe ignores the header on everything but POST.
func (c *call) key() string {
	if c.r.Method != http.MethodPost {
		return ""
	}
	return c.r.Header.Get("Idempotency-Key")
}

// do runs the request unless its key was used before; then it returns the stored response, errors
// included. A request that failed validation leaves its key unused.
func (s idempotencyStore) do(c *call, run func() response) (res response, replayed bool) {
	if c.key() == "" {
		return run(), false
	}
	request := &storedRequest{route: c.r.Method + " " + c.r.URL.Path, params: c.form.values.Encode()}
	if stored := s.claim(c.key(), request); stored != nil {
		return stored.replay(c.key(), request)
	}
	res = run()
	s.mu.Lock()
	defer s.mu.Unlock()
	if res.failedValidation() {
		delete(s.requests, c.key())
	} else {
		request.response = &res
	}
	return res, false
}

// failedValidation reports whether a parameter was missing or malformed, or named an object that
// does not exist. Stripe stores no response to such a request.
func (res response) failedValidation() bool {
	e, _ := res.Body["error"].(object)
	code, _ := e["code"].(string)
	return code == "resource_missing" || strings.HasPrefix(code, "parameter_")
}

// claim stores the request under the key, or returns a copy of the request that is stored already.
func (s idempotencyStore) claim(key string, request *storedRequest) *storedRequest {
	s.mu.Lock()
	defer s.mu.Unlock()
	if stored, ok := s.requests[key]; ok {
		copied := *stored
		return &copied
	}
	s.requests[key] = request
	return nil
}

// replay returns the stored response to a repeated request, or the error for a misused key.
func (stored *storedRequest) replay(key string, request *storedRequest) (res response, replayed bool) {
	switch {
	case stored.route != request.route:
		return errorResponse(keyError("Keys for idempotent requests can only be used for the same endpoint they were first used for ('" +
			stored.route + "' vs '" + request.route + "'). Try using a key other than '" + key + "' if you meant to execute a different request.")), false
	case stored.params != request.params:
		return errorResponse(keyError("Keys for idempotent requests can only be used with the same parameters they were first used with. " +
			"Try using a key other than '" + key + "' if you meant to execute a different request.")), false
	case stored.response == nil:
		busy := keyError("There is currently another in-progress request using this Idempotent Key. Please try again later.")
		busy.status, busy.code = http.StatusConflict, "idempotency_key_in_use"
		return errorResponse(busy), false
	}
	return *stored.response, true
}

func keyError(text string) *apiError {
	return &apiError{status: http.StatusBadRequest, kind: "idempotency_error", text: text}
}
