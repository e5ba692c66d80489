package payment

import (
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"errors"
	"time"

	"github.com/vc-admin/diy/domain/fault"
)

// KeyRetention is the minimum time for which a provider remembers a key that was used or retired. The application
// sends a request that can charge within two minutes of storing its key, so repeated and delayed requests arrive well
// within this time.
const KeyRetention = 24 * time.Hour

// ErrKeyRetired is wrapped by the Conflict for a request with a retired key, see Fence. Another server has
// taken over the operation: the caller must stop, and must not send the request under another key.
var ErrKeyRetired = errors.New("the key of this request was retired")

// Response is the response to a request with a key. An adapter of a provider that has no keys stores it as JSON
// together with the key, in the transaction of the request. The zero Response marks a retired key.
type Response struct {
	Fingerprint string          `json:"fingerprint"`       // of the request, see the function Fingerprint
	Value       json.RawMessage `json:"value,omitempty"`   // the result of a successful request
	Code        fault.Code      `json:"code,omitempty"`    // of the refusal; "" for success
	Message     string          `json:"message,omitempty"` // of the refusal
}

// Fingerprint returns a digest of the request and the name of its method, or Invalid when the key is "".
func Fingerprint(method, key string, request any) (string, error) {
	if key == "" {
		return "", fault.New(fault.Invalid, "A request that changes something needs a key.")
	}
	text, err := json.Marshal([]any{method, request})
	if err != nil {
		return "", err
	}
	sum := sha256.Sum256(text)
	return hex.EncodeToString(sum[:16]), nil
}

// NewResponse returns the response to the request with the fingerprint. It contains the refusal or, if the refusal is
// nil, the value.
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

// Replay decodes the result of the request into the pointer value, or returns the refusal. It returns Conflict for
// another fingerprint, and a Conflict that wraps ErrKeyRetired for a retired key.
func (r Response) Replay(fingerprint string, value any) error {
	switch {
	case r.Fingerprint == "":
		return fault.Wrap(ErrKeyRetired, fault.Conflict, "This request was given up.")
	case r.Fingerprint != fingerprint:
		return fault.New(fault.Conflict, "This key was used for another request.")
	case r.Code != "":
		return fault.New(r.Code, r.Message)
	}
	return json.Unmarshal(r.Value, value)
}

// CheckRetired returns nil if the key is retired, and Conflict if its request was carried out.
func (r Response) CheckRetired() error {
	if r.Fingerprint == "" {
		return nil
	}
	return fault.New(fault.Conflict, "This request has been carried out.")
}
