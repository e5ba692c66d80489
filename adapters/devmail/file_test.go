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

func TestLettersSurviveARestart(t *testing.T) {
	path := mailFile(t)
	first := open(t, path)
	send(t, first, 1, 2)

	second := open(t, path)
	assert.Equal(t, first.Letters(), second.Letters())
	send(t, second, 3)
	assert.Equal(t, []string{"Letter 3", "Letter 2", "Letter 1"}, subjects(open(t, path)))
}

func TestTheFileStaysSmall(t *testing.T) {
	path := mailFile(t)
	m := open(t, path)
	for n := range 3 * Capacity {
		send(t, m, n)
	}
	data, err := os.ReadFile(path)
	require.NoError(t, err)
	assert.LessOrEqual(t, bytes.Count(data, []byte("\n")), 2*Capacity)
	assert.Equal(t, m.Letters(), open(t, path).Letters())
}

func TestTheFileIsForItsOwnerOnly(t *testing.T) {
	path := mailFile(t)
	send(t, open(t, path), 1)
	info, err := os.Stat(path)
	require.NoError(t, err)
	assert.Equal(t, os.FileMode(0o600), info.Mode().Perm())
}

func TestHalfALetterIsLeftOut(t *testing.T) {
	path := mailFile(t)
	send(t, open(t, path), 1, 2)
	data, err := os.ReadFile(path)
	require.NoError(t, err)
	require.NoError(t, os.WriteFile(path, data[:len(data)-10], 0o600))

	m := open(t, path)
	assert.Equal(t, []string{"Letter 1"}, subjects(m))
	send(t, m, 3, 4)
	assert.Equal(t, []string{"Letter 4", "Letter 3", "Letter 1"}, subjects(open(t, path)))
}

func TestAFileThatHoldsSomethingElseIsLeftAlone(t *testing.T) {
	path := mailFile(t)
	require.NoError(t, os.WriteFile(path, []byte("{\"to\":\"a\"}\nshopping list\n"), 0o600))
	_, err := New(stopped{noon}, path)
	require.ErrorContains(t, err, "line 2 is not a letter")
	assert.NotContains(t, err.Error(), "shopping")
}

func TestALetterThatCanNotBeWrittenIsNotTaken(t *testing.T) {
	folder := filepath.Join(t.TempDir(), "gone")
	require.NoError(t, os.Mkdir(folder, 0o700))
	m := open(t, filepath.Join(folder, "mail.jsonl"))
	send(t, m, 1)
	require.NoError(t, os.RemoveAll(folder))

	err := m.Send(t.Context(), letter(2))
	require.True(t, fault.Is(err, fault.Unavailable), "%v", err)
	assert.Equal(t, []string{"Letter 1"}, subjects(m))

	require.NoError(t, os.Mkdir(folder, 0o700))
	send(t, m, 3)
	assert.Equal(t, m.Letters(), open(t, filepath.Join(folder, "mail.jsonl")).Letters(), "the file is whole again")
}
