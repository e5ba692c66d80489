package password_test

import (
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"

	"github.com/vc-admin/diy/domain/domaintest"
	"github.com/vc-admin/diy/domain/password"
)

type outcome struct {
	Size     bool     `json:"size"`
	Upper    bool     `json:"upper"`
	Lower    bool     `json:"lower"`
	Number   bool     `json:"number"`
	OK       bool     `json:"ok"`
	Problems []string `json:"problems"`
}

func TestCheck_MatchesTestVectors(t *testing.T) {
	domaintest.RunVectors(t, "password", func(input string) outcome {
		r := password.Check(input)
		return outcome{r.Size, r.Upper, r.Lower, r.Number, len(r.Problems()) == 0, append([]string{}, r.Problems()...)}
	})
}

func TestCheck_InvalidBytesCountTowardsSizeOnly(t *testing.T) {
	assert.Equal(t, password.Result{Size: true}, password.Check("\xff\xff\xff\xff\xff\xff\xff\xff"))
	assert.Equal(t, password.Result{}, password.Check("\xc3\x28\xed\xa0\x80"))
}

func TestCheck_AppendingKeepsFulfilledConditions(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		p, suffix := rapid.String().Draw(t, "password"), rapid.String().Draw(t, "more")
		result, extendedResult := password.Check(p), password.Check(p+suffix)
		require.LessOrEqual(t, len(extendedResult.Problems()), len(result.Problems()))
		require.Equal(t, result == password.Result{Size: true, Upper: true, Lower: true, Number: true}, len(result.Problems()) == 0)
		require.Subset(t, append([]string{""}, result.Problems()...), extendedResult.Problems())
	})
}
