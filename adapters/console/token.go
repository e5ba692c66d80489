package console

import (
	"crypto/hmac"
	"crypto/rand"
	"crypto/sha256"
	"encoding/base64"
	"encoding/json"
	"net/http"
	"strings"
	"time"

	"github.com/vc-admin/diy/app/operators"
	"github.com/vc-admin/diy/domain/fault"
)

// tokenLifetime is the time for which a form can be sent.
const tokenLifetime = 30 * time.Minute

// token is the hidden field of a form. Its Key is the idempotency key of the action. The signature proves that the
// console has shown the form to the operator, so another website can't send the form. Figures are those that the operator
// has seen. If they have changed, the action is refused.
type token struct {
	Key            string
	Operator       string
	Action         string
	OrganisationID string
	Figures        string
	ExpiresAt      time.Time
}

// newToken returns the token of a form of the action.
func (c *Console) newToken(r *http.Request, action, organisationID, figures string) (string, error) {
	text, err := json.Marshal(token{
		Key: "opf_" + strings.ToLower(rand.Text()), Operator: operators.FromContext(r.Context()).Name, Action: action,
		OrganisationID: organisationID, Figures: figures, ExpiresAt: c.Clock.Now().Add(tokenLifetime),
	})
	if err != nil {
		return "", err
	}
	encode := base64.RawURLEncoding.EncodeToString
	return encode(text) + "." + encode(c.signature(text)), nil
}

func (c *Console) signature(text []byte) []byte {
	mac := hmac.New(sha256.New, c.Key)
	_, _ = mac.Write(text)
	return mac.Sum(nil)
}

// readToken returns the token of a form that the operator has sent for the action. It returns Forbidden for a token of
// another operator, action or organisation, and Conflict for one that has expired.
func (c *Console) readToken(r *http.Request, action, organisationID string) (token, error) {
	errInvalid := fault.New(fault.Forbidden, "The form is not valid. Please open it again.")
	encodedText, encodedSignature, _ := strings.Cut(r.PostFormValue("token"), ".")
	text, textErr := base64.RawURLEncoding.DecodeString(encodedText)
	signature, signatureErr := base64.RawURLEncoding.DecodeString(encodedSignature)
	if textErr != nil || signatureErr != nil || !hmac.Equal(signature, c.signature(text)) {
		return token{}, errInvalid
	}
	var t token
	if err := json.Unmarshal(text, &t); err != nil {
		return token{}, errInvalid
	}
	if t.Operator != operators.FromContext(r.Context()).Name || t.Action != action || t.OrganisationID != organisationID {
		return token{}, errInvalid
	}
	if !c.Clock.Now().Before(t.ExpiresAt) {
		return token{}, fault.New(fault.Conflict, "The form has expired. Please open it again.")
	}
	return t, nil
}
