package webapp_test

import (
	"io/fs"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/vc-admin/diy/webapp"
)

func TestDistIsReadableBeforeAndAfterTheBuild(t *testing.T) {
	entries, err := fs.ReadDir(webapp.Dist(), ".")

	require.NoError(t, err)
	require.NotEmpty(t, entries)
}
