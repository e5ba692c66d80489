package emails

import (
	htmlpkg "html"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"

	"github.com/vc-admin/diy/ports/mail"
)

const verifyLink = "https://vision.example/vc-admin/auth/verify?token=ABC&x=1"

func TestVerification_ContainsLinkAndValidity(t *testing.T) {
	m := Verification(Sender{Brand: "Vision"}, verifyLink, 48*time.Hour)

	assert.Empty(t, m.To, "the caller sets the address")
	assert.Equal(t, "Confirm your email address for Vision", m.Subject)
	assertBothPartsContain(t, m, "Hello,", "registering with Vision", verifyLink, "valid for 48 hours",
		"or ignore this email: a registration that is not confirmed is deleted.")
}

func TestVerification_TextHasTheLinkOnItsOwnLine(t *testing.T) {
	m := Verification(Sender{Brand: "Vision"}, verifyLink, 48*time.Hour)
	assert.Contains(t, strings.Split(m.Text, "\n"), verifyLink)
}

func TestVerification_ButtonOpensTheLink(t *testing.T) {
	m := Verification(Sender{Brand: "Vision"}, verifyLink, 48*time.Hour)
	assert.Contains(t, m.HTML, `href="https://vision.example/vc-admin/auth/verify?token=ABC&amp;x=1"`)
	assert.Contains(t, m.HTML, ">Confirm my email address</a>")
}

func TestVerification_EscapesMarkupInTheHTMLPart(t *testing.T) {
	m := Verification(Sender{Brand: `Smith & <b>Sons</b>`}, `https://x.example/?a="><img src=x>`, time.Hour)

	assert.NotContains(t, m.HTML, "<b>Sons")
	assert.NotContains(t, m.HTML, "<img")
	assert.Contains(t, m.HTML, "Smith &amp; &lt;b&gt;Sons&lt;/b&gt;")
	assert.Contains(t, m.Text, "Smith & <b>Sons</b>", "plain text is not escaped")
}

func TestVerification_RendersNoJavaScriptLink(t *testing.T) {
	m := Verification(Sender{Brand: "Vision"}, "javascript:alert(1)", time.Hour)
	assert.NotContains(t, m.HTML, `href="javascript:`)
}

func TestEmails_ReplaceLineBreaksInNamesBySpaces(t *testing.T) {
	m := PasswordReset(Sender{Brand: "Vision\r\nBcc: all@example.com"}, "Ann\n\nVisit evil.example", resetLink, time.Hour)
	assert.Equal(t, "Choose a new password for Vision Bcc: all@example.com", m.Subject)
	assert.Contains(t, m.Text, "Hello Ann Visit evil.example,")
}

const resetLink = "https://vision.example/vc-admin/auth/reset?token=ABC"

// assertBothPartsContain asserts that both parts of the message contain the words.
func assertBothPartsContain(t *testing.T, m mail.Message, words ...string) {
	t.Helper()
	for part, body := range map[string]string{"text": m.Text, "html": htmlpkg.UnescapeString(m.HTML)} {
		for _, w := range words {
			assert.Contains(t, body, w, part)
		}
	}
}

func TestPasswordReset_ContainsNameLinkAndValidity(t *testing.T) {
	m := PasswordReset(Sender{Brand: "Vision"}, "Zoë", resetLink, time.Hour)

	assert.Equal(t, "Choose a new password for Vision", m.Subject)
	assertBothPartsContain(t, m, "Hello Zoë,", "reset the password of your Vision account", resetLink,
		"valid for 1 hour and can be used once",
		"you can ignore this email")
	assert.Contains(t, strings.Split(m.Text, "\n"), resetLink)
}

func TestBillingEmailConfirmation_ContainsLinkAndValidity(t *testing.T) {
	link := "https://vision.example/vc-admin/auth/billing-email?token=ABC"
	m := BillingEmailConfirmation(Sender{Brand: "Vision"}, link, 48*time.Hour)

	assert.Equal(t, "Confirm your email address for invoices of Vision", m.Subject)
	assertBothPartsContain(t, m, "Hello,", "A customer of Vision wants emails about invoices", link, "valid for 48 hours",
		"ignore this email")
	assert.Contains(t, strings.Split(m.Text, "\n"), link)
}

func TestPasswordEmails_EscapeMarkupInTheHTMLPart(t *testing.T) {
	notice := SecurityNotice{
		Sender: Sender{Brand: "A & <b>B</b>"}, FirstName: "<script>x</script>\nBcc: y", Link: "javascript:alert(1)", At: "now",
	}
	for _, m := range []mail.Message{
		PasswordReset(Sender{Brand: "A & <b>B</b>"}, "<script>x</script>\nBcc: y", "javascript:alert(1)", time.Hour),
		NewSignIn(notice), PasswordChangedByLink(notice), PasswordChangedInSession(notice),
	} {
		assert.NotContains(t, m.HTML, "<script>")
		assert.NotContains(t, m.HTML, `href="javascript:`)
		assert.NotContains(t, m.HTML, "<b>B")
		assert.Contains(t, m.Text, "Hello <script>x</script> Bcc: y,")
	}
}
