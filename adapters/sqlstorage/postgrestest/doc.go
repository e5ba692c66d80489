// Package postgrestest gives tests PostgreSQL databases of their own, on a throwaway server that
// it starts from the binaries of this machine: one for each test binary, when the first test asks,
// reached through a socket and nothing else.
//
// A package's TestMain calls Run. Where there are no binaries, Run says so and leaves out the tests
// that need them, which go by their names: TestPostgres… and subtests called PostgreSQL. With
// CI=true it fails instead.
package postgrestest
