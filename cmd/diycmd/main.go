// Package diycmd contains the diy command as a library: the configuration from the environment, the subcommands and
// the composition of the server. A main package of a few lines can add a payment provider without
// changing this repository:
//
//	func main() {
//		diycmd.Main(diycmd.WithPayment("acme", acmepayment.Adapter{}))
//	}
//
// The operator then chooses it with DIY_PAYMENTS=acme. docs/configuration.md lists all variables.
package diycmd

import (
	"context"
	"errors"
	"flag"
	"fmt"
	"io"
	"maps"
	"math"
	"os"
	"os/signal"
	"regexp"
	"runtime"
	"runtime/debug"
	"strings"
	"syscall"
	_ "time/tzdata" // time zones, for machines without them

	"github.com/vc-admin/diy/domain/fault"
	"github.com/vc-admin/diy/ports/payment/plugin"
)

// version is set by the linker: -X github.com/vc-admin/diy/cmd/diycmd.version=v1.2.3.
var version = "dev"

// errUsage means that the command line is wrong and the usage was printed. The exit code is 2.
var errUsage = errors.New("usage")

// Option configures Main.
type Option func(*program)

var providerNamePattern = regexp.MustCompile(`^[a-z][a-z0-9]*$`)

// WithPayment registers a payment provider, which DIY_PAYMENTS then selects by the name. Variables
// that begin with the name, such as DIY_ACME_KEY, are its settings. It panics if the name is registered
// already, or is not a lower-case letter followed by lower-case letters and digits.
func WithPayment(name string, adapter plugin.Adapter) Option {
	if !providerNamePattern.MatchString(name) {
		panic(fmt.Sprintf("diycmd: payment provider %q: the name must consist of lower-case letters and digits", name))
	}
	return func(p *program) {
		if _, exists := p.integrations[name]; exists {
			panic(fmt.Sprintf("diycmd: payment provider %q is already registered", name))
		}
		p.integrations[name] = pluginIntegration{adapter}
	}
}

// Main runs the command with the arguments and the environment of the process, and exits.
func Main(opts ...Option) {
	tuneGC()
	ctx, stop := signal.NotifyContext(context.Background(), syscall.SIGINT, syscall.SIGTERM)
	defer stop()
	p := newProgram(processEnvironment(), os.Stdout, os.Stderr, opts...)
	os.Exit(p.run(ctx, os.Args[1:]))
}

// program is one run of the command with its environment.
type program struct {
	integrations   map[string]paymentIntegration // by the values of DIY_PAYMENTS
	env            map[string]string
	stdout, stderr io.Writer
}

func newProgram(env map[string]string, stdout, stderr io.Writer, opts ...Option) program {
	p := program{
		integrations: maps.Clone(paymentIntegrations), env: env,
		stdout: terminalWriter{stdout}, stderr: terminalWriter{stderr},
	}
	for _, opt := range opts {
		opt(&p)
	}
	return p
}

// command describes a subcommand.
type command struct {
	name    string
	summary string
	run     func(program, context.Context, []string) error
}

func commands() []command {
	return []command{
		{"serve", "run the server (the default)", program.runServe},
		{"migrate", "bring the database up to date", program.runMigrate},
		{"license", "license dev|end --org ID --reason CODE --ticket ID: give an organisation a developer license, or end it", program.runLicense},
		{"invoice", "invoice list|paid|…: list invoices, record transfers, approve organisations", program.runInvoice},
		{"hold", "hold list|show|lift: organisations on hold because of a disputed payment", program.runHold},
		{"user", "user end-sessions|remove-passkeys|reset-two-step: help a user who lost a device or a second factor", program.runUser},
		{"privacy", "export or erase the data of an organisation", program.runPrivacy},
		{"owner", "owner invite: invite an owner to an organisation whose owners can't sign in", program.runOwner},
		{"audit", "audit verify|export: verify the seals of the audit log, or print its entries", program.runAudit},
		{"catalogue", "catalogue diff|push: compare or correct the products and prices at the provider", program.runCatalogue},
		{"health", "check that the server at DIY_ADDR is alive", program.runHealth},
		{"version", "print the version", program.runVersion},
	}
}

// run runs the subcommand and returns the exit code: 0 for success, 1 for a failure, and 2 for a wrong command line or
// configuration.
func (p program) run(ctx context.Context, args []string) int {
	name, commandArgs := "serve", args
	switch {
	case len(args) > 0 && isHelp(args[0]):
		name = "help"
	case len(args) > 0 && !strings.HasPrefix(args[0], "-"):
		name, commandArgs = args[0], args[1:]
	}
	err := p.dispatch(ctx, name, commandArgs)
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

// operatorMessage returns the text of err without the codes of the faults in its tree.
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
		printUsage(p.stderr)
		return nil
	}
	_, _ = fmt.Fprintf(p.stderr, "diy: there is no command %q\n", name)
	printUsage(p.stderr)
	return errUsage
}

func printUsage(w io.Writer) {
	_, _ = fmt.Fprintln(w, "usage: diy [command] [--help]")
	for _, c := range commands() {
		_, _ = fmt.Fprintf(w, "  %-9s %s\n", c.name, c.summary)
	}
	_, _ = fmt.Fprintln(w, "Settings are environment variables: https://github.com/vc-admin/diy#configuration")
}

// processEnvironment returns the variables of the process.
func processEnvironment() map[string]string {
	variables := map[string]string{}
	for _, pair := range os.Environ() {
		name, value, _ := strings.Cut(pair, "=")
		variables[name] = value
	}
	return variables
}

const (
	baseMemory   = 100 << 20
	memoryPerCPU = 45 << 20 // hashing a password needs 19 MiB and leaves as much garbage
	defaultGOGC  = 100      // Go's default
	targetGOGC   = 200
)

// tuneGC sets GOGC and GOMEMLIMIT unless the operator has set them. Main calls it once. Each password hash leaves 19 MiB of
// garbage. The memory limit makes the collector free the garbage of few hashes at a time. The higher GOGC keeps the
// runtime from returning memory to the system between two hashes, which would take a sixth of the time of a hash.
func tuneGC() {
	if debug.SetMemoryLimit(-1) == math.MaxInt64 {
		debug.SetMemoryLimit(baseMemory + memoryPerCPU*int64(runtime.GOMAXPROCS(0)))
	}
	if configured := debug.SetGCPercent(targetGOGC); configured != defaultGOGC {
		debug.SetGCPercent(configured)
	}
}
