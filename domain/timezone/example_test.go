package timezone_test

import (
	"fmt"
	"time"

	"github.com/vc-admin/diy/domain/timezone"
)

// The same instant has another date in Sydney than in Honolulu.
func ExampleForAddress() {
	dueAt := time.Date(2026, 3, 15, 14, 30, 0, 0, time.UTC)
	for _, zone := range []timezone.Zone{timezone.ForAddress("AU", "NSW"), timezone.ForAddress("US", "Hawaii")} {
		fmt.Println(zone, zone.Date(dueAt))
	}
	// Output:
	// Australia/Sydney 16 March 2026
	// Pacific/Honolulu 15 March 2026
}
