package devmail

import (
	"bytes"
	"os"
	"path/filepath"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/vc-admin/diy/domain/fault"
)

func mailFile(t *testing.T) string { return filepath.Join(t.TempDir(), "mail.jsonl") }

func TestFile_KeepsEmailsAcrossRestarts(t *testing.T) {
	path := mailFile(t)
	m := open(t, path)
	send(t, m, 1, 2)

	reopened := open(t, path)
	assert.Equal(t, m.Emails(), reopened.Emails())
	send(t, reopened, 3)
	assert.Equal(t, []string{"Email 3", "Email 2", "Email 1"}, subjects(open(t, path)))
}

func TestFile_HasAtMostTwiceAsManyLinesAsCapacity(t *testing.T) {
	path := mailFile(t)
	m := open(t, path)
	for n := range 3 * Capacity {
		send(t, m, n)
	}
	data, err := os.ReadFile(path)
	require.NoError(t, err)
	assert.LessOrEqual(t, bytes.Count(data, []byte("\n")), 2*Capacity)
	assert.Equal(t, m.Emails(), open(t, path).Emails())
}

func TestFile_IsReadableByItsOwnerOnly(t *testing.T) {
	path := mailFile(t)
	send(t, open(t, path), 1)
	info, err := os.Stat(path)
	require.NoError(t, err)
	assert.Equal(t, os.FileMode(0o600), info.Mode().Perm())
}

func TestFile_IgnoresAnIncompleteLastLine(t *testing.T) {
	path := mailFile(t)
	send(t, open(t, path), 1, 2)
	data, err := os.ReadFile(path)
	require.NoError(t, err)
	require.NoError(t, os.WriteFile(path, data[:len(data)-10], 0o600))

	m := open(t, path)
	assert.Equal(t, []string{"Email 1"}, subjects(m))
	send(t, m, 3, 4)
	assert.Equal(t, []string{"Email 4", "Email 3", "Email 1"}, subjects(open(t, path)))
}

func TestNew_RejectsFileWithInvalidLine(t *testing.T) {
	path := mailFile(t)
	require.NoError(t, os.WriteFile(path, []byte("{\"to\":\"a\"}\nshopping list\n"), 0o600))
	_, err := New(fixedClock{noon}, path)
	require.ErrorContains(t, err, "line 2 is not an email")
	assert.NotContains(t, err.Error(), "shopping")
}

func TestSend_FailsWithUnavailableWhileFileCannotBeWritten(t *testing.T) {
	dir := filepath.Join(t.TempDir(), "mail")
	require.NoError(t, os.Mkdir(dir, 0o700))
	m := open(t, filepath.Join(dir, "mail.jsonl"))
	send(t, m, 1)
	require.NoError(t, os.RemoveAll(dir))

	err := m.Send(t.Context(), message(2))
	require.True(t, fault.Is(err, fault.Unavailable), "%v", err)
	assert.Equal(t, []string{"Email 1"}, subjects(m))

	require.NoError(t, os.Mkdir(dir, 0o700))
	send(t, m, 3)
	assert.Equal(t, m.Emails(), open(t, filepath.Join(dir, "mail.jsonl")).Emails(), "the new file contains all emails")
}
