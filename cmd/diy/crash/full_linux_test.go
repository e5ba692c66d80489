package crash

import (
	"database/sql"
	"syscall"
	"testing"
	"unsafe"

	"github.com/stretchr/testify/require"
)

// A server whose files can't grow is as badly off as one whose disk is full.
func TestAFileWithoutRoomLosesNothing(t *testing.T) {
	t.Parallel()
	troubled(t, "").mends(func(w *world, _ *sql.DB) {
		before := w.fileSizeLimit(syscall.Rlimit{Cur: 4096, Max: ^uint64(0)})
		w.refusesPlainly()
		w.fileSizeLimit(before)
	})
}

// fileSizeLimit sets how far the server may write into any file, and returns what it was before.
func (w *world) fileSizeLimit(limit syscall.Rlimit) (before syscall.Rlimit) {
	w.t.Helper()
	_, _, failed := syscall.RawSyscall6(syscall.SYS_PRLIMIT64, uintptr(w.server.Process.Pid), syscall.RLIMIT_FSIZE,
		uintptr(unsafe.Pointer(&limit)), uintptr(unsafe.Pointer(&before)), 0, 0)
	require.Zero(w.t, failed)
	return before
}
