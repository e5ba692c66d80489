package notices

import (
	"crypto/hmac"
	"crypto/sha256"
	"encoding/base64"
	"net/url"
	"strings"

	"github.com/vc-admin/diy/domain/account"
	"github.com/vc-admin/diy/domain/billing"
)

// preferenceLinks signs the links that turn off optional notices for a recipient. They need no session and
// do not expire, because emails may be read years later. A link contains no address, but its signature covers the
// address of its recipient. It is valid only while the organisation's notices are sent to that address.
type preferenceLinks struct {
	publicURL string
	key       []byte
}

// linkEncoding is strict, so that each signature has exactly one encoding.
var linkEncoding = base64.RawURLEncoding.Strict()

// recipient is an address to which an organisation's notices are sent.
type recipient struct {
	org   account.Organisation
	email string
}

// link returns the link for an email about a notice.
func (l preferenceLinks) link(r recipient, kind billing.NoticeKind) string {
	token := string(kind) + "." + r.org.ID + "." + linkEncoding.EncodeToString(l.signature(r, kind))
	return l.publicURL + "/vc-admin/auth/emails?token=" + url.QueryEscape(token)
}

// splitPreferenceToken returns the parts of a token, which are not verified yet.
func splitPreferenceToken(token string) (kind billing.NoticeKind, organisationID, signature string) {
	kindText, signature, _ := strings.Cut(token, ".")
	organisationID, signature, _ = strings.Cut(signature, ".")
	return billing.NoticeKind(kindText), organisationID, signature
}

// recipientOf returns the recipient of the organisation's notices for whom the signature was made.
func (l preferenceLinks) recipientOf(org account.Organisation, kind billing.NoticeKind, signature string) (r recipient, ok bool) {
	mac, err := linkEncoding.DecodeString(signature)
	for _, email := range org.BillingRecipients() {
		r = recipient{org, email}
		if err == nil && hmac.Equal(mac, l.signature(r, kind)) {
			return r, true
		}
	}
	return recipient{}, false
}

// signature returns the HMAC of a link. The parts are joined by a zero byte, which none of them contains.
func (l preferenceLinks) signature(r recipient, kind billing.NoticeKind) []byte {
	mac := hmac.New(sha256.New, l.key)
	mac.Write([]byte(strings.Join([]string{"email preferences", string(kind), r.org.ID, account.EmailKey(r.email)}, "\x00")))
	return mac.Sum(nil)
}
