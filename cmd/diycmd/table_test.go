package diycmd

import (
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

func TestTable_PrintsARowOnOneLine(t *testing.T) {
	list := newTable("AT", "REASON", "BY")
	list.add(time.Date(2026, 3, 1, 12, 0, 0, 0, time.UTC), "won\nby\tus", "olga")
	var out strings.Builder

	require.NoError(t, list.write(&out, "nothing"))

	assert.Equal(t, "AT                       REASON     BY\n2026-03-01 12:00:00 UTC  won by us  olga\n", out.String())
}

func TestTable_WithoutRowsPrintsTheText(t *testing.T) {
	var out strings.Builder
	require.NoError(t, newTable("AT").write(&out, "there are no transfers to show"))
	assert.Equal(t, "there are no transfers to show\n", out.String())
}
