package sessionidentity

import (
	"testing"

	"github.com/stretchr/testify/assert"
)

func TestAtLeastThreeThousandPasswordsAreCommon(t *testing.T) {
	assert.Greater(t, len(commonPasswords()), 3000)
	assert.False(t, commonPasswords()[""])
}
