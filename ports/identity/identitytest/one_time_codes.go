package identitytest

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/vc-admin/diy/domain/fault"
	"github.com/vc-admin/diy/ports/identity"
)

// RunOneTimeCodes runs the conformance suite for identity.OneTimeCodes.
func RunOneTimeCodes(t *testing.T, codes identity.OneTimeCodes) {
	t.Run("CodeAt computes the codes of RFC 6238", func(t *testing.T) { testCodesOfRFC6238(t, codes) })
	t.Run("CodeAt refuses a secret that is not base32", func(t *testing.T) {
		_, err := codes.CodeAt("not base32!", 1)
		assert.Equal(t, fault.Internal, fault.CodeOf(err))
	})
	t.Run("NewSecret returns different secrets of 160 bits", func(t *testing.T) {
		secret := codes.NewSecret()
		assert.Regexp(t, "^[A-Z2-7]{32}$", secret)
		assert.NotEqual(t, secret, codes.NewSecret())
		_, err := codes.CodeAt(secret, 1)
		assert.NoError(t, err)
	})
	t.Run("QRCode returns a square with finder patterns", func(t *testing.T) { testQRCode(t, codes) })
}

// testCodesOfRFC6238 uses the test vectors for SHA-1 of appendix B, of which six-digit codes are the last digits.
func testCodesOfRFC6238(t *testing.T, codes identity.OneTimeCodes) {
	const secret = "GEZDGNBVGY3TQOJQGEZDGNBVGY3TQOJQ" // 12345678901234567890
	for step, want := range map[int64]string{
		0x1: "287082", 0x23523EC: "081804", 0x23523ED: "050471", 0x273EF07: "005924", 0x3F940AA: "279037", 0x27BC86AA: "353130",
	} {
		code, err := codes.CodeAt(secret, step)
		require.NoError(t, err)
		assert.Equal(t, want, code, step)
	}
}

func testQRCode(t *testing.T, codes identity.OneTimeCodes) {
	rows, err := codes.QRCode(codes.NewSecret(), "Vision & Söhne", "ann+very-long-name@clinic.example")
	require.NoError(t, err)
	for _, row := range rows {
		require.Len(t, row, len(rows))
		require.Empty(t, strings.Trim(row, "01"))
	}
	last := len(rows) - 1
	for _, corner := range []string{rows[0][:7], rows[0][last-6:], rows[last][:7]} {
		assert.Equal(t, "1111111", corner)
	}
	assert.NotEqual(t, "1111111", rows[last][last-6:])
}
