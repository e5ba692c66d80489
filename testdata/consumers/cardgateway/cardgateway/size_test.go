package cardgateway_test

import (
	"bytes"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

func TestAdapter_HasAtMost300LinesAndNoBilling(t *testing.T) {
	files, err := filepath.Glob("*.go")
	require.NoError(t, err)
	lines := 0
	for _, file := range files {
		if strings.HasSuffix(file, "_test.go") {
			continue
		}
		content, err := os.ReadFile(file)
		require.NoError(t, err)
		lines += bytes.Count(content, []byte("\n"))
		assert.NotContains(t, string(content), "diy/domain/engine")
		assert.NotContains(t, string(content), "diy/adapters/")
	}
	assert.NotZero(t, lines)
	assert.LessOrEqual(t, lines, 300)
	t.Logf("%d lines", lines)
}
