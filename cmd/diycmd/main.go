// Package diycmd is the diy command as a library: configuration from the environment, subcommands and
// the composition of the server. A main package of a few lines can add a payment provider without
// changing this repository:
//
//	func main() {
//		diycmd.Main(diycmd.WithPayment("acme", acmepayment.Adapter{}))
//	}
//
// The operator then chooses it with DIY_PAYMENTS=acme. The README lists all variables.
package diycmd

import (
	"context"
	"errors"
	"flag"
	"fmt"
	"io"
	"maps"
	"os"
	"os/signal"
	"regexp"
	"slices"
	"strings"
	"syscall"
	_ "time/tzdata" // the time zones that dates are written in, for machines without them

	"github.com/vc-admin/diy/domain/fault"
	"github.com/vc-admin/diy/ports/payment/plugin"
)

// version is set by the linker: -X github.com/vc-admin/diy/cmd/diycmd.version=v1.2.3.
var version = "dev"

// errUsage means that the command line was wrong and the usage was printed; the exit code is 2.
var errUsage = errors.New("usage")

// Option changes what Main offers.
type Option func(*program)

var providerName = regexp.MustCompile(`^[a-z][a-z0-9]*$`)

// WithPayment registers a payment provider, which DIY_PAYMENTS then selects by the name. Variables
// that begin with the name, such as DIY_ACME_KEY, are its settings. It panics if the name is not a
// lower-case word or is registered already.
func WithPayment(name string, adapter plugin.Adapter) Option {
	if !providerName.MatchString(name) {
		panic(fmt.Sprintf("diycmd: payment provider %q: the name must consist of lower-case letters and digits", name))
	}
	return func(p *program) {
		if _, exists := p.payments[name]; exists {
			panic(fmt.Sprintf("diycmd: payment provider %q is already registered", name))
		}
		p.payments[name] = pluginPayments{adapter}
	}
}

// Main runs the command with the arguments and the environment of the process, and exits.
func Main(opts ...Option) {
	tuneGC()
	ctx, stop := signal.NotifyContext(context.Background(), syscall.SIGINT, syscall.SIGTERM)
	defer stop()
	p := newProgram(environ(), os.Stdout, os.Stderr, opts...)
	os.Exit(p.run(ctx, os.Args[1:]))
}

// program is one run of the command.
type program struct {
	payments       map[string]paymentProfile // by the values of DIY_PAYMENTS
	env            map[string]string
	stdout, stderr io.Writer
}

func newProgram(env map[string]string, stdout, stderr io.Writer, opts ...Option) program {
	p := program{
		payments: maps.Clone(paymentProfiles), env: env,
		stdout: terminalWriter{stdout}, stderr: terminalWriter{stderr},
	}
	for _, opt := range opts {
		opt(&p)
	}
	return p
}

// command is a subcommand.
type command struct {
	name    string
	summary string
	run     func(program, context.Context, []string) error
}

func commands() []command {
	return []command{
		{"serve", "run the server (the default)", program.serve},
		{"migrate", "bring the database up to date", program.migrate},
		{"license", "license dev --org ID [--plan ID]: give an organisation a developer license", program.license},
		{"invoice", "invoice list|paid|…: list invoices, record transfers, approve organisations", program.invoice},
		{"hold", "hold list|show|lift: organisations on hold because of a disputed payment", program.hold},
		{"catalogue", "catalogue diff|push: compare or correct the products and prices at the provider", program.catalogue},
		{"health", "check that the server at DIY_ADDR is alive", program.health},
		{"version", "print the version", program.version},
	}
}

// run runs the subcommand and returns the exit code: 0, 1 if it failed, 2 if the command line or the
// configuration was wrong.
func (p program) run(ctx context.Context, args []string) int {
	name, rest := "serve", args
	switch {
	case len(args) > 0 && isHelp(args[0]):
		name = "help"
	case len(args) > 0 && !strings.HasPrefix(args[0], "-"):
		name, rest = args[0], args[1:]
	}
	err := p.dispatch(ctx, name, rest)
	switch {
	case err == nil || errors.Is(err, flag.ErrHelp):
		return 0
	case errors.Is(err, errUsage):
		return 2
	}
	_, _ = fmt.Fprintln(p.stderr, "diy:", operatorMessage(err))
	if _, ok := errors.AsType[configError](err); ok {
		return 2
	}
	return 1
}

