//go:build !race

package flows

// crowd is how many ask at once.
const crowd = 200
