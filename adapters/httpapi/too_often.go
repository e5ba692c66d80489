package httpapi

import (
	"fmt"
	"net/http"
	"time"
)

// errRate tells a person, and in its header a program, how long to wait.
func errRate(wait time.Duration) error {
	return &failure{
		status: http.StatusTooManyRequests, Name: "ERRRATE", retryAfter: wait,
		Message: "That was tried too often. Please try again in " + inWords(wait) + ".",
	}
}

// inWords rounds up, so that whoever waits as long has waited long enough.
func inWords(wait time.Duration) string {
	if wait <= time.Minute {
		return counted(roundUp(wait, time.Second), "second")
	}
	return counted(roundUp(wait, time.Minute), "minute")
}

func roundUp(d, unit time.Duration) int { return int((d + unit - 1) / unit) }

func counted(n int, what string) string {
	if n == 1 {
		return "1 " + what
	}
	return fmt.Sprintf("%d %ss", n, what)
}
