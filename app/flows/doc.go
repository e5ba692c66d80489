// Package flows tests the use cases together with the adapters that development uses: the SQLite
// database, the fake payment provider with its clock and the mailbox. It contains only tests, which use package
// apptest.
//
// Most tests end with Env.RequireCopyMatchesProvider, which requires one customer, at most one live subscription, and a
// stored copy that equals the provider's report. intercept_test.go lets tests fail, stop or interrupt a server at each of
// its calls to the store and the provider.
package flows
