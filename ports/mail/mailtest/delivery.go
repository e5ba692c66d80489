package mailtest

import (
	"context"
	"fmt"
	"strings"
	"sync"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/vc-admin/diy/ports/mail"
)

func letter(n int) mail.Message {
	return mail.Message{
		To: fmt.Sprintf("reader%d@example.com", n), Subject: fmt.Sprintf("Letter %d", n),
		Text: fmt.Sprintf("Letter number %d.\n", n), HTML: fmt.Sprintf("<p>Letter number %d.</p>\n", n),
	}
}

// wholeLetters sends what breaks on the way when it is not encoded with care.
func wholeLetters(t *testing.T, h Harness) {
	bodies := map[string]string{
		"plain":             "Hello Ann,\n\nthis is it.\n",
		"other alphabets":   "Grüße, 中村さん, Здравствуйте 👋🏽\n",
		"dots first":        "one\n.\n..two\n.three\n",
		"a very long line":  "https://example.com/?token=" + strings.Repeat("a1", 2000) + "\n",
		"equals and spaces": "a=b =3D = \nFrom here on\n\ttab\n",
		"html in the text":  "<b>not bold</b> & \"quoted\"\n",
	}
	for name, body := range bodies {
		m := mail.Message{To: "ann@example.com", Subject: "Grüße: " + name, Text: body, HTML: "<p>\n" + body + "</p>\n"}
		require.NoError(t, h.Sender.Send(t.Context(), m), name)
		delivered := h.Delivered()
		require.NotEmpty(t, delivered, name)
		assert.Equal(t, trimmed(m), trimmed(delivered[len(delivered)-1]), name)
	}
	assert.Len(t, h.Delivered(), len(bodies))
}

func trimmed(m mail.Message) mail.Message {
	m.Text, m.HTML = strings.TrimRight(m.Text, "\n"), strings.TrimRight(m.HTML, "\n")
	return m
}

func inOrder(t *testing.T, h Harness) {
	for n := range 5 {
		require.NoError(t, h.Sender.Send(t.Context(), letter(n)))
	}
	delivered := h.Delivered()
	require.Len(t, delivered, 5)
	for n, m := range delivered {
		assert.Equal(t, letter(n).Subject, m.Subject)
	}
}

func manyAtOnce(t *testing.T, h Harness) {
	const many = 20
	var all sync.WaitGroup
	for n := range many {
		all.Go(func() { assert.NoError(t, h.Sender.Send(context.Background(), letter(n))) })
	}
	all.Wait()

	delivered := map[mail.Message]int{}
	for _, m := range h.Delivered() {
		delivered[trimmed(m)]++
	}
	assert.Len(t, delivered, many)
	for n := range many {
		assert.Equal(t, 1, delivered[trimmed(letter(n))], "letter %d", n)
	}
}
