//go:build !race

package flows

// crowd is how many ask at once.
const crowd = 200

// everyNthOrder is which of the orders of events are tried.
const everyNthOrder = 1

// daysAtOnce is how many days go by between two looks.
const daysAtOnce = 1
