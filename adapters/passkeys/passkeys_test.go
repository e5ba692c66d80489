package passkeys_test

import (
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/vc-admin/diy/adapters/passkeys"
	"github.com/vc-admin/diy/ports/identity/identitytest"
)

func TestPasskeys_Conformance(t *testing.T) {
	p, err := passkeys.New(identitytest.PasskeyOrigin, "Vision")
	require.NoError(t, err)
	identitytest.RunPasskeys(t, p)
}

func TestIsSupported_RefusesIPAddresses(t *testing.T) {
	for url, want := range map[string]bool{
		"https://diy.example": true, "http://localhost:8080": true, "http://127.0.0.1:8080": false, "https://[::1]": false,
		"": false, "https://": false, ":": false,
	} {
		assert.Equal(t, want, passkeys.IsSupported(url), url)
	}
}

func TestNew_RefusesAnInvalidURL(t *testing.T) {
	for _, url := range []string{":", "https://"} {
		_, err := passkeys.New(url, "Vision")
		assert.Error(t, err, url)
	}
}
