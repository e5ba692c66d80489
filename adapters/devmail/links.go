package devmail

import (
	"regexp"
	"strings"
)

// span is a piece of a letter's text, and a link when Link is not empty.
type span struct{ Text, Link string }

var webAddress = regexp.MustCompile(`https?://[^\s<>"]+`)

// linked cuts a text into pieces so that its web addresses can be followed.
func linked(text string) []span {
	var spans []span
	at := 0
	for _, found := range webAddress.FindAllStringIndex(text, -1) {
		link := withoutPunctuation(text[found[0]:found[1]])
		if found[0] > at {
			spans = append(spans, span{Text: text[at:found[0]]})
		}
		spans = append(spans, span{Text: link, Link: link})
		at = found[0] + len(link)
	}
	if at < len(text) {
		spans = append(spans, span{Text: text[at:]})
	}
	return spans
}

// withoutPunctuation drops what ends the sentence rather than the address.
func withoutPunctuation(link string) string { return strings.TrimRight(link, ".,;:!?)]'") }
