// Command stripeserver runs a fake Stripe API for development. It stores its state on this machine and sends signed events.
// No money moves. Package adapters/stripeserver documents what it imitates.
//
//	bin/stripeserver -addr 127.0.0.1:12111
//	curl -H 'X-Requested-With: XMLHttpRequest' -d '{"advance":"192h"}' http://127.0.0.1:12111/local/clock
package main

import (
	"context"
	"errors"
	"flag"
	"fmt"
	"io"
	"log/slog"
	"os"
	"os/signal"
	"syscall"
)

func main() {
	ctx, stop := signal.NotifyContext(context.Background(), syscall.SIGINT, syscall.SIGTERM)
	defer stop()
	os.Exit(run(ctx, os.Args[1:], os.Stderr))
}

// run serves until ctx ends and returns the exit code: 0 for success, 1 for a failure, 2 for invalid arguments.
func run(ctx context.Context, args []string, stderr io.Writer) int {
	s, err := readSettings(args, stderr)
	if errors.Is(err, flag.ErrHelp) {
		return 0
	}
	if err != nil {
		return 2 // the flag set has printed the reason
	}
	if err := serve(ctx, s, slog.New(slog.NewJSONHandler(stderr, nil))); err != nil {
		_, _ = fmt.Fprintln(stderr, "stripeserver:", err)
		return 1
	}
	return 0
}
