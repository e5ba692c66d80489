package stripeserver

import (
	"net/http"
	"strings"
	"sync"
)

// maxKeyLength is Stripe's limit for idempotency keys.
const maxKeyLength = 255

// idempotencyStore contains the requests with an idempotency key and their responses, by the key.
type idempotencyStore struct {
	mu       *sync.Mutex
	requests map[string]*storedRequest
}

// storedRequest is a request and its response.
type storedRequest struct {
	route    string
	params   string
	response *response // nil while the request runs
}

func newIdempotencyStore() idempotencyStore {
	return idempotencyStore{mu: &sync.Mutex{}, requests: map[string]*storedRequest{}}
}

func (c *call) checkKey() error {
	if len(c.key()) > maxKeyLength {
		return idempotencyError("Idempotency keys can be up to 255 characters long.")
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

// keyUse describes how a request has used its idempotency key.
type keyUse int

const (
	keyUnused   keyUse = iota // the request has no key, failed validation or misused the key
	keyStored                 // the response is stored under the key
	keyReplayed               // the response is the stored response of an earlier request
)

// setHeaders sets the headers that Stripe sends with stored and replayed responses only.
func (u keyUse) setHeaders(w http.ResponseWriter) {
	if u != keyUnused {
		w.Header().Set("Stripe-Should-Retry", "false")
	}
	if u == keyReplayed {
		w.Header().Set("Idempotent-Replayed", "true")
	}
}

// runOnce runs the request unless its key was used before. For a used key it returns the stored response, or an error if
// the key was used for another request or is in use. A request that fails validation leaves its key unused.
func (s idempotencyStore) runOnce(c *call, run func() response) (response, keyUse) {
	if c.key() == "" {
		return run(), keyUnused
	}
	req := &storedRequest{route: c.r.Method + " " + c.r.URL.Path, params: c.form.values.Encode()}
	if storedReq := s.claim(c.key(), req); storedReq != nil {
		return storedReq.replay(c.key(), req)
	}
	res := run()
	s.mu.Lock()
	defer s.mu.Unlock()
	if res.isValidationError() {
		delete(s.requests, c.key())
		return res, keyUnused
	}
	req.response = &res
	return res, keyStored
}

// isValidationError reports whether a parameter was missing or malformed, or the path or a parameter named an object that
// does not exist. Stripe stores no response to such a request. It does store the error for a customer without a payment
// method, which is resource_missing without a parameter.
func (res response) isValidationError() bool {
	e, _ := res.Body["error"].(object)
	code, _ := e["code"].(string)
	namesParam := e["param"] != nil || res.Status == http.StatusNotFound
	return strings.HasPrefix(code, "parameter_") || code == "resource_missing" && namesParam
}

// claim stores the request under the key and returns nil. If the key was used before, it returns a copy of the stored
// request.
func (s idempotencyStore) claim(key string, req *storedRequest) *storedRequest {
	s.mu.Lock()
	defer s.mu.Unlock()
	if storedReq, ok := s.requests[key]; ok {
		clone := *storedReq
		return &clone
	}
	s.requests[key] = req
	return nil
}

// replay returns the stored response if repeat is the same request, and otherwise the error for the key of another
// request or for a key that is in use.
func (r *storedRequest) replay(key string, repeat *storedRequest) (response, keyUse) {
	switch {
	case r.route != repeat.route:
		return errorResponse(idempotencyError("Keys for idempotent requests can only be used for the same endpoint they were " +
			"first used for ('" + r.route + "' vs '" + repeat.route + "'). Try using a key other than '" + key +
			"' if you meant to execute a different request.")), keyUnused
	case r.params != repeat.params:
		return errorResponse(idempotencyError("Keys for idempotent requests can only be used with the same parameters they were " +
			"first used with. Try using a key other than '" + key +
			"' if you meant to execute a different request.")), keyUnused
	case r.response == nil:
		keyErr := idempotencyError("There is currently another in-progress request using this Idempotent Key. " +
			"Please try again later.")
		keyErr.status, keyErr.code = http.StatusConflict, "idempotency_key_in_use"
		return errorResponse(keyErr), keyUnused
	}
	return *r.response, keyReplayed
}

func idempotencyError(message string) *apiError {
	return &apiError{status: http.StatusBadRequest, errorType: "idempotency_error", message: message}
}
