package mailtest

import (
	"context"
	"testing"

	"github.com/stretchr/testify/assert"

	"github.com/vc-admin/diy/domain/fault"
	"github.com/vc-admin/diy/ports/mail"
)

// impossibleLetters are refused for good, before anybody hears of them. mail.Message.Check has
// the rules in full.
func impossibleLetters(t *testing.T, h Harness) {
	spoilt := map[string]func(*mail.Message){
		"no address":            func(m *mail.Message) { m.To = "" },
		"two addresses":         func(m *mail.Message) { m.To = "ann@example.com, bob@example.com" },
		"header in the address": func(m *mail.Message) { m.To += "\r\nBcc: bob@example.com" },
		"header in the subject": func(m *mail.Message) { m.Subject += "\r\nBcc: bob@example.com" },
		"no text":               func(m *mail.Message) { m.Text = "" },
		"no HTML twin":          func(m *mail.Message) { m.HTML = "" },
	}
	for name, spoil := range spoilt {
		m := letter(1)
		spoil(&m)
		err := h.Sender.Send(t.Context(), m)
		assert.True(t, fault.Is(err, fault.Invalid), "%s: %v", name, err)
	}
	assert.Empty(t, h.Delivered())
}

func endedContext(t *testing.T, h Harness) {
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	err := h.Sender.Send(ctx, letter(1))
	assert.True(t, fault.Is(err, fault.Unavailable), "%v", err)
	assert.Empty(t, h.Delivered())
}
