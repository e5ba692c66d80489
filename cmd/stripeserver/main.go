// Command stripeserver is a Stripe to try things with: it answers as Stripe's API does, keeps what it
// is told on this machine, sends signed events and takes no money. It is a tool of development and
// no part of bin/diy; adapters/stripeserver tells what it can do.
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

// run serves until ctx ends and returns the exit code: 0, 1 when it failed, 2 when it was called
// wrongly.
func run(ctx context.Context, args []string, stderr io.Writer) int {
	s, err := readSettings(args, stderr)
	if errors.Is(err, flag.ErrHelp) {
		return 0
	}
	if err != nil {
		return 2 // the flags have said why
	}
	if err := serve(ctx, s, slog.New(slog.NewJSONHandler(stderr, nil))); err != nil {
		_, _ = fmt.Fprintln(stderr, "stripeserver:", err)
		return 1
	}
	return 0
}
