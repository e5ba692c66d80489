//go:build !race

package flows

const (
	concurrentRequests = 200 // in TestPostgres_
	everyNthOrder      = 1   // of the orders of events, in TestPitfall07_
	daysPerStep        = 1   // in TestLicense_EqualsTheProvidersStateFor400Days
	everyNthCall       = 1   // of a request, which forEachInterruption interrupts
)

// pairServers contains the numbers of servers in TestConcurrentRequests_LeaveOneChange.
var pairServers = []int{1, 2}
