package mail

import (
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/vc-admin/diy/domain/fault"
)

func TestCheck_NamesTheInvalidPart(t *testing.T) {
	validMessage := Message{To: "ann@example.com", Subject: "Grüße 👋", Text: "Hello\nAnn", HTML: "<p>Hello</p>"}
	require.NoError(t, validMessage.Check())

	withID := validMessage
	withID.ID = "7-a0F"
	require.NoError(t, withID.Check())

	withUnsubscribe := validMessage
	withUnsubscribe.Unsubscribe = "https://vision.example/vc-admin/auth/emails?token=A.B"
	require.NoError(t, withUnsubscribe.Check())

	withAttachment := validMessage
	withAttachment.Attachment = NewAttachment("INV-000042\r\n/\"ä.pdf", "application/pdf", []byte("%PDF"))
	require.NoError(t, withAttachment.Check())
	assert.Equal(t, "INV-000042.pdf", withAttachment.Attachment.Name)

	tests := []struct {
		name, field string
		change      func(*Message)
	}{
		{"header in the id", "id", func(m *Message) { m.ID = "7\r\nBcc: all@example.com" }},
		{"end of the id", "id", func(m *Message) { m.ID = "7>" }},
		{"no address", "to", func(m *Message) { m.To = "" }},
		{"two addresses", "to", func(m *Message) { m.To = "ann@example.com, bob@example.com" }},
		{"display name", "to", func(m *Message) { m.To = "Ann <ann@example.com>" }},
		{"header in the address", "to", func(m *Message) { m.To = "ann@example.com\r\nBcc: all@example.com" }},
		{"surrounding spaces", "to", func(m *Message) { m.To = " ann@example.com" }},
		{"non-ASCII address", "to", func(m *Message) { m.To = "änn@example.com" }},
		{"blank subject", "subject", func(m *Message) { m.Subject = " " }},
		{"header in the subject", "subject", func(m *Message) { m.Subject = "Hi\nBcc: all@example.com" }},
		{"invalid UTF-8 in the subject", "subject", func(m *Message) { m.Subject = "Hi \xff" }},
		{"no text", "text", func(m *Message) { m.Text = "" }},
		{"blank HTML", "html", func(m *Message) { m.HTML = "\n" }},
		{"unsubscribing by email", "unsubscribe", func(m *Message) { m.Unsubscribe = "mailto:off@example.com" }},
		{"header in the link", "unsubscribe", func(m *Message) { m.Unsubscribe = "https://x.example/\r\nBcc: all@example.com" }},
		{"path in the name of the attachment", "attachment", func(m *Message) { m.Attachment = &Attachment{"../a.pdf", "application/pdf", []byte("%")} }},
		{"header in the name of the attachment", "attachment",
			func(m *Message) { m.Attachment = &Attachment{"a\r\nBcc: b", "application/pdf", []byte("%")} }},
		{"attachment without a type", "attachment", func(m *Message) { m.Attachment = &Attachment{"a.pdf", "", []byte("%")} }},
		{"empty attachment", "attachment", func(m *Message) { m.Attachment = &Attachment{"a.pdf", "application/pdf", nil} }},
		{"two links", "unsubscribe", func(m *Message) { m.Unsubscribe = "https://x.example/>, <https://y.example/" }},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			m := validMessage
			tt.change(&m)
			err := m.Check()
			require.True(t, fault.Is(err, fault.Invalid), "%v", err)
			require.Len(t, fault.FieldsOf(err), 1)
			assert.Equal(t, tt.field, fault.FieldsOf(err)[0].Name)
			assert.NotContains(t, err.Error(), "example.com")
		})
	}
}
