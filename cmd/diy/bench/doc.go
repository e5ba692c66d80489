// Package bench measures the server against its performance targets and prints one table. The measurements are
// benchmarks; `go test` alone runs only the tests of the table and the meters.
//
// Most results are ratios to a baseline that is measured in the same run by turns, so that they do not depend on the
// speed of the machine: sign-ups to bare password hashes, the plans page to a bare handler of the same bytes, a
// million organisations to a thousand. A result that misses its target while other processes used the machine is
// reported as unclear, not as missed.
//
// The server is the real binary in its own process, on a new database for each benchmark:
//
//	go test ./cmd/diy/bench -run '^$' -bench 'SignUps|Growth' -benchtime 1x
package bench
