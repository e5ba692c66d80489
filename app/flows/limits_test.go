//go:build !race

package flows

const (
	concurrentRequests = 200 // in TestPostgres_
	everyNthOrder      = 1   // TestPitfall07_ tests every nth order of the events
	daysPerStep        = 1   // in TestLicense_EqualsTheProvidersStateFor400Days
	everyNthCall       = 1   // forEachInterruption interrupts every nth call of a request
)

// pairServers contains the numbers of servers in TestConcurrentRequests_LeaveAtMostOneChange.
var pairServers = []int{1, 2}
