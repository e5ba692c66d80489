package diycmd

import (
	"errors"
	"flag"
	"fmt"
	"slices"
	"strings"

	"github.com/vc-admin/diy/domain/account"
)

// newFlagSet returns the flag set of a subcommand.
func (p program) newFlagSet(name, description string) *flag.FlagSet {
	set := flag.NewFlagSet(name, flag.ContinueOnError)
	set.SetOutput(p.stderr)
	set.Usage = func() {
		_, _ = fmt.Fprintf(p.stderr, "usage: diy %s\n  %s\n", name, description)
		set.PrintDefaults()
	}
	return set
}

// parseFlags parses the flags and refuses further arguments. It returns flag.ErrHelp or errUsage.
func parseFlags(set *flag.FlagSet, args []string) error {
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

// pastedCode is the value of a flag for an id, a number or a code. Set removes characters that are often copied with it.
type pastedCode string

// String implements flag.Value.
func (c *pastedCode) String() string { return string(*c) }

// Set implements flag.Value.
func (c *pastedCode) Set(text string) error {
	*c = pastedCode(account.CleanCode(text))
	return nil
}

// usageError prints a message about the command line and the usage. It returns errUsage.
func usageError(set *flag.FlagSet, format string, args ...any) error {
	_, _ = fmt.Fprintf(set.Output(), "diy: "+format+"\n", args...)
	set.Usage()
	return errUsage
}

// requireFlags prints the usage and returns errUsage unless all flags have values.
func requireFlags(set *flag.FlagSet, names ...string) error {
	for _, name := range names {
		if set.Lookup(name).Value.String() == "" {
			return usageError(set, "--%s is missing", name)
		}
	}
	return nil
}

// parseVerbName parses the flags of arguments that begin with one of the verbs, such as push in `diy catalogue push`, and
// returns the verb.
func parseVerbName(set *flag.FlagSet, args []string, verbs ...string) (string, error) {
	if len(args) > 0 && slices.Contains(verbs, args[0]) {
		return args[0], parseFlags(set, args[1:])
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

// verb describes a verb of a command, such as paid in `diy invoice paid`. It accepts the flags in required and optional.
type verb[Action any] struct {
	name          string
	requiredFlags []string
	optionalFlags []string
	action        Action
	usage         string
}

// newVerbFlagSet returns the flag set of a command. Its usage lists the verbs.
func newVerbFlagSet[Action any](p program, command string, verbs []verb[Action]) *flag.FlagSet {
	var usage []string
	for _, v := range verbs {
		usage = append(usage, fmt.Sprintf("%-10s %s", v.name+":", v.usage))
	}
	return p.newFlagSet(command+" "+strings.Join(verbNames(verbs), "|"), strings.Join(usage, "\n  "))
}

// parseVerb parses a verb and its flags. It prints the usage and returns an error unless the arguments consist of a verb,
// all of its required flags and any of its optional ones.
func parseVerb[Action any](set *flag.FlagSet, args []string, verbs []verb[Action]) (v verb[Action], err error) {
	name, err := parseVerbName(set, args, verbNames(verbs)...)
	if err != nil {
		return v, err
	}
	v = verbs[slices.IndexFunc(verbs, func(v verb[Action]) bool { return v.name == name })]
	set.Visit(func(f *flag.Flag) {
		if err == nil && !slices.Contains(v.requiredFlags, f.Name) && !slices.Contains(v.optionalFlags, f.Name) {
			err = usageError(set, "--%s is not a flag of %s", f.Name, name)
		}
	})
	if err != nil {
		return v, err
	}
	return v, requireFlags(set, v.requiredFlags...)
}

func verbNames[Action any](verbs []verb[Action]) []string {
	var names []string
	for _, v := range verbs {
		names = append(names, v.name)
	}
	return names
}
