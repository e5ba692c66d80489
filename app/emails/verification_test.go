package emails

import (
	htmlpkg "html"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
)

const link = "https://vision.example/vc-admin/auth/verify?token=ABC&x=1"

func TestVerificationSaysWhatItIsFor(t *testing.T) {
	m := Verification("Vision", "Zoë", link, 48*time.Hour)

	assert.Empty(t, m.To, "the address is the caller's to fill in")
	assert.Equal(t, "Confirm your e-mail address for Vision", m.Subject)
	for twin, body := range map[string]string{"text": m.Text, "html": htmlpkg.UnescapeString(m.HTML)} {
		assert.Contains(t, body, "Hello Zoë,", twin)
		assert.Contains(t, body, "registering with Vision", twin)
		assert.Contains(t, body, link, twin)
		assert.Contains(t, body, "valid for 48 hours", twin)
		assert.Contains(t, body, "or ignore this e-mail: a registration that is not confirmed is deleted.", twin)
	}
}

func TestVerificationLinkStandsAloneInTheText(t *testing.T) {
	m := Verification("Vision", "Ann", link, 48*time.Hour)
	assert.Contains(t, strings.Split(m.Text, "\n"), link)
}

func TestVerificationButtonLeadsToTheLink(t *testing.T) {
	m := Verification("Vision", "Ann", link, 48*time.Hour)
	assert.Contains(t, m.HTML, `href="https://vision.example/vc-admin/auth/verify?token=ABC&amp;x=1"`)
	assert.Contains(t, m.HTML, ">Confirm my e-mail address</a>")
}

func TestVerificationEscapes(t *testing.T) {
	m := Verification(`Smith & <b>Sons</b>`, `<script>alert("x")</script>`, `https://x.example/?a="><img src=x>`, time.Hour)

	assert.NotContains(t, m.HTML, "<script>")
	assert.NotContains(t, m.HTML, "<b>Sons")
	assert.NotContains(t, m.HTML, "<img")
	assert.Contains(t, m.HTML, "Smith &amp; &lt;b&gt;Sons&lt;/b&gt;")
	assert.Contains(t, m.Text, "Smith & <b>Sons</b>", "plain text is left as it is")
}

func TestVerificationNeverLinksToAScript(t *testing.T) {
	m := Verification("Vision", "Ann", "javascript:alert(1)", time.Hour)
	assert.NotContains(t, m.HTML, `href="javascript:`)
}

func TestVerificationStaysWithinItsLines(t *testing.T) {
	m := Verification("Vision\r\nBcc: all@example.com", "Ann\n\nVisit evil.example", link, time.Hour)
	assert.Equal(t, "Confirm your e-mail address for Vision Bcc: all@example.com", m.Subject)
	assert.Contains(t, m.Text, "Hello Ann Visit evil.example,")
}
