package webapp_test

import (
	"io/fs"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/vc-admin/diy/webapp"
)

func TestDistAndComponents_AreNotEmpty(t *testing.T) {
	for _, folder := range []fs.FS{webapp.Dist(), webapp.Components()} {
		entries, err := fs.ReadDir(folder, ".")

		require.NoError(t, err)
		require.NotEmpty(t, entries)
	}
}

func TestDist_DoesNotReferToTheComponentsPage(t *testing.T) {
	err := fs.WalkDir(webapp.Dist(), ".", func(name string, entry fs.DirEntry, err error) error {
		if err != nil || entry.IsDir() {
			return err
		}
		content, err := fs.ReadFile(webapp.Dist(), name)
		assert.NotContains(t, string(content), "dev/components", name)
		return err
	})

	require.NoError(t, err)
}
