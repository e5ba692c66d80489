package smtpmail

import (
	"crypto/sha256"
	"encoding/hex"
	"strings"

	gomail "github.com/wneessen/go-mail"

	"github.com/vc-admin/diy/domain/fault"
	"github.com/vc-admin/diy/ports/mail"
)

// compose writes the letter as MIME: plain text first, the HTML twin as its alternative.
func (s *Sender) compose(m mail.Message) (*gomail.Msg, error) {
	letter := gomail.NewMsg(gomail.WithNoDefaultUserAgent())
	letter.FromMailAddress(&s.from)
	if err := letter.To(m.To); err != nil {
		return nil, fault.New(fault.Invalid, "The letter's address can't be written to.")
	}
	letter.Subject(m.Subject)
	letter.SetDateWithValue(s.clock.Now().UTC())
	letter.SetMessageIDWithValue(s.messageID(m))
	letter.SetGenHeader("Auto-Submitted", "auto-generated") // no out-of-office answers, please
	letter.SetBodyString(gomail.TypeTextPlain, m.Text)
	letter.AddAlternativeString(gomail.TypeTextHTML, m.HTML)
	return letter, nil
}

// messageID is the same however often the letter is tried, so that one which arrives twice can be
// told as one. Letters differ at least in the token they carry.
func (s *Sender) messageID(m mail.Message) string {
	sum := sha256.Sum256([]byte(strings.Join([]string{m.To, m.Subject, m.Text, m.HTML}, "\x00")))
	_, domain, _ := strings.Cut(s.from.Address, "@")
	return hex.EncodeToString(sum[:16]) + "@" + domain
}
