package diycmd

import (
	"bytes"
	"fmt"
	"io"
	"unicode"
	"unicode/utf8"
)

// terminalWriter escapes control characters other than tab and line feed. Arguments, settings and stored
// texts such as the reference of a transfer may contain escape codes, which a terminal would execute. Every
// Write must consist of whole characters.
type terminalWriter struct{ io.Writer }

// Write returns len(text) on success. After a failure the count is an estimate, because the text was escaped.
func (w terminalWriter) Write(text []byte) (int, error) {
	escaped := escapeControls(text)
	n, err := w.Writer.Write(escaped)
	if err != nil {
		return min(n, len(text)), err
	}
	return len(text), nil
}

// escapeControls returns the text with \u001b for an escape character and \x9b for a byte that is not valid
// UTF-8. The former is valid in JSON too, where the log has no invalid bytes.
func escapeControls(text []byte) []byte {
	if isPlainASCII(text) || utf8.Valid(text) && !bytes.ContainsFunc(text, isControl) {
		return text
	}
	var out bytes.Buffer
	for len(text) > 0 {
		r, size := utf8.DecodeRune(text)
		switch {
		case r == utf8.RuneError && size == 1:
			_, _ = fmt.Fprintf(&out, `\x%02x`, text[0])
		case isControl(r):
			_, _ = fmt.Fprintf(&out, `\u%04x`, r)
		default:
			_, _ = out.Write(text[:size])
		}
		text = text[size:]
	}
	return out.Bytes()
}

// isPlainASCII reports whether the text is ASCII without control characters. It is checked first, because nearly
// every line of the log is.
func isPlainASCII(text []byte) bool {
	for _, b := range text {
		if b >= utf8.RuneSelf || isControl(rune(b)) {
			return false
		}
	}
	return true
}

// isControl reports whether a terminal could execute the character.
func isControl(r rune) bool { return unicode.IsControl(r) && r != '\t' && r != '\n' }
