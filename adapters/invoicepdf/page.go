package invoicepdf

import (
	"strings"

	"codeberg.org/go-pdf/fpdf"
	"golang.org/x/text/unicode/norm"
)

// Measures in millimetres on A4.
const (
	pageHeight    = 297.0
	margin        = 18.0
	contentWidth  = 210 - 2*margin
	contentRight  = margin + contentWidth
	contentBottom = pageHeight - 24 // the footer is below
	columnGap     = 8.0
)

// rgb is a colour. The colours are those of the web app in its light mode.
type rgb [3]int

var (
	ink      = rgb{0x10, 0x26, 0x2c}
	mutedInk = rgb{0x4c, 0x61, 0x68}
	hairline = rgb{0xd8, 0xe2, 0xe4}
	brand    = rgb{0x0b, 0x6e, 0x74}
	success  = rgb{0x17, 0x73, 0x4a}
	white    = rgb{0xff, 0xff, 0xff}
)

// style determines the size, weight and colour of a text.
type style struct {
	size float64 // in points
	bold bool
	rgb
}

var (
	plainStyle    = style{size: 10, rgb: ink}
	strongStyle   = style{size: 10, bold: true, rgb: ink}
	labelStyle    = style{size: 9, rgb: mutedInk}
	sectionStyle  = style{size: 12, bold: true, rgb: ink}
	headlineStyle = style{size: 18, bold: true, rgb: ink}
	totalStyle    = style{size: 26, bold: true, rgb: ink}

	brandStyle = style{size: 15, bold: true, rgb: ink}
	dueStyle   = style{size: 14, bold: true, rgb: ink}
)

// lineHeight returns the distance between two lines in millimetres.
func (s style) lineHeight() float64 {
	const millimetresPerPoint, leading = 25.4 / 72, 1.4
	return s.size * leading * millimetresPerPoint
}

// page writes to the current page of a document.
type page struct {
	*fpdf.Fpdf
	faces    typefaces
	shaper   *shaper
	currency currencyFormat
}

// textForShaper returns the printable text, and reports whether the shaper must set it because the typefaces can't print
// it.
func (p page) textForShaper(text string) (printableText string, ok bool) {
	if p.faces.isPrintable(text) {
		return text, false
	}
	printableText = p.shaper.replaceUnprintable(norm.NFC.String(text))
	return printableText, true
}

// isPrintable reports whether each character of the text can be printed.
func (p page) isPrintable(text string) bool {
	printableText, _ := p.textForShaper(text)
	return !strings.ContainsRune(printableText, replacementChar)
}

// selectFont selects the font for a text and returns the text with unprintable characters replaced.
func (p page) selectFont(s style, text string) string {
	weight := ""
	if s.bold {
		weight = "B"
	}
	face, printableText := p.faces.chooseTypeface(text)
	face.registerFont(p.Fpdf)
	p.SetFont(face.name, weight, s.size)
	p.SetTextColor(s.rgb[0], s.rgb[1], s.rgb[2])
	return printableText
}

// textWidth returns the width of a text in millimetres.
func (p page) textWidth(s style, text string) float64 {
	if printableText, ok := p.textForShaper(text); ok {
		return p.shapedWidth(s, printableText)
	}
	return p.GetStringWidth(p.selectFont(s, text))
}

// writeLine prints one line at the current height. It begins at x if align is "L", and ends there if align is "R".
func (p page) writeLine(s style, x float64, align, text string) {
	if align == "R" {
		x -= p.textWidth(s, text)
	}
	if printableText, ok := p.textForShaper(text); ok {
		p.writeShaped(s, x, printableText)
		return
	}
	printableText := p.selectFont(s, text)
	y := p.GetY()
	p.SetX(x)
	p.CellFormat(0, s.lineHeight(), printableText, "", 0, "L", false, 0, "")
	p.SetY(y)
}

// splitLines splits the text into lines of at most the width w.
func (p page) splitLines(s style, w float64, text string) []string {
	if printableText, ok := p.textForShaper(text); ok {
		return p.splitShapedLines(s, w, printableText)
	}
	return p.SplitText(p.selectFont(s, text), w)
}

// writeWrapped prints the text at x in lines of at most the width w, and moves below it.
func (p page) writeWrapped(s style, x, w float64, text string) {
	for _, line := range p.splitLines(s, w, text) {
		p.writeLine(s, x, "L", line)
		p.moveDown(s.lineHeight())
	}
}

// moveDown moves the current height down by the distance in millimetres.
func (p page) moveDown(distance float64) { p.SetY(p.GetY() + distance) }

// drawRule draws a line from x to the right margin, with space above and below.
func (p page) drawRule(x, spaceAbove, spaceBelow float64) {
	p.moveDown(spaceAbove)
	p.SetLineWidth(0.25)
	p.SetDrawColor(hairline[0], hairline[1], hairline[2])
	p.Line(x, p.GetY(), contentRight, p.GetY())
	p.moveDown(spaceBelow)
}

// startPageIfFull starts a new page if the current page has less space left than the height. It reports whether it started
// a page.
func (p page) startPageIfFull(height float64) bool {
	if p.GetY()+height <= contentBottom {
		return false
	}
	p.AddPage()
	return true
}
