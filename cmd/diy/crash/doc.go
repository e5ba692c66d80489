// Package crash tests that no data is lost or duplicated when the server is killed at any moment. It contains only
// tests.
//
// The real server, built with the tag crashpoints, runs on its own database while several users register, save
// cards, subscribe, change, schedule, end and resume plans, and pay or cancel pending changes and overdue invoices over
// HTTP. Some pay from bank accounts, whose payments arrive or fail after three days. The tests kill the server at random
// times, and it kills itself at named points before and after each change of the database and each request to the
// payment provider. After a restart every user checks that all acknowledged data is present, repeats requests without a
// response, and continues. Regularly and at the end, the tests compare the acknowledged data, the database and the
// provider's data.
//
// There are three kinds of providers: the fake one, which is part of the server and is killed with it; a fake Stripe in the
// process of the tests, which may execute a request after the server was killed; and enginepayment with the fake gateway,
// for which the tests also compare the charges at the gateway with the payments of the invoices.
//
// Other tests make the database of a running server fail: its connections are terminated, another program locks it, it
// is unreachable, or its disk is full. The server must recover without a restart.
//
//	go test ./cmd/diy/crash -run Kill -kills 300 -seed 7
package crash
