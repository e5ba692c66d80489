package account

import (
	"strings"
	"unicode"
	"unicode/utf8"
)

// maxPastedCode is the length, in bytes, up to which a number, code or email address is normalised. A longer one is
// invalid anyway.
const maxPastedCode = 2000

// cleanPhone returns a phone number as CleanCode does, and without the scheme of a copied link.
func cleanPhone(phone string) string {
	if len(trim(phone)) > maxPastedCode {
		return phone
	}
	return repeatUntilStable(phone, func(phone string) string { return cutScheme(CleanCode(phone), "tel:") })
}

// cleanPostalCode returns a postal code as CleanCode does, on one line and without a full stop at its end.
func cleanPostalCode(code string) string {
	return repeatUntilStable(code, func(code string) string {
		return clean(strings.TrimRight(CleanCode(code), ". "+listSeparators))
	})
}

// CleanCode returns the visible characters of a number or code, which may have been pasted: in ASCII where an ASCII
// character stands for the same digit, letter or sign, trimmed, without list separators at its end, and without quotation
// marks or angle brackets around it. It returns text that is not valid UTF-8 unchanged.
func CleanCode(code string) string {
	if !utf8.ValidString(code) || len(trim(code)) > maxPastedCode {
		return code
	}
	return repeatUntilStable(code, func(code string) string {
		code = strings.Map(toASCII, removeInvisible(code))
		code = strings.TrimRightFunc(code, func(r rune) bool { return separatesWords(r) || strings.ContainsRune(listSeparators, r) })
		return removePair(unquote(strings.TrimLeftFunc(code, separatesWords)), "<", ">")
	})
}

// EmailKey returns the form in which email addresses are stored and compared: without invisible characters, blanks,
// quotation marks, angle brackets and the scheme of a link around it, without punctuation at its end, and in lower
// case. It replaces full-width characters, typographic apostrophes and dashes by the ASCII characters that they stand
// for. The domain is not converted: it must be in its ASCII form already (RFC 5890, A-labels).
func EmailKey(email string) string {
	email = trim(strings.ToValidUTF8(email, "\ufffd"))
	if len(email) > maxPastedCode {
		return asciiLower(email)
	}
	return repeatUntilStable(email, func(email string) string {
		email = removeInvisible(email)
		if withoutShaping := removeShapingCharacters(email); isASCII(withoutShaping) {
			email = withoutShaping
		}
		email = strings.TrimLeftFunc(strings.Map(toEmailASCII, email), separatesWords)
		email = strings.TrimRightFunc(email, func(r rune) bool { return separatesWords(r) || strings.ContainsRune(".,;", r) })
		return cutScheme(removePair(unquote(asciiLower(email)), "<", ">"), "mailto:")
	})
}

// cutScheme removes the scheme of a link, in any case, from the beginning of a text.
func cutScheme(text, scheme string) string {
	if len(text) >= len(scheme) && strings.EqualFold(text[:len(scheme)], scheme) {
		return text[len(scheme):]
	}
	return text
}

// toASCII returns the character of ASCII that stands for the same digit, letter or sign in a number or code. Keyboards
// of East Asian languages enter full-width characters, and a prolonged sound mark in place of a hyphen.
func toASCII(r rune) rune {
	switch {
	case unicode.Is(shapingCharacters, r):
		return -1
	case unicode.Is(unicode.Zs, r):
		return ' '
	case unicode.Is(unicode.Pd, r), strings.ContainsRune("−ーｰ", r):
		return '-'
	case unicode.IsDigit(r):
		return digitValue(r)
	}
	return toHalfWidth(r)
}

// toEmailASCII is like toASCII, but converts only the characters that no email address contains.
func toEmailASCII(r rune) rune {
	switch {
	case unicode.Is(unicode.Zs, r):
		return ' '
	case '\u2010' <= r && r <= '\u2015' || r == '−':
		return '-'
	case strings.ContainsRune("‘’‛", r):
		return '\''
	}
	return toHalfWidth(r)
}

// toHalfWidth returns the character of ASCII for a full-width one and for an ideographic full stop.
func toHalfWidth(r rune) rune {
	switch {
	case '！' <= r && r <= '～':
		return r - '！' + '!'
	case r == '。', r == '｡':
		return '.'
	}
	return r
}

// digitValue returns the digit of ASCII for a digit of another script. Unicode assigns the digits of a script to ten
// successive characters, which begin with zero.
func digitValue(r rune) rune {
	zero := r
	for unicode.IsDigit(zero - 1) {
		zero--
	}
	return '0' + (r-zero)%10
}

func removeShapingCharacters(text string) string {
	return strings.Map(func(r rune) rune {
		if unicode.Is(shapingCharacters, r) {
			return -1
		}
		return r
	}, text)
}

func isASCII(text string) bool {
	return strings.IndexFunc(text, func(r rune) bool { return r > unicode.MaxASCII }) < 0
}
