// Package timeouts contains the limits of requests that wait for the payment provider.
package timeouts

import "time"

const (
	// Display limits how long a request that only shows data waits for the provider.
	Display = 3 * time.Second
	// Request limits how long a request works with the provider, including the provider client's own retries. The request
	// continues when the browser disconnects.
	Request = 50 * time.Second
)
