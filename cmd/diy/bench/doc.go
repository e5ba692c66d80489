// Package bench measures the server against its performance targets and prints a table of the results. The
// measurements are benchmarks. `go test` without -bench only runs the tests of the statistics.
//
// Most results are ratios to a baseline. The server and the baseline are measured alternately in the same run, so that
// the ratio depends little on the speed of the machine. For example, sign-ups are compared with bare password hashes, the
// plans page with a bare handler that sends the same bytes, and a million organisations with a thousand. A result that
// misses its target while other processes used the machine is reported as unclear, not as missed.
//
// The server is the real binary in its own process, on a new database for each benchmark:
//
//	go test ./cmd/diy/bench -run '^$' -bench 'SignUps|Growth' -benchtime 1x
package bench