// operatorMessage returns err's text without the codes of the faults in its tree.
func operatorMessage(err error) string {
	text := err.Error()
	var causes []error
	switch e := err.(type) { //nolint:errorlint // visits every error of the tree
	case *fault.Error:
		text = strings.TrimPrefix(text, string(e.Code)+": ")
		causes = []error{e.Unwrap()}
	case interface{ Unwrap() error }:
		causes = []error{e.Unwrap()}
	case interface{ Unwrap() []error }:
		causes = e.Unwrap()
	}
	for _, cause := range causes {
		if cause != nil {
			text = strings.Replace(text, cause.Error(), operatorMessage(cause), 1)
		}
	}
	return text
}

func (p program) dispatch(ctx context.Context, name string, args []string) error {
	for _, c := range commands() {
		if c.name == name {
			return c.run(p, ctx, args)
		}
	}
	if name == "help" {
		usage(p.stderr)
		return nil
	}
	_, _ = fmt.Fprintf(p.stderr, "diy: there is no command %q\n", name)
	usage(p.stderr)
	return errUsage
}

func usage(w io.Writer) {
	_, _ = fmt.Fprintln(w, "usage: diy [command] [--help]")
	for _, c := range commands() {
		_, _ = fmt.Fprintf(w, "  %-9s %s\n", c.name, c.summary)
	}
	_, _ = fmt.Fprintln(w, "Settings are environment variables: https://github.com/vc-admin/diy#configuration")
}

// flags returns the flag set of a subcommand.
func (p program) flags(name, description string) *flag.FlagSet {
	set := flag.NewFlagSet(name, flag.ContinueOnError)
	set.SetOutput(p.stderr)
	set.Usage = func() {
		_, _ = fmt.Fprintf(p.stderr, "usage: diy %s\n  %s\n", name, description)
		set.PrintDefaults()
	}
	return set
}

// parse parses the flags and refuses further arguments. It returns flag.ErrHelp or errUsage.
func parse(set *flag.FlagSet, args []string) error {
	if err := set.Parse(args); err != nil {
		if errors.Is(err, flag.ErrHelp) {
			return err
		}
		return errUsage
	}
	if set.NArg() > 0 {
		return usageError(set, "unexpected %q", set.Arg(0))
	}
	return nil
}

// usageError prints what is wrong with the command line, and the usage. It returns errUsage.
func usageError(set *flag.FlagSet, format string, args ...any) error {
	_, _ = fmt.Fprintf(set.Output(), "diy: "+format+"\n", args...)
	set.Usage()
	return errUsage
}

// requireFlags prints the usage and fails unless all flags have values.
func requireFlags(set *flag.FlagSet, names ...string) error {
	for _, name := range names {
		if set.Lookup(name).Value.String() == "" {
			return usageError(set, "--%s is missing", name)
		}
	}
	return nil
}

// parseVerb parses arguments that begin with one of the verbs, such as push in `diy catalogue push`.
func parseVerb(set *flag.FlagSet, args []string, verbs ...string) (string, error) {
	if len(args) > 0 && slices.Contains(verbs, args[0]) {
		return args[0], parse(set, args[1:])
	}
	if len(args) > 0 && isHelp(args[0]) {
		set.Usage()
		return "", flag.ErrHelp
	}
	if len(args) > 0 {
		return "", usageError(set, "unexpected %q", args[0])
	}
	set.Usage()
	return "", errUsage
}

func isHelp(arg string) bool { return arg == "-h" || arg == "-help" || arg == "--help" }

func environ() map[string]string {
	env := map[string]string{}
	for _, pair := range os.Environ() {
		name, value, _ := strings.Cut(pair, "=")
		env[name] = value
	}
	return env
}
