package catalogue_test

import (
	"testing"

	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"

	"github.com/vc-admin/diy/domain/catalogue"
	"github.com/vc-admin/diy/domain/fault"
)

func TestParseOfADamagedFileIsACatalogueOrAFault(t *testing.T) {
	whole := []byte(file(t))
	junk := []string{"", "null", "[]", "{}", `"`, "0", "-", "true", ",", "}", "\x00", "\xff"}
	rapid.Check(t, func(t *rapid.T) {
		from := rapid.IntRange(0, len(whole)-1).Draw(t, "from")
		to := rapid.IntRange(from, min(from+40, len(whole))).Draw(t, "to")
		data := string(whole[:from]) + rapid.SampledFrom(junk).Draw(t, "junk") + string(whole[to:])

		c, err := catalogue.Parse([]byte(data))
		require.Equal(t, c == nil, err != nil)
		if err != nil {
			require.Equal(t, fault.Invalid, fault.CodeOf(err))
			require.NotEmpty(t, fault.FieldsOf(err))
		}
	})
}
