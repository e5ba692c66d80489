// Command diy serves the self-service sign-up and billing area, and runs the few things an
// operator does from a shell. All configuration is in the environment; see config.go.
package main

import (
	"context"
	"errors"
	"flag"
	"fmt"
	"io"
	"os"
	"os/signal"
	"slices"
	"strings"
	"syscall"
)

// version is set when a release is linked.
var version = "dev"

// errUsage means that the command was called wrongly and has said so; the exit code is 2.
var errUsage = errors.New("usage")

// command is one subcommand.
type command struct {
	name    string
	summary string
	run     func(ctx context.Context, io stdio, args []string) error
}

// stdio is where a command reads its settings from and writes to.
type stdio struct {
	env            map[string]string
	stdout, stderr io.Writer
}

func commands() []command {
	return []command{
		{"serve", "serve the area (the default)", serve},
		{"migrate", "bring the database up to date", migrate},
		{"license", "license dev --org ID [--plan ID]: give an organisation a developer license", license},
		{"catalogue", "catalogue diff|push: compare or create the products and prices at the provider", syncCatalogue},
		{"health", "ask the server at DIY_ADDR whether it is alive", health},
		{"version", "say which version this is", showVersion},
	}
}

func main() {
	makeRoom()
	ctx, stop := signal.NotifyContext(context.Background(), syscall.SIGINT, syscall.SIGTERM)
	defer stop()
	os.Exit(run(ctx, stdio{env: environ(), stdout: os.Stdout, stderr: os.Stderr}, os.Args[1:]))
}

// run runs the subcommand and returns the exit code: 0, 1 when it failed, 2 when it was called or
// configured wrongly.
func run(ctx context.Context, io stdio, args []string) int {
	name, rest := "serve", args
	if len(args) > 0 && !strings.HasPrefix(args[0], "-") {
		name, rest = args[0], args[1:]
	}
	err := dispatch(ctx, io, name, rest)
	switch {
	case err == nil || errors.Is(err, flag.ErrHelp):
		return 0
	case errors.Is(err, errUsage):
		return 2
	}
	_, _ = fmt.Fprintln(io.stderr, "diy:", err)
	if _, wrong := errors.AsType[configError](err); wrong {
		return 2
	}
	return 1
}

func dispatch(ctx context.Context, io stdio, name string, args []string) error {
	for _, c := range commands() {
		if c.name == name {
			return c.run(ctx, io, args)
		}
	}
	if name != "help" {
		_, _ = fmt.Fprintf(io.stderr, "diy: there is no command %q\n", name)
	}
	usage(io.stderr)
	if name == "help" {
		return nil
	}
	return errUsage
}

func usage(w io.Writer) {
	_, _ = fmt.Fprintln(w, "usage: diy [command] [--help]")
	for _, c := range commands() {
		_, _ = fmt.Fprintf(w, "  %-9s %s\n", c.name, c.summary)
	}
}

// flags is a command's flag set, which reports wrong flags as errUsage.
func flags(io stdio, name, summary string) *flag.FlagSet {
	set := flag.NewFlagSet(name, flag.ContinueOnError)
	set.SetOutput(io.stderr)
	set.Usage = func() {
		_, _ = fmt.Fprintf(io.stderr, "usage: diy %s\n  %s\n", name, summary)
		set.PrintDefaults()
	}
	return set
}

// parse reads the flags; nothing may be left over.
func parse(set *flag.FlagSet, args []string) error {
	if err := set.Parse(args); err != nil {
		if errors.Is(err, flag.ErrHelp) {
			return err
		}
		return errUsage
	}
	if set.NArg() > 0 {
		_, _ = fmt.Fprintf(set.Output(), "diy: unexpected %q\n", set.Arg(0))
		set.Usage()
		return errUsage
	}
	return nil
}

// subcommand reads the name of a subcommand and its flags.
func subcommand(set *flag.FlagSet, args []string, names ...string) (string, error) {
	if len(args) > 0 && slices.Contains(names, args[0]) {
		return args[0], parse(set, args[1:])
	}
	set.Usage()
	if len(args) > 0 && (args[0] == "--help" || args[0] == "-h") {
		return "", flag.ErrHelp
	}
	return "", errUsage
}

func showVersion(_ context.Context, io stdio, args []string) error {
	if err := parse(flags(io, "version", "Says which version this is."), args); err != nil {
		return err
	}
	_, err := fmt.Fprintln(io.stdout, version)
	return err
}

func environ() map[string]string {
	env := map[string]string{}
	for _, pair := range os.Environ() {
		name, value, _ := strings.Cut(pair, "=")
		env[name] = value
	}
	return env
}
