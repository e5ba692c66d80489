//go:build !race

package flows

const (
	concurrentRequests = 200 // in TestPostgres_
	everyNthOrder      = 1   // TestReceiveEvent_AnyOrderAndNumberLeadToTheProvidersState tests every nth order
	daysPerStep        = 1   // in TestLicense_EqualsTheProvidersStateFor400Days
	everyNthCall       = 1   // forEachInterruption interrupts every nth call of a request
)

// pairServers contains the numbers of servers in TestConcurrentRequests_LeaveAtMostOneChange.
var pairServers = []int{1, 2}
