package invoicepdf

import (
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/vc-admin/diy/domain/account"
)

func newTestShaper(t *testing.T) *shaper {
	t.Helper()
	faces, err := loadTypefaces()
	require.NoError(t, err)
	return newShaper(faces)
}

// The text of a document is in the order of its position, from which readers restore the order of reading.
func TestRender_PrintsNamesInAllScripts(t *testing.T) {
	for name, want := range map[string]string{
		"Ελληνική Κλινική": "Ελληνική Κλινική", "Клініка Ірини": "Клініка Ірини", "Klinik Łódź": "Klinik Łódź",
		"株式会社さくら": "株式会社さくら", "北京协和医院 診療所": "北京协和医院 診療所", "한국의원": "한국의원",
		"عيادة النور": "رونلا ةدايع", "עדה מרפאה": "האפרמ הדע", "คลินิกสุขใจ": "คลินิกสุขใจ", "स्वास्थ्य": "स्वास्थ्य",
		"Clinic 株式会社 Łódź": "Clinic 株式会社 Łódź",
	} {
		t.Run(name, func(t *testing.T) {
			d := newDocument("")
			d.Buyer = NewBuyer("org_4711", name, account.BillingDetails{Address: account.Address{Line1: name}})

			text := renderText(t, d)

			assert.Contains(t, text, "To\n"+want+"\n"+want+"\n")
			assert.NotContains(t, text, "org_4711", "the name can be printed")
		})
	}
}

// glyphIDs returns the glyphs of a text in a single line, from left to right.
func glyphIDs(t *testing.T, s *shaper, text string) (ids []uint32) {
	t.Helper()
	lines := s.wrap(plainStyle, text, 0)
	require.Len(t, lines, 1)
	for _, run := range lines[0] {
		for _, glyph := range run.Glyphs {
			assert.NotZero(t, glyph.GlyphID, "%q has a character without a glyph", text)
			ids = append(ids, uint32(glyph.GlyphID))
		}
	}
	return ids
}

func TestWrap_JoinsAndReordersLetters(t *testing.T) {
	s := newTestShaper(t)
	ayn, clinic := glyphIDs(t, s, "ع"), glyphIDs(t, s, "عيادة")
	assert.NotEqual(t, ayn[0], clinic[len(clinic)-1], "the first letter, at the right, has its initial form")
	assert.Less(t, len(glyphIDs(t, s, "स्वास्थ्य")), len([]rune("स्वास्थ्य")), "consonants form conjuncts")
	ka, ki := glyphIDs(t, s, "क"), glyphIDs(t, s, "कि")
	assert.Equal(t, ka[0], ki[len(ki)-1], "the vowel sign i is to the left of its consonant")
	kho, khi := s.wrap(plainStyle, "ข", 0)[0], s.wrap(plainStyle, "ขี้", 0)[0]
	assert.InDelta(t, lineWidth(kho), lineWidth(khi), 0.01, "vowel and tone are above the consonant")
}

func TestSplitLines_BreaksShapedTextsAtTheWidth(t *testing.T) {
	faces, err := loadTypefaces()
	require.NoError(t, err)
	p := layOut(newDocument("Northside"), faces, 1)
	for _, text := range []string{"株式会社さくらクリニック東京都千代田区", "عيادة النور عيادة النور عيادة النور", "श्री कृष्ण चिकित्सालय क्षेत्र"} {
		lines := p.splitLines(strongStyle, 30, text)
		assert.Greater(t, len(lines), 1)
		for _, line := range lines {
			assert.LessOrEqual(t, p.textWidth(strongStyle, line), 30.1, line)
		}
	}
}

func TestShaper_LoadsOnlyTheFontsOfTheText(t *testing.T) {
	s := newTestShaper(t)
	assert.Equal(t, "คลินิก □", s.replaceUnprintable("คลินิก \u1820"))
	assert.Len(t, s.loaded, 3, "the two typefaces and the Thai font")
}
