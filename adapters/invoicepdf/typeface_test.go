package invoicepdf

import (
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

func TestPrintable(t *testing.T) {
	for text, want := range map[string]string{
		"Łódź Clinic":                    "Łódź Clinic",
		"Phòng khám Nguyễn Thị Hường":    "Phòng khám Nguyễn Thị Hường",
		"Əli Şəfa, Ọlájídé, Hawaiʻi":     "Əli Şəfa, Ọlájídé, Hawaiʻi",
		"Cafe\u0301 Mu\u0308ller & Søn":  "Café Müller & Søn",
		"Κλινική, Клиника Север, Վարդան": "Κλινική, Клиника Север, Վարդան",
		"診療所 🏥 Tokyo":                    "□□□ □ Tokyo",
		"عيادة":                          "□□□□□",
		"two\nlines":                     "two□lines",
	} {
		face, err := typefaceFor(text)
		require.NoError(t, err)
		assert.Equal(t, want, face.printable(text))
		assert.True(t, face.canPrint(replacement))
	}
}
