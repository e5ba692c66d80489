package invoicepdf

import (
	"bytes"
	"slices"
	"strconv"
	"strings"
	"unicode"

	"github.com/go-text/typesetting/di"
	"github.com/go-text/typesetting/font"
	"github.com/go-text/typesetting/font/opentype"
	"github.com/go-text/typesetting/language"
	"github.com/go-text/typesetting/shaping"
	"golang.org/x/image/math/fixed"

	"github.com/vc-admin/diy/adapters/invoicepdf/fonts"
)

// shaper sets texts whose letters join, change their order or come from several fonts. It loads a font when a text needs
// it, and keeps it for the document.
type shaper struct {
	typefaces typefaces
	loaded    map[string]*font.Face
	isBold    bool
	segmenter shaping.Segmenter
	harfbuzz  shaping.HarfbuzzShaper
	wrapper   shaping.LineWrapper
}

func newShaper(faces typefaces) *shaper {
	return &shaper{typefaces: faces, loaded: map[string]*font.Face{}}
}

// load returns the font with the name. It returns nil if the data are no font.
func (s *shaper) load(name string, read func() ([]byte, error)) *font.Face {
	if face, isLoaded := s.loaded[name]; isLoaded {
		return face
	}
	var face *font.Face
	if data, err := read(); err == nil {
		face, _ = font.ParseTTF(bytes.NewReader(data)) // nil after an error
	}
	s.loaded[name] = face
	return face
}

// ResolveFace returns the font for a character. It returns the fallback if no font has the character. It implements
// shaping.Fontmap.
func (s *shaper) ResolveFace(r rune) *font.Face {
	if face := s.fontWith(r); face != nil {
		return face
	}
	return s.loadTypeface(s.typefaces.fallback)
}

// loadTypeface returns a typeface in the current weight.
func (s *shaper) loadTypeface(t typeface) *font.Face {
	name, data := t.name, t.regular
	if s.isBold {
		name, data = name+" bold", t.bold
	}
	return s.load(name, func() ([]byte, error) { return data, nil })
}

// fontWith returns the font with the character: that of the web app, the fallback or that of the character's script. It
// returns nil if there is none.
func (s *shaper) fontWith(r rune) *font.Face {
	for _, t := range []typeface{s.typefaces.main, s.typefaces.fallback} {
		if face := s.loadTypeface(t); hasGlyph(face, r) {
			return face
		}
	}
	file := fonts.FileFor(r)
	if file == "" {
		return nil
	}
	if face := s.load(file, func() ([]byte, error) { return fonts.Read(file) }); hasGlyph(face, r) {
		return face
	}
	return nil
}

func hasGlyph(face *font.Face, r rune) bool {
	if face == nil {
		return false
	}
	_, ok := face.NominalGlyph(r)
	return ok
}

// replaceUnprintable returns the text with a replacement for each character that no font has.
func (s *shaper) replaceUnprintable(text string) string {
	return strings.Map(func(r rune) rune {
		isJoiner := r == '\u200c' || r == '\u200d'
		if !isJoiner && (r < ' ' || r > 0xFFFF || s.fontWith(r) == nil) {
			return replacementChar
		}
		return r
	}, text)
}

// wrap shapes a printable text and returns its lines of at most the width w in points, 0 for a single line.
func (s *shaper) wrap(st style, text string, w float64) []shaping.Line {
	s.isBold = st.bold
	runes := []rune(text)
	direction := paragraphDirection(text)
	inputs := s.segmenter.Split(shaping.Input{
		Text: runes, RunEnd: len(runes), Direction: direction, Size: toFixed(st.size), Language: language.NewLanguage("en"),
	}, s)
	outputs := make([]shaping.Output, len(inputs))
	for i, input := range inputs {
		outputs[i] = s.harfbuzz.Shape(input)
	}
	maxWidth := fixed.Int26_6(1 << 30)
	if w > 0 {
		maxWidth = toFixed(w)
	}
	lines, _ := s.wrapper.WrapParagraphF(shaping.WrapConfig{Direction: direction}, maxWidth, runes, shaping.NewSliceIterator(outputs))
	result := make([]shaping.Line, len(lines)) // the wrapper reuses its lines
	for i, line := range lines {
		result[i] = slices.Clone(line)
	}
	return result
}

// paragraphDirection returns the direction of the first letter.
func paragraphDirection(text string) di.Direction {
	if i := strings.IndexFunc(text, unicode.IsLetter); i >= 0 {
		if first := []rune(text[i:])[0]; unicode.In(first, unicode.Arabic, unicode.Hebrew) {
			return di.DirectionRTL
		}
	}
	return di.DirectionLTR
}

func toFixed(f float64) fixed.Int26_6 { return fixed.Int26_6(f * 64) }

func toFloat(f fixed.Int26_6) float64 { return float64(f) / 64 }

// lineText returns the text of a line as it is read.
func lineText(text string, line shaping.Line) string {
	runes := []rune(text)
	start, end := len(runes), 0
	for _, run := range line {
		start, end = min(start, run.Runes.Offset), max(end, run.Runes.Offset+run.Runes.Count)
	}
	if start >= end {
		return ""
	}
	return strings.TrimSpace(string(runes[start:end]))
}

