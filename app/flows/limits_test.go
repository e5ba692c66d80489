//go:build !race

package flows

const (
	concurrentRequests = 200 // of TestPostgres_
	everyNthOrder      = 1   // of the orders of events, in TestPitfall07_
	daysPerStep        = 1   // of TestLicense_EqualsTheProvidersStateFor400Days
	everyNthCall       = 1   // is interrupted by atEveryCall
)

var pairServers = []int{1, 2} // of TestConcurrentRequests_LeaveOneChange
