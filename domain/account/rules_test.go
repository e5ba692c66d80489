package account

import (
	"testing"

	"github.com/stretchr/testify/assert"

	"github.com/vc-admin/diy/domain/domaintest"
)

func TestNamesVectors(t *testing.T) {
	domaintest.Run(t, "names", func(in string) verdict { return judgeName(clean(in)) })
}

func TestTextVectors(t *testing.T) {
	domaintest.Run(t, "text", func(in string) string {
		assert.Equal(t, clean(in), clean(clean(in)), "cleaning twice makes no odds")
		return clean(in)
	})
}

func TestPhoneVectors(t *testing.T) {
	domaintest.Run(t, "phone", func(in string) verdict { return judgePhone(trim(visible(in))) })
}

func TestEmailVectors(t *testing.T) {
	type address struct {
		Verdict    verdict `json:"verdict"`
		Normalised string  `json:"normalised"`
	}
	domaintest.Run(t, "email", func(in string) address {
		// The verdict is the same for the address as it was typed and as it is stored.
		assert.Equal(t, judgeEmail(trim(in)), judgeEmail(EmailKey(in)))
		return address{judgeEmail(trim(in)), EmailKey(in)}
	})
}

func TestBrokenTextIsInvalid(t *testing.T) {
	const broken = "Ada\xff"
	assert.Equal(t, invalid, judgeText(broken))
	assert.Equal(t, invalid, judgeName(broken))
	assert.Equal(t, invalid, judgeEmail(EmailKey("ada\xff@example.com")))
	assert.Equal(t, invalid, judgePhone("1234567\xff"))
	assert.Equal(t, invalid, judgeCountry("A\xff"))
}
