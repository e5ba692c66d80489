package emails

import (
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
)

const link = "https://vision.example/vc-admin/auth/verify?token=ABC&x=1"

func TestVerification_ContainsNameLinkAndValidity(t *testing.T) {
	m := Verification(Sender{Brand: "Vision"}, "Zoë", link, 48*time.Hour)

	assert.Empty(t, m.To, "the caller sets the address")
	assert.Equal(t, "Confirm your e-mail address for Vision", m.Subject)
	assertContains(t, m, "Hello Zoë,", "registering with Vision", link, "valid for 48 hours",
		"or ignore this e-mail: a registration that is not confirmed is deleted.")
}

func TestVerification_TextHasTheLinkOnItsOwnLine(t *testing.T) {
	m := Verification(Sender{Brand: "Vision"}, "Ann", link, 48*time.Hour)
	assert.Contains(t, strings.Split(m.Text, "\n"), link)
}

func TestVerification_ButtonOpensTheLink(t *testing.T) {
	m := Verification(Sender{Brand: "Vision"}, "Ann", link, 48*time.Hour)
	assert.Contains(t, m.HTML, `href="https://vision.example/vc-admin/auth/verify?token=ABC&amp;x=1"`)
	assert.Contains(t, m.HTML, ">Confirm my e-mail address</a>")
}

func TestVerification_EscapesHTML(t *testing.T) {
	m := Verification(Sender{Brand: `Smith & <b>Sons</b>`}, `<script>alert("x")</script>`, `https://x.example/?a="><img src=x>`, time.Hour)

	assert.NotContains(t, m.HTML, "<script>")
	assert.NotContains(t, m.HTML, "<b>Sons")
	assert.NotContains(t, m.HTML, "<img")
	assert.Contains(t, m.HTML, "Smith &amp; &lt;b&gt;Sons&lt;/b&gt;")
	assert.Contains(t, m.Text, "Smith & <b>Sons</b>", "plain text is not escaped")
}

func TestVerification_RemovesJavaScriptLinks(t *testing.T) {
	m := Verification(Sender{Brand: "Vision"}, "Ann", "javascript:alert(1)", time.Hour)
	assert.NotContains(t, m.HTML, `href="javascript:`)
}

func TestVerification_RemovesLineBreaks(t *testing.T) {
	m := Verification(Sender{Brand: "Vision\r\nBcc: all@example.com"}, "Ann\n\nVisit evil.example", link, time.Hour)
	assert.Equal(t, "Confirm your e-mail address for Vision Bcc: all@example.com", m.Subject)
	assert.Contains(t, m.Text, "Hello Ann Visit evil.example,")
}
