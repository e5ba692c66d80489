package crash

import (
	"database/sql"
	"syscall"
	"testing"
	"unsafe"

	"github.com/stretchr/testify/require"
)

// A limit of the file size has the same effect as a full disk.
func TestSQLite_RecoversFromAFullDisk(t *testing.T) {
	t.Parallel()
	newDatabaseHarness(t, "").requireRecovery(func(h *harness, _ *sql.DB) {
		before := h.fileSizeLimit(syscall.Rlimit{Cur: 4096, Max: ^uint64(0)})
		h.requireUnavailable()
		h.fileSizeLimit(before)
	})
}

// fileSizeLimit sets the maximum size of files that the server writes and returns the previous one.
func (h *harness) fileSizeLimit(limit syscall.Rlimit) (before syscall.Rlimit) {
	h.t.Helper()
	_, _, failed := syscall.RawSyscall6(syscall.SYS_PRLIMIT64, uintptr(h.server.Process.Pid), syscall.RLIMIT_FSIZE,
		uintptr(unsafe.Pointer(&limit)), uintptr(unsafe.Pointer(&before)), 0, 0)
	require.Zero(h.t, failed)
	return before
}
