package diycmd

import (
	"os"
	"path/filepath"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/vc-admin/diy/adapters/httpapi"
)

func TestBranding_FileReplacesTheEmbeddedOne(t *testing.T) {
	path := filepath.Join(t.TempDir(), "branding.json")
	require.NoError(t, os.WriteFile(path, []byte(`{"name": "Clinica", "copyrightYear": 2022}`), 0o600))

	c, err := loadConfig(map[string]string{"DIY_BRANDING": path})

	require.NoError(t, err)
	assert.Equal(t, "Clinica", c.branding.Name)
}

func TestPostalAddressLines_BeginWithTheCompanyOrTheName(t *testing.T) {
	const email = "help@vision.example"
	assert.Equal(t, []string{"Vision Telehealth", email},
		postalAddressLines(httpapi.Branding{Name: "Vision", Company: "Vision Telehealth"}, email))
	assert.Equal(t, []string{"Vision Telehealth", "Sydney", email},
		postalAddressLines(httpapi.Branding{Company: "Vision Telehealth", AddressLines: []string{"Sydney"}}, email))
	assert.Equal(t, []string{"Vision", "Sydney", email},
		postalAddressLines(httpapi.Branding{Name: "Vision", AddressLines: []string{"Sydney"}}, email))
}

func TestBranding_RefusesInvalidFiles(t *testing.T) {
	for name, text := range map[string]string{
		"unknown key": `{"name": "A", "colour": "red"}`,
		"no name":     `{"company": "A"}`,
		"script link": `{"name": "A", "headerLinks": [{"label": "x", "url": "javascript:alert(1)"}]}`,
		"no JSON":     `name: A`,
		"two objects": `{"name": "A"} {"name": "B"}`,
	} {
		t.Run(name, func(t *testing.T) {
			path := filepath.Join(t.TempDir(), "branding.json")
			require.NoError(t, os.WriteFile(path, []byte(text), 0o600))
			_, err := loadConfig(map[string]string{"DIY_BRANDING": path})
			assert.ErrorContains(t, err, "DIY_BRANDING")
		})
	}
}

// FuzzBranding requires that the links of accepted files are http or https URLs.
func FuzzBranding(f *testing.F) {
	for _, seed := range []string{
		string(defaultBranding), "", "null", "[]", `{"name": "A"} {}`, `{"name": "A", "headerLinks": null, "copyrightYear": 1e99}`,
		`{"name": "A", "footerColumns": [{"title": "x", "links": [{"label": "x", "url": "java\tscript:alert(1)"}]}]}`,
		`{"name": "A", "socialLinks": [{"label": "x", "url": "//evil.example"}]}`,
	} {
		f.Add([]byte(seed))
	}
	f.Fuzz(func(t *testing.T, data []byte) {
		branding, err := parseBranding(data)
		if err != nil {
			return
		}
		assert.NotEmpty(t, branding.Name)
		links := append([]httpapi.Link{}, branding.HeaderLinks...)
		for _, column := range branding.FooterColumns {
			links = append(links, column.Links...)
		}
		for _, link := range append(links, branding.SocialLinks...) {
			assert.Regexp(t, "^(?i)https?://", link.URL)
		}
	})
}
