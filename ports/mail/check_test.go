package mail

import (
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/vc-admin/diy/domain/fault"
)

func TestCheck(t *testing.T) {
	good := Message{To: "ann@example.com", Subject: "Grüße 👋", Text: "Hello\nAnn", HTML: "<p>Hello</p>"}
	require.NoError(t, good.Check())

	tests := []struct {
		name, field string
		spoil       func(*Message)
	}{
		{"nobody", "to", func(m *Message) { m.To = "" }},
		{"two people", "to", func(m *Message) { m.To = "ann@example.com, bob@example.com" }},
		{"a name", "to", func(m *Message) { m.To = "Ann <ann@example.com>" }},
		{"a second header", "to", func(m *Message) { m.To = "ann@example.com\r\nBcc: all@example.com" }},
		{"outer spaces", "to", func(m *Message) { m.To = " ann@example.com" }},
		{"beyond ASCII", "to", func(m *Message) { m.To = "änn@example.com" }},
		{"no subject", "subject", func(m *Message) { m.Subject = " " }},
		{"a header in the subject", "subject", func(m *Message) { m.Subject = "Hi\nBcc: all@example.com" }},
		{"a torn subject", "subject", func(m *Message) { m.Subject = "Hi \xff" }},
		{"no text", "text", func(m *Message) { m.Text = "" }},
		{"no twin", "html", func(m *Message) { m.HTML = "\n" }},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			m := good
			tt.spoil(&m)
			err := m.Check()
			require.True(t, fault.Is(err, fault.Invalid), "%v", err)
			require.Len(t, fault.FieldsOf(err), 1)
			assert.Equal(t, tt.field, fault.FieldsOf(err)[0].Name)
			assert.NotContains(t, err.Error(), "example.com")
		})
	}
}
