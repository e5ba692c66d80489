package examples_test

import (
	"io/fs"
	"os"
	"regexp"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/vc-admin/diy/app/emails"
	"github.com/vc-admin/diy/app/emails/examples"
)

const publicURL = "https://vision.example"

func newExamples() []examples.Example {
	return examples.All(emails.Sender{Brand: "Vision", Address: []string{"Vision Telehealth", "Sydney NSW 2000"}}, publicURL)
}

func TestAll_HasAnExampleOfEveryTemplate(t *testing.T) {
	templates, err := fs.Glob(os.DirFS("../templates"), "*.html")
	require.NoError(t, err)
	hasExample := map[string]bool{"frame": true, "notice": true} // these two are parts of other emails
	for _, e := range newExamples() {
		hasExample[e.Name] = true
	}
	for _, file := range templates {
		assert.True(t, hasExample[strings.TrimSuffix(file, ".html")], "add an example of %s", file)
	}
}

func TestAll_NameAndVariantOfEachExampleAreUnique(t *testing.T) {
	counts := map[[2]string]int{}
	for _, e := range newExamples() {
		id := [2]string{e.Name, e.Variant}
		counts[id]++
		assert.Equal(t, 1, counts[id], "%s", id)
	}
}

var (
	externalRequestPattern = regexp.MustCompile(`(?i)<(img|link|script|iframe|video|audio|source|object)\b|url\(|@import|@font-face|\b(src|srcset|background)=`)
	buttonPattern          = regexp.MustCompile(`<a class="button"`)
	linkPattern            = regexp.MustCompile(`href="([^"]*)"`)
	templateErrorPattern   = regexp.MustCompile(`<no value>|\{\{|%!|ZgotmplZ`)
)

// gmailSizeLimit is the size at which Gmail cuts an email off.
const gmailSizeLimit = 100_000

func TestAll_EachExampleIsCompleteAndMakesNoExternalRequests(t *testing.T) {
	for _, e := range newExamples() {
		t.Run(e.Name+" "+e.Variant, func(t *testing.T) {
			m := e.Message
			require.NoError(t, m.Check())
			assert.Less(t, len(m.HTML), gmailSizeLimit)
			assert.Empty(t, externalRequestPattern.FindAllString(m.HTML, -1))
			if !strings.Contains(m.Text, "Your sign-in was deleted") { // such recipients can't open a page of the product
				assert.Len(t, buttonPattern.FindAllString(m.HTML, -1), 1)
			}
			for _, link := range linkPattern.FindAllStringSubmatch(m.HTML, -1) {
				assert.True(t, strings.HasPrefix(link[1], publicURL+"/"), link[1])
			}
			assert.NotContains(t, m.HTML, "<b>", "markup in names is escaped")
			assert.Contains(t, m.HTML, "Vision Telehealth, Sydney NSW 2000")
			assert.Empty(t, templateErrorPattern.FindAllString(m.Subject+m.Text+m.HTML, -1))

			assert.Contains(t, strings.Split(m.Text, "\n"), "Sydney NSW 2000", "the text ends with the address")
			assert.NotContains(t, m.Text, "\n\n\n", "the text has no gaps")
			assert.True(t, strings.HasSuffix(m.Text, "2000\n"))
		})
	}
}
