package password

import (
	"strings"
	"unicode"
)

const (
	// minWordLength is the length of the shortest word that is searched for in a password.
	minWordLength = 3
	// minOtherLetters is the number of letters besides such words that make a password acceptable.
	minOtherLetters = 4
)

// Context contains what an attacker who knows the user tries first. Empty texts are ignored.
type Context struct {
	Organisation string
	FirstName    string
	LastName     string
	Email        string
	Product      string // the name of the product
}

// GuessMessage returns why the password is easy to guess for an attacker who knows the context, or "". A password is easy
// to guess if it contains a word of the context, or "clinic", and fewer than four other letters. The comparison ignores
// case, and treats the digits and signs that commonly replace a letter, such as 0 for o, as that letter.
func (c Context) GuessMessage(password string) string {
	original := []rune(password)
	folded := foldAll(original)
	covered := make([]bool, len(original))
	problem := ""
	for _, group := range []struct{ problem, text string }{
		{"your clinic's name", c.Organisation},
		{"your name", c.FirstName},
		{"your name", c.LastName},
		{"your email address", localPart(c.Email)},
		{"your email address", domainName(c.Email)},
		{"the name of this product", c.Product},
		{"the word clinic", "clinic"},
	} {
		for _, word := range wordsOf(group.text) {
			if markOccurrences(folded, foldAll(word), covered) && problem == "" {
				problem = group.problem
			}
		}
	}
	if problem == "" || countOtherLetters(original, covered) >= minOtherLetters {
		return ""
	}
	return "Too easy to guess: contains " + problem + "."
}

// wordsOf returns the runs of at least three letters, and all letters and digits together.
func wordsOf(text string) [][]rune {
	words := [][]rune{}
	for _, word := range strings.FieldsFunc(text, func(r rune) bool { return !unicode.IsLetter(r) }) {
		words = appendWord(words, []rune(word))
	}
	joined := []rune{}
	hasLetter := false
	for _, r := range text {
		if isLetter := unicode.IsLetter(r); isLetter || unicode.Is(unicode.Nd, r) {
			joined = append(joined, r)
			hasLetter = hasLetter || isLetter
		}
	}
	if hasLetter {
		words = appendWord(words, joined)
	}
	return words
}

func appendWord(words [][]rune, word []rune) [][]rune {
	if len(word) < minWordLength {
		return words
	}
	return append(words, word)
}

func localPart(email string) string {
	local, _, _ := strings.Cut(email, "@")
	return local
}

// domainName returns the domain of an email address without its last label, such as com.
func domainName(email string) string {
	_, domain, _ := strings.Cut(email, "@")
	return domain[:max(strings.LastIndex(domain, "."), 0)]
}

// markOccurrences marks all occurrences of the word in the text and reports whether there is one.
func markOccurrences(text, word []rune, covered []bool) bool {
	found := false
	for start := 0; start+len(word) <= len(text); start++ {
		if string(text[start:start+len(word)]) != string(word) {
			continue
		}
		found = true
		for i := range word {
			covered[start+i] = true
		}
	}
	return found
}

func countOtherLetters(text []rune, covered []bool) int {
	count := 0
	for i, r := range text {
		if !covered[i] && unicode.IsLetter(r) {
			count++
		}
	}
	return count
}

// leet contains the characters that commonly replace a letter. The letters i and l have the same replacements and are
// therefore the same.
var leet = map[rune]rune{
	'4': 'a', '@': 'a', '8': 'b', '3': 'e', '6': 'g', '9': 'g', '1': 'i', '!': 'i', '|': 'i', 'l': 'i',
	'0': 'o', '$': 's', '5': 's', '7': 't', '+': 't', '2': 'z',
}

func foldAll(text []rune) []rune {
	folded := make([]rune, len(text))
	for i, r := range text {
		folded[i] = unicode.ToLower(r)
		if letter, ok := leet[folded[i]]; ok {
			folded[i] = letter
		}
	}
	return folded
}
