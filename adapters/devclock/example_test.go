package devclock_test

import (
	"fmt"
	"time"

	"github.com/vc-admin/diy/adapters/devclock"
)

// Without a path the offset is not stored.
func ExampleOpen() {
	systemTime := func() time.Time { return time.Date(2026, 3, 1, 12, 0, 0, 0, time.UTC) }
	clock, err := devclock.Open("", systemTime)
	if err != nil {
		panic(err)
	}
	if _, err := clock.Advance(8 * 24 * time.Hour); err != nil {
		panic(err)
	}
	fmt.Println(clock.Now().Format(time.DateTime))
	// Output: 2026-03-09 12:00:00
}
