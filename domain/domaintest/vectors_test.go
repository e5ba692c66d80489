package domaintest

import (
	"os"
	"path/filepath"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

type testCase = Case[string, bool]

func TestDecode_ReturnsCasesOrReportsMalformedVectors(t *testing.T) {
	tests := []struct {
		name, data, problem string
		want                []testCase
	}{
		{name: "cases", data: `[{"name": "a", "in": "x", "want": true}]`, want: []testCase{{Name: "a", In: "x", Want: true}}},
		{name: "unknown key", data: `[{"name": "a", "in": "x", "wants": true}]`, problem: `unknown field "wants"`},
		{name: "wrong type", data: `[{"name": "a", "in": 3}]`, problem: "not an array of cases"},
		{name: "not an array", data: `{}`, problem: "not an array of cases"},
		{name: "empty", data: `[]`, problem: "no cases"},
		{name: "null", data: `null`, problem: "no cases"},
		{name: "two values", data: `[{"name": "a", "in": "x", "want": true}] []`, problem: "unexpected data after the array"},
		{name: "extra bracket", data: `[{"name": "a", "in": "x", "want": true}] ]`, problem: "unexpected data after the array"},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			cases, err := decode[testCase]([]byte(tt.data))
			if tt.problem != "" {
				require.ErrorContains(t, err, tt.problem)
				return
			}
			require.NoError(t, err)
			assert.Equal(t, tt.want, cases)
		})
	}
}

func TestModuleRoot_ReturnsModuleRoot(t *testing.T) {
	_, err := os.Stat(filepath.Join(ModuleRoot(t), "domain", "domaintest", "vectors.go"))
	require.NoError(t, err)
}
