package domaintest

import (
	"os"
	"path/filepath"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

type spaced = Case[string, bool]

func TestDecode(t *testing.T) {
	tests := []struct {
		name, data, problem string
		want                []spaced
	}{
		{name: "cases", data: `[{"name": "a", "in": "x", "want": true}]`, want: []spaced{{Name: "a", In: "x", Want: true}}},
		{name: "unknown key", data: `[{"name": "a", "in": "x", "wants": true}]`, problem: `unknown field "wants"`},
		{name: "wrong type", data: `[{"name": "a", "in": 3}]`, problem: "not an array of cases"},
		{name: "not an array", data: `{}`, problem: "not an array of cases"},
		{name: "empty", data: `[]`, problem: "no case in it"},
		{name: "null", data: `null`, problem: "no case in it"},
		{name: "two values", data: `[{"name": "a", "in": "x", "want": true}] []`, problem: "something follows the array"},
		{name: "a torn end", data: `[{"name": "a", "in": "x", "want": true}] ]`, problem: "something follows the array"},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			got, err := decode[spaced]([]byte(tt.data))
			if tt.problem != "" {
				require.ErrorContains(t, err, tt.problem)
				return
			}
			require.NoError(t, err)
			assert.Equal(t, tt.want, got)
		})
	}
}

func TestRootHoldsTheModule(t *testing.T) {
	_, err := os.Stat(filepath.Join(Root(t), "domain", "domaintest", "root.go"))
	require.NoError(t, err)
}
