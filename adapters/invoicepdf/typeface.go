package invoicepdf

import (
	"bytes"
	_ "embed"
	"strings"
	"unicode"

	"codeberg.org/go-pdf/fpdf"
	"github.com/go-fonts/dejavu/dejavusans"
	"github.com/go-fonts/dejavu/dejavusansbold"
	"golang.org/x/image/font/sfnt"
	"golang.org/x/text/unicode/norm"
)

// Figtree is the typeface of the web app. The files are from the npm package @expo-google-fonts/figtree 0.4.1, under the
// licence in figtree/OFL.txt.
var (
	//go:embed figtree/Figtree-Regular.ttf
	figtreeRegular []byte
	//go:embed figtree/Figtree-SemiBold.ttf
	figtreeSemiBold []byte
)

// typeface is a font in two weights, which have the same characters.
type typeface struct {
	name          string
	regular, bold []byte
	font          *sfnt.Font
	buffer        *sfnt.Buffer
}

func newTypeface(name string, regular, bold []byte) (typeface, error) {
	font, err := sfnt.Parse(regular)
	return typeface{name, regular, bold, font, new(sfnt.Buffer)}, err
}

// typefaces are the typefaces of a document. The main one is that of the web app. The fallback has all Latin, Greek,
// Cyrillic, Armenian and Georgian letters in use.
type typefaces struct{ main, fallback typeface }

func loadTypefaces() (t typefaces, err error) {
	if t.main, err = newTypeface("Figtree", figtreeRegular, figtreeSemiBold); err != nil {
		return t, err
	}
	t.fallback, err = newTypeface("DejaVu Sans", dejavusans.TTF, dejavusansbold.TTF)
	return t, err
}

// chooseTypeface returns the typeface for a text, and the text in Unicode form NFC. Characters that can't be printed are
// replaced.
func (t typefaces) chooseTypeface(text string) (face typeface, printableText string) {
	composed := norm.NFC.String(text)
	if t.main.replaceUnprintable(composed) == composed {
		return t.main, composed
	}
	return t.fallback, t.fallback.replaceUnprintable(composed)
}

// isPrintable reports whether chooseTypeface replaces no character of the text.
func (t typefaces) isPrintable(text string) bool {
	_, printableText := t.chooseTypeface(text)
	return !strings.ContainsRune(printableText, replacementChar)
}

// registerFont adds the fonts of the typeface to the document, unless the document already has them.
func (f typeface) registerFont(pdf *fpdf.Fpdf) {
	if pdf.GetFontDesc(f.name, "") != (fpdf.FontDescType{}) {
		return
	}
	pdf.AddUTF8FontFromBytes(f.name, "", bytes.Clone(f.regular))
	pdf.AddUTF8FontFromBytes(f.name, "B", bytes.Clone(f.bold))
}

// printableScripts contains scripts that are written from left to right with separate letters, because the PDF library
// can't join or reorder letters.
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

// replacementChar is printed instead of a character that can't be printed. The fallback typeface contains it.
const replacementChar = '□'

// replaceUnprintable returns the text with a replacement for each character that can't be printed.
func (f typeface) replaceUnprintable(text string) string {
	return strings.Map(func(r rune) rune {
		if f.canPrint(r) {
			return r
		}
		return replacementChar
	}, text)
}
