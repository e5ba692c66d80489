package invoicepdf

import (
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

func TestChooseTypeface_FallsBackAndReplacesCharacters(t *testing.T) {
	const main, fallback = "Figtree", "DejaVu Sans"
	for text, want := range map[string][2]string{
		"Łódź Clinic, −$39.00":           {main, "Łódź Clinic, −$39.00"},
		"Cafe\u0301 Mu\u0308ller & Søn":  {main, "Café Müller & Søn"},
		"Phòng khám Nguyễn Thị Hường":    {fallback, "Phòng khám Nguyễn Thị Hường"},
		"Əli Şəfa, Ọlájídé, Hawaiʻi":     {fallback, "Əli Şəfa, Ọlájídé, Hawaiʻi"},
		"Κλινική, Клиника Север, Վարդան": {fallback, "Κλινική, Клиника Север, Վարդան"},
		"診療所 🏥 Tokyo":                    {fallback, "□□□ □ Tokyo"},
		"عيادة":                          {fallback, "□□□□□"},
		"two\nlines":                     {fallback, "two□lines"},
	} {
		faces, err := loadTypefaces()
		require.NoError(t, err)
		face, printableText := faces.chooseTypeface(text)
		assert.Equal(t, want, [2]string{face.name, printableText})
		assert.True(t, faces.fallback.canPrint(replacementChar))
	}
}
