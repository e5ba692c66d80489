package diycmd

import (
	"flag"
	"fmt"
	"slices"
	"strings"
)

// verb is a verb of a command, such as paid in `diy invoice paid`, with the flags that it requires and allows and its
// action.
type verb[Do any] struct {
	name     string
	required []string
	optional []string
	do       Do
	usage    string
}

// verbFlags returns the flag set of a command whose usage lists its verbs.
func verbFlags[Do any](p program, command string, verbs []verb[Do]) *flag.FlagSet {
	var usage []string
	for _, v := range verbs {
		usage = append(usage, fmt.Sprintf("%-10s %s", v.name+":", v.usage))
	}
	return p.flags(command+" "+strings.Join(verbNames(verbs), "|"), strings.Join(usage, "\n  "))
}

// chooseVerb parses the arguments. It prints the usage and fails unless they begin with a verb, whose required flags
// have values and which allows the others.
func chooseVerb[Do any](set *flag.FlagSet, args []string, verbs []verb[Do]) (chosen verb[Do], err error) {
	name, err := parseVerb(set, args, verbNames(verbs)...)
	if err != nil {
		return chosen, err
	}
	chosen = verbs[slices.IndexFunc(verbs, func(v verb[Do]) bool { return v.name == name })]
	set.Visit(func(f *flag.Flag) {
		if err == nil && !slices.Contains(chosen.required, f.Name) && !slices.Contains(chosen.optional, f.Name) {
			err = usageError(set, "--%s is not a flag of %s", f.Name, name)
		}
	})
	if err != nil {
		return chosen, err
	}
	return chosen, requireFlags(set, chosen.required...)
}

func verbNames[Do any](verbs []verb[Do]) []string {
	var names []string
	for _, v := range verbs {
		names = append(names, v.name)
	}
	return names
}
