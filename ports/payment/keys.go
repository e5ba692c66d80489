package payment

import (
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"time"

	"github.com/vc-admin/diy/domain/fault"
)

// KeyRetention is the minimum time for which a provider remembers a key, also a retired one. The application
// sends a request that can charge within two minutes of storing its key, so repeated and delayed requests
// arrive long before it has passed.
const KeyRetention = 24 * time.Hour

// Response is the response to a request with a key. An adapter of a provider that has no keys stores it
// with the key, in the transaction of the request. It can be stored as JSON; the zero Response is that of a
// retired key.
type Response struct {
	Fingerprint string          `json:"fingerprint"`     // of the request, see Fingerprint
	Value       json.RawMessage `json:"value,omitempty"` // that the request returned
	Code        fault.Code      `json:"code,omitempty"`  // of the refusal; "" for success
	Message     string          `json:"message,omitempty"`
}

// Fingerprint returns a digest of a request and the name of its method. Invalid when the key is "".
func Fingerprint(name, key string, request any) (string, error) {
	if key == "" {
		return "", fault.New(fault.Invalid, "A request that changes something needs a key.")
	}
	text, err := json.Marshal([]any{name, request})
	if err != nil {
		return "", err
	}
	sum := sha256.Sum256(text)
	return hex.EncodeToString(sum[:16]), nil
}

// NewResponse returns the response to the request with the fingerprint: the value, or the refusal if it is
// not nil.
func NewResponse(fingerprint string, value any, refusal error) (Response, error) {
	r := Response{Fingerprint: fingerprint}
	if refusal != nil {
		r.Code, r.Message = fault.CodeOf(refusal), fault.MessageOf(refusal)
		return r, nil
	}
	var err error
	r.Value, err = json.Marshal(value)
	return r, err
}

// Replay stores the value in out, or returns the refusal. Conflict for a request with another fingerprint, and
// for a retired key, where the error wraps ErrKeyRetired.
func (r Response) Replay(fingerprint string, out any) error {
	switch {
	case r.Fingerprint == "":
		return fault.Wrap(ErrKeyRetired, fault.Conflict, "This request was given up.")
	case r.Fingerprint != fingerprint:
		return fault.New(fault.Conflict, "This key was used for another request.")
	case r.Code != "":
		return fault.New(r.Code, r.Message)
	}
	return json.Unmarshal(r.Value, out)
}

// CheckRetired returns Conflict if the request was carried out, and nil if its key is retired.
func (r Response) CheckRetired() error {
	if r.Fingerprint == "" {
		return nil
	}
	return fault.New(fault.Conflict, "This request has been carried out.")
}
