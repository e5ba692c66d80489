package releases

import (
	"encoding/json"
	"os"
	"path/filepath"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/vc-admin/diy/app/apptest"
)

// TestGenerate writes the folder of the release that UPDATE_RELEASE names. Otherwise it checks that the history still runs.
func TestGenerate(t *testing.T) {
	for _, d := range databases {
		t.Run(d.name, func(t *testing.T) {
			url := d.newURL(t)
			require.NoError(t, apptest.Migrate(t.Context(), url))
			h := newHistory(t, url)
			h.fill()

			release := os.Getenv("UPDATE_RELEASE")
			if release == "" {
				return
			}
			require.NoError(t, os.MkdirAll(filepath.Join("testdata", release), 0o755))
			var dump string
			if d.driver == "sqlite" {
				dump = dumpSQLite(t, d.open(t, url))
			} else {
				dump = dumpPostgres(t, url)
			}
			require.NoError(t, os.WriteFile(d.file(release, ".sql.gz"), compress(t, dump), 0o600))
			text, err := json.MarshalIndent(d.read(t, d.restore(t, release), h.Clock.Now()), "", " ")
			require.NoError(t, err)
			require.NoError(t, os.WriteFile(d.file(release, ".json"), append(text, '\n'), 0o600))
		})
	}
}
