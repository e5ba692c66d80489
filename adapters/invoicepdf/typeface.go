package invoicepdf

import (
	"bytes"
	"strings"
	"unicode"

	"github.com/go-fonts/dejavu/dejavusans"
	"github.com/go-fonts/dejavu/dejavusansbold"
	"golang.org/x/image/font/gofont/gobold"
	"golang.org/x/image/font/gofont/goregular"
	"golang.org/x/image/font/sfnt"
	"golang.org/x/text/unicode/norm"
)

// typeface is a font in two weights, which have the same characters.
type typeface struct {
	regular, bold []byte
	font          *sfnt.Font
	buffer        *sfnt.Buffer
}

func newTypeface(regular, bold []byte) (typeface, error) {
	font, err := sfnt.Parse(regular)
	return typeface{regular, bold, font, new(sfnt.Buffer)}, err
}

// typefaceFor returns the smaller typeface if it has all characters of the text, otherwise one that has every
// Latin, Greek, Cyrillic, Armenian and Georgian letter in use.
func typefaceFor(text string) (typeface, error) {
	small, err := newTypeface(goregular.TTF, gobold.TTF)
	if err != nil {
		return typeface{}, err
	}
	if small.printable(text) == norm.NFC.String(text) {
		return small, nil
	}
	return newTypeface(dejavusans.TTF, dejavusansbold.TTF)
}

// addTo makes the typeface available in the document under the name.
func (f typeface) addTo(p page, name string) {
	p.AddUTF8FontFromBytes(name, "", bytes.Clone(f.regular))
	p.AddUTF8FontFromBytes(name, "B", bytes.Clone(f.bold))
}

// printableScripts contains the scripts whose letters are written separately from left to right. The PDF
// library can't join or reorder letters.
var printableScripts = []*unicode.RangeTable{
	unicode.Latin, unicode.Greek, unicode.Cyrillic, unicode.Armenian, unicode.Georgian, unicode.Common, unicode.Inherited,
}

// canPrint reports whether the typeface has the character and the PDF library can set its script.
func (f typeface) canPrint(r rune) bool {
	if r < ' ' || r > 0xFFFF || !unicode.In(r, printableScripts...) {
		return false
	}
	glyph, err := f.font.GlyphIndex(f.buffer, r)
	return err == nil && glyph != 0
}

// replacement stands for a character that can't be printed; both typefaces have it.
const replacement = '□'

// printable composes accented letters and replaces the characters that can't be printed.
func (f typeface) printable(text string) string {
	return strings.Map(func(r rune) rune {
		if f.canPrint(r) {
			return r
		}
		return replacement
	}, norm.NFC.String(text))
}
