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

// preferenceLinks signs the links with which a recipient turns off optional notices. The links need no session and do
// not expire, because recipients may read emails years later. A link contains no address, but its signature covers the
// address of its recipient. It is valid only while the organisation's notices are sent to that address.
type preferenceLinks struct {
	publicURL string
	key       []byte
}

// linkEncoding refuses non-zero padding bits, so that each signature has only one encoding.
var linkEncoding = base64.RawURLEncoding.Strict()

// recipient is an address to which an organisation's notices are sent.
type recipient struct {
	org   account.Organisation
	email string
}

// link returns the link for an email about a notice.
func (l preferenceLinks) link(r recipient, kind billing.NoticeKind) string {
	return l.publicURL + "/vc-admin/auth/emails?token=" + url.QueryEscape(l.token(r, kind))
}

// token returns the token in the link: the kind of the notice, the id of the organisation and a signature.
func (l preferenceLinks) token(r recipient, kind billing.NoticeKind) string {
	return string(kind) + "." + r.org.ID + "." + linkEncoding.EncodeToString(l.signature(r, kind))
}

// splitPreferenceToken returns the parts of a token, which are not verified yet.
func splitPreferenceToken(token string) (kind billing.NoticeKind, organisationID, signature string) {
	kindText, signature, _ := strings.Cut(token, ".")
	organisationID, signature, _ = strings.Cut(signature, ".")
	return billing.NoticeKind(kindText), organisationID, signature
}

// findRecipient returns the recipient of the organisation's notices whose link has the signature. ok is false if there is
// none.
func (l preferenceLinks) findRecipient(
	org account.Organisation, kind billing.NoticeKind, signature string,
) (r recipient, ok bool) {
	mac, err := linkEncoding.DecodeString(signature)
	for _, email := range org.BillingRecipients() {
		r = recipient{org, email}
		if err == nil && hmac.Equal(mac, l.signature(r, kind)) {
			return r, true
		}
	}
	return recipient{}, false
}

// signature returns the HMAC of a link. A zero byte, which no part contains, separates the parts.
func (l preferenceLinks) signature(r recipient, kind billing.NoticeKind) []byte {
	hash := hmac.New(sha256.New, l.key)
	hash.Write([]byte(strings.Join([]string{"email preferences", string(kind), r.org.ID, account.EmailKey(r.email)}, "\x00")))
	return hash.Sum(nil)
}
