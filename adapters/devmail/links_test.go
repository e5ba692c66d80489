package devmail

import (
	"testing"

	"github.com/stretchr/testify/assert"
)

func TestLinked(t *testing.T) {
	tests := map[string][]span{
		"":      nil,
		"plain": {{Text: "plain"}},
		"Open https://x.example/?a=1&b=2.\nBye": {
			{Text: "Open "}, {"https://x.example/?a=1&b=2", "https://x.example/?a=1&b=2"}, {Text: ".\nBye"},
		},
		"http://a.example http://b.example": {
			{"http://a.example", "http://a.example"}, {Text: " "}, {"http://b.example", "http://b.example"},
		},
		"(<https://x.example>)":    {{Text: "(<"}, {"https://x.example", "https://x.example"}, {Text: ">)"}},
		"javascript:alert(1) ftp:": {{Text: "javascript:alert(1) ftp:"}},
	}
	for text, want := range tests {
		assert.Equal(t, want, linked(text), text)
	}
}
