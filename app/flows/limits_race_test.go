//go:build race

package flows

// Less work for the race detector, with which everything takes several times as long.
const (
	concurrentRequests = 80
	everyNthOrder      = 24
	daysPerStep        = 4
)
