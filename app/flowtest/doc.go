// Package flowtest holds what tests of whole flows are made of: a world with a database, the
// embedded payment provider on a clock of its own, and any number of servers; the people in it and
// their cards; and the provider's events, kept until a test delivers them. It is for tests only.
package flowtest