// inVisualOrder returns the runs of a line from left to right, and its characters in the same order.
func inVisualOrder(text string, line shaping.Line) (runs []shaping.Output, characters string) {
	runs = slices.SortedFunc(slices.Values(line), func(a, b shaping.Output) int { return int(a.VisualIndex - b.VisualIndex) })
	runes := []rune(text)
	var b strings.Builder
	for _, run := range runs {
		part := slices.Clone(runes[run.Runes.Offset : run.Runes.Offset+run.Runes.Count])
		if run.Direction == di.DirectionRTL {
			slices.Reverse(part)
		}
		b.WriteString(string(part))
	}
	return runs, b.String()
}

func lineWidth(line shaping.Line) (points float64) {
	for _, run := range line {
		points += toFloat(run.Advance)
	}
	return points
}

const pointsPerMillimetre = 72 / 25.4

// shapedWidth returns the width of a text in millimetres.
func (p page) shapedWidth(s style, text string) float64 {
	width := 0.0
	for _, line := range p.shaper.wrap(s, text, 0) {
		width += lineWidth(line)
	}
	return width / pointsPerMillimetre
}

// splitShapedLines splits a text into lines of at most the width w in millimetres.
func (p page) splitShapedLines(s style, w float64, text string) (lines []string) {
	for _, line := range p.shaper.wrap(s, text, w*pointsPerMillimetre) {
		lines = append(lines, lineText(text, line))
	}
	return lines
}

// writeShaped prints a line at x and the current height. It draws the outlines of the letters, because the PDF library
// has no glyphs that are not characters. An invisible text over them is for searching and copying: readers expect it in
// the order of its position.
func (p page) writeShaped(s style, x float64, text string) {
	p.SetFillColor(s.rgb[0], s.rgb[1], s.rgb[2])
	p.SetDrawColor(s.rgb[0], s.rgb[1], s.rgb[2])
	y := p.GetY()
	baseline := y + s.lineHeight()/2 + 0.3*s.size/pointsPerMillimetre // as CellFormat
	for _, line := range p.shaper.wrap(s, text, 0) {
		runs, characters := inVisualOrder(text, line)
		left := x
		for _, run := range runs {
			p.drawGlyphs(s, left, baseline, run)
			left += toFloat(run.Advance) / pointsPerMillimetre
		}
		p.SetY(y) // drawing moves the position
		p.writeInvisible(s, x, left-x, characters)
		x = left
	}
}

// writeInvisible writes characters at x that readers can search and copy, stretched to the width.
func (p page) writeInvisible(s style, x, width float64, characters string) {
	p.faces.fallback.registerFont(p.Fpdf)
	p.SetFont(p.faces.fallback.name, "", s.size)
	scale := 100.0
	if natural := p.GetStringWidth(characters); natural > 0 {
		scale = 100 * width / natural
	}
	p.SetTextRenderingMode(3)
	p.RawWriteStr(strconv.FormatFloat(scale, 'f', 2, 64) + " Tz")
	y := p.GetY()
	p.SetX(x)
	p.CellFormat(0, s.lineHeight(), characters, "", 0, "L", false, 0, "")
	p.SetY(y)
	p.RawWriteStr("100 Tz")
	p.SetTextRenderingMode(0)
}

// drawGlyphs fills the outlines of a run. A font of a single weight is made bold by a line around them.
func (p page) drawGlyphs(s style, x, baseline float64, run shaping.Output) {
	scale := s.size / float64(run.Face.Upem()) / pointsPerMillimetre
	operator := "F"
	if s.bold && !p.shaper.hasBold(run.Face) {
		operator = "FD"
		p.SetLineWidth(s.size * 0.025 / pointsPerMillimetre)
	}
	for _, glyph := range run.Glyphs {
		outline, isOutline := run.Face.GlyphData(glyph.GlyphID).(font.GlyphOutline)
		left := x + toFloat(glyph.XOffset)/pointsPerMillimetre
		bottom := baseline - toFloat(glyph.YOffset)/pointsPerMillimetre
		if isOutline && len(outline.Segments) > 0 {
			p.addOutline(left, bottom, scale, outline)
			p.DrawPath(operator)
		}
		x += toFloat(glyph.Advance) / pointsPerMillimetre
	}
}

// addOutline adds an outline in units of the font to the current path.
func (p page) addOutline(left, bottom, scale float64, outline font.GlyphOutline) {
	x := func(point font.SegmentPoint) float64 { return left + scale*float64(point.X) }
	y := func(point font.SegmentPoint) float64 { return bottom - scale*float64(point.Y) }
	for _, segment := range outline.Segments {
		a := segment.Args
		switch segment.Op {
		case opentype.SegmentOpMoveTo:
			p.MoveTo(x(a[0]), y(a[0]))
		case opentype.SegmentOpLineTo:
			p.LineTo(x(a[0]), y(a[0]))
		case opentype.SegmentOpQuadTo:
			p.quadraticTo(x(a[0]), y(a[0]), x(a[1]), y(a[1]))
		case opentype.SegmentOpCubeTo:
			p.CurveBezierCubicTo(x(a[0]), y(a[0]), x(a[1]), y(a[1]), x(a[2]), y(a[2]))
		}
	}
}

// quadraticTo adds a quadratic curve. PDF has cubic curves only.
func (p page) quadraticTo(cx, cy, x, y float64) {
	x0, y0 := p.GetXY()
	p.CurveBezierCubicTo(x0+2*(cx-x0)/3, y0+2*(cy-y0)/3, x+2*(cx-x)/3, y+2*(cy-y)/3, x, y)
}

// hasBold reports whether the font is one of the typefaces with two weights.
func (s *shaper) hasBold(face *font.Face) bool {
	return face == s.loaded[s.typefaces.main.name+" bold"] || face == s.loaded[s.typefaces.fallback.name+" bold"]
}
