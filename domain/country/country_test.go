package country

import (
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"

	"github.com/vc-admin/diy/domain/domaintest"
)

func TestNames_AreSortedAndUnique(t *testing.T) {
	lines := strings.Split(strings.TrimSuffix(namesTSV, "\n"), "\n")
	assert.Len(t, lines, 250)
	assert.True(t, slices.IsSorted(lines))
	for _, line := range lines {
		assert.Regexp(t, `^[A-Z]{2}\t\pL.*[\pL)]$`, line)
	}
	assert.Len(t, names(), 250)
}

func TestName_IsEmptyForUnknownCodes(t *testing.T) {
	for code, want := range map[string]string{
		"AU": "Australia", "GB": "United Kingdom", "CI": "Côte d’Ivoire", "au": "", "ZZ": "", "": "",
	} {
		assert.Equal(t, want, Name(code))
	}
}

func TestIsName_ComparesExactly(t *testing.T) {
	for text, want := range map[string]bool{
		"Australia": true, "Côte d’Ivoire": true, "AU": false, "australia": false, "": false,
	} {
		assert.Equal(t, want, IsName(text), text)
	}
}

func TestIsKnown_MatchesTestVectors(t *testing.T) {
	domaintest.RunVectors(t, "country", func(codes []string) []string {
		knownCodes := []string{}
		for _, code := range codes {
			if IsKnown(code) {
				knownCodes = append(knownCodes, code)
			}
		}
		return knownCodes
	})
}
