package sqlstorage

import (
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"

	"golang.org/x/text/cases"
	"golang.org/x/text/unicode/norm"
)

const (
	// minTermLength is the length, in characters, of the shortest term and the shortest prefix that is searched.
	minTermLength = 2
	// maxTermLength limits the length of a term in characters. Longer terms are cut, in the table and in queries.
	maxTermLength = 64
	// maxWordsOfText limits the words of a text that become terms.
	maxWordsOfText = 20
)

// letterReplacer replaces letters that Unicode doesn't decompose by similar ASCII letters.
var letterReplacer = strings.NewReplacer("ø", "o", "ł", "l", "đ", "d", "ð", "d", "ħ", "h", "ı", "i", "æ", "ae", "œ", "oe", "þ", "th")

// foldText folds the case of the text, removes diacritics and normalises the forms of characters.
func foldText(text string) string {
	text = norm.NFKD.String(strings.ToValidUTF8(text, " "))
	text = strings.Map(func(r rune) rune {
		if unicode.Is(unicode.Mn, r) {
			return -1
		}
		return r
	}, text)
	return norm.NFC.String(letterReplacer.Replace(cases.Fold().String(text)))
}

// searchWords returns the words of a text that can be searched, without duplicates. Apostrophes don't separate words.
func searchWords(text string) []string {
	var words []string
	for _, word := range foldedWords(text) {
		if word = cutTerm(word); utf8.RuneCountInString(word) >= minTermLength && !slices.Contains(words, word) {
			words = append(words, word)
		}
	}
	return words
}

func foldedWords(text string) []string {
	text = strings.Map(func(r rune) rune {
		if strings.ContainsRune("'’ʼ`´", r) {
			return -1
		}
		return r
	}, foldText(text))
	return strings.FieldsFunc(text, func(r rune) bool { return !unicode.IsLetter(r) && !unicode.IsDigit(r) && !unicode.Is(unicode.Mc, r) })
}

// searchToken returns the form of an email address, an id or a number, which is one term with its punctuation, or "" if it is
// too short.
func searchToken(text string) string {
	text = strings.Map(func(r rune) rune {
		if unicode.IsSpace(r) || !unicode.IsGraphic(r) {
			return -1
		}
		return r
	}, foldText(text))
	text = cutTerm(strings.Trim(text, `.,;:"'()<>#`))
	if utf8.RuneCountInString(text) < minTermLength {
		return ""
	}
	return text
}

func cutTerm(term string) string {
	if runes := []rune(term); len(runes) > maxTermLength {
		return string(runes[:maxTermLength])
	}
	return term
}
