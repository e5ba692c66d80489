//go:build race

package flows

// Smaller limits, because the race detector makes the tests several times slower.
const (
	concurrentRequests = 80
	everyNthOrder      = 24
	daysPerStep        = 4
	everyNthCall       = 4
)

var pairServers = []int{2}
