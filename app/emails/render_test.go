package emails

import (
	htmlpkg "html"
	"regexp"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
)

func TestFormatDuration_RoundsDownToWholeUnits(t *testing.T) {
	tests := map[time.Duration]string{
		48 * time.Hour:   "48 hours",
		48*time.Hour - 1: "47 hours",
		time.Hour:        "1 hour",
		90 * time.Minute: "90 minutes",
		time.Minute:      "1 minute",
	}
	for d, want := range tests {
		assert.Equal(t, want, formatDuration(d))
	}
}

var htmlTags = regexp.MustCompile(`<[^>]*>`)

// renderBlock returns a block of the frame as plain text, and as HTML without its tags.
func renderBlock(t *testing.T, name string, data any) (text, html string) {
	t.Helper()
	var textOut, htmlOut strings.Builder
	assert.NoError(t, textTemplates.ExecuteTemplate(&textOut, name, data))
	assert.NoError(t, htmlTemplates.ExecuteTemplate(&htmlOut, name, data))
	return textOut.String(),
		strings.Join(strings.Fields(htmlpkg.UnescapeString(htmlTags.ReplaceAllString(htmlOut.String(), " "))), " ")
}

func TestFrame_RendersTheTableOfAmounts(t *testing.T) {
	rows := []Row{
		{Label: "Professional, yearly", Detail: "<i>", AmountText: "$816.00"},
		{Label: "Total", AmountText: "$816.00", Strong: true},
	}

	text, html := renderBlock(t, "amounts", rows)
	assert.Equal(t, "Professional, yearly (<i>): $816.00\nTotal: $816.00\n\n", text)
	assert.Equal(t, "Professional, yearly <i> $816.00 Total $816.00", html)

	text, html = renderBlock(t, "amounts", []Row(nil))
	assert.Empty(t, text+html)
}

func TestFrame_RendersOptionalPartsThatAreSet(t *testing.T) {
	sender := Sender{Brand: "ünion", Address: []string{"Ünion Pty Ltd", "Sydney"}, PreferencesLink: "https://x.example/preferences"}
	c := newContent(sender, "", "https://x.example/")
	c.Title, c.Kicker = "We received your payment", "Receipt for invoice 1"
	c.Figure = Figure{AmountText: "$569.27", Currency: "AUD", Note: "on 26 May 2027"}
	c.Preview, c.Reason = "$569.27 paid", "You are in charge of billing."

	text, html := renderBlock(t, "top", c)
	assert.Equal(t, "Receipt for invoice 1\n\nWe received your payment: $569.27 AUD on 26 May 2027\n", text)
	assert.Contains(t, html, "$569.27 paid Ü ünion Receipt for invoice 1 We received your payment $569.27 AUD on 26 May 2027")
	assert.NotContains(t, html, "Hello")

	text, html = renderBlock(t, "bottom", c)
	assert.Equal(t,
		"You are in charge of billing.\n\nChoose which emails you receive:\n\nhttps://x.example/preferences\n\nünion\nÜnion Pty Ltd\nSydney", text)
	assert.Equal(t, "You are in charge of billing. Choose which emails you receive Ünion Pty Ltd, Sydney", html)
}
