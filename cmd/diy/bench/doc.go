// Package bench measures what the server is held to, and prints one table of it. The measurements are
// benchmarks, so that `go test` alone leaves them out; the rest is how figures are judged.
//
// Nothing is judged by itself where it can be judged against something else: sign-ups against bare
// hashing, pages against a bare server of the same bytes, a million organisations against a thousand.
// Both are measured in one run and by turns, many times, and the median of the turns' ratios counts:
// a machine that is slow, or busy for a moment, is so for both. Who else uses the machine is watched
// all the same, and a figure that is missed while others do is not held against us.
//
// The server is the real binary in a process of its own, on a new database each time.
//
//	go test ./cmd/diy/bench -run '^$' -bench 'SignUps|Growth' -benchtime 1x
package bench
