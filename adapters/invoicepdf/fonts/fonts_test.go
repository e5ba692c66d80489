package fonts

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

func TestFileFor_ReturnsTheFontOfTheScript(t *testing.T) {
	require.NotEmpty(t, readIndex(), "the fonts are not built: run make build")
	for text, family := range map[string]string{
		"株式会社診療所张療さくらカー": "noto-sans-sc-", "한국의원뷁": "noto-sans-kr-", "คลินิก": "noto-sans-thai-", "स्वास्थ्य": "noto-sans-devanagari-",
	} {
		for _, r := range text {
			file := FileFor(r)
			assert.True(t, strings.HasPrefix(file, family), "%q is in %q", r, file)
			data, err := Read(file)
			require.NoError(t, err)
			assert.Equal(t, "wOFF", string(data[:4]))
		}
	}
	assert.Empty(t, FileFor('\u1820'), "Mongolian")
}
