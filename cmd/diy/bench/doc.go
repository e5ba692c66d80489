// Package bench measures the server against its performance targets and prints a table of the results. The
// measurements are benchmarks. `go test` without -bench only runs the tests of the statistics.
//
// Most results are ratios to a baseline that is measured alternately in the same run, so that they depend little on
// the speed of the machine: sign-ups to bare password hashes, the plans page to a bare handler of the same bytes, a
// million organisations to a thousand. A result that misses its target while other processes used the machine is
// reported as unclear, not as missed.
//
// The server is the real binary in its own process, on a new database for each benchmark:
//
//	go test ./cmd/diy/bench -run '^$' -bench 'SignUps|Growth' -benchtime 1x
package bench
