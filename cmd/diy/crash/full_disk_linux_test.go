package crash

import (
	"database/sql"
	"syscall"
	"testing"
	"unsafe"

	"github.com/stretchr/testify/require"
)

// A limit on the file size has the same effect as a full disk.
func TestSQLite_RecoversFromAFullDisk(t *testing.T) {
	t.Parallel()
	newDatabaseHarness(t, "").requireRecovery(func(h *harness, _ *sql.DB) {
		previousLimit := h.setFileSizeLimit(syscall.Rlimit{Cur: 4096, Max: ^uint64(0)})
		h.waitUntilUnavailable()
		h.setFileSizeLimit(previousLimit)
	})
}

// setFileSizeLimit sets the maximum size of files that the server writes and returns the previous one.
func (h *harness) setFileSizeLimit(limit syscall.Rlimit) (previousLimit syscall.Rlimit) {
	h.t.Helper()
	_, _, errno := syscall.RawSyscall6(syscall.SYS_PRLIMIT64, uintptr(h.server.Process.Pid), syscall.RLIMIT_FSIZE,
		uintptr(unsafe.Pointer(&limit)), uintptr(unsafe.Pointer(&previousLimit)), 0, 0)
	require.Zero(h.t, errno)
	return previousLimit
}
