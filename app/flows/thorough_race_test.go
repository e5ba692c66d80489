//go:build race

package flows

// crowd is how many ask at once. Everything takes several times as long with the race detector,
// and people's patience, which the servers know, does not.
const crowd = 80

// everyNthOrder is which of the orders of events are tried.
const everyNthOrder = 24

// daysAtOnce is how many days go by between two looks.
const daysAtOnce = 4
