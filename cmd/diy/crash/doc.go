// Package crash tests that the server can be killed at any moment without losing or duplicating data. It contains
// only tests.
//
// The real server, built with the tag crashpoints, runs on its own database while several users register, save
// cards, subscribe, change, schedule, end and resume plans, and pay or drop pending changes and overdue bills over
// HTTP. Some pay from bank accounts, whose payments arrive or fail after three days. It is killed repeatedly: from
// outside at random times, and by itself at named points before and after each change of the database and each
// request to the payment provider. After a restart every user checks that the acknowledged data is there, repeats
// requests without a response, and continues. Regularly and at the end, the acknowledged data, the database and the
// provider's data are compared.
//
// The provider is either the fake one, which is part of the server and killed with it, or a fake Stripe in another
// process, which may have acted when the server is gone.
//
// Other tests keep the server running and make its database fail: connections are cut, another program locks it, it
// is unreachable, or its disk is full. The server has to recover without a restart.
//
//	go test ./cmd/diy/crash -run Kill -kills 300 -seed 7
package crash
