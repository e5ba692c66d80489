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

func newMailFilePath(t *testing.T) string { return filepath.Join(t.TempDir(), "mail.jsonl") }

func TestFile_KeepsEmailsAcrossRestarts(t *testing.T) {
	path := newMailFilePath(t)
	m := openMailbox(t, path)
	sendEmails(t, m, 1, 2)

	reopenedMailbox := openMailbox(t, path)
	assert.Equal(t, m.Emails(), reopenedMailbox.Emails())
	sendEmails(t, reopenedMailbox, 3)
	assert.Equal(t, []string{"Email 3", "Email 2", "Email 1"}, subjects(openMailbox(t, path)))
}

func TestFile_HasAtMostTwiceAsManyLinesAsCapacity(t *testing.T) {
	path := newMailFilePath(t)
	m := openMailbox(t, path)
	for n := range 3 * Capacity {
		sendEmails(t, m, n)
	}
	data, err := os.ReadFile(path)
	require.NoError(t, err)
	assert.LessOrEqual(t, bytes.Count(data, []byte("\n")), 2*Capacity)
	assert.Equal(t, m.Emails(), openMailbox(t, path).Emails())
}

func TestFile_IsReadableByItsOwnerOnly(t *testing.T) {
	path := newMailFilePath(t)
	sendEmails(t, openMailbox(t, path), 1)
	info, err := os.Stat(path)
	require.NoError(t, err)
	assert.Equal(t, os.FileMode(0o600), info.Mode().Perm())
}

func TestFile_IgnoresAnIncompleteLastLine(t *testing.T) {
	path := newMailFilePath(t)
	sendEmails(t, openMailbox(t, path), 1, 2)
	data, err := os.ReadFile(path)
	require.NoError(t, err)
	require.NoError(t, os.WriteFile(path, data[:len(data)-10], 0o600))

	m := openMailbox(t, path)
	assert.Equal(t, []string{"Email 1"}, subjects(m))
	sendEmails(t, m, 3, 4)
	assert.Equal(t, []string{"Email 4", "Email 3", "Email 1"}, subjects(openMailbox(t, path)))
}

func TestNew_RejectsFileWithInvalidLine(t *testing.T) {
	path := newMailFilePath(t)
	require.NoError(t, os.WriteFile(path, []byte("{\"to\":\"a\"}\nshopping list\n"), 0o600))
	_, err := New(fixedClock{noon}, path)
	require.ErrorContains(t, err, "line 2 is not an email")
	assert.NotContains(t, err.Error(), "shopping")
}

func TestSend_FailsWithUnavailableWhileFileCannotBeWritten(t *testing.T) {
	dir := filepath.Join(t.TempDir(), "mail")
	require.NoError(t, os.Mkdir(dir, 0o700))
	m := openMailbox(t, filepath.Join(dir, "mail.jsonl"))
	sendEmails(t, m, 1)
	require.NoError(t, os.RemoveAll(dir))

	err := m.Send(t.Context(), newMessage(2))
	require.True(t, fault.Is(err, fault.Unavailable), "%v", err)
	assert.Equal(t, []string{"Email 1"}, subjects(m))

	require.NoError(t, os.Mkdir(dir, 0o700))
	sendEmails(t, m, 3)
	assert.Equal(t, m.Emails(), openMailbox(t, filepath.Join(dir, "mail.jsonl")).Emails(), "the new file contains all emails")
}
