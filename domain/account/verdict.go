package account

import "unicode/utf8"

// verdict is what a rule makes of one field; the messages are the form's business.
type verdict string

const (
	ok      verdict = "ok"
	missing verdict = "missing"
	tooLong verdict = "too long"
	invalid verdict = "invalid"
)

// maxText is the most characters (Unicode code points) of a name or of a line of an address.
const maxText = 200

// judgeText holds a cleaned line of free text against the rules that all of them share.
func judgeText(text string) verdict {
	switch {
	case text == "":
		return missing
	case utf8.RuneCountInString(text) > maxText:
		return tooLong
	case !utf8.ValidString(text):
		return invalid
	}
	return ok
}
