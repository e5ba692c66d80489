package money_test

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"

	"github.com/vc-admin/diy/domain/fault"
	"github.com/vc-admin/diy/domain/money"
)

// What is read is read exactly: written down again it is the same amount.
func FuzzParse(f *testing.F) {
	for _, seed := range []string{"0", "39", "39.50", "-0.01", "39.", ".5", "1e3", "9223372036854775807", "92233720368547758.08", "٣"} {
		for _, code := range []string{"AUD", "JPY", "KWD", "HUF", "aud", "", "XXX"} {
			f.Add(seed, code)
		}
	}
	f.Fuzz(func(t *testing.T, text, code string) {
		amount, err := money.Parse(text, code)
		if err != nil {
			assert.Equal(t, fault.Invalid, fault.CodeOf(err))
			return
		}
		written := strings.TrimPrefix(amount.String(), amount.Currency().Code+" ")
		again, err := money.Parse(written, code)
		assert.NoError(t, err)
		assert.Equal(t, amount, again)
		assert.NotEmpty(t, amount.FormatWithSymbol())
	})
}
